import { check } from "@groupwise/ir/document/check.js";
import type { Pipeline } from "@groupwise/ir/document/node.js";
import type { Operator } from "@groupwise/ir/document/operator.js";
import { type ReferenceOutputs, reference } from "@groupwise/ir/reference/reference.js";
import { encodeLiteral } from "@groupwise/ir/tables/literal.js";
import { OP_NAMES, OPS, type Op, opExists } from "@groupwise/ir/tables/op.js";
import { SCALAR_NAMES, type Scalar, type ScalarValue } from "@groupwise/ir/tables/scalar.js";
import { describe, expect, it } from "vitest";
import { fc, test } from "../../ir/test/fast-check.ts";
import { scalarOperator } from "../../ir/test/operator-builder.ts";
import {
  anyOf,
  binary,
  constant,
  type Draft,
  documentOf,
  errorFrom,
  gather,
  input,
} from "../../ir/test/support.ts";
import { carriedOf } from "../src/state/carry.ts";
import { type Ending, endingOf } from "../src/state/ending.ts";
import { emptyState, mergeStates, type State } from "../src/state/state.ts";
import { referenceStep } from "../src/state/step.ts";

const BRACKETS: Operator = scalarOperator("brackets", "u32", 0, (a, b) =>
  a.op("mul", 31).op("add", b.op("mul", 17)).op("add", 7),
);

const monoid = (op: Op, type: Scalar) => {
  const identity = encodeLiteral(type, OPS[op].identity(type));
  return { op, type, identity, scope: "device", order: "fixed", of: 0 } as const;
};

/** Every operator of a type as a reduce and both scans, votes, numbers of items, and a user-defined operator. */
function everything(type: Scalar): Pipeline {
  const ops = OP_NAMES.filter((op) => opExists(op, type));
  const scans = ops.flatMap((op): Draft[] => [
    { kind: "reduce", ...monoid(op, type) },
    { kind: "scan-inclusive", ...monoid(op, type) },
    { kind: "scan-exclusive", ...monoid(op, type) },
  ]);
  const votes: Draft[] =
    type === "bool" ? ["all" as const, "any" as const].map((kind) => ({ kind, scope: "device", of: 0 })) : [];
  const index = 1 + scans.length + votes.length;
  const own = (form: "reduce" | "scan-inclusive" | "scan-exclusive"): Draft => ({
    kind: "user-collective",
    form,
    operator: 0,
    field: 0,
    scope: "device",
    of: [index + 1],
  });
  const values: Draft[] = [
    input(type),
    ...scans,
    ...votes,
    { kind: "query", query: "global-linear-id", dimension: 0 },
    binary("mul", index, index),
    ...(["reduce", "scan-inclusive", "scan-exclusive"] as const).map(own),
    { kind: "query", query: "global-size", dimension: 0 },
    { kind: "scan-inclusive", ...monoid("add", "u32"), of: index },
  ];
  const outputs = values
    .map((_, of) => of)
    .slice(1)
    .map((of): Draft => ({ kind: "output", name: `v${of}`, of }));
  return { ...documentOf([...values, ...outputs]), operators: [BRACKETS] };
}

/** The steps of chunks that end at places: the outputs of each, and the state after the last. */
function steps(pipeline: Pipeline, x: readonly ScalarValue[], ends: readonly number[]) {
  const carried = carriedOf(check(pipeline));
  let state = emptyState(
    pipeline.name,
    carried.scans.map(({ operator }) => operator),
  );
  let from = 0;
  const outputs: ReferenceOutputs[] = [];
  for (const to of ends) {
    const step = referenceStep(carried, { n: to - from, inputs: { x: x.slice(from, to) } }, state);
    outputs.push(step.outputs);
    state = step.state;
    from = to;
  }
  return { outputs, state, carried };
}

describe("a step of the reference", () => {
  for (const type of SCALAR_NAMES) {
    const pipeline = everything(type);
    const { sinks, uniformities } = check(pipeline);
    const whole = (x: readonly ScalarValue[]): ReferenceOutputs =>
      reference(check(pipeline), { n: x.length, inputs: { x } });
    test(
      `has the bits of the whole range: ${type}`,
      () =>
        fc.property(fc.array(anyOf(type), { maxLength: 40 }), fc.array(fc.nat(40)), (x, cuts) => {
          const ends = [...cuts.map((cut) => Math.min(cut, x.length)), x.length].sort((a, b) => a - b);
          const { outputs, state } = steps(pipeline, x, ends);
          expect(state.to).toBe(BigInt(x.length));
          const all = whole(x);
          for (const { name } of sinks.filter(({ id }) => uniformities[id] === "item"))
            expect(outputs.flatMap((output) => output[name] as ScalarValue[])).toEqual(all[name]);
          for (const [i, end] of ends.entries()) {
            const soFar = whole(x.slice(0, end));
            for (const { name } of sinks.filter(({ id }) => uniformities[id] === "uniform"))
              expect(outputs[i]?.[name]).toEqual(soFar[name]);
          }
        }),
      20,
    );
  }

  it("continues from a state that was merged", () => {
    const pipeline = everything("f32");
    const x = Array.from({ length: 30 }, (_, i) => Math.fround(Math.sin(i)));
    const whole = steps(pipeline, x, [30]);
    const early = steps(pipeline, x, [13]);
    const carried = whole.carried;
    // The state of the items from 13 on, without those before: made by hand, from one-item states.
    const alone = x.slice(13).map((value, i): State => {
      const at = BigInt(13 + i);
      const empty = emptyState(
        "test",
        carried.scans.map(({ operator }) => operator),
        at,
      );
      const scans = empty.scans.map((scan, k) => {
        const [of] = [carried.pipeline.nodes[carried.scans[k]?.nodes[0] as number]];
        const isOwn = of?.kind === "user-collective";
        const isIndex = of?.kind === "scan-inclusive" && of.type === "u32";
        const item = isIndex ? 13 + i : isOwn ? (13 + i) ** 2 : value;
        return scan.kind === "total"
          ? { ...scan, total: [item] }
          : { ...scan, blocks: [{ start: at, level: 0, total: [item] }] };
      });
      return { ...empty, to: at + 1n, scans };
    });
    expect(mergeStates(early.state, alone.reduce(mergeStates))).toEqual(whole.state);
  });
});

