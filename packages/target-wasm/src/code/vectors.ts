/** Vectors: expressions with a width, as instructions on 128 bits. A vector of truth values has all bits of an element set or none. */
import type { ArrayType, Scalar } from "@groupwise/core";
import {
  type BinaryExpr,
  type CastExpr,
  type Expr,
  isSameName,
  type LoadExpr,
  type Memory,
  type PermuteExpr,
  type StoreStmt,
} from "@groupwise/core/kernel";
import { arraySpec, errorOf, isFloat, SCALARS } from "@groupwise/core/target";
import { i32, type Node, numeric } from "../encode/tree.ts";
import type { FunctionCode } from "./function.ts";
import { sign } from "./operators.ts";

/** Bytes of a vector. */
const BYTES = 16;

/** By bytes of an element. */
const SHAPES: Readonly<Record<number, string>> = { 1: "i8x16", 2: "i16x8", 4: "i32x4", 8: "i64x2" };
/** Integers and truth values of any type fill a vector: with more elements, each has fewer bits. */
const shapeOf = (type: Scalar, width: number): string =>
  isFloat(type) ? `${type}x${width}` : (SHAPES[BYTES / width] as string);

/** An operand; a value without a width is repeated. */
function operand(code: FunctionCode, e: Expr, width: number): Node {
  return e.width === undefined ? splat(code.expr(e), e.type, width) : code.expr(e);
}

const splat = (value: Node, type: Scalar, width: number): Node => {
  const all = type === "bool" ? numeric("i32.sub", i32(0), value) : value;
  const isLong = type === "bool" && BYTES / width === 8;
  return numeric(`${isLong ? "i32x4" : shapeOf(type, width)}.splat`, all);
};

const WHOLE: ReadonlySet<string> = new Set(["and", "or", "xor"]);
const SIGNED: ReadonlySet<string> = new Set(["min", "max", "shr", "lt", "le", "gt", "ge"]);

function binary(code: FunctionCode, e: BinaryExpr & Wide): Node {
  const { op, left, right, width } = e;
  const pairs = sumOfPairs(code, e);
  if (pairs) return pairs;
  const [type, a] = [left.type, operand(code, left, width)];
  if (op === "shl" || op === "shr") {
    // The amount counts modulo the width, and is a word.
    return numeric(instruction(op, type, width), a, code.expr(right));
  }
  const b = operand(code, right, width);
  return numeric(WHOLE.has(op) ? `v128.${op}` : instruction(op, type, width), a, b);
}

/** The sums of neighbours, in elements of twice the bits. */
function sumOfPairs(
  code: FunctionCode,
  { op, left, right, type, width }: BinaryExpr & Wide,
): Node | undefined {
  if (op !== "add" || left.kind !== "permute" || right.kind !== "permute") return undefined;
  const { left: of } = left;
  const isHalf = of.width === 2 * width && !left.right && left.pattern.every((at, i) => at === 2 * i);
  if (!isHalf || !isSameName(right.left, of) || !right.pattern.every((at, i) => at === 2 * i + 1))
    return undefined;
  const instruction = `extadd_pairwise_${shapeOf(type, of.width)}_${sign(type)}`;
  return numeric(`${shapeOf(type, width)}.${instruction}`, code.expr(of));
}

function instruction(op: string, type: Scalar, width: number): string {
  return `${shapeOf(type, width)}.${op}${!isFloat(type) && SIGNED.has(op) ? `_${sign(type)}` : ""}`;
}

function cast(code: FunctionCode, { of, type, width }: CastExpr & Wide): Node {
  const [from, x] = [of.type, operand(code, of, width)];
  if (from === "bool") return numeric("v128.and", x, ones(code, type, width));
  if (isFloat(from)) return numeric(`i32x4.trunc_sat_f32x4_${sign(type)}`, x);
  return isFloat(type) ? numeric(`f32x4.convert_i32x4_${sign(from)}`, x) : x;
}

/** A vector whose elements are 1. */
const ones = (code: FunctionCode, type: Scalar, width: number): Node =>
  splat(code.expr({ kind: "const", type, value: SCALARS[type].bits === 64 ? "1" : 1 }), type, width);

