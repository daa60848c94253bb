import type { Operator } from "@groupwise/ir/document/operator.js";
import { applyOperator } from "@groupwise/ir/document/operator-apply.js";
import { OP_NAMES, OPS, type Op, opExists } from "@groupwise/ir/tables/op.js";
import { SCALAR_NAMES, SCALARS, type Scalar, type ScalarValue } from "@groupwise/ir/tables/scalar.js";
import { describe, expect, it } from "vitest";
import { fc, test } from "../../ir/test/fast-check.ts";
import { prefixes } from "../../ir/test/fenwick.ts";
import { operatorOf, scalarOperator } from "../../ir/test/operator-builder.ts";
import { anyOf, errorFrom } from "../../ir/test/support.ts";
import { decodeState, encodeState } from "../src/state/binary.ts";
import { append, type Block, type Combine, foldCover, joinCovers, type Total } from "../src/state/cover.ts";
import { requireState } from "../src/state/fit.ts";
import { type BlockJson, parseState, type StateJson, stateToJson } from "../src/state/json.ts";
import {
  type CoverState,
  combineOf,
  emptyState,
  mergeStates,
  type ScanState,
  type State,
  type StateOperator,
} from "../src/state/state.ts";

/** It is neither associative nor commutative, so its results show which values were combined, and in which order. */
const BRACKETS: Operator = scalarOperator("brackets", "u32", 0, (a, b) =>
  a.op("mul", 31).op("add", b.op("mul", 17)).op("add", 7),
);
const AFFINE: Operator = operatorOf("affine", { a: "f32", b: "f32" }, { a: 1, b: 0 }, (l, r) => ({
  a: l.a.op("mul", r.a),
  b: l.b.op("mul", r.a).op("add", r.b),
}));
const SEGMENTED: Operator = operatorOf(
  "segmented_max",
  { starts: "bool", x: "f64" },
  { starts: false, x: Number.NEGATIVE_INFINITY },
  (l, r) => ({ starts: l.starts.op("or", r.starts), x: r.starts.select(r.x, l.x.op("max", r.x)) }),
);
const OWN = [BRACKETS, AFFINE, SEGMENTED];
const BUILTIN: StateOperator[] = SCALAR_NAMES.flatMap((type) =>
  OP_NAMES.filter((op) => opExists(op, type)).map((op) => ({ op, type })),
);

const fieldsOf = (operator: StateOperator): readonly Scalar[] =>
  "op" in operator ? [operator.type] : operator.fields.map(({ type }) => type);
/** One application, of the tables. */
const applied =
  (operator: StateOperator): Combine =>
  (a, b) =>
    "op" in operator
      ? [OPS[operator.op].apply(operator.type, a[0] as never, b[0] as never)]
      : applyOperator(operator, a, b);
const itemsOf = (operator: StateOperator, most: number): fc.Arbitrary<Total[]> => {
  const isLogical = "op" in operator && operator.op.startsWith("logical");
  const value = (type: Scalar): fc.Arbitrary<ScalarValue> =>
    isLogical ? fc.boolean().map((truth) => SCALARS[type].whole(truth ? 1 : 0)) : anyOf(type);
  return fc.array(fc.tuple(...fieldsOf(operator).map(value)), { maxLength: most });
};

/** The state of items at a place, by one block after the other. */
function stateOf(operator: StateOperator, items: readonly Total[], at: bigint): State {
  const empty = emptyState("p", [operator], at);
  const combine = applied(operator);
  const [scan] = empty.scans as [ScanState];
  const made: ScanState =
    scan.kind === "total"
      ? { ...scan, total: items.reduce(combine, scan.total) }
      : {
          ...scan,
          blocks: items.reduce<readonly Block[]>(
            (blocks, total, i) => append(blocks, { start: at + BigInt(i), level: 0, total }, combine),
            [],
          ),
        };
  return { ...empty, to: at + BigInt(items.length), scans: [made] };
}