const TABLES = { kind: "input", name: "x", type: "f32" } as const;
const sum = monoid("add", "f32");
const refused: readonly [string, readonly Draft[], number[]?][] = [
  ["a work-group reduce", [TABLES, { kind: "reduce", ...sum, scope: "work-group" }]],
  [
    "a work-group vote",
    [
      { ...TABLES, type: "bool" },
      { kind: "any", scope: "work-group", of: 0 },
    ],
  ],
  ["a local id", [TABLES, { kind: "query", query: "local-id", dimension: 0 }]],
  ["a number of work-groups", [TABLES, { kind: "query", query: "num-groups", dimension: 0 }]],
  ["a gather of items", [TABLES, { kind: "query", query: "global-linear-id", dimension: 0 }, gather(0, 1)]],
  [
    "a broadcast that items need",
    [TABLES, constant(0), { kind: "broadcast", scope: "device", of: 0, index: [1] }, binary("add", 0, 2)],
  ],
  ["a sum in any order", [TABLES, { kind: "reduce", ...sum, order: "any" }]],
  ["a reduce that items need", [TABLES, { kind: "reduce", ...sum }, { kind: "spread", of: 1 }]],
  ["a reduce that items subtract", [TABLES, { kind: "reduce", ...sum }, binary("sub", 0, 1)]],
  [
    "a reduce of what a reduce gives",
    [TABLES, { kind: "reduce", ...sum }, { kind: "reduce", ...sum, of: 1 }],
  ],
  [
    "a number of items that items need",
    [TABLES, { kind: "query", query: "global-size", dimension: 0 }, { kind: "spread", of: 1 }],
  ],
  ["two dimensions", [TABLES, { kind: "reduce", ...sum }], [2, 2]],
];

describe("what cannot be carried over chunks", () => {
  for (const [name, nodes, size] of refused)
    it(`is refused: ${name}`, () => {
      const drafts: Draft[] = [...nodes, { kind: "output", name: "out", of: nodes.length - 1 }];
      const error = errorFrom(() => carriedOf(check(documentOf(drafts, size))));
      expect(error.code).toBe("not-carried");
      expect(error.where).not.toBe("");
    });

  it("is refused: a scatter", () => {
    const drafts: Draft[] = [
      TABLES,
      { kind: "query", query: "global-linear-id", dimension: 0 },
      { kind: "scatter", name: "out", value: 0, slot: 1 },
    ];
    expect(errorFrom(() => carriedOf(check(documentOf(drafts)))).code).toBe("not-carried");
  });

  it("is not refused: exact sums in any order, tables, and results of reduces for the whole range", () => {
    const drafts: Draft[] = [
      input("u32"),
      { kind: "table", name: "t", type: "u32" },
      gather(1, 0),
      { kind: "reduce", ...monoid("add", "u32"), of: 2, order: "any" },
      binary("mul", 3, 3),
      { kind: "output", name: "out", of: 4 },
    ];
    expect(carriedOf(check(documentOf(drafts))).scans).toHaveLength(1);
  });
});

describe("outputs from the state of all items", () => {
  const drafts: Draft[] = [
    input("f32"),
    { kind: "param", name: "given", type: "f32" },
    { kind: "param", name: "rounded", type: "f32" },
    { kind: "reduce", ...monoid("add", "f32"), of: 0 },
    ...[binary("sub", 1, 2), binary("add", 3, 4)],
    { kind: "output", name: "out", of: 5 },
  ];
  const carried = carriedOf(check(documentOf(drafts)));
  const start = emptyState(
    carried.pipeline.name,
    carried.scans.map(({ operator }) => operator),
  );
  const ending = endingOf(carried) as Ending;
  const most = 2 ** 127;

  test("parameters are rounded to their type, as for devices", () =>
    fc.property(fc.double({ min: -most, max: most, noNaN: true }), (given) => {
      const params = { given, rounded: Math.fround(given) };
      expect(ending(start, params)).toEqual({ out: Float32Array.of(0) });
    }));
});
