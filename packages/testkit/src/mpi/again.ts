/** Pipelines whose ranks read their items several times, or from the last one on. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  check,
  type HostArray,
  type Pipeline,
  reference,
  type Scalar,
  type ScalarValue,
} from "@groupwise/core";
import { arraySpec, SCALARS } from "@groupwise/core/target";
import { bool, f16, f32, f64, i64, operators, outputs, pipeline } from "@groupwise/dsl";
import { numbers } from "../data/random.ts";
import { inputsOf, raw } from "./carried.ts";
import { type Layout, layoutOf } from "./program.ts";
import type { Whole } from "./ranks.ts";

const INPUTS = { x: f32, d: f64, h: f16, l: i64, starts: bool };

/**
 * Results of two rounds that items need: floats whose order counts, a half, an integer of 64 bits, a truth value, a record of an operator that does not commute, one item,
 * and the number of items. The last round has scans, and elements that items append.
 */
export const rounds: { readonly ir: Pipeline } = pipeline(
  "rounds",
  INPUTS,
  ({ x, d, h, l, starts }, { globalSize, index }) => {
    const centred = x.sub(x.reduce("add").div(globalSize(0).toF32()));
    const spread = centred.mul(centred).reduce("add").sqrt();
    const y = centred.div(spread);
    const trend = operators.affine(f32).reduce({ a: f32(0.9).perItem(), b: x.mul(0.1) });
    const where = centred.gt(0);
    const to = where.toU32().scanExclusive("add");
    return {
      y,
      sums: y.scanInclusive("add"),
      share: d.div(d.reduce("add")),
      half: h.sub(h.reduce("max")),
      above: l.sub(l.reduce("min")),
      chosen: starts.any().select(x.mul(trend.a).add(trend.b), x.at(5)),
      total: y.reduce("add"),
      spread,
      numbers: index(),
      kept: y.scatter({ to, where, length: where.toU32().reduce("add") }),
    };
  },
);

/** One earlier round, and a last one that reads no other items; an input that only the first round reads, and one that none reads. */
export const shares: { readonly ir: Pipeline } = pipeline("shares", INPUTS, ({ x, d }) => ({
  y: x.div(d.reduce("add").toF32()),
}));

/** Scans from the end, and values of items that do not depend on the order; the numbers of items, and the next item. */
export const turned: { readonly ir: Pipeline } = pipeline(
  "turned",
  INPUTS,
  ({ x, d, h, l, starts }, { index }) => ({
    sums: x.scanInclusive("add", { reverse: true }),
    doubles: d.scanExclusive("add", { reverse: true }),
    ...outputs({
      trend: operators.affine(f32).scanInclusive({ a: f32(0.9).perItem(), b: x.mul(0.1) }, { reverse: true }),
    }),
    halves: h.scanInclusive("add", { reverse: true }),
    wide: l.scanInclusive("add", { reverse: true }),
    peaks: x.scanInclusive("max", { reverse: true, seed: 2 }),
    change: x.at(index().add(1)).sub(x),
    least: l.reduce("min"),
    all: l.reduce("add"),
    some: starts.any(),
    ends: starts.not(),
    numbers: index(),
  }),
);

/** Two rounds from the end. */
export const turnedRounds: { readonly ir: Pipeline } = pipeline("turned-rounds", INPUTS, ({ x, d, l }) => {
  const most = d.reduce("max");
  const y = d.div(most).add(l.reduce("min").toF64());
  return {
    y,
    sums: y.scanInclusive("add", { reverse: true }),
    rest: x.scanExclusive("add", { reverse: true }),
    most,
  };
});

/** In the order of the program. */
export const AGAIN: readonly { readonly ir: Pipeline }[] = [rounds, shares, turned, turnedRounds];

/** Numbers with one NaN in each third, or without any. */
export function againInputs(n: number, hasNan: boolean): Record<string, HostArray> {
  const given = inputsOf(n, numbers(23));
  for (const name of hasNan ? ["x", "d"] : []) (given[name] as Float32Array)[Math.floor(n / 3)] = Number.NaN;
  return given;
}

/** The results of the reference over all items, in the order of the arguments in C. */
export function referenceOf(
  { ir }: { readonly ir: Pipeline },
  values: Readonly<Record<string, HostArray>>,
): Readonly<Record<string, HostArray>> {
  const checked = check(ir);
  const inputs = checked.inputs.map(({ name, type }) => {
    const { fromHost } = SCALARS[type as Scalar];
    return [name, Array.from(values[name] as Float32Array, (x) => fromHost(x as never))] as const;
  });
  const n = (inputs[0] as (typeof inputs)[number])[1].length;
  const made = reference(checked, { n, inputs: Object.fromEntries(inputs) });
  const arrays = layoutOf(ir).outputs.map(({ name, type }) => {
    const { toHost } = SCALARS[type as Scalar];
    const list = made[name] as ScalarValue[];
    const array = new (arraySpec(type).array)(list.length);
    list.forEach((x, i) => {
      (array as unknown as (number | bigint)[])[i] = toHost(x);
    });
    return [name, array] as const;
  });
  return Object.fromEntries(arrays);
}

/** Writes the inputs of all items for {@link AGAIN}. */
export function writeAgain(n: number, hasNan: boolean, folder: string): readonly Whole[] {
  const values = againInputs(n, hasNan);
  const input = `in-again-${n}-${hasNan}`;
  writeFileSync(join(folder, input), Buffer.concat(Object.values(values).map(raw)));
  return AGAIN.map((one, i) => {
    const layout = layoutOf(one.ir);
    const outputs = referenceOf(one, values);
    const bytes = layout.outputs.map(({ name, isAppended, bytes: each }) => {
      const given = raw(outputs[name] as HostArray);
      return isAppended ? Buffer.concat([given, Buffer.alloc(each * n - given.length)]) : given;
    });
    const want = withOneNan(Buffer.concat(bytes), layout, n);
    const cuts = [
      ["unequal", 0],
      ["last", 0],
      ["equal", 0],
    ] as const;
    return { n, pipeline: i, input, cuts, want, nans: layout };
  });
}

/** The bytes of outputs with the same bits for each NaN. */
export function withOneNan(bytes: Uint8Array, { outputs }: Layout, n: number): Uint8Array {
  const made = Uint8Array.from(bytes);
  let at = 0;
  for (const { type, bytes: each, isPerItem, isAppended } of outputs) {
    const { fromHost } = SCALARS[type as Scalar];
    const array = new (arraySpec(type).array)(isPerItem || isAppended ? n : 1);
    const own = raw(array);
    own.set(made.subarray(at, at + own.length));
    for (const [i, x] of (array as unknown as number[]).entries())
      if (Number.isNaN(fromHost(x))) made.fill(0xff, at + i * each, at + (i + 1) * each);
    at += own.length;
  }
  return made;
}