/** Joins parts in any order of neighbours that a list of choices gives. */
function joinAnyhow(parts: readonly State[], choices: readonly number[]): State {
  const left = [...parts];
  for (let turn = 0; left.length > 1; turn++) {
    const at = (choices[turn % choices.length] as number) % (left.length - 1);
    left.splice(at, 2, mergeStates(left[at] as State, left[at + 1] as State));
  }
  return left[0] as State;
}

/** T of an aligned block, by its definition: halves first. */
function halves(items: (place: bigint) => Total, start: bigint, level: number, op: Combine): Total {
  if (level === 0) return items(start);
  const half = 1n << BigInt(level - 1);
  return op(halves(items, start, level - 1, op), halves(items, start + half, level - 1, op));
}

const cuts = fc.array(fc.nat(1000), { maxLength: 12 });
const choices = fc.array(fc.nat(1000), { minLength: 1, maxLength: 12 });
const starts = fc.oneof(
  fc.bigInt(0n, 70n),
  fc.bigInt(2n ** 32n - 70n, 2n ** 32n + 70n),
  fc.bigInt(2n ** 63n - 70n, 2n ** 63n + 70n),
  fc.bigInt(0n, 2n ** 64n - 200n),
);

describe("merging states", () => {
  for (const operator of [...BUILTIN, ...OWN]) {
    const name = "op" in operator ? `${operator.op} ${operator.type}` : operator.name;
    test(
      `gives the same state for any grouping: ${name}`,
      () =>
        fc.property(itemsOf(operator, 70), starts, cuts, choices, (items, at, given, order) => {
          const ends = [0, ...given.map((cut) => Math.min(cut, items.length)), items.length];
          const places = ends.sort((a, b) => a - b);
          const parts = places
            .slice(1)
            .map((to, i) => stateOf(operator, items.slice(places[i], to), at + BigInt(places[i] as number)));
          expect(joinAnyhow(parts, order)).toEqual(stateOf(operator, items, at));
        }),
      40,
    );
  }

  for (const operator of [BRACKETS, AFFINE])
    test(`covers have maximal aligned blocks, each with its total: ${operator.name}`, () =>
      fc.property(itemsOf(operator, 40), starts, (items, at) => {
        const [scan] = stateOf(operator, items, at).scans as [ScanState];
        const blocks = scan.kind === "cover" ? scan.blocks : [];
        let next = at;
        for (const [i, { start, level, total }] of blocks.entries()) {
          expect(start).toBe(next);
          expect(start % 2n ** BigInt(level)).toBe(0n);
          const sibling = blocks[i + 1];
          if (sibling?.level === level) expect(start % 2n ** BigInt(level + 1)).not.toBe(0n);
          const own = (place: bigint): Total => items[Number(place - at)] as Total;
          expect(total).toEqual(halves(own, start, level, applied(operator)));
          next += 2n ** BigInt(level);
        }
        expect(next).toBe(at + BigInt(items.length));
      }));

  test("the prefix is the fold of the blocks from the left", () =>
    fc.property(itemsOf(BRACKETS, 64), (items) => {
      const [scan] = stateOf(BRACKETS, items, 0n).scans as [ScanState];
      const op = applied(BRACKETS);
      const got = foldCover(scan.kind === "cover" ? scan.blocks : [], combineOf(BRACKETS));
      expect(got).toEqual(items.length === 0 ? undefined : prefixes(items, [], op).at(-1));
    }));

  it("a merge that ignores the position, or reverses the order, gives other states", () => {
    const items: Total[] = [[1], [2], [3], [4], [5]];
    const op = applied(BRACKETS);
    const whole = stateOf(BRACKETS, items, 3n);
    const parts = [stateOf(BRACKETS, items.slice(0, 2), 3n), stateOf(BRACKETS, items.slice(2), 5n)];
    const blocks = (state: State): readonly Block[] => (state.scans[0] as CoverState).blocks;
    const [left, right] = parts.map(blocks) as [Block[], Block[]];
    const moved = (list: readonly Block[]): Block[] => list.map((b) => ({ ...b, start: b.start - 3n }));
    expect(joinCovers(left, right, op)).toEqual(blocks(whole));
    expect(joinCovers(moved(left), moved(right), op).map(({ total }) => total)).not.toEqual(
      blocks(whole).map(({ total }) => total),
    );
    expect(joinCovers(right, left, op)).not.toEqual(blocks(whole));
    expect(joinCovers(left, right, (a, b) => op(b, a))).not.toEqual(blocks(whole));
  });

  it("refuses states of ranges that are not adjacent", () => {
    const [a, b] = [stateOf(BRACKETS, [[1]], 0n), stateOf(BRACKETS, [[1]], 2n)];
    const codeOf = (left: State, right: State): string => errorFrom(() => mergeStates(left, right)).code;
    expect(codeOf(a, b)).toBe("bad-state");
    expect(codeOf(b, a)).toBe("bad-state");
    const at1 = { ...b, from: 1n, to: 2n };
    expect(codeOf(a, { ...at1, pipeline: "other" })).toBe("bad-state");
    expect(codeOf(a, { ...at1, scans: [] })).toBe("bad-state");
    expect(codeOf(a, stateOf(AFFINE, [[1, 2]], 1n))).toBe("bad-state");
    expect(mergeStates(a, at1).to).toBe(2n);
  });
});

