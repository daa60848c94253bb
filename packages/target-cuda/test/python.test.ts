/** Modules of Python for CUDA run over libraries of CUDA's names on the CPU, and return the bits of modules for C. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { emit, type Target } from "@groupwise/core";
import { bf16, bool, f16, f32, f64, i64, param, pipeline, table, u32 } from "@groupwise/dsl";
import { c } from "@groupwise/target-c";
import { hostInPython as hostOfC } from "@groupwise/target-c/host";
import { namedCase } from "@groupwise/testkit";
import { deviceTest, inFullRuns } from "@groupwise/testkit/conformance";
import { type Found, missing, runProcess, scratchDirectory } from "@groupwise/testkit/devices";
import { expect } from "vitest";
import { hostInPython } from "../src/host.ts";
import { cuda } from "../src/index.ts";
import { type Libraries, librariesOnCpu } from "./cpu/libraries.ts";

const kinds = pipeline(
  "kinds",
  { x: f32, d: f64, h: f16, b: bf16, k: bool, l: i64, by: param(f32), places: table(u32) },
  ({ x, d, h, b, k, l, by, places }, { index }) => ({
    sums: x.mul(by).scanInclusive("add"),
    most: x.reduce("max"),
    doubles: d.mul(3),
    halves: h.add(1),
    twice: b.mul(2),
    count: k.toU32().scanExclusive("add"),
    longs: l.add(1n),
    others: k.not(),
    first: places.at(index().rem(50)),
  }),
);

async function find(): Promise<Found<Libraries>> {
  const python = await runProcess("/usr/bin/python3", ["-c", "import numpy"]).catch(() => undefined);
  const remedy = "on Debian: sudo node scripts/setup-devices.mjs";
  return python?.code === 0 ? librariesOnCpu() : missing("Python has no numpy", remedy);
}

const WHY = "CI's part has it; `cli/test/hosts/hosts.test.ts` runs modules for C and OpenCL C";
deviceTest("modules of Python for CUDA", inFullRuns(WHY, find), async ({ env }) => {
  const out = scratchDirectory();
  const write = (target: Target, host: typeof hostInPython): string => {
    const folder = join(out, target.name);
    mkdirSync(folder);
    for (const ir of [kinds.ir, namedCase("line-index").ir]) {
      const artifact = emit(ir, target);
      for (const { path, text } of [...artifact.files, ...host(artifact)])
        writeFileSync(join(folder, path), text);
    }
    return folder;
  };
  const args = ["-W", "error", join(import.meta.dirname, "python/checks.py")];
  const folders = [write(cuda, hostInPython), write(c, hostOfC)];
  const around = { ...env, XDG_CACHE_HOME: join(out, "cache") };
  const ran = await runProcess("/usr/bin/python3", [...args, ...folders], { env: around });
  expect(ran).toMatchObject({ code: 0, stderr: "", stdout: "" });
});
