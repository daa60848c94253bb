/** Operators and functions of pipelines as nodes of ONNX. */
import type { Scalar } from "@groupwise/core";
import { type FunctionName, SCALARS } from "@groupwise/core/target";
import { Refusal } from "../refusal.ts";
import type { GraphWriter } from "./graph.ts";

/** Writes an operation on values of a type. @returns the name of the result @throws Refusal */
type Written = (graph: GraphWriter, type: Scalar, operands: readonly string[]) => string;

const kindOf = (type: Scalar): string => SCALARS[type].kind;
const isFloat = (type: Scalar): boolean => kindOf(type) === "float";
const node =
  (op: string): Written =>
  (graph, _type, operands) =>
    graph.add(op, operands);
/** Another node for bools. */
const logical =
  (onBools: string, onBits: string): Written =>
  (graph, type, operands) =>
    graph.add(type === "bool" ? onBools : onBits, operands);
const onFloats =
  (written: Written, otherwise: Written): Written =>
  (graph, type, operands) =>
    (isFloat(type) ? written : otherwise)(graph, type, operands);
const refused =
  (reason: string): Written =>
  () => {
    throw new Refusal(reason);
  };

/** In ONNX only unsigned integers are shifted, and by less than their width. */
const shift =
  (direction: string): Written =>
  (graph, type, [x, by]) => {
    if (kindOf(type) !== "uint") throw new Refusal(`ONNX shifts no ${type}`);
    const amount = graph.add("BitwiseAnd", [by as string, graph.constant("u32", SCALARS[type].bits - 1)]);
    const own = type === "u32" ? amount : graph.cast(amount, type);
    return graph.add("BitShift", [x as string, own], { direction });
  };
const constant = (graph: GraphWriter, type: Scalar, value: number): string =>
  graph.constant(type, SCALARS[type].whole(value));

/** One of two values. onnxruntime turns a -0 of the first branch of Where into +0, and has no Where for bools and unsigned integers. */
export const select: Written = (graph, type, [condition, then, otherwise]) => {
  const [c, a, b] = [condition, then, otherwise] as [string, string, string];
  if (type === "bool")
    return graph.add("Or", [graph.add("And", [c, a]), graph.add("And", [graph.add("Not", [c]), b])]);
  if (kindOf(type) === "uint") return asSigned(node("Where"), 1)(graph, type, [c, a, b]);
  if (!isFloat(type)) return graph.add("Where", [c, a, b]);
  // Of each branch the value, or -0, which a sum leaves as it is: it is in the second branch, and negated there.
  const part = (isGone: string, value: string): string =>
    graph.add("Neg", [graph.add("Where", [isGone, constant(graph, type, 0), graph.add("Neg", [value])])]);
  // onnxruntime exchanges the branches at a Not.
  const isOther = graph.add("Xor", [c, graph.constant("bool", true)]);
  return graph.add("Add", [part(isOther, a), part(c, b)]);
};

/** On unsigned integers by way of i64, which has the same bits. @param from the first operand that is cast */
function asSigned(written: Written, from = 0): Written {
  return (graph, type, operands) => {
    if (kindOf(type) !== "uint") return written(graph, type, operands);
    const own = operands.map((operand, i) => (i < from ? operand : graph.cast(operand, "i64")));
    return graph.cast(written(graph, "i64", own), type);
  };
}

const equals = (graph: GraphWriter, type: Scalar, x: string, value: number): string =>
  graph.add("Equal", [x, constant(graph, type, value)]);
