/**
 * Chunks by look-back, by an interpreter of kernels: every way in which lanes exchange values and prefixes are searched, with an operator that is neither
 * associative nor commutative, so that the results show what was combined in which order.
 */

import { evaluate } from "@groupwise/ir/base/formula.js";
import { type Checked, check } from "@groupwise/ir/document/check.js";
import type { Operator } from "@groupwise/ir/document/operator.js";
import type { HostArray, ScalarValue } from "@groupwise/ir/tables/scalar.js";
import type { Capabilities, LookBack, TilesByKind } from "@groupwise/kernel/capabilities/capabilities.js";
import type { Buffer, Module } from "@groupwise/kernel/language/module.js";
import { lower } from "@groupwise/lower/lower.js";
import { explain } from "@groupwise/runtime/plan/explain.js";
import { describe, expect, test } from "vitest";
import { operatorOf, scalarOperator } from "../../ir/test/operator-builder.ts";
import { binary, cast, constant, type Draft, documentOf, output } from "../../ir/test/support.ts";
import { runKernels } from "../../kernel/test/kernel-interpreter.ts";
import { SIMT } from "../../kernel/test/simt.ts";
import { CarriedState } from "../src/carry/state.ts";
import { ALL_NEEDS, Pieces, type RunPiece } from "../src/host/state/pieces.ts";
import { type Carried, carriedOf } from "../src/state/carry.ts";
import type { State } from "../src/state/state.ts";
import { referenceStep } from "../src/state/step.ts";
import { totalsOnly } from "../src/state/totals.ts";

/** Work-items of a work-group: two subgroups. */
const LANES = 64;
const TILE = 32 * LANES;
/** What nothing clears and nothing writes is no zero. */
const UNWRITTEN = 0x55;
type Type = "u32" | "f64";

/** Products by odd numbers lose nothing, so that no two ways to combine u32 values are equal. */
const bracketsOf = (type: Type): Operator =>
  scalarOperator("brackets", type, 0, (a, b) =>
    type === "u32" ? a.op("mul", 31).op("add", b.op("mul", 17)).op("add", 7) : a.op("mul", 0.75).op("sub", b),
  );

/** Both scans and a reduce of `count` inputs. */
function checkedFor(type: Type, count: number): Checked {
  const nodes: Draft[] = Array.from({ length: count }, (_, i) => ({ kind: "input", name: `x${i}`, type }));
  const own = { kind: "user-collective", operator: 0, field: 0, scope: "device" } as const;
  for (let i = 0; i < count; i++)
    for (const form of ["scan-inclusive", "scan-exclusive", "reduce"] as const) {
      nodes.push({ ...own, form, of: [i] });
      nodes.push({ kind: "output", name: `${form.replace("-", "_")}_${i}`, of: nodes.length - 1 });
    }
  return check({ ...documentOf(nodes), operators: [bracketsOf(type)] });
}
/** Odd items, the prefixes up to them, and their number so far. */
interface Selection {
  readonly isInclusive: boolean;
  /** Whether an output has the slots too, which count from the first item of the range. */
  readonly showsSlots: boolean;
}

function compactionFor({ isInclusive, showsSlots }: Selection): Checked {
  const count = { op: "add", type: "u32", identity: 0, scope: "device", order: "fixed", of: 4 } as const;
  const scan = { kind: "user-collective", operator: 0, field: 0, scope: "device", of: [0] } as const;
  const row = { kind: "scatter", slot: isInclusive ? 8 : 5, where: 3, length: 6 } as const;
  const nodes: Draft[] = [
    { kind: "input", name: "x0", type: "u32" },
    ...[constant(1), binary("and", 0, 1), cast("bool", 2), cast("u32", 3)],
    { kind: isInclusive ? "scan-inclusive" : "scan-exclusive", ...count },
    { kind: "reduce", ...count },
    { ...scan, form: "scan-inclusive" },
    binary("sub", 5, 1),
    { ...row, name: "items", value: 0 },
    { ...row, name: "prefixes", value: 7 },
    output(6, "count"),
  ];
  const slots: Draft[] = showsSlots ? [output(5, "slots")] : [];
  return check({ ...documentOf([...nodes, ...slots]), operators: [bracketsOf("u32")] });
}
const carriedFor = (type: Type, count: number): Carried => carriedOf(checkedFor(type, count));

