/** Lines of floats on a device that flushes subnormal numbers: its own sums and products come first, and functions where a number is small. */
import { check, type Executable, type Pipeline } from "@groupwise/core";
import { f32, operators, pipeline } from "@groupwise/dsl";
import { expect, test } from "vitest";
import { prefixes } from "../../ir/test/fenwick.ts";
import { launchesOf, verifyBounds } from "../../kernel/src/bounds/verify-bounds.ts";
import type { Capabilities } from "../../kernel/src/capabilities/capabilities.ts";
import { allExprs } from "../../kernel/src/language/walk.ts";
import { lower } from "../../lower/src/lower.ts";
import { interpretedRuntime, WHOLE_VALUES } from "./interpreted.ts";

const FLUSHING: Capabilities = {
  ...WHOLE_VALUES,
  tile: { workGroupSize: 128, itemsPerWorkItem: 4 },
  subgroups: { minSize: 32, maxSize: 32 },
  expand: ["float-constants", "guard-rounding"],
  subnormals: "exact",
};
const TILE = 512;

type Values = readonly number[];
type Line = Readonly<Record<string, Values>>;
/** A pipeline over lines, and what a line gives, by output. */
interface Case {
  readonly make: (length: number) => Pipeline;
  readonly wanted: (line: Line) => Line;
}
const group = { scope: "work-group" } as const;
const linesOf =
  <Inputs extends Record<string, typeof f32>>(
    inputs: Inputs,
    body: (values: never) => Readonly<Record<string, unknown>>,
  ): Case["make"] =>
  (length) =>
    pipeline("lines", inputs, body as never, { workGroupSize: [length, 1] }).ir;

type Floats = Readonly<Record<string, ReturnType<typeof f32>>>;
const before = <T>(all: readonly T[]): readonly T[] => all.slice(0, -1);
const [add, mul] = [
  (a: number, b: number) => Math.fround(a + b),
  (a: number, b: number) => Math.fround(a * b),
];
const affine = operators.affine(f32);

const CASES: Readonly<Record<string, Case>> = {
  "scans of sums": {
    make: linesOf({ x: f32 }, ({ x }: Floats) => ({
      upTo: x?.scanInclusive("add", group),
      before: x?.scanExclusive("add", group),
    })),
    wanted: ({ x = [] }) => {
      const all = prefixes(x, 0, add);
      return { upTo: all.slice(1), before: before(all) };
    },
  },
  "scans of products": {
    make: linesOf({ x: f32 }, ({ x }: Floats) => ({ y: x?.scanInclusive("mul", group) })),
    wanted: ({ x = [] }) => ({ y: prefixes(x, 1, mul).slice(1) }),
  },
  reduces: {
    make: linesOf({ x: f32 }, ({ x }: Floats) => ({
      sum: x?.reduce("add", group),
      product: x?.reduce("mul", group),
    })),
    wanted: ({ x = [] }) => ({
      sum: [prefixes(x, 0, add).at(-1) as number],
      product: [prefixes(x, 1, mul).at(-1) as number],
    }),
  },
  "scans of affine maps": {
    make: linesOf({ x: f32, w: f32 }, ({ x, w }: Floats) => {
      const { a, b } = affine.scanInclusive({ a: w, b: x } as never, group);
      return { a, b };
    }),
    wanted: ({ x = [], w = [] }) => {
      const maps = x.map((b, i) => ({ a: w[i] as number, b }));
      const all = prefixes(maps, { a: 1, b: 0 }, (first, then) => ({
        a: mul(then.a, first.a),
        b: add(mul(then.a, first.b), then.b),
      })).slice(1);
      return { a: all.map(({ a }) => a), b: all.map(({ b }) => b) };
    },
  },
};

/** Bits without a pattern. */
function bitsAt(i: number): number {
  const x = Math.imul(i + 1, 0x9e3779b1);
  return Math.imul(x ^ (x >>> 15), 0x85ebca6b) >>> 0;
}
const floatOf = (bits: number): number => new Float32Array(Uint32Array.of(bits).buffer)[0] as number;
/** A number of either sign with an exponent from `from` on, of `count`; -127: a subnormal one. */
const float = (i: number, from: number, count: number): number =>
  floatOf((bitsAt(i) & 0x807fffff) | ((from + 127 + (bitsAt(~i) % count)) << 23));