function permute(code: FunctionCode, { left, right, pattern, type, width = 1 }: PermuteExpr): Node {
  if (left.width === undefined) return splat(code.expr(left), type, width);
  const [first = 0] = pattern;
  const size = BYTES / left.width;
  if (pattern.length === 1) {
    const lane = `extract_lane${size < 4 ? `_${sign(type)}` : ""}`;
    return numeric(`${shapeOf(type, left.width)}.${lane} ${first}`, code.expr(left));
  }
  const bytes = pattern.flatMap((at) => Array.from({ length: size }, (_, i) => at * size + i));
  return numeric(`i8x16.shuffle ${bytes.join(" ")}`, code.expr(left), code.expr(right ?? left));
}

type Read = readonly [load: string, ...then: string[]];
/** Loads of narrow elements, by the bytes of an element of the vector: what reads them, and what widens them then. */
const WIDENED: Readonly<Record<number, Readonly<Partial<Record<Memory, Read>>>>> = {
  2: { u8: ["v128.load8x8_u"], i8: ["v128.load8x8_s"] },
  4: {
    u8: ["v128.load32_zero", "i16x8.extend_low_i8x16_u", "i32x4.extend_low_i16x8_u"],
    i8: ["v128.load32_zero", "i16x8.extend_low_i8x16_s", "i32x4.extend_low_i16x8_s"],
    u16: ["v128.load16x4_u"],
    i16: ["v128.load16x4_s"],
  },
};

function load(code: FunctionCode, e: LoadExpr & Wide): Node {
  const memory = e.memory ?? e.type;
  const [op, ...then] = WIDENED[BYTES / e.width]?.[memory === "bool" ? "u8" : memory] ?? ["v128.load"];
  const { address, offset } = code.place(e.space, e.array, e.index, code.formOf(e.space, e.array, memory));
  const loaded: Node = { kind: "access", op, offset, operands: [address] };
  const wide = then.reduce<Node>((x, widen) => numeric(widen, x), loaded);
  if (memory !== "bool") return wide;
  return numeric(`${shapeOf("bool", e.width)}.ne`, wide, splat(i32(0), "u32", e.width));
}

/** The instruction that stores a vector, and its operand: elements of memory with fewer bits lie side by side in the lower bytes. */
export function storedVector(
  code: FunctionCode,
  { value: e, memory = e.type }: StoreStmt,
): { readonly store: string; readonly value: Node } {
  const width = e.width as number;
  const isBool = memory === "bool";
  const size = isBool ? 1 : arraySpec(memory as ArrayType).hostBytes;
  let bytes = BYTES / width;
  let value = code.expr(e);
  if (isBool) value = numeric("v128.and", value, ones(code, "u32", width));
  else if (bytes > size) value = numeric("v128.and", value, splat(i32(2 ** (8 * size) - 1), "u32", width));
  const isNarrowed = bytes > size;
  for (; bytes > size; bytes /= 2)
    value = numeric(`${SHAPES[bytes / 2]}.narrow_${SHAPES[bytes]}_u`, value, value);
  if (!isNarrowed) return { store: "v128.store", value };
  return width * size === 4
    ? { store: "i32.store", value: numeric("i32x4.extract_lane 0", value) }
    : { store: "i64.store", value: numeric("i64x2.extract_lane 0", value) };
}

interface Wide {
  readonly width: number;
}

/** The instruction of an expression with a width, or of one that reads a vector. */
export function vectorCode(code: FunctionCode, e: Expr): Node {
  // One that reads a vector has none.
  if (e.kind === "permute") return permute(code, e);
  if (e.kind === "bits") return numeric(`${SHAPES[BYTES / (e.of.width ?? 1)]}.bitmask`, code.expr(e.of));
  const { width = 1 } = e;
  switch (e.kind) {
    case "const": {
      const { width: _, ...value } = e;
      return splat(code.expr(value), e.type, width);
    }
    case "load":
      return load(code, { ...e, width });
    case "unary": {
      const x = operand(code, e.of, width);
      return numeric(e.op === "not" ? "v128.not" : `${shapeOf(e.type, width)}.${e.op}`, x);
    }
    case "binary":
      return binary(code, { ...e, width });
    case "select":
      return numeric(
        "v128.bitselect",
        operand(code, e.then, width),
        operand(code, e.otherwise, width),
        operand(code, e.condition, width),
      );
    case "cast":
      return cast(code, { ...e, width });
    case "bitcast":
      return operand(code, e.of, width);
    default:
      throw errorOf("bad-kernel", { reason: `the language has no vector of ${e.kind}` });
  }
}
