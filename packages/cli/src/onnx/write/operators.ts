/** Operators and functions of pipelines as nodes of ONNX. */
import type { Scalar } from "@groupwise/core";
import { type FunctionName, SCALARS } from "@groupwise/core/target";
import { Refusal } from "../refusal.ts";
import type { GraphWriter } from "./graph.ts";

/** Writes an operation on values of a type. @returns the name of the result @throws Refusal */
export type Written = (graph: GraphWriter, type: Scalar, operands: readonly string[]) => string;

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
const remainder =
  (fmod: bigint): Written =>
  (graph, _type, operands) =>
    graph.add("Mod", operands, { fmod });
const negated =
  (op: string): Written =>
  (graph, _type, operands) =>
    graph.add("Not", [graph.add(op, operands)]);
/** A zero keeps its sign. */
const sign: Written = (graph, type, [x]) => {
  const given = x as string;
  const isZero = graph.add("Equal", [given, graph.constant(type, SCALARS[type].whole(0))]);
  return graph.add("Where", [isZero, given, graph.add("Sign", [given])]);
};
const clamp: Written = (graph, _type, [x, low, high]) =>
  graph.add("Min", [graph.add("Max", [x as string, low as string]), high as string]);
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
  div: node("Div"),
  rem: remainder(1n),
  min: node("Min"),
  max: node("Max"),
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
  fmod: remainder(1n),
  mod: onFloats(refused("Mod of floats has the sign of the dividend"), remainder(0n)),
};

interface Scan {
  readonly op: string;
  readonly since: number;
}
/** Scans of the whole range. */
export const SCANS: Readonly<Partial<Record<string, Scan>>> = {
  add: { op: "CumSum", since: 14 },
  mul: { op: "CumProd", since: 26 },
};
/** Reductions of the whole range, by the operator or the kind of a vote. */
export const REDUCTIONS: Readonly<Partial<Record<string, string>>> = {
  add: "ReduceSum",
  mul: "ReduceProd",
  min: "ReduceMin",
  max: "ReduceMax",
  "logical-and": "ReduceMin",
  "logical-or": "ReduceMax",
  all: "ReduceMin",
  any: "ReduceMax",
};
