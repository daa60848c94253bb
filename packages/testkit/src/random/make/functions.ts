/** Random element-wise functions. */
import type { PipelineNode, Scalar } from "@groupwise/core";
import { FUNCTION_ROWS, type FunctionName, isOn, resolved } from "@groupwise/core/target";
import type { Random } from "../../data/random.ts";

type FunctionNode = Omit<Extract<PipelineNode, { kind: "function" }>, "id">;

/**
 * A function of a type that returns one of the wanted types, if there is one.
 * @param value an operand of a type
 * @param isTaken which functions are taken, by default all
 */
export function randomFunction(
  random: Random,
  type: Scalar,
  wanted: readonly Scalar[],
  value: (type: Scalar) => number,
  isTaken: (op: FunctionName) => boolean = () => true,
): { readonly node: FunctionNode; readonly type: Scalar } | undefined {
  const fits = (op: FunctionName): boolean =>
    isTaken(op) && isOn(FUNCTION_ROWS[op], type) && wanted.includes(resolved(FUNCTION_ROWS[op].result, type));
  const names = (Object.keys(FUNCTION_ROWS) as FunctionName[]).filter(fits);
  if (names.length === 0) return undefined;
  const op = random.pick(names);
  const { rest, result } = FUNCTION_ROWS[op];
  const of = [type, ...rest.map((one) => resolved(one, type))].map(value);
  return { node: { kind: "function", op, of }, type: resolved(result, type) };
}
