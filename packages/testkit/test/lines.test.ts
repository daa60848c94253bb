/** Work-groups that are lines along the first dimension, with an operator that shows which values are combined and in what order. */
import { check } from "@groupwise/core";
import { f32, operator, pipeline, u32 } from "@groupwise/dsl";
import { expect, test } from "vitest";
import { prefixes } from "../../ir/test/fenwick.ts";
import { launchesOf, verifyBounds } from "../../kernel/src/bounds/verify-bounds.ts";
import type { Capabilities } from "../../kernel/src/capabilities/capabilities.ts";
import { lower } from "../../lower/src/lower.ts";
import { interpretedRuntime, WHOLE_VALUES } from "./interpreted.ts";

/** Neither associative nor commutative, and no value of it is neutral. */
const mixed = (a: number, b: number): number => (Math.imul(a, 31) + Math.imul(b, 17) + 5) >>> 0;
const mix = operator("mix", u32, {
  combine: (left, right) => left.mul(31).add(right.mul(17)).add(5),
  identity: 7,
  commutative: false,
});
const sum = (a: number, b: number): number => Math.fround(a + b);
const group = { scope: "work-group" } as const;

const linesOf = (length: number) =>
  pipeline(
    "lines",
    { x: u32, y: f32 },
    ({ x, y }, { localId }) => {
      const [total, most] = [mix.reduce(x, group), y.reduce("max", group)];
      return {
        ...{ total, most },
        upTo: mix.scanInclusive(x, group),
        before: mix.scanExclusive(x, group),
        sums: y.scanInclusive("add", group),
        after: mix.scanInclusive(x.sub(total), group),
        counted: localId(0).scanExclusive("add", group),
      };
    },
    { workGroupSize: [length, 1] },
  );

const SMALL: Capabilities = { ...WHOLE_VALUES, tile: { workGroupSize: 8, itemsPerWorkItem: 4 } };
const WITH_SUBGROUPS: Capabilities = {
  ...WHOLE_VALUES,
  tile: { workGroupSize: 128, itemsPerWorkItem: 4 },
  subgroups: { minSize: 32, maxSize: 32 },
};
const UNKNOWN_SIZE: Capabilities = { ...WITH_SUBGROUPS, subgroups: { minSize: 4, maxSize: 64 } };
const SHAPES = [
  [4, SMALL, [1, 2, 3, 4, 5, 8, 11]],
  [32, SMALL, [1, 3, 4, 5, 8, 9, 16, 17, 31, 32, 33, 40, 64]],
  [12, SMALL, [7, 12, 15, 28]],
  [256, WITH_SUBGROUPS, [3, 8, 100, 127, 128, 129, 255, 256, 260]],
  [256, UNKNOWN_SIZE, [8, 100, 129, 256]],
] as const;

/** Lines of several tiles. */
const longLinesOf = (length: number, form: "scans" | "reduces") =>
  pipeline(
    `long-${form}`,
    { x: u32, y: f32 },
    ({ x, y }) =>
      form === "scans"
        ? {
            upTo: mix.scanInclusive(x, group),
            before: mix.scanExclusive(x, group),
            sums: y.scanInclusive("add", group),
          }
        : { total: mix.reduce(x, group), sum: y.reduce("add", group), most: y.reduce("max", group) },
    { workGroupSize: [length, 1] },
  );

/** What a line should give, by output. */
type Wanted = (x: readonly number[], y: readonly number[]) => Readonly<Record<string, readonly number[]>>;

/** Runs lines of each shape in the interpreter of kernels, with indexes proven, and compares each line with what it should give. */
async function runLines(
  source: ReturnType<typeof linesOf> | ReturnType<typeof longLinesOf>,
  [length, capabilities, widths]: readonly [number, Capabilities, readonly number[]],
  heights: readonly number[],
  wanted: Wanted,
): Promise<void> {
  const checked = check(source.ir);
  const { module } = lower(checked, capabilities);
  expect(module.kernels.map(({ name }) => name)).toEqual(["lines", "lines_of_any"]);
  verifyBounds(module, launchesOf(checked, capabilities));
  const program = await interpretedRuntime(capabilities).compile(source);
  for (const width of widths)
    for (const height of heights) {
      const n = width * height;
      const x = Uint32Array.from({ length: n }, (_, i) => Math.imul(i + 1, 0x9e3779b1));
      const y = Float32Array.from({ length: n }, (_, i) =>
        i % 11 === 3 ? -0 : Math.fround(Math.sin(i) * 2 ** (i % 9)),
      );
      const lines: ReturnType<Wanted>[] = [];
      for (let from = 0; from < n; ) {
        const below = from + Math.min(length, width - (from % width));
        lines.push(wanted([...x.slice(from, below)], [...y.slice(from, below)]));
        from = below;
      }
      const got = await program.run({ x, y }, { globalSize: [width, height] });
      for (const [name, values] of Object.entries(got))
        expect([...(values as Uint32Array)], `${name} of ${width} x ${height}`).toEqual(
          lines.flatMap((line) => line[name] as readonly number[]),
        );
    }
}

