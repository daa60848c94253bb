/** Every element-wise function on a type, an output each. */
import type { Pipeline, Scalar } from "@groupwise/core";
import { FUNCTION_ROWS, type FunctionName, isOn, type OwnOr, PipelineNodes } from "@groupwise/core/target";
import { withOutputs } from "./parts.ts";

/** Functions that every target has: some targets have no calls. */
export const COMPOSED: readonly FunctionName[] = ["clamp", "mix", "floor", "ceil", "fract", "sqrt"];

/** The functions that a type has. */
export const functionNames = (type: Scalar): readonly FunctionName[] =>
  (Object.keys(FUNCTION_ROWS) as FunctionName[]).filter((op) => isOn(FUNCTION_ROWS[op], type));

/** The functions of `x`, with `y` and `z` of the same type, `by` and `count` of u32, and `power` of i32. */
export function functionsOf(type: Scalar, names: readonly FunctionName[] = functionNames(type)): Pipeline {
  const list = new PipelineNodes();
  const x = list.input("x", type);
  const ids: Readonly<Partial<Record<OwnOr, readonly number[]>>> = {
    own: [list.input("y", type), list.input("z", type)],
    u32: [list.input("by", "u32"), list.input("count", "u32")],
    i32: [list.input("power", "i32")],
  };
  const made = names.map((op): readonly [string, number] => {
    const taken = new Map<OwnOr, number>();
    const others = FUNCTION_ROWS[op].rest.map((wanted) => {
      const place = taken.get(wanted) ?? 0;
      taken.set(wanted, place + 1);
      return ids[wanted]?.[place] as number;
    });
    return [`${op}_out`, list.add({ kind: "function", op, of: [x, ...others] })];
  });
  for (const [name, of] of made) list.output(name, of);
  // Without the inputs that no function takes.
  return withOutputs(list.pipeline(`functions-${type}`, [64]), new Set(made.map(([output]) => output)));
}