/** By item, of lines of a width. */
const KINDS: Readonly<Record<string, (i: number, width: number) => number>> = {
  "a tenth subnormal": (i) => (i % 10 === 3 ? float(i, -127, 1) : float(i, -1, 2)),
  "subnormal in the last item": (i, width) => (i % width === width - 1 ? float(i, -127, 1) : 0),
  "subnormal in the last item, after some that cancel": (i, width) =>
    i % width === width - 1 ? float(i, -127, 1) : (i & 1 ? -1 : 1) * 2 ** -100,
  "the least that sums need no test for": (i) => float(i, -102, 1),
  "any size": (i) => float(i, -127, 250),
};

const SHAPES = [
  [256, [1, 2, 100, 255, 256, 257]],
  [4 * TILE, [4 * TILE, 1037]],
] as const;

/** Outside of full runs each case has each kind in lines of one length, by turns. */
const rows = Object.keys(CASES).flatMap((name, i) =>
  Object.keys(KINDS).flatMap((kind, k) =>
    SHAPES.filter((_, turn) => process.env.GROUPWISE_FULL || (i + k) % 2 === turn).map(
      ([length, widths]) => [name, length, kind, widths] as const,
    ),
  ),
);
const compiled = new Map<string, Executable>();

test.each(rows)("%s in lines of %i, %s", async (name, length, kind, widths) => {
  const { make, wanted } = CASES[name] as Case;
  const key = `${name} ${length}`;
  const source = make(length);
  const program = compiled.get(key) ?? (await interpretedRuntime(FLUSHING, true).compile(source));
  compiled.set(key, program);
  for (const width of widths) {
    const n = width * (length > TILE ? 2 : 5);
    const x = Float32Array.from({ length: n }, (_, i) => (KINDS[kind] as (typeof KINDS)[string])(i, width));
    const w = Float32Array.from({ length: n }, (_, i) =>
      i % 7 === 2 ? (x[i] as number) : 1 - (i % 3) * 2 ** -9,
    );
    const lines: Line[] = [];
    for (let from = 0; from < n; ) {
      const below = from + Math.min(length, width - (from % width));
      lines.push(wanted({ x: [...x.slice(from, below)], w: [...w.slice(from, below)] }));
      from = below;
    }
    const inputs = check(source).inputs.length > 1 ? { x, w } : { x };
    const got = await program.run(inputs, { globalSize: [width, n / width] });
    for (const [output, values] of Object.entries(got))
      expect([...(values as Float32Array)], `${output} of ${width}`).toEqual(
        lines.flatMap((line) => line[output] as Values),
      );
  }
});

const formsOf = (source: Pipeline, inPlace: Record<string, string> = {}) => {
  const { module } = lower(check(source), FLUSHING, inPlace);
  const exprs = allExprs(module.kernels.flatMap(({ body }) => body));
  return { module, isInTwoForms: exprs.some((e) => e.kind === "binary" && e.normal === true) };
};

test("indexes are in range in both forms", () => {
  const source = (CASES["scans of products"] as Case).make(256);
  const { module, isInTwoForms } = formsOf(source);
  expect(isInTwoForms).toBe(true);
  verifyBounds(module, launchesOf(check(source), FLUSHING));
});

const over = pipeline("over", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add", group) }), {
  workGroupSize: [8, 1],
}).ir;
const scattered = pipeline(
  "scattered",
  { x: f32 },
  ({ x }, { index }) => ({ y: x.scanInclusive("add", group).scatter({ to: index() }) }),
  { workGroupSize: [8, 1] },
).ir;
const rounds = pipeline(
  "rounds",
  { x: f32 },
  ({ x }) => ({ y: x.sub(x.reduce("max", group)).scanInclusive("add", group) }),
  { workGroupSize: [8, 1] },
).ir;
const ONCE: readonly (readonly [string, Pipeline, Record<string, string>, (x: Values) => Values])[] = [
  ["its input", over, { y: "x" }, (x) => x],
  ["places that may depend on what is combined", scattered, {}, (x) => x],
  ["an array, after a reduce", rounds, {}, (x) => x.map((one) => Math.fround(one - Math.max(...x)))],
];

test.each(ONCE)("lines that write %s are taken once", async (_, source, inPlace, items) => {
  expect(formsOf(source, inPlace).isInTwoForms).toBe(false);
  const program = await interpretedRuntime(FLUSHING, true).compile(source, { inPlace });
  const x = Float32Array.from({ length: 16 }, (_, i) => (i % 3) * 2 ** -127);
  const { y } = await program.run({ x: x.slice() }, { globalSize: [8, 2] });
  const wanted = [0, 8].flatMap((from) => prefixes(items([...x.slice(from, from + 8)]), 0, add).slice(1));
  expect([...(y as Float32Array)]).toEqual(wanted);
});
