/** Work-groups that are lines along the first dimension, with an operator that shows which values are combined and in what order. */
import { check } from "@groupwise/core";
import { f32, operator, pipeline, u32 } from "@groupwise/dsl";
import { expect, test } from "vitest";
import { launchesOf, verifyBounds } from "../../kernel/src/bounds/verify-bounds.ts";
import type { Capabilities } from "../../kernel/src/capabilities/capabilities.ts";
import { lower } from "../../lower/src/lower.ts";
import { prefixes } from "../../primitives/test/fenwick.ts";
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

test.each(SHAPES)("lines of %i items", async (length, capabilities, widths) => {
  const source = linesOf(length);
  const checked = check(source.ir);
  const { module } = lower(checked, capabilities);
  expect(module.kernels.map(({ name }) => name)).toEqual(["lines", "lines_of_any"]);
  verifyBounds(module, launchesOf(checked, capabilities));
  const program = await interpretedRuntime(capabilities).compile(source);
  for (const width of widths)
    for (const height of [0, 1, 2, 37]) {
      const n = width * height;
      const x = Uint32Array.from({ length: n }, (_, i) => Math.imul(i + 1, 0x9e3779b1));
      const y = Float32Array.from({ length: n }, (_, i) =>
        i % 11 === 3 ? -0 : Math.fround(Math.sin(i) * 2 ** (i % 9)),
      );
      const got = await program.run({ x, y }, { globalSize: [width, height] });
      const want = { total: [], most: [], upTo: [], before: [], sums: [], after: [], counted: [] } as Record<
        keyof typeof got,
        number[]
      >;
      for (let from = 0; from < n; from += Math.min(length, width - (from % width))) {
        const below = from + Math.min(length, width - (from % width));
        const items = [...x.slice(from, below)];
        const all = prefixes(items, 7, mixed);
        const total = all.at(-1) as number;
        want.total.push(total);
        want.most.push(Math.max(...y.slice(from, below)));
        want.upTo.push(...all.slice(1));
        want.before.push(...all.slice(0, -1));
        want.sums.push(...prefixes([...y.slice(from, below)], 0, sum).slice(1));
        want.after.push(
          ...prefixes(
            items.map((one) => (one - total) >>> 0),
            7,
            mixed,
          ).slice(1),
        );
        want.counted.push(...items.map((_, i) => (i * (i + 1)) / 2 - i));
      }
      for (const [name, values] of Object.entries(got))
        expect([...values], `${name} of ${width} x ${height}`).toEqual(want[name as keyof typeof got]);
    }
});

const LONG = [
  [64, SMALL, [1, 5, 31, 32, 33, 63, 64, 65, 100, 128]],
  [256, SMALL, [224, 225, 256, 300]],
  [2048, WITH_SUBGROUPS, [100, 1024, 1500, 2048]],
] as const;

test.each(LONG)("lines of %i items, in tiles", async (length, capabilities, widths) => {
  for (const form of ["scans", "reduces"] as const) {
    const source = longLinesOf(length, form);
    const checked = check(source.ir);
    const { module } = lower(checked, capabilities);
    expect(module.kernels.map(({ name }) => name)).toEqual(["lines", "lines_of_any"]);
    verifyBounds(module, launchesOf(checked, capabilities));
    const program = await interpretedRuntime(capabilities).compile(source);
    for (const width of widths)
      for (const height of [1, 3]) {
        const n = width * height;
        const x = Uint32Array.from({ length: n }, (_, i) => Math.imul(i + 1, 0x9e3779b1));
        const y = Float32Array.from({ length: n }, (_, i) => Math.fround(Math.sin(i) * 2 ** (i % 9)));
        const want: Record<string, number[]> = {
          upTo: [],
          before: [],
          sums: [],
          total: [],
          sum: [],
          most: [],
        };
        for (let from = 0; from < n; from += Math.min(length, width - (from % width))) {
          const below = from + Math.min(length, width - (from % width));
          const all = prefixes([...x.slice(from, below)], 7, mixed);
          const sums = prefixes([...y.slice(from, below)], 0, sum);
          want.upTo?.push(...all.slice(1));
          want.before?.push(...all.slice(0, -1));
          want.sums?.push(...sums.slice(1));
          want.total?.push(all.at(-1) as number);
          want.sum?.push(sums.at(-1) as number);
          want.most?.push(Math.max(...y.slice(from, below)));
        }
        const got = await program.run({ x, y }, { globalSize: [width, height] });
        for (const [name, values] of Object.entries(got))
          expect([...(values as Uint32Array)], `${name} of ${width} x ${height}`).toEqual(want[name]);
      }
  }
});
