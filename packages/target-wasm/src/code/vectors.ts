/** Vectors: expressions with a width, as instructions on 128 bits. A vector of truth values has all bits of an element set or none. */
import type { Scalar } from "@groupwise/core";
import type { BinaryExpr, CastExpr, Expr, LoadExpr, Memory, PermuteExpr } from "@groupwise/core/kernel";
import { errorOf, isFloat, SCALARS } from "@groupwise/core/target";
import { i32, type Node, numeric } from "../encode/tree.ts";
import type { FunctionCode } from "./function.ts";
import { sign } from "./operators.ts";
import type { KernelScalar } from "./types.ts";

/** Bytes of a vector. */
const BYTES = 16;

const SHAPES: Readonly<Record<KernelScalar, string>> = {
  i32: "i32x4",
  u32: "i32x4",
  i64: "i64x2",
  u64: "i64x2",
  f32: "f32x4",
  f64: "f64x2",
  bool: "i32x4",
};
const shapeOf = (type: Scalar): string => SHAPES[type as KernelScalar];

/** An operand; a value without a width is repeated. */
function operand(code: FunctionCode, e: Expr): Node {
  return e.width === undefined ? splat(code.expr(e), e.type) : code.expr(e);
}

const splat = (value: Node, type: Scalar): Node =>
  numeric(`${shapeOf(type)}.splat`, type === "bool" ? numeric("i32.sub", i32(0), value) : value);

const WHOLE: ReadonlySet<string> = new Set(["and", "or", "xor"]);
const SIGNED: ReadonlySet<string> = new Set(["min", "max", "shr", "lt", "le", "gt", "ge"]);

function binary(code: FunctionCode, { op, left, right }: BinaryExpr): Node {
  const [type, a] = [left.type, operand(code, left)];
  if (op === "shl" || op === "shr") {
    // The amount counts modulo the width, and is a word.
    return numeric(instruction(op, type), a, code.expr(right));
  }
  const b = operand(code, right);
  return numeric(WHOLE.has(op) ? `v128.${op}` : instruction(op, type), a, b);
}

function instruction(op: string, type: Scalar): string {
  return `${shapeOf(type)}.${op}${!isFloat(type) && SIGNED.has(op) ? `_${sign(type)}` : ""}`;
}

function cast(code: FunctionCode, { of, type }: CastExpr): Node {
  const [from, x] = [of.type, operand(code, of)];
  if (from === "bool")
    return numeric(
      "v128.and",
      x,
      splat(code.expr({ kind: "const", type, value: SCALARS[type].bits === 64 ? "1" : 1 }), type),
    );
  if (isFloat(from)) return numeric(`i32x4.trunc_sat_f32x4_${sign(type)}`, x);
  return isFloat(type) ? numeric(`f32x4.convert_i32x4_${sign(from)}`, x) : x;
}

function permute(code: FunctionCode, { left, right, pattern, type }: PermuteExpr): Node {
  if (left.width === undefined) return splat(code.expr(left), type);
  const [first = 0] = pattern;
  if (pattern.length === 1) return numeric(`${shapeOf(type)}.extract_lane ${first}`, code.expr(left));
  const size = BYTES / left.width;
  const bytes = pattern.flatMap((at) => Array.from({ length: size }, (_, i) => at * size + i));
  return numeric(`i8x16.shuffle ${bytes.join(" ")}`, code.expr(left), code.expr(right ?? left));
}

/** Loads of narrow elements: what reads them, and what widens them then. */
const WIDENED: Readonly<Partial<Record<Memory, readonly [load: string, ...then: string[]]>>> = {
  u8: ["v128.load32_zero", "i16x8.extend_low_i8x16_u", "i32x4.extend_low_i16x8_u"],
  i8: ["v128.load32_zero", "i16x8.extend_low_i8x16_s", "i32x4.extend_low_i16x8_s"],
  u16: ["v128.load16x4_u"],
  i16: ["v128.load16x4_s"],
};

function load(code: FunctionCode, e: LoadExpr): Node {
  const memory = e.memory ?? e.type;
  const [op, ...then] = WIDENED[memory] ?? ["v128.load"];
  const { address, offset } = code.place(e.space, e.array, e.index, code.formOf(e.space, e.array, memory));
  const loaded: Node = { kind: "access", op, offset, operands: [address] };
  return then.reduce<Node>((x, widen) => numeric(widen, x), loaded);
}

/** The instruction of an expression with a width, or of one that reads a vector. */
export function vectorCode(code: FunctionCode, e: Expr): Node {
  switch (e.kind) {
    case "const": {
      const { width: _, ...value } = e;
      return splat(code.expr(value), e.type);
    }
    case "load":
      return load(code, e);
    case "unary": {
      const x = operand(code, e.of);
      return numeric(e.op === "not" ? "v128.not" : `${shapeOf(e.type)}.${e.op}`, x);
    }
    case "binary":
      return binary(code, e);
    case "select":
      return numeric(
        "v128.bitselect",
        operand(code, e.then),
        operand(code, e.otherwise),
        operand(code, e.condition),
      );
    case "cast":
      return cast(code, e);
    case "bitcast":
      return operand(code, e.of);
    case "permute":
      return permute(code, e);
    default:
      throw errorOf("bad-kernel", { reason: `the language has no vector of ${e.kind}` });
  }
}
