/** Look-back where combining takes many operations, with subgroups of 32: rows folded together, and the search by the first subgroup alone. */
import { describe, expect, test } from "vitest";
import type { Capabilities } from "../src/compiler/capabilities/capabilities.ts";
import type { Fn, Module } from "../src/compiler/kernel/module.ts";
import { lower } from "../src/compiler/lower.ts";
import { evaluate } from "../src/ir/base/formula.ts";
import { check } from "../src/ir/document/check.ts";
import { reference } from "../src/ir/reference/reference.ts";
import type { ScalarValue } from "../src/ir/tables/scalar.ts";
import { runGroup } from "./kernel-interpreter.ts";
import { SIMT } from "./simt.ts";
import { type Draft, documentOf } from "./support.ts";

const TILE = 4096;
const heavy = (workGroupSize: number, withheld: readonly number[] = []): Capabilities => ({
  ...SIMT,
  scalars: { ...SIMT.scalars, f64: "emulated" },
  subgroups: { minSize: 32, maxSize: 32 },
  surplusGroups: false,
  lookBack: { workGroupSize, rows: 8, groups: 1, polls: 2, withheld },
});
const sum = { op: "add", type: "f64", identity: 0, scope: "device", order: "fixed" } as const;
/** Both scans, and a value that needs the item itself. */
const NODES: readonly Draft[] = [
  { kind: "input", name: "x", type: "f64" },
  { kind: "scan-inclusive", of: 0, ...sum },
  { kind: "scan-exclusive", of: 0, ...sum },
  { kind: "binary", op: "min", left: 0, right: 2 },
  { kind: "output", name: "after", of: 1 },
  { kind: "output", name: "before", of: 3 },
];
const checked = check(documentOf(NODES));
/** The inclusive scan alone. */
const plain = check(documentOf([...NODES.slice(0, 2), { kind: "output", name: "after", of: 1 }]));
/** Numbers of many magnitudes: another order of the sums has other bits. The first one tells whether 0 precedes it. */
const items = (n: number): number[] =>
  Array.from({ length: n }, (_, i) => {
    if (i === 0) return -0;
    const word = Math.imul(i + 1, 0x9e3779b1);
    return word * 2 ** -((word >>> 7) % 40);
  });

const wordsOf = (values: readonly number[]): number[] => [
  ...new Uint32Array(Float64Array.from(values).buffer),
];
const doublesOf = (words: readonly ScalarValue[]): number[] => [
  ...new Float64Array(Uint32Array.from(words as number[]).buffer),
];

/** The outputs of all kernels. */
function ran(module: Module, x: readonly number[]): Readonly<Record<string, number[]>> {
  const n = x.length;
  const storage = Object.fromEntries(
    module.buffers.map(({ name, role, elements }): [string, ScalarValue[]] => [
      name,
      role === "input" ? wordsOf(x) : Array((role === "output" ? 2 : 1) * evaluate(elements, n)).fill(0),
    ]),
  );
  for (const kernel of module.kernels)
    for (let group = 0; group < evaluate(kernel.groups, n); group++)
      runGroup(kernel, {
        ...{ size: kernel.workGroupSize, group, params: { n }, functions: module.functions, storage },
        subgroupSize: 32,
      });
  return { after: doublesOf(storage.after ?? []), before: doublesOf(storage.before ?? []) };
}

describe("sums of emulated doubles", () => {
  test.each<readonly [number, number, readonly number[]]>([
    [64, 2 * TILE + 77, []],
    [128, TILE + 1, []],
    [256, 2 * TILE, []],
    [256, 2 * TILE + 1, [0]],
    // The tile that ends a block of 32 is late.
    ...(process.env.GROUPWISE_FULL ? [[128, 34 * TILE, [31]] as const] : []),
  ])("in work-groups of %i: %i items are those of the reference", (size, n, withheld) => {
    const x = items(n);
    const want = reference(checked, { n, inputs: { x } });
    expect(ran(lower(checked, heavy(size, withheld)).module, x)).toEqual(want);
    expect(ran(lower(plain, heavy(size, withheld)).module, x).after).toEqual(want.after);
  });
});

test("take 2.25 sums an item within the tiles, and the search by the first subgroup alone a few more", () => {
  const { module } = lower(plain, heavy(256));
  let sums = 0;
  const functions = Object.assign([...module.functions], {
    find: (is: (fn: Fn) => boolean) => {
      const found = module.functions.find(is);
      if (found?.name === "add_f64") sums++;
      return found;
    },
  }) as Fn[];
  ran({ ...module, functions }, items(2 * TILE));
  expect(sums / (2 * TILE)).toBeLessThan(2.25 + (32 * 30) / TILE);
});
