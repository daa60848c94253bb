/** Models of ONNX with one operator, in protobuf: fields with a length, and numbers. Source: onnx.proto3 of ONNX 1.16. */
import type { SumForm, SumType } from "./sums.ts";

const TYPES: Readonly<Record<SumType, number>> = { f32: 1, i32: 6, i64: 7, f64: 11 };
const OPERATOR_SET = 17;

const field = (id: number, ...parts: readonly Buffer[]): Buffer => {
  const data = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([(id << 3) | 2, data.length]), data]);
};
const text = (id: number, value: string): Buffer => field(id, Buffer.from(value));
const number = (id: number, value: number): Buffer => Buffer.from([id << 3, value]);

/** A vector of n elements, or of so many. */
const value = (name: string, type: SumType, length?: number): readonly Buffer[] => {
  const dimension = field(1, length === undefined ? text(2, "n") : number(1, length));
  return [text(1, name), field(2, field(1, number(1, TYPES[type]), field(2, dimension)))];
};

/** The sum of `x`, or its running sums, as `y`. */
export function sumModel(form: SumForm, type: SumType): Buffer {
  const isScan = form === "scan";
  const inputs = (isScan ? ["x", "axis"] : ["x"]).map((name) => text(1, name));
  const node = field(1, ...inputs, text(2, "y"), text(4, isScan ? "CumSum" : "ReduceSum"));
  // A tensor of one 64-bit number: the axis.
  const axis = isScan ? [field(5, number(2, TYPES.i64), field(7, Buffer.from([0])), text(8, "axis"))] : [];
  const graph = [node, text(2, "sum"), ...axis, field(11, ...value("x", type))];
  const y = field(12, ...value("y", type, isScan ? undefined : 1));
  return Buffer.concat([number(1, 8), field(7, ...graph, y), field(8, number(2, OPERATOR_SET))]);
}
