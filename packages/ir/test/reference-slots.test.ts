/** What the reference does with slots, tables and keys, beside plain loops, and over no items. */
import { expect, it } from "vitest";
import { check } from "../src/document/check.ts";
import { type ReferenceOutputs, type ReferenceRun, reference } from "../src/reference/reference.ts";
import { fc, test } from "./fast-check.ts";
import { binary, constant, type Draft, documentOf, errorFrom, gather, output } from "./support.ts";

const run = (nodes: readonly Draft[], given: Partial<ReferenceRun>): ReferenceOutputs =>
  reference(check(documentOf(nodes)), { inputs: {}, ...given });

const u32 = (name: string): Draft => ({ kind: "input", name, type: "u32" });

const TABLE: Draft = { kind: "table", name: "t", type: "u32" };
const keys = fc.array(fc.nat(9), { maxLength: 12 });

test("the rank of an item is the number of smaller keys and of equal ones before it; keys end at the last bin", () =>
  fc.property(keys, (x) => {
    const bins = 7;
    const nodes = [u32("x"), { kind: "rank", scope: "device", of: 0, bins } as const, output(1)];
    const { y } = run(nodes, { n: x.length, inputs: { x } });
    const kept = x.map((key) => (key < bins ? key : bins - 1));
    const before = (i: number, j: number): boolean => {
      const [a, b] = [kept[j] as number, kept[i] as number];
      return a < b || (a === b && j < i);
    };
    expect(y).toEqual(kept.map((_, i) => kept.filter((_, j) => before(i, j)).length));
  }));

const SLOTS = 5;
type Scatter = Partial<Extract<Draft, { kind: "scatter" }>>;
const scatter = (given: Scatter = {}): Draft => ({
  ...{ kind: "scatter", name: "s", value: 0, slot: 1, capacity: 2, ...given },
});
const scattered = (
  given: Scatter,
  { x, slot, ...more }: Partial<ReferenceRun> & Readonly<Record<"x" | "slot", readonly number[]>>,
): ReferenceOutputs =>
  run([u32("x"), u32("slot"), constant(SLOTS), scatter(given)], {
    n: x.length,
    inputs: { x, slot },
    ...more,
  });

test("a slot has the value of its last item, or what combines those of all of its items", () =>
  fc.property(fc.array(fc.tuple(fc.nat(99), fc.nat(SLOTS - 1)), { maxLength: 12 }), (pairs) => {
    const [x, slot] = [pairs.map(([value]) => value), pairs.map(([, to]) => to)];
    const of = (s: number): number[] => pairs.filter(([, to]) => to === s).map(([value]) => value);
    const wanted = (fold: (values: readonly number[]) => number): number[] =>
      Array.from({ length: SLOTS }, (_, s) => fold(of(s)));
    expect(scattered({}, { x, slot }).s).toEqual(wanted((values) => values.at(-1) ?? 0));
    expect(scattered({ combine: "add" }, { x, slot, checkSlots: true }).s).toEqual(
      wanted((values) => values.reduce((a, b) => a + b, 0)),
    );
    expect(scattered({ combine: "max" }, { x, slot }).s).toEqual(wanted((values) => Math.max(0, ...values)));
    const least = (values: readonly number[]): number => Math.min(0xffffffff, ...values);
    expect(scattered({ combine: "min" }, { x, slot }).s).toEqual(wanted(least));
  }));

it("two items in one slot are an error only where slots are checked", () => {
  const twice = { x: [7, 8, 9], slot: [1, 4, 1] };
  expect(scattered({}, { ...twice, checkSlots: false }).s).toEqual([0, 9, 0, 0, 8]);
  expect(errorFrom(() => scattered({}, { ...twice, checkSlots: true })).code).toBe("scatter-conflict");
  expect(scattered({}, { x: [7, 8], slot: [1, 4], checkSlots: true }).s).toEqual([0, 7, 0, 0, 8]);
});

it("a slot past the end is an error", () => {
  expect(errorFrom(() => scattered({}, { x: [7], slot: [SLOTS] })).code).toBe("scatter-outside");
  expect(scattered({}, { x: [7], slot: [SLOTS - 1] }).s).toEqual([0, 0, 0, 0, 7]);
});

