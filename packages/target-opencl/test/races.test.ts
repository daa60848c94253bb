/**
 * Kernels on Oclgrind, which watches every access. A process sees either PoCL or Oclgrind, and this file has
 * a process of its own.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Artifact,
  emit,
  itemsIn,
  type Pipeline,
  type RunOptions,
  type RunValues,
} from "@groupwise/core";
import { f32, i32, pipeline } from "@groupwise/dsl";
import { CASES, collectivesOf, mixedData, SCOPES, typesOf } from "@groupwise/testkit";
import { requireDevice } from "@groupwise/testkit/conformance";
import {
  type Found,
  findOpenCl,
  found,
  type OclgrindFinding,
  parseOclgrindLog,
} from "@groupwise/testkit/devices";
import { afterAll, expect, test } from "vitest";
import { opencl, openclCapabilities } from "../src/index.ts";
import { type OpenClRuntime, openclRuntime } from "../src/runtime.ts";

const directory = mkdtempSync(join(tmpdir(), "groupwise-oclgrind-"));
const log = join(directory, "log");
let opened: Promise<Found<OpenClRuntime>> | undefined;

async function oclgrind(): Promise<Found<OpenClRuntime>> {
  const platform = findOpenCl("oclgrind");
  if (!platform.found) return platform;
  const watch = { OCLGRIND_DATA_RACES: "1", OCLGRIND_MAX_ERRORS: "100000", OCLGRIND_LOG: log };
  Object.assign(process.env, platform.value.env, watch);
  return found(await openclRuntime());
}
const probe = (): Promise<Found<OpenClRuntime>> => (opened ??= oclgrind());

afterAll(async () => {
  const device = await opened;
  if (device?.found) device.value.dispose();
  rmSync(directory, { recursive: true });
});

let read = 0;
/** Runs an artifact, and gives what Oclgrind has found since the last time. */
async function findings(
  runtime: OpenClRuntime,
  artifact: Artifact,
  values: RunValues,
  options: RunOptions = {},
): Promise<OclgrindFinding[]> {
  const program = await runtime.load(artifact);
  await program.run(values, options);
  program.dispose();
  const text = existsSync(log) ? readFileSync(log, "utf8") : "";
  const fresh = text.slice(read);
  read = text.length;
  return parseOclgrindLog(fresh);
}

const everything = pipeline(
  "everything",
  { x: f32, y: i32 },
  ({ x, y }, { index }) => {
    const keep = y.gt(0);
    const sums = x.scanInclusive("add");
    const local = { scope: "work-group" } as const;
    return {
      sums,
      product: x.reduce("mul"),
      greatest: y.reduce("max"),
      kept: index().scatter({ to: keep.toU32().scanExclusive("add"), where: keep }),
      group_sums: sums.reduce("add", local),
      running: y.scanInclusive("max", local),
      second: y.broadcast(1, local),
      some: keep.any(local),
    };
  },
  { workGroupSize: 12 },
);
const values = (n: number): RunValues => ({
  x: Float32Array.from({ length: n }, (_, i) => (i % 7) - 3.5),
  y: Int32Array.from({ length: n }, (_, i) => ((i * 37) % 11) - 5),
});
const tiles = [
  { tile: { workGroupSize: 8, itemsPerWorkItem: 4 }, sizes: [0, 1, 31, 32, 33, 1100] },
  { tile: { workGroupSize: 256, itemsPerWorkItem: 8 }, sizes: [2049] },
];

for (const { tile, sizes } of tiles) {
  test(`no kernel races or leaves its arrays, with tiles of ${tile.workGroupSize} x ${tile.itemsPerWorkItem}`, async (context) => {
    const runtime = await requireDevice(context, probe);
    const artifact = emit(everything, opencl, { capabilities: { ...openclCapabilities(), tile } });
    for (const n of sizes) expect(await findings(runtime, artifact, values(n)), `${n} items`).toEqual([]);
  }, 120_000);
}

test("no kernel that looks back races or leaves its arrays", async (context) => {
  const runtime = await requireDevice(context, probe);
  const lookBack = { workGroupSize: 128, rows: 8, groups: 2, polls: 4, withheld: [0] };
  const capabilities = { ...openclCapabilities(), lookBack, maxItems: 2 ** 22 };
  const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ before: x.scanExclusive("add") }));
  const artifact = emit(sums, opencl, { capabilities });
  expect(artifact.manifest.strategy).toBe("look-back");
  const x = Float32Array.from({ length: 2 * 4096 + 7 }, (_, i) => (i % 7) - 3.5);
  expect(await findings(runtime, artifact, { x })).toEqual([]);
}, 240_000);