test.each(SHAPES)("lines of %i items", (...shape) =>
  runLines(linesOf(shape[0]), shape, shape[0] === 256 ? [0, 1, 5] : [0, 1, 2, 37], (x, y) => {
    const all = prefixes([...x], 7, mixed);
    const total = all.at(-1) as number;
    const less = x.map((one) => (one - total) >>> 0);
    return {
      total: [total],
      most: [Math.max(...y)],
      upTo: all.slice(1),
      before: all.slice(0, -1),
      sums: prefixes([...y], 0, sum).slice(1),
      after: prefixes(less, 7, mixed).slice(1),
      counted: x.map((_, i) => (i * (i + 1)) / 2 - i),
    };
  }),
);

const LONG = [
  [64, SMALL, [1, 5, 31, 32, 33, 63, 64, 65, 100, 128]],
  [256, SMALL, [224, 225, 256, 300]],
  [2048, WITH_SUBGROUPS, process.env.GROUPWISE_FULL ? [100, 1500, 2048] : [1500]],
] as const;

test.each(LONG)("lines of %i items, in tiles", async (...shape) => {
  for (const form of ["scans", "reduces"] as const)
    await runLines(longLinesOf(shape[0], form), shape, [1, 3], (x, y) => {
      const all = prefixes([...x], 7, mixed);
      const sums = prefixes([...y], 0, sum);
      return {
        upTo: all.slice(1),
        before: all.slice(0, -1),
        sums: sums.slice(1),
        total: [all.at(-1) as number],
        sum: [sums.at(-1) as number],
        most: [Math.max(...y)],
      };
    });
});

/** Fields of a record, by name. */
const each = <V>(make: (k: number) => V): Record<string, V> =>
  Object.fromEntries(Array.from({ length: 8 }, (_, k) => [`f${k}`, make(k)]));

test.each([4, 64])(
  "reduces of a record that fits in memory only in turns, over lines of %i items",
  async (length) => {
    const capabilities: Capabilities = { ...SMALL, workGroupMemory: 320 };
    const record = operator(
      "record",
      each(() => f32),
      {
        combine: (left, right) =>
          each((k) => (left[`f${k}`] as typeof left.f0 & {}).mul(k).add(right[`f${k}`] as never)),
        identity: each(() => 7),
        commutative: false,
      },
    );
    const source = pipeline(
      "records",
      { y: f32 },
      ({ y }) => record.reduce(each((k) => y.add(k)) as never, group) as never,
      { workGroupSize: [length, 1] },
    );
    const { module } = lower(check(source.ir), capabilities);
    expect(module.kernels.map(({ name }) => name)).toEqual(["lines", "lines_of_any"]);
    const program = await interpretedRuntime(capabilities).compile(source);
    for (const width of [3, length, length + 5]) {
      const y = Float32Array.from({ length: 3 * width }, (_, i) => Math.fround(Math.sin(i)));
      const want = each(() => [] as number[]);
      for (let from = 0; from < y.length; from += Math.min(length, width - (from % width))) {
        const items = [...y.slice(from, from + Math.min(length, width - (from % width)))];
        for (let k = 0; k < 8; k++) {
          const all = prefixes(
            items.map((one) => sum(one, k)),
            7,
            (a, b) => sum(Math.fround(a * k), b),
          );
          want[`f${k}`]?.push(all.at(-1) as number);
        }
      }
      const got = (await program.run({ y } as never, { globalSize: [width, 3] })) as Record<
        string,
        Float32Array
      >;
      for (const [name, values] of Object.entries(want))
        expect([...(got[name] as Float32Array)], name).toEqual(values);
    }
  },
);

test("lines that need more memory than work-groups of the pipeline's own size are such work-groups", () => {
  const source = pipeline(
    "many",
    { y: f32 },
    ({ y }) =>
      Object.fromEntries(Array.from({ length: 12 }, (_, k) => [`y${k}`, y.mul(k).reduce("add", group)])),
    { workGroupSize: [4, 1] },
  );
  const namesIn = (workGroupMemory: number) =>
    lower(check(source.ir), { ...SMALL, workGroupMemory }).module.kernels.map(({ name }) => name);
  expect(namesIn(512)).toEqual(["groups"]);
  expect(namesIn(1024)).toEqual(["lines", "lines_of_any"]);
});

test("a scan of lines is written over its input, which another output reads", async () => {
  const source = pipeline(
    "over",
    { x: u32 },
    ({ x }) => ({ y: x.scanInclusive("add", group), twice: x.mul(2) }),
    { workGroupSize: [8, 1] },
  );
  const program = await interpretedRuntime(SMALL).compile(source, { inPlace: { y: "x" } });
  for (const width of [7, 8]) {
    const x = Uint32Array.from({ length: 2 * width }, (_, i) => i % width);
    const { y, twice } = await program.run({ x: x.slice() }, { globalSize: [width, 2] });
    expect([...y]).toEqual([...x].map((i) => (i * (i + 1)) / 2));
    expect([...twice]).toEqual([...x].map((i) => 2 * i));
  }
});
