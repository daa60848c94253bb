/** Kernels on Oclgrind, which watches every access; and what they leave, bit for bit. */
import {
  type Capabilities,
  check,
  emit,
  type Pipeline,
  type RunOptions,
  type RunValues,
  type Scalar,
  type Scope,
} from "@groupwise/core";
import { emitChunks } from "@groupwise/core/state";
import { itemsIn } from "@groupwise/core/target";
import { f32, i32, pipeline } from "@groupwise/dsl";
import {
  CASES,
  collectivesOf,
  differences,
  expected,
  itemsOf,
  mixedData,
  SCOPES,
  TYPES,
} from "@groupwise/testkit";
import { isFullRun, requireDevice } from "@groupwise/testkit/conformance";
import { expect, type TestContext, test } from "vitest";
import { opencl, openclCapabilities } from "../src/index.ts";
import { openclRuntime } from "../src/runtime.ts";
import { observe, rangeOf, watched } from "./oclgrind.ts";

const probe = watched(openclRuntime, (runtime) => runtime.dispose());

/** Runs a pipeline: what Oclgrind found, and where outputs differ from the reference's. */
async function problemsOf(
  context: TestContext,
  ir: Pipeline,
  capabilities: Capabilities,
  values: RunValues,
  options: RunOptions = {},
): Promise<string[]> {
  const oclgrind = await requireDevice(context, probe);
  const { outcome, findings } = await observe(oclgrind, emit(ir, opencl, { capabilities }), values, options);
  if ("error" in outcome) return [outcome.error];
  const checked = check(ir);
  const n = itemsOf(checked, values, options);
  const wrong = differences(ir, values, outcome.outputs, n, expected(checked, values, options));
  return [...findings.map(({ text }) => text), ...wrong];
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
const floats = (n: number): Float32Array => Float32Array.from({ length: n }, (_, i) => (i % 7) - 3.5);
// Outside of full runs as many items as show it: a part of a tile, and several levels of totals.
const tiles = [
  { tile: { workGroupSize: 8, itemsPerWorkItem: 4 }, sizes: isFullRun() ? [0, 1, 31, 32, 33, 1100] : [1100] },
  ...(isFullRun() ? [{ tile: { workGroupSize: 256, itemsPerWorkItem: 8 }, sizes: [2049] }] : []),
];

for (const { tile, sizes } of tiles) {
  test(`no kernel has a data race or an access out of bounds, with tiles of ${tile.workGroupSize} x ${tile.itemsPerWorkItem}`, async (context) => {
    const capabilities = { ...openclCapabilities(), tile };
    for (const n of sizes) {
      expect(await problemsOf(context, everything.ir, capabilities, valuesOf(n)), `${n} items`).toEqual([]);
    }
  });
}

/** Of both. */
const valuesOf = (n: number) => ({
  ...{ x: floats(n), y: Int32Array.from({ length: n }, (_, i) => ((i * 37) % 11) - 5) },
});
for (const least of isFullRun() ? [8, 16] : [8]) {
  test(`no kernel of chunks of ${least} items has a data race or an access out of bounds`, async (context) => {
    const capabilities = openclCapabilities({ chunks: { most: 8, least } });
    expect(emit(everything, opencl, { capabilities }).manifest.strategy).toBe("chunks");
    for (const n of isFullRun() ? [0, 1, 8, 9, 100, 1100] : [100]) {
      expect(await problemsOf(context, everything.ir, capabilities, valuesOf(n)), `${n} items`).toEqual([]);
    }
  });
}

const IN_CHUNKS = isFullRun() ? ["compact", "tally", "gather-crossing", "affine-maps", "combine"] : ["tally"];
for (const name of IN_CHUNKS) {
  test(`no kernel of chunks has a data race or an access out of bounds: ${name}`, async (context) => {
    const { ir, values } = CASES.find((one) => one.name === name) as (typeof CASES)[number];
    const capabilities = openclCapabilities({ chunks: { most: 8, least: 8 } });
    expect(emit(ir, opencl, { capabilities }).manifest.strategy).toBe("chunks");
    expect(await problemsOf(context, ir, capabilities, values(100, 0))).toEqual([]);
  });
}

test("no kernel of a chunk has a data race or an access out of bounds, and the state after it is correct", async (context) => {
  const oclgrind = await requireDevice(context, probe);
  const sums = pipeline("sums", { x: f32 }, ({ x }) => ({
    sums: x.scanExclusive("add"),
    total: x.reduce("add"),
  }));
  const capabilities = { ...openclCapabilities(), tile: { workGroupSize: 8, itemsPerWorkItem: 4 } };
  const artifact = emitChunks(sums, opencl, { capabilities });
  const [place, level, before] = [2048, 11, 100];
  for (const n of isFullRun() ? [1, 33, 1100, 2048] : [33, 2048]) {
    const x = floats(n);
    const blocks = new Float32Array(32).fill(before, level, level + 1);
    const { outcome, findings } = await observe(oclgrind, artifact, { x, place, add_before: blocks }, {});
    expect(findings.map(({ text }) => text)).toEqual([]);
    const outputs = "error" in outcome ? {} : outcome.outputs;
    // All of these sums are exact in f32.
    const want = [before];
    for (const item of x) want.push((want.at(-1) ?? 0) + item);
    expect([...(outputs.sums as Float32Array), ...(outputs.total as Float32Array)]).toEqual(want);
    // One block of 2^12 closes where the chunk is as long as the one before.
    const after = outputs.add_after as Float32Array;
    expect(n === place ? after[level + 1] : after[level]).toBe(n === place ? want[n] : before);
  }
});

/** Records and wide types take ten seconds each, of the same algorithm. */
const LOOKING_BACK = isFullRun() ? ["prefix-sum", "compact", "affine-maps", "long-types"] : ["compact"];
for (const name of LOOKING_BACK) {
  test(`no look-back kernel has a data race or an access out of bounds: ${name}`, async (context) => {
    const { ir, values } = CASES.find((one) => one.name === name) as (typeof CASES)[number];
    const workGroupSize = isFullRun() ? 128 : 64;
    const lookBack = { workGroupSize, rows: 8, groups: 2, polls: 4, withheld: [0] };
    const capabilities = { ...openclCapabilities(), lookBack, maxItems: 2 ** 22 };
    expect(emit(ir, opencl, { capabilities }).manifest.strategy).toBe("look-back");
    expect(await problemsOf(context, ir, capabilities, values(2 * 32 * workGroupSize + 7, 0))).toEqual([]);
  });
}

test("no kernel has a data race or an access out of bounds in ranges of several dimensions", async (context) => {
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
  const capabilities = { ...openclCapabilities(), tile: { workGroupSize: 8, itemsPerWorkItem: 4 } };
  for (const sides of isFullRun() ? ["1 1 1", "3 2 2", "2 11 5", "7 5 3"] : ["7 5 3"]) {
    const globalSize = sides.split(" ").map(Number);
    const options = { globalSize, globalOffset: [1, 2, 3] };
    const values = { x: floats(itemsIn(globalSize)) };
    expect(await problemsOf(context, volume.ir, capabilities, values, options), `${globalSize}`).toEqual([]);
  }
});

/** Doubles in words and the language's own, rows of vectors, and two levels of totals. */
const FORMS: Readonly<Record<string, Capabilities>> = {
  "with all wide types emulated": {
    ...openclCapabilities(),
    tile: { workGroupSize: 8, itemsPerWorkItem: 4 },
  },
  "with native doubles": {
    ...openclCapabilities({ fp64: true }),
    tile: { workGroupSize: 4, itemsPerWorkItem: 2 },
    maxItems: 20_000,
  },
};

const SIZES = [[12], [5, 3]];
/** Both sizes of a work-group in full runs, else one by turns, so that each scope and each type has both. */
const sizesFor = (type: Scalar, scope: Scope): readonly (readonly number[])[] =>
  SIZES.filter((_, i) => isFullRun() || i === (TYPES.indexOf(type) + SCOPES.indexOf(scope)) % SIZES.length);

for (const [f, [form, capabilities]] of Object.entries(FORMS).entries()) {
  // In both forms in full runs, else one of eighteen in one form by turns: they share what is written for collectives.
  const cases = CASES.filter((_, i) => isFullRun() || i % 36 === 5 * f);
  for (const { name, ir, values } of cases) {
    test(`no kernel of the named pipeline ${name} has a data race or an access out of bounds, ${form}`, async (context) => {
      for (const n of isFullRun() ? [1, 150] : [150]) {
        const range = rangeOf(ir, n);
        const given = values(itemsIn(range.globalSize), 0);
        expect(await problemsOf(context, ir, capabilities, given, range), `${n} items`).toEqual([]);
      }
    });
  }

  // Outside of full runs a bool and a float; CI has all.
  const types = f === 0 ? ["bool"] : ["f32"];
  for (const type of TYPES.filter((one) => isFullRun() || types.includes(one))) {
    test(`no kernel of a collective of ${type} has a data race or an access out of bounds, ${form}`, async (context) => {
      for (const scope of SCOPES) {
        for (const workGroupSize of sizesFor(type, scope)) {
          const ir = collectivesOf({ type, scope, workGroupSize, broadcast: workGroupSize.map(() => 1) });
          const range = rangeOf(ir, 100);
          const x = mixedData(type, itemsIn(range.globalSize), "races");
          expect(await problemsOf(context, ir, capabilities, { x }, range), scope).toEqual([]);
        }
      }
    });
  }
}

test("a device without exact division gets no program that relies on it", async (context) => {
  const { device } = await requireDevice(context, probe);
  expect(device.info.floats.correctlyRoundedDivide).toBe(false);
  const thirds = pipeline("thirds", { x: f32 }, ({ x }) => ({ third: x.div(3) }));
  const native = emit(thirds, opencl, { capabilities: openclCapabilities({ divide: "native" }) });
  await expect(device.load(native)).rejects.toMatchObject({ code: "unsupported" });
  const program = await device.compile(thirds);
  const x = Float32Array.of(1, 2, -7);
  expect(await program.run({ x })).toEqual({ third: x.map((value) => value / 3) });
  program.dispose();
});
