/** Look-back where combining takes many operations, with subgroups of 32: rows folded together, and the search by the first subgroup alone. */

import { check } from "@groupwise/ir/document/check.js";
import { reference } from "@groupwise/ir/reference/reference.js";
import type { ScalarValue } from "@groupwise/ir/tables/scalar.js";
import type { Capabilities, LookBack } from "@groupwise/kernel/capabilities/capabilities.js";
import type { Kernel, Module } from "@groupwise/kernel/language/module.js";
import { describe, expect, test } from "vitest";
import { scalarOperator } from "../../ir/test/operator-builder.ts";
import { binary, collective, type Draft, documentOf, input, output, unary } from "../../ir/test/support.ts";
import { counting, runGroup, runKernels, storageOf } from "../../kernel/test/kernel-interpreter.ts";
import { SIMT } from "../../kernel/test/simt.ts";
import { lower } from "../src/lower.ts";

const TILE = 4096;
const heavy = (workGroupSize: number, withheld: readonly number[] = []): Capabilities => ({
  ...SIMT,
  scalars: { ...SIMT.scalars, f64: "emulated" },
  subgroups: { minSize: 32, maxSize: 32 },
  surplusGroups: false,
  lookBack: { workGroupSize, rows: 8, groups: 1, polls: 2, withheld },
});
const sum = { op: "add", type: "f64", identity: 0, scope: "device", order: "fixed" } as const;
/** Both scans, of two operands, and a value that needs the item itself. */
const NODES: readonly Draft[] = [
  ...[input("f64"), collective("scan-inclusive", "add", "f64"), unary("neg", 0)],
  collective("scan-exclusive", "add", "f64", 2),
  ...[binary("min", 0, 3), output(1, "after"), output(4, "before")],
];
const checked = check(documentOf(NODES));
/** The inclusive scan alone. */
const plain = check(documentOf([...NODES.slice(0, 2), output(1, "after")]));
/** The same sum, of which no neutral value is known. */
const own = { kind: "user-collective", operator: 0, field: 0, scope: "device", of: [0] } as const;
const unknown = check({
  ...documentOf([
    input("f64"),
    { ...own, form: "scan-inclusive" },
    { ...own, form: "scan-exclusive" },
    ...[output(1, "after"), output(2, "before")],
  ]),
  operators: [scalarOperator("sum", "f64", 0, (a, b) => a.op("add", b))],
});
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
  const storage = storageOf(module, x.length, wordsOf(x));
  runKernels(module, x.length, { storage });
  return { after: doublesOf(storage.after ?? []), before: doublesOf(storage.before ?? []) };
}

const isFull = Boolean(process.env.GROUPWISE_FULL);

describe("sums of emulated doubles", () => {
  test.each<readonly [number, number, readonly number[]]>([
    [256, 2 * TILE + 1, [0]],
    ...(isFull
      ? ([
          [64, TILE + 77, []],
          [128, TILE, []],
        ] as const)
      : []),
    // The tile that ends a block of 32 is late.
    ...(isFull ? [[128, 34 * TILE, [31]] as const] : []),
  ])("in work-groups of %i: %i items are those of the reference", (size, n, withheld) => {
    const x = items(n);
    const want = reference(checked, { n, inputs: { x } });
    expect(ran(lower(checked, heavy(size, withheld)).module, x)).toEqual(want);
    const inOne: Capabilities = { ...heavy(size, withheld), mixedRows: "any" };
    expect(ran(lower(plain, inOne).module, x).after).toEqual(want.after);
    const same = reference(unknown, { n, inputs: { x } });
    expect(ran(lower(unknown, inOne).module, x)).toEqual(same);
  });
});

describe("sums of 64-bit values that a device has", () => {
  test.each(isFull ? [64, 256] : [64])("in work-groups of %i are those of the reference", (size) => {
    const looking = heavy(size, [1]);
    const wide = { workGroupSize: size, rows: 8, together: true } as const;
    const native: Capabilities = {
      ...looking,
      lookBack: { ...(looking.lookBack as LookBack), kinds: { wide } },
      scalars: { ...SIMT.scalars, i64: "native", f64: "native" },
    };
    const n = 2 * 2 * TILE + 77;
    const types = { i64: items(n).map((x) => BigInt(Math.trunc(x))), f64: items(n) } as const;
    for (const [type, x] of Object.entries(types)) {
      const whole = { ...sum, type: type as "i64", identity: type === "i64" ? "0" : 0 };
      const both = check(
        documentOf([
          input(whole.type),
          { kind: "scan-inclusive", of: 0, ...whole },
          { kind: "scan-exclusive", of: 0, ...whole },
          ...[output(1, "after"), output(2, "before")],
        ]),
      );
      const { module } = lower(both, native);
      const storage = storageOf(module, n, x);
      runKernels(module, n, { storage });
      const { after, before } = reference(both, { n, inputs: { x } });
      expect({ after: storage.after, before: storage.before }).toEqual({ after, before });
    }
  });
});

