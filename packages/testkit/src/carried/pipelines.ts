/** Pipelines whose items need results of the whole range, or the item before. */
import { OP_NAMES, type Pipeline, type Scalar } from "@groupwise/core";
import { encodeLiteral, OPS, opExists, PipelineNodes } from "@groupwise/core/target";
import { bool, ends, f32, f64, operators, pipeline, scalar, select, u32 } from "@groupwise/dsl";

/** Three rounds: the maximum, the sum of what it moves, and the quotients. */
export const softmax: Pipeline = pipeline("softmax", { x: f32 }, ({ x }) => {
  const moved = x.sub(x.reduce("max")).exp();
  const total = moved.reduce("add");
  return { y: moved.div(total), total: scalar(total) };
}).ir;

/** Variance about the mean, whose number of items is a result too; argmax and single items that items read. */
export const normalised: Pipeline = pipeline(
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
export const keyed: Pipeline = pipeline(
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
export const near: Pipeline = pipeline("near", { x: f32, k: u32, starts: bool }, ({ x, k, starts }) => {
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
export const following: Pipeline = pipeline(
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
export const circular: Pipeline = pipeline("circular", { x: f32, k: u32 }, ({ x, k }, { index }) => ({
  steps: x.sub(x.at(index().sub(1))),
  turns: k
    .ne(k.at(index().sub(1)))
    .toU32()
    .scanInclusive("add"),
})).ir;

/** Two rounds from the end: scans that begin at the last item, of segments too, and the sum over all items. */
export const backwards: Pipeline = pipeline(
  "backwards",
  { x: f32, k: u32, starts: bool },
  ({ x, k, starts }) => {
    const sums = x.scanInclusive("add", { reverse: true });
    return {
      sums,
      seeded: x.scanExclusive("add", { reverse: true, seed: 2.5 }),
      runs: x.scanExclusive("max", { reverse: true, segments: starts }),
      share: sums.div(x.reduce("add", { reverse: true })),
      most: k.sub(k.reduce("max")),
    };
  },
).ir;

/** Every operator of a type as a reduce whose result each item returns. */
export function spreading(type: Scalar): Pipeline {
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
