/** What is compared with loops by hand, and its data. */
import {
  type BoolValue,
  f32,
  i32,
  type PipelineDefinition,
  pipeline,
  type U32Value,
  u32,
} from "@groupwise/dsl";
import { hash, options } from "../primitives/job.ts";

export const LOOP_TYPES = ["u32", "i32", "f32"] as const;
export type LoopType = (typeof LOOP_TYPES)[number];
export const LOOP_CASES = ["reduce-add", "scan-add", "scan-max", "compact", "histogram"] as const;
export type LoopCase = (typeof LOOP_CASES)[number];

export type Numbers = Uint32Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Float32Array<ArrayBuffer>;

export const JOBS: readonly { readonly which: LoopCase; readonly type: LoopType }[] = LOOP_CASES.flatMap(
  (which) => LOOP_TYPES.map((type) => ({ which, type })),
);
/** Whether a case adds items, so that the order matters for floats and OpenMP has a reduction for it. */
export const isSum = (which: LoopCase): boolean => which === "reduce-add" || which === "scan-add";
/** Whether another order of the items has other bits. */
export const isRounded = (which: LoopCase, type: LoopType): boolean => isSum(which) && type === "f32";

export const BINS = 256;
const ARRAYS = { u32: Uint32Array, i32: Int32Array, f32: Float32Array };
/** Half of the items are above. */
const MIDDLE: Readonly<Record<LoopType, number>> = { u32: 2 ** 31, i32: 0, f32: 128 };
/** What loops by hand take after the arrays: the limit of compaction. */
export const limitsOf = (which: LoopCase, type: LoopType): readonly number[] =>
  which === "compact" ? [MIDDLE[type]] : [];
/** Bodies are written for u32; each holds for all three types. */
const descriptorOf = (type: LoopType): typeof u32 => ({ u32, i32, f32 })[type] as unknown as typeof u32;

/** Items of f32 are below 256 and have fractions. */
export function dataFor(type: LoopType, n: number): Numbers {
  const x = new ARRAYS[type](n);
  for (let i = 0; i < n; i++) x[i] = type === "f32" ? (hash(i) >>> 8) / 2 ** 16 : hash(i);
  return x;
}

/** Names and lengths of the outputs in the order in which emitted functions take them. */
const OUTPUTS: Readonly<Record<LoopCase, (type: LoopType, n: number) => Readonly<Record<string, Numbers>>>> =
  {
    "reduce-add": (type) => ({ y: new ARRAYS[type](1) }),
    "scan-add": (type, n) => ({ y: new ARRAYS[type](n) }),
    "scan-max": (type, n) => ({ y: new ARRAYS[type](n) }),
    compact: (type, n) => ({ kept: new ARRAYS[type](n), count: new Uint32Array(1) }),
    histogram: () => ({ counts: new Uint32Array(BINS) }),
  };

/** Arrays whose every bit is set: an element that is not written differs from all results. */
export function outputsFor(which: LoopCase, type: LoopType, n: number): Readonly<Record<string, Numbers>> {
  const arrays = OUTPUTS[which](type, n);
  for (const array of Object.values(arrays)) new Uint8Array(array.buffer).fill(0xff);
  return arrays;
}

/** The pipelines of a type. */
export function sourcesOf(type: LoopType): Readonly<Record<LoopCase, PipelineDefinition>> {
  const descriptor = descriptorOf(type);
  const inputs = { x: descriptor };
  const named = (name: LoopCase): string => `${name}-${type}`;
  const binOf = (x: U32Value): U32Value => (type === "f32" ? x.toU32() : x.and(BINS - 1).toU32());
  /** Items of other values have no bin. */
  const inRange = (x: U32Value, bin: U32Value): BoolValue =>
    type === "f32" ? x.ge(0).and(x.lt(BINS)) : bin.lt(BINS);
  const sources = {
    "reduce-add": pipeline(named("reduce-add"), inputs, ({ x }) => ({ y: x.reduce("add") }), options),
    "scan-add": pipeline(named("scan-add"), inputs, ({ x }) => ({ y: x.scanInclusive("add") }), options),
    "scan-max": pipeline(named("scan-max"), inputs, ({ x }) => ({ y: x.scanInclusive("max") }), options),
    compact: pipeline(
      named("compact"),
      inputs,
      ({ x }) => {
        const keep = x.gt(MIDDLE[type]);
        const { before, total } = keep.toU32().scanWithTotal("add");
        return { kept: x.scatter({ to: before, where: keep, length: total }), count: total };
      },
      options,
    ),
    histogram: pipeline(
      named("histogram"),
      inputs,
      ({ x }) => {
        const bin = binOf(x);
        const one = u32(1).perItem();
        return { counts: one.scatter({ to: bin, where: inRange(x, bin), capacity: BINS, combine: "add" }) };
      },
      options,
    ),
  };
  return sources as unknown as Readonly<Record<LoopCase, PipelineDefinition>>;
}