/** A divisor with 1 in place of 0 and -1: onnxruntime ends at a division by 0, and at one of the least integer by -1. Remainders by all three are 0. */
function divisor(graph: GraphWriter, type: Scalar, y: string): string {
  const isZero = equals(graph, type, y, 0);
  const isUnit = kindOf(type) === "uint" ? isZero : graph.add("Or", [isZero, equals(graph, type, y, -1)]);
  return select(graph, type, [isUnit, constant(graph, type, 1), y]);
}
/** x / 0 is x. */
const quotient: Written = (graph, type, operands) => {
  if (isFloat(type)) return graph.add("Div", operands);
  const [x, y] = operands as [string, string];
  const whole = graph.add("Div", [x, divisor(graph, type, y)]);
  if (kindOf(type) === "uint") return whole;
  return graph.add("Where", [equals(graph, type, y, -1), graph.add("Neg", [x]), whole]);
};
const modulo =
  (fmod: bigint): Written =>
  (graph, type, [x, y]) =>
    graph.add("Mod", [x as string, isFloat(type) ? (y as string) : divisor(graph, type, y as string)], {
      fmod,
    });
/** onnxruntime computes Mod with fmod in doubles: of i64 it is the remainder with the sign of the divisor, minus the divisor if the signs differ. */
const remainder: Written = (graph, type, operands) => {
  if (SCALARS[type].bits < 64) return modulo(1n)(graph, type, operands);
  if (type === "u64") return modulo(0n)(graph, type, operands);
  const [x, y] = [operands[0] as string, divisor(graph, type, operands[1] as string)];
  const rest = graph.add("Mod", [x, y], { fmod: 0n });
  const below = (value: string): string => graph.add("Less", [value, constant(graph, type, 0)]);
  const isSame = graph.add("Equal", [below(x), below(rest)]);
  const isKept = graph.add("Or", [equals(graph, type, rest, 0), isSame]);
  return graph.add("Where", [isKept, rest, graph.add("Sub", [rest, y])]);
};
/** onnxruntime's Min and Max of i64 compare parts of 32 bits as signed numbers. */
const extreme =
  (op: "Min" | "Max"): Written =>
  (graph, type, operands) => {
    if (type !== "i64") return graph.add(op, operands);
    return graph.add("Where", [graph.add(op === "Min" ? "Less" : "Greater", operands), ...operands]);
  };
const negated =
  (op: string): Written =>
  (graph, _type, operands) =>
    graph.add("Not", [graph.add(op, operands)]);
/** A product that is far from 0 unless it is a zero, whose sign stays, between -1 and 1; of integers two comparisons. */
const sign: Written = (graph, type, operands) => {
  const [x] = operands as [string];
  const [zero, one] = [constant(graph, type, 0), constant(graph, type, 1)];
  if (!isFloat(type)) {
    const above = graph.cast(graph.add("Less", [zero, x]), type);
    return graph.add("Sub", [above, graph.cast(graph.add("Less", [x, zero]), type)]);
  }
  const largest = graph.constant(type, LARGEST[type as keyof typeof LARGEST]);
  const far = graph.add("Mul", [graph.add("Mul", [x, largest]), largest]);
  return graph.add("Min", [graph.add("Max", [far, constant(graph, type, -1)]), one]);
};
const LARGEST = { f16: 65504, f32: 3.4028234663852886e38, f64: Number.MAX_VALUE } as const;
const clamp: Written = (graph, type, [x, low, high]) =>
  extreme("Min")(graph, type, [extreme("Max")(graph, type, [x as string, low as string]), high as string]);
const finite: Written = (graph, _type, operands) =>
  graph.add("Not", [graph.add("Or", [graph.add("IsNaN", operands), graph.add("IsInf", operands)])]);
const absoluteDifference: Written = (graph, _type, operands) =>
  graph.add("Abs", [graph.add("Sub", operands)]);

/** Operators of one and two operands; others have no counterpart. */
export const OPERATORS: Readonly<Partial<Record<string, Written>>> = {
  neg: node("Neg"),
  abs: node("Abs"),
  not: logical("Not", "BitwiseNot"),
  add: node("Add"),
  sub: node("Sub"),
  mul: node("Mul"),
  div: quotient,
  rem: remainder,
  min: extreme("Min"),
  max: extreme("Max"),
  absdiff: onFloats(absoluteDifference, refused("the difference of integers can wrap")),
  and: logical("And", "BitwiseAnd"),
  or: logical("Or", "BitwiseOr"),
  xor: logical("Xor", "BitwiseXor"),
  shl: shift("LEFT"),
  shr: shift("RIGHT"),
  eq: node("Equal"),
  ne: negated("Equal"),
  lt: node("Less"),
  le: node("LessOrEqual"),
  gt: node("Greater"),
  ge: node("GreaterOrEqual"),
};