it("elements of an output of 8 bits keep the low 8 bits", () => {
  expect(scattered({ as: "u8" }, { x: [300, 255], slot: [0, 1] }).s).toEqual([44, 255, 0, 0, 0]);
  expect(
    run([u32("x"), { kind: "output", name: "y", of: 0, as: "u8" }], { n: 2, inputs: { x: [300, 5] } }).y,
  ).toEqual([44, 5]);
});

const byParam = (op?: "add" | "sub" | "mul"): readonly Draft[] => [
  u32("x"),
  { kind: "param", name: "p", type: "u32" },
  constant(3),
  ...(op ? [{ kind: "binary", op, left: 1, right: 2 } as const] : []),
  { kind: "scatter", name: "s", value: 0, slot: 0, capacity: op ? 3 : 1 },
];

it("a capacity is computed in whole numbers: what leaves u32 is an error", () => {
  const lengthOf = (p: number, op?: "add" | "sub" | "mul", n = 0): number | undefined =>
    run(byParam(op), { n, inputs: { x: n ? [0] : [] }, params: { p } }).s?.length;
  expect(lengthOf(4)).toBe(4);
  expect(lengthOf(0)).toBe(0);
  expect(lengthOf(4, "mul", 1)).toBe(12);
  expect(lengthOf(3, "sub")).toBe(0);
  expect(errorFrom(() => lengthOf(2, "sub")).code).toBe("bad-capacity");
  expect(errorFrom(() => lengthOf(2 ** 32 - 3, "add")).code).toBe("bad-capacity");
  expect(errorFrom(() => lengthOf(2 ** 31 + 1)).code).toBe("bad-capacity");
});

const divided: readonly Draft[] = [
  u32("x"),
  { kind: "param", name: "p", type: "u32", divides: true },
  ...[binary("rem", 0, 1), output(2)],
];

it("a parameter that divides the number of items is checked before a run", () => {
  const of = (p: number): ReferenceOutputs =>
    run(divided, { n: 6, inputs: { x: [0, 1, 2, 3, 4, 5] }, params: { p } });
  expect(of(3).y).toEqual([0, 1, 2, 0, 1, 2]);
  for (const p of [0, 4]) expect(errorFrom(() => of(p)).code).toBe("bad-divisor");
});

const table: readonly Draft[] = [
  ...[u32("x"), TABLE, gather(1, 0), { kind: "table-length", of: 1 } as const, constant(9), gather(1, 4)],
  ...[output(2, "each"), output(3, "length"), output(5, "one")],
];

it("an index past the end of a table reads its last element, also over no items; of none it reads zero", () => {
  const of = (x: readonly number[], t?: readonly number[]): ReferenceOutputs =>
    run(table, { n: x.length, inputs: { x }, ...(t && { tables: { t } }) });
  expect(of([2, 0, 5], [10, 11, 12])).toEqual({ each: [12, 10, 12], length: [3], one: [12] });
  expect(of([], [10, 11])).toEqual({ each: [], length: [2], one: [11] });
  expect(of([1], [])).toEqual({ each: [0], length: [0], one: [0] });
  expect(of([1])).toEqual({ each: [0], length: [0], one: [0] });
});

it("items read the elements that a scatter wrote", () => {
  const nodes = [...[u32("x"), u32("slot"), constant(SLOTS), scatter()], ...[gather(3, 1), output(4)]];
  // The value of the last item of each slot.
  expect(run(nodes, { n: 3, inputs: { x: [7, 8, 9], slot: [1, 4, 1] } })).toEqual({
    s: [0, 9, 0, 0, 8],
    y: [9, 8, 9],
  });
});

it("what needs an item over no items is an error", () => {
  const item: Draft = { kind: "broadcast", scope: "device", of: 0, index: [1] };
  const first = [u32("x"), constant(0), item];
  const none = { n: 0, inputs: { x: [] } };
  const sum: Draft = { kind: "binary", op: "add", left: 2, right: 1 };
  for (const nodes of [
    [...first, output(2)],
    [...first, sum, output(3)],
    [...first, { kind: "scatter", name: "y", value: 0, slot: 0, length: 2, capacity: 1 } as const],
    // Not even an empty table has an element at an index that is absent.
    [...first, TABLE, gather(3, 2), output(4)],
  ])
    expect(errorFrom(() => run(nodes, none)).code).toBe("empty-broadcast");
});
