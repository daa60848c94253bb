import fc from "fast-check";
import type { GroupwiseError } from "../src/base/errors.ts";
import { GroupwiseError as ErrorClass } from "../src/base/errors.ts";
import type { Pipeline, PipelineNode, Scope } from "../src/document/node.ts";
import type { BinaryOp, UnaryOp } from "../src/tables/expr-op.ts";
import { encodeLiteral, type Literal } from "../src/tables/literal.ts";
import type { ArrayType } from "../src/tables/narrow.ts";
import { OPS, type Op } from "../src/tables/op.ts";
import { halfToNumber, SCALARS, type Scalar, type ScalarValue } from "../src/tables/scalar.ts";

const half = fc.integer({ min: 0, max: 0xffff }).map(halfToNumber);
const extremes = (type: Scalar): fc.Arbitrary<ScalarValue> => {
  const { lowest, highest, wrap } = SCALARS[type];
  const zero = wrap(typeof lowest === "bigint" ? 0n : 0);
  const one = wrap(typeof lowest === "bigint" ? 1n : 1);
  const floats = SCALARS[type].kind === "float" ? [-0, Number.NaN, wrap(0.1), wrap(1e-7), -1] : [];
  return fc.constantFrom(zero, one, lowest, highest, ...floats);
};
const spread: Readonly<Record<Scalar, fc.Arbitrary<ScalarValue>>> = {
  i32: fc.integer({ min: -0x80000000, max: 0x7fffffff }),
  u32: fc.integer({ min: 0, max: 0xffffffff }),
  i64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  u64: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  f16: half,
  f32: fc.float(),
  f64: fc.double(),
  bool: fc.boolean(),
};

/** Any value of a type, its extremes often. */
export function anyOf(type: Scalar): fc.Arbitrary<ScalarValue> {
  return fc.oneof({ weight: 3, arbitrary: spread[type] }, { weight: 1, arbitrary: extremes(type) });
}

/** The error that a function throws. */
export function errorFrom(act: () => unknown): GroupwiseError {
  try {
    act();
  } catch (error) {
    if (error instanceof ErrorClass) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

type Without<N> = N extends unknown ? Omit<N, "id"> : never;
/** A node without the id that its place in the list gives. */
export type Draft = Without<PipelineNode>;

export const input = (type: ArrayType, name = "x"): Draft => ({ kind: "input", name, type });
export const output = (of: number, name = "y"): Draft => ({ kind: "output", name, of });
export const constant = (value: Literal, type: Scalar = "u32"): Draft => ({ kind: "const", type, value });
export const unary = (op: UnaryOp, of: number): Draft => ({ kind: "unary", op, of });
export const binary = (op: BinaryOp, left: number, right: number): Draft => ({
  ...{ kind: "binary", op, left, right },
});
export const cast = (to: Scalar, of: number): Draft => ({ kind: "cast", to, of });
export const gather = (of: number, index: number): Draft => ({ kind: "gather", of, index });

type Form = "reduce" | "scan-inclusive" | "scan-exclusive";
/** A collective of the range, with the identity of its operator. */
export function collective(kind: Form, op: Op, type: Scalar, of = 0, scope: Scope = "device"): Draft {
  const identity = encodeLiteral(type, OPS[op].identity(type));
  return { kind, op, type, identity, scope, order: "fixed", of } as Draft;
}

/** A pipeline of these nodes. */
export function documentOf(nodes: readonly Draft[], workGroupSize: readonly number[] = [4]): Pipeline {
  return {
    format: "groupwise-pipeline",
    version: 1,
    name: "test",
    workGroupSize,
    nodes: nodes.map((node, id) => ({ ...node, id }) as PipelineNode),
  };
}