interface Way {
  readonly subgroupSize: number;
  readonly type: Type;
  readonly inputs: number;
  readonly withheld?: readonly number[];
  readonly kinds?: TilesByKind;
  readonly slotRows?: true;
}
const capabilitiesOf = ({ subgroupSize, withheld = [], kinds = {}, slotRows }: Way): Capabilities => ({
  ...SIMT,
  scalars: { ...SIMT.scalars, f64: "emulated" },
  surplusGroups: false,
  ...(subgroupSize > 1 && { subgroups: { minSize: subgroupSize, maxSize: subgroupSize } }),
  lookBack: {
    workGroupSize: LANES,
    rows: 8,
    groups: 1,
    polls: 2,
    withheld,
    kinds,
    ...(slotRows && { slotRows }),
  },
});

const itemsOf = (type: Type, n: number, input: number): number[] =>
  Array.from({ length: n }, (_, i) => {
    const word = Math.imul(i + 1 + input, 0x9e3779b1) >>> 0;
    return type === "u32" ? word : (word - 2 ** 31) * 2 ** -(word % 40);
  });

const wordsOf = (values: readonly number[]): number[] => [
  ...new Uint32Array(Float64Array.from(values).buffer),
];
const doublesOf = (words: readonly ScalarValue[]): Float64Array =>
  new Float64Array(Uint32Array.from(words as number[]).buffer);

/** Runs all kernels of a module over some items. */
const running =
  (
    { module, isTurned }: { readonly module: Module; readonly isTurned: boolean },
    { type, subgroupSize }: Way,
    inputs: readonly (readonly number[])[],
  ): RunPiece =>
  async (_, { from, to }, own) => {
    const isWide = type === "f64";
    const n = to - from;
    const inMemory = (values: readonly number[]): ScalarValue[] => (isWide ? wordsOf(values) : [...values]);
    const inOrder = <T>(items: readonly T[]): readonly T[] => (isTurned ? items.toReversed() : items);
    const given = new Map(inputs.map((values, i) => [`x${i}`, inOrder(values.slice(from, to))]));
    const storage = Object.fromEntries(
      module.buffers.map(({ name, role, elements }): [string, ScalarValue[]] => {
        if (role === "input") return [name, inMemory(given.get(name) ?? [])];
        if (role === "table") return [name, inMemory([...(own[name] as Float64Array)])];
        const rest = role === "scratch" ? 0 : UNWRITTEN;
        return [name, Array((isWide ? 2 : 1) * evaluate(elements, n)).fill(rest)];
      }),
    );
    runKernels(module, n, { params: own as Record<string, ScalarValue>, storage, subgroupSize });
    const read = ({ name, elements }: Buffer): HostArray => {
      const values = isWide
        ? doublesOf(storage[name] ?? [])
        : Uint32Array.from((storage[name] ?? []) as number[]);
      return isTurned && elements === "n" ? values.reverse() : values;
    };
    const outputs = module.buffers.filter(({ role }) => role === "output");
    return Object.fromEntries(outputs.map((buffer) => [buffer.name, read(buffer)]));
  };

interface Comparing {
  readonly of?: Carried;
  readonly strategy?: "look-back" | "reduce-then-scan";
}

/** The elements of an output without those past the end of a scatter's, which nothing may write. */
function elementsOf(array: HostArray, length: number): readonly unknown[] {
  const elements = [...(array as Float64Array)];
  expect(elements.slice(length).every((element) => element === UNWRITTEN)).toBe(true);
  return elements.slice(0, length);
}

const WANTED = new Map<string, ReturnType<typeof referenceStep>>();

