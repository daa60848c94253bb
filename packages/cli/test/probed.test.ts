/** What commands keep of probes, on a device that counts what it is asked, and fails it. */
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProbeReport, Runtime } from "@groupwise/core";
import { Answers, Earned, reportOf } from "@groupwise/core/target";
import { KeptCode } from "@groupwise/target-c/native";
import { WGSL_CAPABILITIES, wgsl } from "@groupwise/target-wgsl";
import { deviceTest } from "@groupwise/testkit/conformance";
import { findOpenCl, scratchDirectory } from "@groupwise/testkit/devices";
import { beforeEach, expect, test, vi } from "vitest";
import type { Device } from "../src/devices/index.ts";
import { type Keeping, withDevice } from "../src/devices/probed.ts";
import { folder, LINES_JSON, say } from "./support.ts";

let home: string;
beforeEach(() => {
  home = scratchDirectory();
  vi.stubEnv("XDG_CACHE_HOME", home);
  return () => vi.unstubAllEnvs();
});
const kept = (): string => join(home, "groupwise", "probed");

/** A remainder is wrong, in the form that stands for it too. */
const NEEDS = ["u32 rem", "u32 rem by int-divide", "u32 atomic or in device memory"];
let asked = 0;
const deviceOf = (driver: string): Device => ({
  ...{ target: "wgsl", name: "a fake", driver, subnormals: "kept", facts: async () => ({}) },
  open: async ({ probed } = {}) => {
    const info = { target: "wgsl", name: "a fake", driver, hardware: "fake" };
    const run = async (): Promise<Uint32Array> => {
      asked += 1;
      return new Uint32Array(2 ** 20);
    };
    const earned = new Earned(wgsl, WGSL_CAPABILITIES, run, new Answers(probed, info));
    return {
      compile: () => earned.failed({ assumes: NEEDS, pipeline: "fake" }),
      probe: async () => reportOf(info, await earned.report()),
      probed: async () => reportOf(info, await earned.known()),
      dispose: () => {},
    } as unknown as Runtime;
  },
});

/** How often a command asks, and what the pipeline lacks. */
async function command(keeping: Keeping, { driver = "1", all = false } = {}) {
  asked = 0;
  const failed = await withDevice(deviceOf(driver), {}, keeping, async (runtime) => {
    if (all) await runtime.probe?.();
    return runtime.compile({} as never);
  });
  return { asked, failed };
}
const asks = async (...how: Parameters<typeof command>): Promise<boolean> =>
  (await command(...how)).asked > 0;

test("the second command asks the device nothing, and lacks what the first one lacks", async () => {
  const first = await command("found");
  expect(first.asked).toBeGreaterThan(0);
  expect(first.failed).toHaveLength(NEEDS.length);
  const again = await command("found");
  expect(again).toEqual({ asked: 0, failed: first.failed });
  expect(readdirSync(kept())).toHaveLength(1);
  // What is known is kept when more is asked.
  expect(await asks("found", { all: true })).toBe(true);
  expect(await asks("found", { all: true })).toBe(false);
});

test("a device of another driver is asked, and does not replace the answers", async () => {
  expect(await asks("found")).toBe(true);
  expect(await asks("found", { driver: "2" })).toBe(true);
  expect(await asks("found")).toBe(false);
  expect(await asks("found", { driver: "2" })).toBe(false);
});

test("doctor asks anew, and keeps the answers; without a cache they are neither read nor kept", async () => {
  expect(await asks("nowhere")).toBe(true);
  expect(readdirSync(home)).toEqual([]);
  expect(await asks("renewed", { all: true })).toBe(true);
  expect(await asks("found")).toBe(false);
  expect(await asks("renewed")).toBe(true);
  expect(await asks("nowhere")).toBe(true);
});

deviceTest(
  "a run keeps what it asked, and with --no-cache nothing",
  () => findOpenCl("pocl"),
  async ({ env }) => {
    Object.assign(process.env, env);
    const cwd = folder({ "lines.json": LINES_JSON });
    const run = "run lines.json --n 99 --seed 1 --target opencl";
    expect((await say(cwd, run, "--no-cache")).code).toBe(0);
    expect(readdirSync(home)).not.toContain("groupwise");
    expect((await say(cwd, run)).code).toBe(0);
    expect(readdirSync(kept())).toHaveLength(1);
  },
);

const write = (bytes: (before: Buffer) => Uint8Array): void => {
  const [name = ""] = readdirSync(kept());
  writeFileSync(join(kept(), name), bytes(readFileSync(join(kept(), name))));
};
const replace = async (
  content: (before: { table: string; report: ProbeReport }) => unknown,
): Promise<void> => {
  const store = new KeptCode(kept(), ["wgsl", "a fake", "1"]);
  const before = JSON.parse(new TextDecoder().decode(await store.get([])));
  await store.set([], new TextEncoder().encode(JSON.stringify(content(before))));
};
test.each<[string, () => void | Promise<void>]>([
  ["a byte that differs", () => write((before) => before.map((byte, i) => (i === 99 ? byte ^ 1 : byte)))],
  ["half of it", () => write((before) => before.subarray(0, before.length / 2))],
  ["nothing", () => write(() => new Uint8Array())],
  ["no report", () => replace(() => null)],
  ["a row without a name", () => replace((kept) => ({ ...kept, report: { ...kept.report, rows: [{}] } }))],
  ["another table of probes", () => replace((kept) => ({ ...kept, table: "0" }))],
  [
    "another version of groupwise",
    () => replace((kept) => ({ ...kept, report: { ...kept.report, generator: "groupwise 0.0.0" } })),
  ],
  ["a folder to which others can write", () => chmodSync(kept(), 0o777)],
])("the device is asked again where %s was kept", async (_, change) => {
  const { failed } = await command("found");
  await replace((kept) => kept);
  expect(await asks("found")).toBe(false);
  await change();
  const again = await command("found");
  expect(again.asked).toBeGreaterThan(0);
  expect(again.failed).toEqual(failed);
});
