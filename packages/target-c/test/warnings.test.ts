/** Emitted files of every case are C11 without a warning, and their headers are C++ too. */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { emit } from "@groupwise/core";
import { i64, pipeline, u32 } from "@groupwise/dsl";
import { CASES } from "@groupwise/testkit";
import { deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import { warningsOf } from "@groupwise/testkit/devices";
import { describe, expect, test } from "vitest";
import { hostInC } from "../src/host.ts";
import { c } from "../src/index.ts";
import { COMPILERS, compiled, emptyFolder, findProgram, STRICT, written } from "./support.ts";

/** Outside of full runs one of ten: emitting takes the time, and JavaScript runs the loops of all. */
const READ = CASES.filter(({ ir }, i) => isFullRun() || i % 10 === 0 || ir.name === "prefix-sum");

let folderOfAll: string | undefined;
/** Every emitted file in one folder. */
function allCases(): string {
  if (folderOfAll !== undefined) return folderOfAll;
  folderOfAll = emptyFolder();
  for (const { ir } of READ) {
    const artifact = emit(ir, c);
    for (const { path, text } of [...artifact.files, ...hostInC(artifact)])
      writeFileSync(join(folderOfAll, path), text);
  }
  return folderOfAll;
}

describe.each(COMPILERS)("%s", (compiler) => {
  const probe = (): ReturnType<typeof findProgram> => findProgram(compiler);

  deviceTest("accepts the files of every case without a warning, optimised", probe, async () => {
    const folder = allCases();
    const sources = readdirSync(folder).filter((file) => file.endsWith(".c"));
    expect(sources.length).toBe(2 * READ.length);
    // What is only seen by optimising takes time.
    const every = (count: number) => sources.filter((_, i) => isFullRun() || Math.floor(i / 2) % count === 0);
    const read = every(compiler === COMPILERS[0] ? 1 : 4);
    expect(await warningsOf(compiler, [...STRICT, "-fsyntax-only"], read, folder)).toBe("");
    const some = every(16);
    expect(await warningsOf(compiler, [...STRICT, "-O2", "-c"], some, folder)).toBe("");
  });

  deviceTest("accepts counts of bits that are expanded beside its own", probe, async () => {
    const counts = pipeline("counts", { x: u32, y: i64 }, ({ x, y }) => ({
      ...{ ones: x.popcount(), wide: y.popcount(), zeros: x.clz() },
    }));
    const { expand } = c.capabilities;
    const { folder } = written(counts, {
      capabilities: { ...c.capabilities, expand: [...expand, "popcount"] },
    });
    expect(await compiled(compiler, [...STRICT, "-fsyntax-only", "gw_counts.c"], folder)).toBe("");
  });

  deviceTest("needs no library but its own for the loops", probe, async () => {
    const folder = allCases();
    const all = readdirSync(folder).filter((file) => file.endsWith(".c") && !file.endsWith("_main.c"));
    const sources = all.filter((_, i) => isFullRun() || i % 8 === 0);
    const flags = ["-std=c11", "-fPIC", "-shared", "-Wl,--no-undefined", "-o", "all.so"];
    expect(await compiled(compiler, [...flags, ...sources], folder)).toBe("");
  });

  deviceTest("refuses fast floats", probe, async () => {
    const folder = allCases();
    const printed = await compiled(compiler, ["-std=c11", "-ffast-math", "-c", "gw_prefix-sum.c"], folder);
    expect(printed).toContain("-ffast-math changes results");
  });
});

deviceTest(
  "every header is C++",
  () => findProgram("clang"),
  async () => {
    const folder = allCases();
    const includes = READ.map(({ ir }) => `#include "gw_${ir.name}.h"\n`);
    writeFileSync(join(folder, "all.cpp"), includes.join(""));
    const args = ["-x", "c++", "-std=c++11", ...STRICT.slice(1), "-fsyntax-only", "all.cpp"];
    expect(await compiled("clang", args, folder)).toBe("");
  },
);

const sum = pipeline("my-sum", { x: u32 }, ({ x }) => ({ total: x.reduce("add") }));

test("is the same every time, and contains the command in a comment that the command cannot end", () => {
  const command = "evil \\\n#error */";
  const files = () => {
    const artifact = emit(sum, c, { command });
    return [...artifact.files, ...hostInC(artifact)];
  };
  expect(files()).toEqual(files());
  for (const { path, text } of files())
    if (!path.endsWith(".json")) expect(text, path).toMatch(/\n(?:\/\/|#) {3}evil \/\?#error \*\//);
});

test("the manifest names the files and functions", () => {
  const { manifest, files } = emit(sum, c);
  expect(files.map(({ path }) => path)).toEqual(["gw_my-sum.c", "gw_my-sum.h", "gw_my-sum.c.json"]);
  expect(manifest.flags).toMatchObject({ function: "gw_my_sum", kernel: "gw_my_sum_kernel" });
  expect(files[1]?.text).toContain("int gw_my_sum(");
});