const BITS: StateOperator[] = [
  ...OWN,
  ...SCALAR_NAMES.filter((type) => type !== "bool").map((type): StateOperator => ({ op: "add", type })),
  { op: "logical-xor" as Op, type: "bool" },
];

describe("the forms of states", () => {
  for (const operator of BITS)
    test(
      `are parsed as they were printed: ${"op" in operator ? operator.type : operator.name}`,
      () =>
        fc.property(itemsOf(operator, 20), starts, (items, at) => {
          const state = stateOf(operator, items, at);
          requireState(state);
          expect(parseState(JSON.stringify(stateToJson(state)))).toEqual(state);
          expect(decodeState(encodeState(state))).toEqual(state);
          const next = stateOf(operator, items, state.to);
          expect(mergeStates(decodeState(encodeState(state)), next)).toEqual(mergeStates(state, next));
        }),
      60,
    );

  const good = stateOf(
    AFFINE,
    [
      [0.5, 2],
      [1, 1],
      [3, -0],
    ],
    5n,
  );
  const json = stateToJson(good);
  const broken: readonly [string, unknown, string, string][] = [
    ["no JSON", "{", "bad-json", "state"],
    ["another version", { ...json, version: 2 }, "bad-version", "version"],
    ["an unknown key", { ...json, more: 1 }, "bad-state", "state"],
    ["a range that ends before it begins", { ...json, to: "4" }, "bad-state", "from"],
    ["too many items", { ...json, to: "99999999999999999999" }, "bad-state", "from"],
    ["no number", { ...json, from: "-1" }, "bad-state", "from"],
    ["blocks of another range", { ...json, from: "4" }, "bad-state", "scans[0].blocks"],
    ["another start", edited((b) => ({ ...b, start: "4" })), "bad-state", "scans[0].blocks[0]"],
    ["a value too few", edited((b) => ({ ...b, total: [1] })), "bad-state", "scans[0].blocks[0].total"],
    ["no value", edited((b) => ({ ...b, total: [1, 1e300] })), "bad-state", "scans[0].blocks[0].total[1]"],
    ["no operator", { ...json, operators: [] }, "bad-state", "scans[0].operator"],
    ["no blocks", { ...json, scans: [{ operator: 0 }] }, "bad-state", "scans[0]"],
  ];
  function edited(change: (block: BlockJson) => object): object {
    const [scan] = json.scans as [StateJson["scans"][number]];
    const blocks = scan.blocks?.map((block, i) => (i === 0 ? change(block) : block));
    return { ...json, scans: [{ ...scan, blocks }] };
  }
  for (const [name, input, code, where] of broken)
    it(`refuses ${name}`, () => {
      const error = errorFrom(() => parseState(input));
      expect([error.code, error.where]).toEqual([
        code,
        where === "state" && code === "bad-state" ? error.where : where,
      ]);
    });

  it("refuses objects without the parts of a state", () => {
    const [scan] = good.scans as readonly [CoverState];
    const scans: readonly unknown[] = [
      null,
      {},
      { ...scan, blocks: null },
      { ...scan, blocks: [null, null] },
    ];
    for (const one of scans) {
      const state = { ...good, scans: [one] } as State;
      expect(errorFrom(() => requireState(state)).code).toMatch(/^bad-/);
      expect(errorFrom(() => stateToJson(state)).code).toMatch(/^bad-/);
    }
  });

  it("refuses an operator that breaks a rule", () => {
    const [operator] = json.operators as [Operator];
    const bad = { ...json, operators: [{ ...operator, results: [0, 99] }] };
    expect(errorFrom(() => parseState(bad)).where).toContain("operators[0]");
  });

  it("refuses truncated, additional and foreign bytes", () => {
    const bytes = encodeState(good);
    for (const end of [0, 3, 11, 40, bytes.length - 1])
      expect(errorFrom(() => decodeState(bytes.subarray(0, end))).code).toMatch(/^bad-/);
    const more = new Uint8Array(bytes.length + 1);
    more.set(bytes);
    expect(errorFrom(() => decodeState(more)).code).toBe("bad-state");
    const other = bytes.slice();
    other[4] = 9;
    expect(errorFrom(() => decodeState(other)).code).toBe("bad-version");
  });
});