/** The items from one number to another, in pieces, from the state of the items before them: by the kernels and by the reference. */
async function compare(
  way: Way,
  chunks: readonly (readonly [from: number, to: number])[],
  { of: carried = carriedFor(way.type, way.inputs), strategy = "look-back" }: Comparing = {},
): Promise<void> {
  const capabilities = strategy === "look-back" ? capabilitiesOf(way) : SIMT;
  const plan = lower(check(carried.pipeline), capabilities, {}, new CarriedState(carried));
  expect([plan.strategy, plan.carries]).toEqual([strategy, "blocks"]);
  const n = Math.max(...chunks.map(([, to]) => to));
  const inputs = Array.from({ length: way.inputs }, (_, i) => itemsOf(way.type, n, i));
  const pieces = new Pieces(carried, running({ ...plan, ...carried }, way, inputs), true);
  const text = JSON.stringify(carried.pipeline);
  // Ways differ in kernels, not in what the reference gives from one item to another.
  const wanted = (from: number, to: number, state: State) => {
    const key = `${from} ${to} ${text}`;
    const known = WANTED.get(key);
    if (known) return known;
    const chunk = Object.fromEntries(inputs.map((values, i) => [`x${i}`, values.slice(from, to)]));
    const made = referenceStep(carried, { n: to - from, inputs: chunk }, state);
    WANTED.set(key, made);
    return made;
  };
  for (const [first, end] of chunks) {
    let { state } = wanted(0, first, pieces.start);
    let from = first;
    do {
      const to = Math.min(end, from + pieces.roomAt(BigInt(from)));
      const piece = { from, to, isChunk: false, n: to - from };
      const got = await pieces.run({}, piece, state, { number: BigInt(from), needs: ALL_NEEDS });
      const want = wanted(from, to, state);
      const outputs = Object.entries(want.outputs).map(([name, { length }]) => [
        name,
        elementsOf(got.outputs[name] as HostArray, length),
      ]);
      expect(Object.fromEntries(outputs), `from ${from} to ${to}`).toEqual(want.outputs);
      expect(got.state, `after ${to}`).toEqual(want.state);
      [state, from] = [want.state, to];
    } while (from < end);
  }
}

const WAYS: readonly (readonly [string, Way])[] = [
  ["through work-group memory", { subgroupSize: 1, type: "u32", inputs: 1 }],
  ["in subgroups of 32", { subgroupSize: 32, type: "u32", inputs: 1 }],
  [
    "in subgroups of 32, rows folded together",
    {
      ...{ subgroupSize: 32, type: "u32", inputs: 1 },
      kinds: { word: { workGroupSize: LANES, rows: 8, together: true } },
    },
  ],
  ["in subgroups of 32, those of two scans", { subgroupSize: 32, type: "u32", inputs: 2 }],
  ["through work-group memory, slots as rows", { subgroupSize: 1, type: "u32", inputs: 1, slotRows: true }],
  [
    "in subgroups of 32, those of two scans, slots as rows",
    { subgroupSize: 32, type: "u32", inputs: 2, slotRows: true },
  ],
  ["in subgroups of 32, of many operations", { subgroupSize: 32, type: "f64", inputs: 1 }],
];
const isFull = Boolean(process.env.GROUPWISE_FULL);

// Outside of full runs one scan in each way; doubles take the interpreter seconds for a tile.
const TRIED = WAYS.filter(([, { type, inputs }]) => isFull || (type !== "f64" && inputs === 1));
describe.each(TRIED)("chunks, lanes exchanging values %s", (_, way) => {
  test("of tiles that fill their block, and end larger ones", () =>
    compare(way, [
      [TILE, 2 * TILE],
      [6 * TILE, 8 * TILE],
    ]));

  test("of tiles and a part of one, of parts of a tile and of no items", () =>
    compare({ ...way, withheld: [0] }, [
      [8 * TILE, 10 * TILE + 77],
      [7, 10],
      [0, 0],
      [12, 12],
    ]));
});

