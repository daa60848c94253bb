/** Stable ranks: what they are, and what kernels of work-groups give, by an interpreter of kernels. */

import { check } from "@groupwise/ir/document/check.js";
import { reference } from "@groupwise/ir/reference/reference.js";
import type { ScalarValue } from "@groupwise/ir/tables/scalar.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import { walk } from "@groupwise/kernel/language/walk.js";
import { lower, type Plan } from "@groupwise/lower/lower.js";
import { describe, expect, it } from "vitest";
import { fc, test } from "../../ir/test/fast-check.ts";
import {
  binary,
  cast,
  collective,
  constant,
  type Draft,
  documentOf,
  errorFrom,
  input,
  output,
} from "../../ir/test/support.ts";
import { runKernels, storageOf } from "../../kernel/test/kernel-interpreter.ts";
import { SIMT } from "../../kernel/test/simt.ts";
import { carriedOf } from "../src/state/carry.ts";

/** What ranks move. A work-item keeps the words of few values from the read of the keys on, and reads more of them later. */
const MOVED = [["moved"], ["wide"], ["moved", "wide"]] as const;
type Moved = (typeof MOVED)[number];

/** The rank of `x`, and `x` and a wide value moved by it. */
const nodes = (bins: number, isRead: boolean, names: Moved = ["moved", "wide"]): Draft[] => [
  ...[input("u32"), input("i64", "w")],
  { kind: "rank", scope: "device", of: 0, bins },
  ...names.map((name): Draft => ({ kind: "scatter", name, value: name === "moved" ? 0 : 1, slot: 2 })),
  ...(isRead ? [{ kind: "output", name: "rank", of: 2 } as const] : []),
];

/** By the definition: how many keys are smaller, and how many earlier ones are equal. */
const counted = (x: readonly number[], bins: number): number[] => {
  const keys = x.map((value) => Math.min(value, bins - 1));
  return keys.map((key, i) => keys.filter((other, j) => other < key || (other === key && j < i)).length);
};

/** Arrays of scratch hold anything before. */
function ran({ module }: Plan, x: readonly number[], subgroupSize: number): Record<string, ScalarValue[]> {
  const n = x.length;
  const inputs = { x, w: x.flatMap((value, i) => [i, value]) };
  const storage = storageOf(module, n, inputs, 0xdeadbeef);
  runKernels(module, n, { subgroupSize, storage });
  return storage;
}

const withSize = (workGroupSize: number, more: Partial<Capabilities> = {}): Capabilities => ({
  ...SIMT,
  tile: { workGroupSize, itemsPerWorkItem: 4 },
  ...more,
});
const BALLOTS = { subgroups: { minSize: 4, maxSize: 4, ballots: true, ranksByBallots: true } } as const;
const UNROLLED = { subgroups: { minSize: 4, maxSize: 4 } } as const;
const hasBallots = ({ module }: Plan): boolean =>
  module.kernels.some(({ body }) =>
    [...walk(body)].some((stmt) => stmt.kind === "intrinsic" && stmt.fn === "ballot"),
  );

const keys = fc
  .tuple(fc.integer({ min: 0, max: 300 }), fc.integer(), fc.integer({ min: 1, max: 400 }))
  .map(([n, seed, most]) =>
    Array.from({ length: n }, (_, i) => (Math.imul(i ^ seed, 0x9e3779b1) >>> 7) % most),
  );
const bins = fc.oneof(fc.constantFrom(1, 2, 3, 16, 256), fc.integer({ min: 1, max: 256 }));

describe("a stable rank", () => {
  test("follows the definition; a key past the last bin is in the last bin", () =>
    fc.property(keys, bins, (x, count) => {
      const w = x.map(BigInt);
      const checked = check(documentOf(nodes(count, true), [8]));
      expect(reference(checked, { n: x.length, inputs: { x, w } }).rank).toEqual(counted(x, count));
    }));

  it("requires 1 to 256 bins", () => {
    for (const count of [0, 257, 1.5])
      expect(errorFrom(() => check(documentOf(nodes(count, true), [8])))).toMatchObject({
        code: "type-mismatch",
      });
  });

  it("is not carried from chunk to chunk", () => {
    const counts: Draft[] = [...nodes(4, false).slice(0, 3), output(2, "rank")];
    expect(errorFrom(() => carriedOf(check(documentOf(counts, [8]))))).toMatchObject({ code: "not-carried" });
  });
});

