/** Look-back of halves that are converted, with subgroups of 32: two rows of a tile in the halves of words. */

import { evaluate } from "@groupwise/ir/base/formula.js";
import { type Checked, check } from "@groupwise/ir/document/check.js";
import { reference } from "@groupwise/ir/reference/reference.js";
import { halfToNumber, numberToHalf, type ScalarValue } from "@groupwise/ir/tables/scalar.js";
import type { Capabilities, LookBack } from "@groupwise/kernel/capabilities/capabilities.js";
import type { Module } from "@groupwise/kernel/language/module.js";
import { describe, expect, test } from "vitest";
import { binary, type Draft, documentOf, output } from "../../ir/test/support.ts";
import { counting, runKernels, storageOf } from "../../kernel/test/kernel-interpreter.ts";
import { SIMT } from "../../kernel/test/simt.ts";
import { lower } from "../src/lower.ts";

const ROWS = 8;
/** Items of a tile: its blocks are at least 32. */
const tileOf = (size: number): number => 4 * size * Math.max(ROWS, 1024 / size);
const converting = (
  workGroupSize: number,
  withheld: readonly number[] = [],
  expand: Capabilities["expand"] = ["guard-rounding"],
): Capabilities => ({
  ...SIMT,
  scalars: { ...SIMT.scalars, f32: "native", f16: "emulated" },
  halfMemory: "u16",
  boolMemory: "u32",
  halfConversions: "exact",
  expand,
  subgroups: { minSize: 32, maxSize: 32 },
  surplusGroups: false,
  lookBack: { workGroupSize, rows: ROWS, groups: 1, polls: 2, withheld },
});

type Op = "add" | "mul";
const IDENTITIES: Readonly<Record<Op, number>> = { add: 0, mul: 1 };
const collective = (op: Op) =>
  ({ op, type: "f16", identity: IDENTITIES[op], scope: "device", order: "fixed" }) as const;
const X: Draft = { kind: "input", name: "x", type: "f16" };

/** The inclusive scan alone; then both, an item beside them, and the total. */
const alone = (op: Op): Checked =>
  check(documentOf([X, { kind: "scan-inclusive", of: 0, ...collective(op) }, output(1, "after")]));
const several = (op: Op): Checked =>
  check(
    documentOf([
      X,
      { kind: "scan-inclusive", of: 0, ...collective(op) },
      { kind: "scan-exclusive", of: 0, ...collective(op) },
      binary("sub", 0, 2),
      { kind: "reduce", of: 0, ...collective(op) },
      ...[output(1, "after"), output(2, "before"), output(3, "apart"), output(4, "total")],
    ]),
  );

/** Halves of both signs whose sums, or products, round often and seldom overflow. The first one tells whether 0 precedes it. */
const ITEMS: Readonly<Record<Op, (i: number) => number>> = {
  add: (i) => {
    const word = Math.imul(i + 1, 0x9e3779b1) >>> 0;
    return ((word >>> 31) * 2 - 1) * (1 + ((word >>> 10) & 1023) / 1024) * 2 ** -((word >>> 24) % 6);
  },
  mul: (i) => 1 + ((((Math.imul(i + 1, 0x9e3779b1) >>> 20) & 63) - 32) / 1024) * (i % 7 === 0 ? -1 : 1),
};
const itemsOf = (op: Op, n: number): number[] =>
  Array.from({ length: n }, (_, i) => (i === 0 ? -0 : halfToNumber(numberToHalf(ITEMS[op](i)))));

/** What devices spell themselves. */
const OWN: Readonly<Record<string, (...args: number[]) => number>> = {
  f16_bits_of_f32: (x) => numberToHalf(x as number),
  f32_of_f16_bits: (bits) => halfToNumber((bits as number) & 0xffff),
  f32_of_high_f16_bits: (bits) => halfToNumber((bits as number) >>> 16),
  two_f16_bits_of_f32: (x, y) => ((numberToHalf(y as number) << 16) | numberToHalf(x as number)) >>> 0,
};

const packed = (values: readonly number[]): number[] => {
  const words = new Uint32Array(Math.ceil(values.length / 2));
  new Uint16Array(words.buffer).set(values.map(numberToHalf));
  return [...words];
};
const unpacked = (words: readonly ScalarValue[], n: number): number[] =>
  Array.from(new Uint16Array(Uint32Array.from(words as number[]).buffer).subarray(0, n), halfToNumber);