const SAME_NAME: readonly FunctionName[] = [
  ...(["floor", "ceil", "round", "sqrt", "exp", "log", "sigmoid", "erf", "pow"] as const),
  ...(["sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh"] as const),
  ...(["asinh", "acosh", "atanh"] as const),
];
const capitalised = (name: string): string => `${name[0]?.toUpperCase()}${name.slice(1)}`;
/** Functions; others have no counterpart. */
export const FUNCTIONS: Readonly<Partial<Record<FunctionName, Written>>> = {
  ...Object.fromEntries(SAME_NAME.map((name) => [name, node(capitalised(name))])),
  isNaN: node("IsNaN"),
  isFinite: finite,
  sign,
  clamp,
  fmod: modulo(1n),
  mod: onFloats(refused("Mod of floats has the sign of the dividend"), modulo(0n)),
};

interface Scan {
  readonly written: (attributes: ScanAttributes) => Written;
  /** The version of the operator set. */
  readonly since: number;
}
type ScanAttributes = Readonly<Record<"exclusive" | "reverse", bigint>>;
const scan =
  (op: string) =>
  (attributes: ScanAttributes): Written =>
    asSigned((graph, _type, [x]) =>
      graph.add(op, [x as string, graph.constant("i64", 0n)], { ...attributes }),
    );
/** Scans of the whole range. */
export const SCANS: Readonly<Partial<Record<string, Scan>>> = {
  add: { written: scan("CumSum"), since: 14 },
  mul: { written: scan("CumProd"), since: 26 },
};

const reduction =
  (op: string): Written =>
  (graph, _type, operands) =>
    graph.add(op, operands, { keepdims: 0n });
/** onnxruntime sums integers in doubles from version 1.27 on; its product with ones is exact. */
const sum: Written = (graph, type, [x]) => {
  if (isFloat(type)) return reduction("ReduceSum")(graph, type, [x as string]);
  const ones = graph.cast(graph.add("Equal", [x as string, x as string]), type);
  return graph.add("MatMul", [x as string, ones]);
};
/** onnxruntime has no extremes of u32: they are those of doubles, between the ends of the type, which are the results over no elements. */
const extremeOfAll =
  (op: "Min" | "Max"): Written =>
  (graph, type, [x]) => {
    if (type !== "u32") return reduction(`Reduce${op}`)(graph, type, [x as string]);
    const found = reduction(`Reduce${op}`)(graph, "f64", [graph.cast(x as string, "f64")]);
    const end = graph.constant("f64", op === "Min" ? 2 ** 32 - 1 : 0);
    return graph.cast(graph.add(op, [found, end]), type);
  };
const toBool = (graph: GraphWriter, type: Scalar, x: string): string =>
  type === "bool" ? x : graph.cast(x, "bool");
/** A bool of predicates, which may be integers: any but 0 is true. */
const vote =
  (op: "Min" | "Max"): Written =>
  (graph, type, [x]) =>
    reduction(`Reduce${op}`)(graph, "bool", [toBool(graph, type, x as string)]);
/** As 0 or 1 in the type of the predicates. */
const voteIn =
  (op: "Min" | "Max"): Written =>
  (graph, type, operands) => {
    const found = vote(op)(graph, type, operands);
    return type === "bool" ? found : graph.cast(found, type);
  };
/** Reductions of the whole range, by the operator or the kind of a vote. */
export const REDUCTIONS: Readonly<Partial<Record<string, Written>>> = {
  add: sum,
  mul: asSigned(reduction("ReduceProd")),
  min: extremeOfAll("Min"),
  max: extremeOfAll("Max"),
  "logical-and": voteIn("Min"),
  "logical-or": voteIn("Max"),
  all: vote("Min"),
  any: vote("Max"),
};