describe("kernels of ranks follow the definition", () => {
  const sizes = fc.constantFrom(1, 4, 8, 64);
  const ways = [
    ["by ballots of subgroups", BALLOTS, 4],
    ["by bits in work-group memory", {}, 1],
    ["by bits in work-group memory, rounds written out", UNROLLED, 4],
  ] as const;
  for (const [way, more, subgroup] of ways) {
    const property = () =>
      fc.property(
        keys,
        bins,
        sizes,
        fc.boolean(),
        fc.constantFrom(...MOVED),
        (x, count, size, isRead, names) => {
          const plan = lower(check(documentOf(nodes(count, isRead, names), [8])), withSize(size, more));
          expect(hasBallots(plan)).toBe(more === BALLOTS && size >= 4);
          const found = ran(plan, x, size >= 4 ? subgroup : 1);
          const ranks = counted(x, count);
          const want = { moved: [] as number[], wide: [] as number[] };
          for (const [i, rank] of ranks.entries()) {
            want.moved[rank] = x[i] as number;
            [want.wide[2 * rank], want.wide[2 * rank + 1]] = [i, x[i] as number];
          }
          for (const name of names) expect(found[name]).toEqual(want[name]);
          if (isRead) expect(found.rank).toEqual(ranks);
        },
      );
    test(`${way}, in several tiles`, property, 18);
  }

  it("take the key from a value that an earlier stage stored, at the item", () => {
    const stored: Draft[] = [
      ...[input("u32"), constant(7), binary("and", 0, 1), cast("f32", 2)],
      { kind: "function", op: "exp", of: [3] },
      ...[cast("u32", 4), collective("reduce", "max", "u32", 5), binary("div", 6, 5)],
      { kind: "rank", scope: "device", of: 7, bins: 64 },
      { kind: "scatter", name: "moved", value: 0, slot: 8 },
    ];
    const checked = check(documentOf(stored, [8]));
    const x = Array.from({ length: 300 }, (_, i) => Math.imul(i, 0x9e3779b1) >>> 7);
    const scalars = { ...SIMT.scalars, f32: "native" } as const;
    const found = ran(lower(checked, withSize(8, { scalars })), x, 1);
    expect(found.moved).toEqual(reference(checked, { n: x.length, inputs: { x } }).moved);
  });

  it("need no status array and no clear if all items are moved", () => {
    const { module } = lower(check(documentOf(nodes(16, false), [8])), SIMT);
    expect(module.buffers.filter(({ cleared, role }) => cleared || role === "status")).toEqual([]);
  });

  it("leave scatters of some items, or with repeated slots, to passes that clear and check", () => {
    const some: readonly Draft[] = [
      { kind: "scatter", name: "out", value: 0, slot: 2, where: 3 },
      { kind: "scatter", name: "out", value: 0, slot: 2, combine: "add" },
      { kind: "scatter", name: "out", value: 0, slot: 2, length: 4 },
      { kind: "scatter", name: "out", value: 0, slot: 2, capacity: 4 },
      { kind: "scatter", name: "out", value: 0, slot: 2, as: "u8" },
    ];
    for (const sink of some) {
      const isTrue: Draft = { kind: "cast", to: "bool", of: 0 };
      const list: Draft[] = [...nodes(16, false).slice(0, 3), isTrue, constant(900), sink];
      const { buffers } = lower(check(documentOf(list, [8])), SIMT).module;
      expect(buffers.map(({ role }) => role)).toContain("status");
      expect(buffers.find(({ name }) => name === "out")?.cleared, JSON.stringify(sink)).toBe(true);
    }
  });

  it("use a smaller work-group if memory is insufficient", () => {
    const sizeOf = (workGroupMemory: number): number =>
      lower(check(documentOf(nodes(256, false), [8])), withSize(256, { workGroupMemory })).module.kernels.at(
        -1,
      )?.workGroupSize as number;
    expect(sizeOf(65_536)).toBe(256);
    expect(sizeOf(16_384)).toBe(128);
  });
});
