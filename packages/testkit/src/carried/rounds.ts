/** Streams in rounds return the bits of the reference over the whole range. */
import {
  check,
  type HostArray,
  OP_NAMES,
  type Pipeline,
  type Runtime,
  reference,
  SCALAR_NAMES,
  type Scalar,
  type ScalarValue,
} from "@groupwise/core";
import { roundsOf, stream } from "@groupwise/core/state";
import { encodeLiteral, OPS, opExists, PipelineNodes, valueTypeOf } from "@groupwise/core/target";
import { bool, ends, f32, f64, operators, pipeline, scalar, select, u32 } from "@groupwise/dsl";
import { describe, expect } from "vitest";
import { difference, toArray, toValues } from "../data/arrays.ts";
import { randomOf } from "../data/random.ts";
import { deviceTest, type Probe, sharedRuntime } from "../devices/require-device.ts";
import { anyValue } from "../random/make/case.ts";

// Pipelines whose items need results of the whole range, or the item before.
/** Three rounds: the maximum, the sum of what it moves, and the quotients. */
const softmax: Pipeline = pipeline("softmax", { x: f32 }, ({ x }) => {
  const moved = x.sub(x.reduce("max")).exp();
  const total = moved.reduce("add");
  return { y: moved.div(total), total: scalar(total) };
}).ir;

/** Variance about the mean, whose number of items is a result too; argmax and single items that items read. */
const normalised: Pipeline = pipeline(
  "normalised",
  { x: f32, d: f64, weight: u32 },
  ({ x, d, weight }, { index, size }) => {
    const mean = d.reduce("add").div(size().toF64());
    const squares = d.sub(mean).mul(d.sub(mean)).reduce("add");
    const best = operators.argmax(f32).reduce({ value: x, index: index() });
    return {
      z: d.sub(mean).div(squares),
      distance: index().absdiff(best.index),
      top: weight.sub(weight.at(best.index)),
      first: x.sub(x.broadcast(0)),
      share: weight.scanInclusive("add").mul(weight.reduce("max")),
      mean: scalar(mean),
      squares: scalar(squares),
      heaviest: scalar(weight.reduce("max")),
    };
  },
).ir;

/** One round: runs of equal keys, and differences to the item before. */
const keyed: Pipeline = pipeline(
  "keyed",
  { x: f32, k: u32, f: f32, starts: bool },
  ({ x, k, f, starts }, { index }) => {
    const isFirst = index().eq(0);
    const before = index().sub(1);
    const sums = x.scanInclusive("add");
    return {
      runs: x.scanInclusive("add", { keys: k }),
      before: x.scanExclusive("max", { keys: [k, f] }),
      seeded: x.scanExclusive("add", { keys: k, segments: starts, seed: 0.5 }),
      steps: select(isFirst, x, x.sub(x.at(before))),
      changed: isFirst
        .or(k.ne(k.at(before)))
        .toU32()
        .scanInclusive("add"),
      prefix: select(isFirst, 0, sums.at(before)),
      trend: operators.affine(f32).scanInclusive({ a: f32(0.9).perItem(), b: x }, { keys: k }).b,
    };
  },
).ir;

/** One round: items at constant distances before, of inputs and of running values, and windows in segments. */
const near: Pipeline = pipeline("near", { x: f32, k: u32, starts: bool }, ({ x, k, starts }) => {
  const sums = x.scanInclusive("add");
  return {
    third: x.previous(0.5, 3),
    steps: x.diff(),
    window: sums.moving("add", 4),
    most: k.moving("max", 3, { keys: k, segments: starts }),
    sums: sums.sub(sums.previous(0, 2)),
    falls: x.previous(1, 2, { segments: starts }).lt(x).toU32().scanInclusive("add"),
  };
}).ir;

/** One round: items at constant distances after, and the last items of runs. */
const following: Pipeline = pipeline(
  "following",
  { x: f32, k: u32, starts: bool },
  ({ x, k, starts }, { index }) => {
    const rises = x.next(0, 3).sub(x).mul(0.5);
    return {
      rises,
      sums: rises.scanInclusive("add"),
      gaps: k.next(9).next(7).sub(k.previous(1, 2)),
      last: k.next(0, 40, { segments: starts }),
      nearest: x.at(index().add(5)),
      isLast: ends(k),
    };
  },
).ir;

/** Two rounds: the first item reads the last. */
const circular: Pipeline = pipeline("circular", { x: f32, k: u32 }, ({ x, k }, { index }) => ({
  steps: x.sub(x.at(index().sub(1))),
  turns: k
    .ne(k.at(index().sub(1)))
    .toU32()
    .scanInclusive("add"),
})).ir;

/** Two rounds from the end: scans that begin at the last item, of segments too, and the sum over all items. */
const backwards: Pipeline = pipeline("backwards", { x: f32, k: u32, starts: bool }, ({ x, k, starts }) => {
  const sums = x.scanInclusive("add", { reverse: true });
  return {
    sums,
    seeded: x.scanExclusive("add", { reverse: true, seed: 2.5 }),
    runs: x.scanExclusive("max", { reverse: true, segments: starts }),
    share: sums.div(x.reduce("add", { reverse: true })),
    most: k.sub(k.reduce("max")),
  };
}).ir;