test("no kernel races or leaves its arrays in ranges of several dimensions", async (context) => {
  const runtime = await requireDevice(context, probe);
  const local = { scope: "work-group" } as const;
  const volume = pipeline(
    "volume",
    { x: f32 },
    ({ x }, { groupId, globalId, index, size }) => {
      const within = x.scanInclusive("add", local);
      return {
        within,
        total: x.reduce("max", local),
        corner: x.broadcast([groupId(0), groupId(1).add(9), 0], local),
        far: x.broadcast([1, 99, 1]),
        all: within.scanExclusive("add"),
        mirrored: globalId(2).scatter({ to: size().sub(1).sub(index()) }),
      };
    },
    { workGroupSize: [3, 2, 2] },
  );
  const tile = { workGroupSize: 8, itemsPerWorkItem: 4 };
  const artifact = emit(volume, opencl, { capabilities: { ...openclCapabilities(), tile } });
  for (const globalSize of [
    [1, 1, 1],
    [3, 2, 2],
    [7, 5, 3],
    [2, 11, 5],
  ]) {
    const x = Float32Array.from({ length: itemsIn(globalSize) }, (_, i) => (i % 7) - 3.5);
    const options = { globalSize, globalOffset: [1, 2, 3] };
    expect(await findings(runtime, artifact, { x }, options), `${globalSize}`).toEqual([]);
  }
}, 120_000);

/** Sides of two work-groups and a bit in all dimensions but the last, which holds about n items. */
function rangeOf({ workGroupSize }: Pipeline, n: number): { globalSize: number[] } {
  const sides = workGroupSize.slice(0, -1).map((side) => 2 * side + 1);
  return { globalSize: [...sides, Math.ceil(n / itemsIn(sides))] };
}

/**
 * Conversions between halves and doubles: Oclgrind ends with "unsupported instruction" on what LLVM makes of them. Sums
 * that saturate: LLVM makes intrinsics of them, and Oclgrind finds no kernel that has some.
 */
const NOT_SIMULATED: readonly string[] = ["wide-mix", "bounded-sums"];
// Oclgrind lacks integer instructions that LLVM makes of doubles in words; those words are checked as WGSL's are, by running.
const TILE = { workGroupSize: 8, itemsPerWorkItem: 4 };
const artifactOf = (ir: Pipeline): Artifact =>
  emit(ir, opencl, { capabilities: { ...openclCapabilities({ fp64: true }), tile: TILE } });

for (const { name, ir, values: of } of CASES.filter((one) => !NOT_SIMULATED.includes(one.name))) {
  test(`no kernel of the named pipeline ${name} races or leaves its arrays`, async (context) => {
    const runtime = await requireDevice(context, probe);
    for (const n of [1, 150]) {
      const range = rangeOf(ir, n);
      const run = findings(runtime, artifactOf(ir), of(itemsIn(range.globalSize), 0), range);
      expect(await run, `${range.globalSize.join(" x ")} items`).toEqual([]);
    }
  }, 120_000);
}

for (const type of typesOf(opencl.capabilities)) {
  test(`no kernel of a collective of ${type} races or leaves its arrays`, async (context) => {
    const runtime = await requireDevice(context, probe);
    for (const scope of SCOPES) {
      for (const workGroupSize of [[12], [5, 3]]) {
        const ir = collectivesOf({ type, scope, workGroupSize, broadcast: workGroupSize.map(() => 1) });
        const range = rangeOf(ir, 100);
        const x = mixedData(type, itemsIn(range.globalSize), "races", true);
        expect(await findings(runtime, artifactOf(ir), { x }, range), scope).toEqual([]);
      }
    }
  }, 120_000);
}

test("a barrier that is missing is found in every kind of kernel", async (context) => {
  const runtime = await requireDevice(context, probe);
  const tile = { workGroupSize: 8, itemsPerWorkItem: 4 };
  const artifact = emit(everything, opencl, { capabilities: { ...openclCapabilities(), tile } });
  for (const kernel of ["totals", "finish", "prefixes_1", "scan", "groups"]) {
    const files = artifact.files
      .slice(0, 1)
      .map(({ path, text }) => ({ path, text: withoutBarrier(text, kernel) }));
    const races = await findings(runtime, { ...artifact, files }, values(150));
    expect(races[0]?.message, kernel).toMatch(/data race/);
    expect(new Set(races.map((race) => race.kernel)), kernel).toContain(kernel);
  }
}, 120_000);

/** The text without the barrier inside the first loop of a kernel that has one. */
function withoutBarrier(text: string, kernel: string): string {
  const from = text.indexOf(`void ${kernel}(`);
  const loop = text.indexOf("for (uint round", from);
  const at = text.indexOf("barrier(CLK_LOCAL_MEM_FENCE);", loop);
  for (const place of [from, loop, at]) expect(place, kernel).toBeGreaterThan(0);
  return `${text.slice(0, at)}${text.slice(text.indexOf("\n", at))}`;
}

test("a device that does not divide exactly is given no program that relies on it", async (context) => {
  const runtime = await requireDevice(context, probe);
  expect(runtime.info.floats.correctlyRoundedDivide).toBe(false);
  const thirds = pipeline("thirds", { x: f32 }, ({ x }) => ({ third: x.div(3) }));
  const native = emit(thirds, opencl, { capabilities: openclCapabilities({ divide: "native" }) });
  await expect(runtime.load(native)).rejects.toMatchObject({ code: "unsupported" });
  const program = await runtime.compile(thirds);
  const x = Float32Array.of(1, 2, -7);
  expect(await program.run({ x })).toEqual({ third: x.map((value) => value / 3) });
  program.dispose();
});