describe("a state of a round", () => {
  const results = SCALAR_NAMES.flatMap((type) => {
    const { lowest, highest, whole } = SCALARS[type];
    const hard = SCALARS[type].kind === "float" ? [-0, Number.NaN, SCALARS[type].wrap(1 / 3)] : [];
    return [lowest, highest, whole(1), ...hard].map((value, i) => ({ name: `${type}_${i}`, type, value }));
  });
  const round = { number: 2, of: 3, results };
  const state: State = { ...stateOf({ op: "add", type: "f32" }, [[1], [2.5]], 0n), round };

  it("keeps the results of the rounds before it in both forms", () => {
    expect(parseState(JSON.stringify(stateToJson(state)))).toEqual(state);
    expect(decodeState(encodeState(state))).toEqual(state);
  });

  it("is merged with one of the same round and results, and no other", () => {
    const next: State = { ...stateOf({ op: "add", type: "f32" }, [[3]], 2n), round };
    expect(mergeStates(state, next)).toMatchObject({ to: 3n, round });
    const { round: _, ...bare } = next;
    const changed = results.map((one) => (one.value === 0 ? { ...one, value: 0 } : one));
    for (const other of [
      bare,
      { ...next, round: { ...round, number: 3 } },
      { ...next, round: { ...round, results: changed } },
    ])
      expect(errorFrom(() => mergeStates(state, other)).code).toBe("bad-state");
  });

  it("is refused if it is no round, or is one where none is expected", () => {
    for (const wrong of [
      { ...round, number: 0 },
      { ...round, number: 4 },
      { ...round, results: [{ name: "a", type: "f32", value: 0.1 }] },
    ])
      expect(errorFrom(() => requireState({ ...state, round: wrong as never })).code).toBe("bad-state");
    const wanted = { pipeline: "p", operators: [{ op: "add", type: "f32" } as const] };
    expect(errorFrom(() => requireState(state, wanted)).code).toBe("bad-state");
    requireState(state, { ...wanted, round });
    const json = stateToJson(state) as unknown as { round: { results: unknown[] } };
    json.round.results[0] = { name: "a", type: "f32", value: "0.1" };
    expect(errorFrom(() => parseState(json)).code).toBe("bad-state");
  });
});