test.each(isFull ? [32, 64, 256] : [64])(
  "reduces of emulated doubles in work-groups of %i are those of the reference",
  (size) => {
    const reduce = check(documentOf([input("f64"), collective("reduce", "add", "f64"), output(1, "after")]));
    const x = items(5 * 1024 + 77);
    const tile = { workGroupSize: size, itemsPerWorkItem: 4 };
    const { module } = lower(reduce, { ...heavy(size), lookBack: SIMT.lookBack, tile });
    expect(ran(module, x).after).toEqual(reference(reduce, { n: x.length, inputs: { x } }).after);
  },
);

/** An array whose elements a rule gives until they are written. */
const ruled = (length: number, read: (index: number) => number): ScalarValue[] => {
  const written = new Map<number, ScalarValue>();
  return new Proxy([] as ScalarValue[], {
    get: (_, key) => (key === "length" ? length : (written.get(Number(key)) ?? read(Number(key)))),
    set: (_, key, value) => written.set(Number(key), value) !== undefined,
  });
};

describe("a tile of a long range", () => {
  const COUNT = 40_000;
  const n = COUNT * TILE;
  const totalOfTile = (tile: number): number => 1 / (((tile * 8) % 97) + 1);
  const known = new Map<string, number>();
  /** The total of a power of two of tiles. */
  const tree = (from: number, length: number): number => {
    if (length === 1) return totalOfTile(from);
    const key = `${from} ${length}`;
    const found = known.get(key) ?? tree(from, length / 2) + tree(from + length / 2, length / 2);
    known.set(key, found);
    return found;
  };
  /** The prefix before a tile: the blocks of the ones of its number, the largest first. */
  const before = (tile: number): number => {
    let sum: number | undefined;
    for (let size = 2 ** 16, from = 0; size >= 1; size /= 2) {
      if (Math.floor(tile / size) % 2 === 0) continue;
      sum = sum === undefined ? tree(from, size) : sum + tree(from, size);
      from += size;
    }
    return sum ?? 0;
  };
  const slotsAt = (level: number): number => Math.floor(COUNT / 32 ** level);
  /** A word of the status: 16 bits of the total of a slot, and the bit that marks it. */
  const word = (index: number): number => {
    let slot = Math.floor((index - 1) / 4);
    let level = 0;
    while (slot >= slotsAt(level)) slot -= slotsAt(level++);
    const half = (index - 1) % 4;
    const words = wordsOf([tree(slot * 32 ** level, 32 ** level)]);
    return (((words[half >> 1] as number) >>> (16 * (half & 1))) & 0xffff) | 0x10000;
  };

  /** In the second block of the third level. */
  const LATE = 33 * 1024 + 7 * 32 + 31;
  test.each(isFull ? [1, 31, 37, 127, 1023, 1024, 32 * 1024 - 1, LATE] : [31, 1024, LATE])(
    "tile %i",
    (tile) => {
      const { functions, kernels } = lower(plain, heavy(256)).module;
      const first = tile * TILE;
      // The tile has its total in its first item.
      const x = ruled(2 * n, (i) => (i >> 1 === first ? (wordsOf([totalOfTile(tile)])[i & 1] as number) : 0));
      let taken = false;
      const slots = ruled(2 ** 20, word);
      const status = new Proxy(slots, {
        get: (array, key) => (key === "0" ? (taken ? COUNT : tile) : Reflect.get(array, key)),
        set: (array, key, value) => {
          if (key === "0") taken = true;
          return Reflect.set(array, key, value);
        },
      });
      const after = ruled(2 * n, () => 0);
      const storage = { x, after, status };
      const run = { size: 256, subgroupSize: 32, group: 0, storage, functions, params: { n } };
      runGroup(kernels[0] as Kernel, run);
      const got = (i: number): number => doublesOf([after[2 * i], after[2 * i + 1]] as number[])[0] as number;
      expect(got(first)).toBe(before(tile) + totalOfTile(tile));
      expect(got(first + TILE - 1)).toBe(before(tile + 1));
    },
  );

  test("the tail computes the block that the last tile ends and, since a slot was late, has not published", () => {
    const { functions, kernels } = lower(plain, heavy(256)).module;
    const lost = 1 + 4 * (COUNT + slotsAt(1) - 1);
    const status = ruled(2 ** 20, (i) => (i >= lost && i < lost + 4 ? 0 : word(i)));
    const length = n + 3;
    const [x, after] = [ruled(2 * length, () => 0), ruled(2 * length, () => 0)];
    const run = { size: 256, subgroupSize: 32, group: 0, functions, params: { n: length } };
    runGroup(kernels[1] as Kernel, { ...run, storage: { x, after, status } });
    expect(doublesOf([after[2 * n], after[2 * n + 1]] as number[])).toEqual([before(COUNT)]);
    expect([0, 1, 2, 3].map((i) => status[lost + i])).toEqual([0, 1, 2, 3].map((i) => word(lost + i)));
  });
});

test("take 2.25 sums an item within the tiles, and the search by the first subgroup alone a few more", () => {
  const { module } = lower(plain, heavy(256));
  const { functions, calls } = counting(module.functions, "add_f64");
  ran({ ...module, functions }, items(2 * TILE));
  expect(calls() / (2 * TILE)).toBeLessThan(2.25 + (32 * 30) / TILE);
});