/** The outputs of all kernels. */
function ran(module: Module, x: readonly number[]): Readonly<Record<string, number[]>> {
  const n = x.length;
  const storage = storageOf(module, n, packed(x), 77);
  runKernels(module, n, { storage, own: OWN });
  const outputs = module.buffers.filter(({ role }) => role === "output");
  return Object.fromEntries(
    outputs.map(({ name, elements }) => [name, unpacked(storage[name] ?? [], evaluate(elements, n))]),
  );
}

const OPS = process.env.GROUPWISE_FULL ? (["add", "mul"] as const) : (["mul"] as const);
describe.each(OPS)("scans of halves by %s", (op) => {
  test.each<readonly [number, number, readonly number[]]>([
    [64, tileOf(64) + 77, []],
    [256, 2 * tileOf(256) + 1, [0]],
    ...(process.env.GROUPWISE_FULL ? [[64, 34 * tileOf(64), [31]] as const] : []),
  ])("in work-groups of %i: %i items are those of the reference", (size, n, withheld) => {
    const x = itemsOf(op, n);
    for (const [checked, mixedRows] of [[alone(op), "any"] as const, [several(op), 0] as const]) {
      const { module } = lower(checked, { ...converting(size, withheld), mixedRows });
      expect(module.functions.map(({ name }) => name)).toContain(`${op}_two_f16`);
      expect(ran(module, x)).toEqual(reference(checked, { n, inputs: { x } }));
    }
  });
});

describe("where results need no guard", () => {
  const isCalled = (name: string): RegExp => new RegExp(`"fn":"${name}"`);

  test.each(["add", "mul"] as const)("scans by %s take no zero, and are those of the reference", (op) => {
    const n = 2 * tileOf(64) + 77;
    const x = itemsOf(op, n);
    const { module } = lower(alone(op), converting(64, [0], []));
    expect(module.params.map(({ role }) => role)).toEqual(["length"]);
    expect(ran(module, x)).toEqual(reference(alone(op), { n, inputs: { x } }));
  });

  test("functions follow those that they call, as C declares them", () => {
    const { functions } = lower(several("mul"), converting(64, [], [])).module;
    expect(functions.length).toBeGreaterThan(6);
    for (const [i, { name }] of functions.entries())
      for (const earlier of functions.slice(0, i))
        expect(JSON.stringify(earlier.body), `${earlier.name} calls ${name}`).not.toMatch(isCalled(name));
  });
});

test("tiles of halves in pairs have sizes of their own, others have not", () => {
  const known = converting(256);
  const lookBack = { ...(known.lookBack as LookBack), kinds: { pairs: { workGroupSize: 64, rows: 16 } } };
  const sizesOf = (capabilities: Capabilities): readonly number[] =>
    lower(alone("add"), capabilities).module.kernels.map(({ workGroupSize }) => workGroupSize);
  expect(sizesOf({ ...known, lookBack })).toEqual([64, 64]);
  const { halfConversions: _, ...byIntegers } = known;
  expect(sizesOf({ ...byIntegers, lookBack })).toEqual([256, 256]);
  const x = itemsOf("add", 64 * 4 * 16 + 5);
  const { module } = lower(alone("add"), { ...known, lookBack });
  expect(ran(module, x)).toEqual(reference(alone("add"), { n: x.length, inputs: { x } }));
});

test("infinities and NaN of one row stay in its half of the words", () => {
  const n = tileOf(64);
  const row = 64 * 4;
  for (const [at, special] of [
    [row + 5, Number.NaN],
    [2 * row + 9, Number.POSITIVE_INFINITY],
    [3 * row + 1, 65504],
  ] as const) {
    const x = itemsOf("add", n);
    x[at] = special;
    x[at + 1] = special;
    const checked = alone("add");
    expect(ran(lower(checked, converting(64)).module, x)).toEqual(reference(checked, { n, inputs: { x } }));
  }
});

test("take a third of the roundings of sums row by row", () => {
  const n = tileOf(256);
  const { module } = lower(alone("add"), converting(256));
  const { functions, calls } = counting(module.functions, "add_two_f16");
  ran({ ...module, functions }, itemsOf("add", n));
  // For 32 items of a work-item: 12 in its rows and 6 across lanes, up and down.
  expect(calls()).toBe((36 / 32) * n);
});
