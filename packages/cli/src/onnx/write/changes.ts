/** Results that onnxruntime changes, compared with version 1.30.0: the report of an export, and the table of the documentation. */
import type { Checked, PipelineNode, Scalar } from "@groupwise/core";
import { SCALARS } from "@groupwise/core/target";

interface Change {
  /** Operators, functions, reductions and casts, as `partOf` names them. */
  readonly parts: readonly string[];
  readonly types: readonly Scalar[];
  readonly how: string;
}

const FLOATS: readonly Scalar[] = ["f16", "f32", "f64"];
const WITHOUT_DOUBLE = ["erf", "tan", "asin", "acos", "atan", "sinh", "cosh", "asinh", "acosh", "atanh"];
const ELEMENTARY = ["exp", "log", "sigmoid", "pow", "sin", "cos", ...WITHOUT_DOUBLE, "tanh"];

export const CHANGES: readonly Change[] = [
  { parts: WITHOUT_DOUBLE, types: ["f64"], how: "it has no kernel: the model does not load" },
  {
    parts: ["reduce min", "reduce max"],
    types: ["u64"],
    how: "it has no kernel: the model does not load",
  },
  {
    parts: ["reduce min", "reduce max"],
    types: ["i64"],
    how: "another element if two agree in their upper 32 bits, or differ in bit 31 (versions 1.26 to 1.30)",
  },
  {
    parts: ["reduce min", "reduce max"],
    types: FLOATS,
    how: "a NaN is lost unless it is the first item; either zero where -0 and +0 meet",
  },
  { parts: ["min", "max", "clamp"], types: FLOATS, how: "either zero where -0 and +0 meet" },
  {
    parts: ["cast to an integer"],
    types: FLOATS,
    how: "other integers for NaN, and for floats out of range",
  },
  { parts: ["tanh"], types: ["f32"], how: "near 0 an error of 3e-6 of the value" },
  { parts: ELEMENTARY, types: ["f32", "f64"], how: "other last bits" },
  {
    parts: ["reduce add", "reduce mul", "scan add", "scan mul"],
    types: FLOATS,
    how: "another order of sums and products",
  },
];

/** The name of a part, and the type of its operands. */
export function partOf(
  { types }: Checked,
  node: PipelineNode,
): readonly [part: string, type: Scalar] | undefined {
  const typeOf = (id: number): Scalar => types[id] as Scalar;
  if (node.kind === "unary") return [node.op, typeOf(node.of)];
  if (node.kind === "binary") return [node.op, typeOf(node.left)];
  if (node.kind === "function") return [node.op, typeOf(node.of[0] as number)];
  if (node.kind === "reduce") return [`reduce ${node.op}`, typeOf(node.of)];
  if (node.kind === "scan-inclusive" || node.kind === "scan-exclusive")
    return [`scan ${node.op}`, typeOf(node.of)];
  if (node.kind !== "cast") return undefined;
  const isInteger = ["int", "uint"].includes(SCALARS[node.to].kind);
  return [isInteger ? "cast to an integer" : "cast", typeOf(node.of)];
}

/** What onnxruntime changes of a part. */
export const changesOf = (part: string, type: Scalar): readonly string[] =>
  CHANGES.filter(({ parts, types }) => parts.includes(part) && types.includes(type)).map(({ how }) => how);