// Rows of four elements would have the items in the wrong order.
test.each(["look-back", "reduce-then-scan"] as const)(
  "chunks whose first item is the last element of their arrays, by %s",
  async (strategy) => {
    const [[, way]] = WAYS as [(typeof WAYS)[number]];
    const of = carriedOf(checkedFor("u32", 1), { isTurned: true });
    const chunks = [
      [8, 75],
      [64, 128],
      [0, 0],
    ] as const;
    await compare(way, strategy === "look-back" ? [[TILE, 2 * TILE + 77]] : chunks, { of, strategy });
  },
);

test("sums over chunks, rows folded together", async () => {
  const sum = { op: "add", type: "u32", identity: 0, scope: "device", order: "fixed", of: 0 } as const;
  const forms = ["scan-inclusive", "scan-exclusive", "reduce"] as const;
  const nodes: Draft[] = [
    { kind: "input", name: "x0", type: "u32" },
    ...forms.map((kind) => ({ kind, ...sum })),
    ...forms.map((kind, i): Draft => ({ kind: "output", name: kind.replace("-", "_"), of: i + 1 })),
  ];
  const [way] = WAYS.flatMap(([, one]) => (one.kinds ? [one] : [])) as [Way];
  const of = carriedOf(check(documentOf(nodes)));
  await compare(way, [[TILE, 2 * TILE]], { of });
  const chunks = [
    [8 * TILE, 10 * TILE + 77],
    [7, 10],
    [0, 0],
  ] as const;
  await compare({ ...way, withheld: [0] }, chunks, { of });
});

const SELECTIONS: readonly (readonly [string, Selection])[] = [
  ["exclusive counts", { isInclusive: false, showsSlots: false }],
  ["inclusive counts", { isInclusive: true, showsSlots: false }],
  ["counts that an output has too", { isInclusive: false, showsSlots: true }],
];
const [[, SELECTION]] = SELECTIONS as [(typeof SELECTIONS)[number]];

describe.each(
  SELECTIONS.flatMap(([name, selection]) =>
    (["look-back", "reduce-then-scan"] as const)
      // Outside of full runs inclusive counts by one strategy, and those that are shown by the other.
      .filter(
        (strategy) =>
          isFull || selection === SELECTION || selection.showsSlots === (strategy === "look-back"),
      )
      .map((strategy) => ({ name, selection, strategy })),
  ),
)("compactions over chunks by $name, $strategy", ({ selection, strategy }) => {
  const [way] = WAYS.filter(([, { subgroupSize }]) => subgroupSize === 32).map(([, one]) => one) as [Way];
  const of = carriedOf(compactionFor(selection));

  test("write their elements from the first slot on, clear nothing and report nothing", async () => {
    const capabilities = strategy === "look-back" ? capabilitiesOf(way) : SIMT;
    const { module } = lower(check(of.pipeline), capabilities, {}, new CarriedState(of));
    const facts = (name: string): unknown => module.buffers.find((buffer) => buffer.name === name)?.cleared;
    expect([facts("items"), facts("prefixes")]).toEqual([false, false]);
    expect(module.buffers.some(({ role }) => role === "status")).toBe(false);
    const tile = strategy === "look-back" ? TILE : 32;
    await compare(
      way,
      [
        [tile, 2 * tile],
        [8 * tile, 9 * tile + 13],
        [7, 10],
        [0, 0],
        [12, 12],
      ],
      { of, strategy },
    );
  });
});

test("the pass of a compaction over chunks also computes its total", () => {
  const [way] = WAYS.map(([, one]) => one) as [Way];
  const carried = carriedOf(compactionFor(SELECTION));
  const { module } = lower(check(carried.pipeline), capabilitiesOf(way), {}, new CarriedState(carried));
  expect(module.kernels.map(({ name }) => name)).not.toContain("tile_totals");
});

