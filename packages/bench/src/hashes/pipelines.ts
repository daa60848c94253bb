/** Ten typical pipelines, and their inputs: bits of a hash of the index, which need no arithmetic that a language could round otherwise. */
import type { ArrayType, HostArray, PipelineSource } from "@groupwise/core";
import { affine, f16, f32, f64, i64, pipeline, u32 } from "@groupwise/dsl";
import { compact, type Primitive, radixSort } from "@groupwise/primitives";
import { hash } from "../primitives/job.ts";

/** An input: its type, and its first n elements. */
export interface HashedInput {
  readonly type: ArrayType;
  readonly values: (n: number) => HostArray;
}

/** A pipeline whose results are hashed, or a primitive of several steps. */
export interface Hashed {
  readonly name: string;
  readonly what: PipelineSource | Primitive;
  readonly inputs: Readonly<Record<string, HashedInput>>;
  /** Whether the first items of the outputs depend on the first items of the inputs only. */
  readonly isPrefixed: boolean;
}

/** A multiple of 2^-24 in [-0.5, 0.5), from the high bits of a hash. */
const share = (i: number): number => (hash(i) >>> 8) * 2 ** -24 - 0.5;
/** Of many magnitudes; some zeros of both signs and subnormal numbers. */
const single = (i: number): number => {
  const kind = i % 97;
  if (kind > 2) return share(i) * 2 ** (hash(~i) & 15);
  return [0, -0, (hash(i) & 0xffff) * 2 ** -149][kind] as number;
};
const double = (i: number): number => share(i) * 2 ** (hash(~i) & 15) + share(i ^ 0x55555) * 2 ** -24;
/** The bits of a half whose magnitude is in [2^-8, 1). */
const half = (i: number): number => ((hash(i) & 1) << 15) | (0x1c00 + (hash(i) >>> 19));
const long = (i: number): bigint => BigInt.asIntN(64, BigInt(hash(i)) * 0x9e3779b97f4a7c15n);

const from =
  <T>(type: { from(of: { length: number }, at: (_: unknown, i: number) => T): HostArray }) =>
  (at: (i: number) => T) =>
  (n: number): HostArray =>
    type.from({ length: n }, (_, i) => at(i));
const singles: HashedInput = { type: "f32", values: from(Float32Array)(single) };
const shares = (scale: number): HashedInput => ({
  type: "f32",
  values: from(Float32Array)((i) => share(~i) * scale),
});

const sums = (type: typeof f32 | typeof f64 | typeof i64 | typeof f16) =>
  pipeline(`sums-${type.type}`, { x: type as typeof f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));

export const HASHED: readonly Hashed[] = [
  { name: "sums of f32", what: sums(f32), inputs: { x: singles }, isPrefixed: true },
  {
    name: "sums of f64",
    what: sums(f64),
    inputs: { x: { type: "f64", values: from(Float64Array)(double) } },
    isPrefixed: true,
  },
  {
    name: "sums of i64",
    what: sums(i64),
    inputs: { x: { type: "i64", values: from(BigInt64Array)(long) } },
    isPrefixed: true,
  },
  {
    name: "sums of f16",
    what: sums(f16),
    inputs: { x: { type: "f16", values: from(Uint16Array)(half) } },
    isPrefixed: true,
  },
  {
    name: "maxima of f32",
    what: pipeline("maxima", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("max") })),
    inputs: { x: singles },
    isPrefixed: true,
  },
  {
    name: "affine maps of f32",
    what: pipeline("affine-maps", { a: f32, b: f32 }, ({ a, b }) => ({
      y: affine(f32).scanInclusive({ a, b }).b,
    })),
    inputs: { a: shares(2), b: singles },
    isPrefixed: true,
  },
  {
    name: "reduces of f32",
    what: pipeline("reduces", { x: f32 }, ({ x }) => ({
      sum: x.reduce("add"),
      least: x.reduce("min"),
    })),
    inputs: { x: singles },
    isPrefixed: false,
  },
  {
    name: "softmax of f32",
    what: pipeline("softmax", { x: f32 }, ({ x }) => {
      const raised = x.sub(x.reduce("max")).exp();
      return { y: raised.div(raised.reduce("add")) };
    }),
    inputs: { x: shares(32) },
    isPrefixed: false,
  },
  {
    name: "compaction of f32",
    what: compact(f32),
    inputs: {
      x: singles,
      keep: { type: "bool", values: from(Uint8Array)((i) => hash(i ^ 0x2a2a2a) & 1) },
    },
    isPrefixed: true,
  },
  {
    name: "sort of f32 with u32",
    what: radixSort(f32, { pairs: u32 }) as unknown as Primitive,
    inputs: { keys: singles, values: { type: "u32", values: from(Uint32Array)((i) => i) } },
    isPrefixed: false,
  },
];