/** Every operator of a type as a reduce whose result each item returns. */
function spreading(type: Scalar): Pipeline {
  const list = new PipelineNodes();
  const x = list.input("x", type);
  const spread = (of: number): number => list.add({ kind: "spread", of });
  for (const op of OP_NAMES.filter((name) => opExists(name, type))) {
    const identity = encodeLiteral(type, OPS[op].identity(type));
    const of = list.add({ kind: "reduce", op, type, identity, scope: "device", order: "fixed", of: x });
    const name = op.replaceAll("-", "_");
    list.output(`total_${name}`, of);
    list.output(name, spread(of));
  }
  for (const kind of type === "bool" ? (["all", "any"] as const) : []) {
    list.output(`each_${kind}`, spread(list.add({ kind, scope: "device", of: x })));
  }
  return list.pipeline(`spread-${type}`, [64]);
}

type Arrays = Readonly<Record<string, HostArray>>;

/** Inputs of n items; keys change seldom. */
function inputsOf(ir: Pipeline, n: number): Arrays {
  const random = randomOf("rounds", ir.name, n);
  const isTame = !ir.name.startsWith("spread");
  const of = (name: string, type: Parameters<typeof valueTypeOf>[0], i: number): ScalarValue => {
    if (name === "k") return random.chance(0.2) ? i : Math.floor(i / 9);
    if (name === "f") return random.pick([1, 1, 1, -0, 0, Number.NaN]);
    if (name === "weight") return random.int(0, 2 ** 31);
    if (isTame && valueTypeOf(type) === "f32") return Math.fround((random.unit() - 0.5) * 20);
    if (isTame && valueTypeOf(type) === "f64") return (random.unit() - 0.5) * 2 ** random.int(-9, 30);
    return anyValue(valueTypeOf(type), random);
  };
  return Object.fromEntries(
    check(ir).inputs.map(({ name, type }) => [
      name,
      toArray(
        type,
        Array.from({ length: n }, (_, i) => of(name, type, i)),
      ),
    ]),
  );
}

/** The outputs that differ from those of the reference. */
async function differing(
  runtime: Runtime,
  ir: Pipeline,
  n: number,
  size: number,
  count?: number,
): Promise<readonly string[]> {
  const checked = check(ir);
  const arrays = inputsOf(ir, n);
  const values = Object.fromEntries(
    checked.inputs.map(({ name, type }) => [name, toValues(type, arrays[name] as HostArray)]),
  );
  const whole = reference(checked, { n, inputs: values });
  const found = new Set<string>();
  const { order } = roundsOf(ir);
  let from = 0;
  function* chunks({ inputs }: { readonly inputs: readonly string[] }): Generator<Arrays> {
    const starts = Array.from({ length: Math.ceil(n / size) }, (_, i) => i * size);
    for (const at of order === "backwards" ? starts.toReversed() : starts)
      yield Object.fromEntries(
        inputs.map((name) => [name, (arrays[name] as HostArray).subarray(at, at + size)]),
      );
  }
  const options = {
    ...(count !== undefined && { n: count }),
    ...(order === "backwards" && { from: "end" as const }),
  };
  for await (const { outputs, state } of stream(runtime, ir, chunks, options)) {
    const to = Number(state.to);
    const part = order === "backwards" ? ([n - to, n - from] as const) : ([from, to] as const);
    for (const { name, id } of checked.sinks) {
      const all = whole[name] as ScalarValue[];
      const isPerItem = checked.uniformities[id] === "item";
      if (!isPerItem && to < n) continue;
      const want = toArray(checked.types[id] as never, isPerItem ? all.slice(...part) : all);
      const got = (outputs as Arrays)[name] as HostArray;
      if (difference(checked.types[id] as never, got, want)) found.add(`${name} from ${from}`);
    }
    from = to;
  }
  expect(from).toBe(n);
  return [...found];
}

/** Lengths of chunks, and numbers of items. */
const CHUNKS = [
  [1, 23],
  [7, 150],
  [1000, 2500],
] as const;
const PIPELINES = [
  [softmax, 3],
  [normalised, 3],
  [keyed, 1],
  [near, 1],
  [following, 1],
  [circular, 2],
  [backwards, 2],
] as const;

const FEW = PIPELINES.filter(([ir]) => [softmax, circular, backwards].includes(ir));
const FEW_TYPES = ["i64", "f32"] as const;

const roundsIn = (ir: Pipeline): number => roundsOf(ir).list.length;

/** Tests that a runtime returns in rounds over chunks the bits of the whole range. @param few only some of them, for slow devices */
export function rounds(title: string, probe: Probe<Runtime>, few: boolean = false): void {
  describe(`${title} runs in rounds`, () => {
    const open = sharedRuntime(probe);
    for (const [ir, count] of few ? FEW : PIPELINES)
      deviceTest(`${ir.name} has the bits of the whole range`, open, async (runtime) => {
        expect(roundsIn(ir)).toBe(count);
        for (const [size, n] of few ? CHUNKS.slice(1) : CHUNKS)
          expect(await differing(runtime, ir, n, size)).toEqual([]);
        expect(await differing(runtime, ir, 1, 5, 1)).toEqual([]);
        expect(await differing(runtime, ir, 40, 9, 40)).toEqual([]);
      });
    for (const type of few ? FEW_TYPES : SCALAR_NAMES)
      deviceTest(`results of ${type} reach all items unchanged`, open, async (runtime) => {
        const ir = spreading(type);
        expect(roundsIn(ir)).toBe(2);
        for (const n of [1, 2, 3, 30]) expect(await differing(runtime, ir, n, 4)).toEqual([]);
      });
  });
}