test("the pass of a compaction over chunks begins with no elements, unless an output has their numbers in the range", () => {
  const [way] = WAYS.filter(([, { subgroupSize }]) => subgroupSize === 32).map(([, one]) => one) as [Way];
  const reads = (selection: Selection): number => {
    const carried = carriedOf(compactionFor(selection));
    const { module } = lower(check(carried.pipeline), capabilitiesOf(way), {}, new CarriedState(carried));
    const scan = module.kernels.find(({ name }) => name === "scan");
    return scan?.shared.filter(({ name }) => name.startsWith("before_chunk")).length ?? -1;
  };
  expect(SELECTIONS.map(([, selection]) => reads(selection))).toEqual([1, 1, 2]);
});

test("a chunk whose slots do not begin with their own number of elements is compared with the length", () => {
  const conditions = [1, 2].flatMap((bit, i): Draft[] => {
    const at = 1 + 7 * i;
    const count = {
      op: "add",
      type: "u32",
      identity: 0,
      scope: "device",
      order: "fixed",
      of: at + 3,
    } as const;
    return [
      ...[constant(bit), binary("and", 0, at), cast("bool", at + 1), cast("u32", at + 2)],
      { kind: "scan-exclusive", ...count },
      { kind: "reduce", ...count },
      { kind: "scatter", name: `kept_${bit}`, value: 0, slot: at + 4, where: at + 2, length: at + 5 },
    ];
  });
  const carried = carriedOf(check(documentOf([{ kind: "input", name: "x0", type: "u32" }, ...conditions])));
  const { nodes } = carried.pipeline;
  const [one, other] = nodes.flatMap(({ kind, id }) => (kind === "table" ? [id] : [])) as [number, number];
  const swapped = nodes.map((node) =>
    node.kind === "gather" && node.of === one ? { ...node, of: other } : node,
  );
  const [way] = WAYS.map(([, one]) => one) as [Way];
  const reports = (pipeline: Carried["pipeline"]): boolean => {
    const { module } = lower(check(pipeline), capabilitiesOf(way), {}, new CarriedState(carried));
    return module.buffers.some(({ role }) => role === "status");
  };
  expect(reports(carried.pipeline)).toBe(false);
  expect(reports({ ...carried.pipeline, nodes: swapped })).toBe(true);
});

test("chunks of records are scanned in two passes where that is faster", () => {
  const affine = operatorOf("affine", { a: "u32", b: "u32" }, { a: 1, b: 0 }, (l, r) => ({
    a: l.a.op("mul", r.a),
    b: l.b.op("mul", r.a).op("add", r.b),
  }));
  const scan = {
    kind: "user-collective",
    operator: 0,
    field: 1,
    scope: "device",
    form: "scan-inclusive",
  } as const;
  const nodes: Draft[] = [{ kind: "input", name: "x", type: "u32" }, { ...scan, of: [0, 0] }, output(1)];
  const checked = check({ ...documentOf(nodes), operators: [affine] });
  const carried = carriedOf(checked);
  const given = capabilitiesOf({ subgroupSize: 32, type: "u32", inputs: 1 });
  const slow = { ...given, lookBack: { ...(given.lookBack as LookBack), slowRecords: true } } as const;
  const chunks = (capabilities: Capabilities) =>
    lower(check(carried.pipeline), capabilities, {}, new CarriedState(carried)).strategy;
  expect([chunks(given), chunks(slow)]).toEqual(["look-back", "reduce-then-scan"]);
  expect(lower(checked, slow).strategy).toBe("look-back");
});

test("explain names look-back for chunks; states of parts alone need no scan", () => {
  const [way] = WAYS.map(([, one]) => one) as [Way];
  const strategyOf = (carried: Carried) => {
    const plan = lower(check(carried.pipeline), capabilitiesOf(way), {}, new CarriedState(carried));
    return explain(plan);
  };
  expect(strategyOf(carriedFor("u32", 1)).strategy).toBe("look-back");
  const alone = strategyOf(carriedOf(totalsOnly(checkedFor("u32", 1))));
  expect(alone.strategy).toBe("reduce-then-scan");
  expect(alone.passedOver).toContainEqual({
    strategy: "look-back",
    reason: "no scan runs over the whole range",
  });
});
