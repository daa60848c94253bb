/** Every element-wise function on a type, an output each. */
import type { Pipeline, PipelineNode, Scalar } from "@groupwise/core";
import { FUNCTION_ROWS, type FunctionName, isOn, type OwnOr } from "@groupwise/core/target";
import { withOutputs } from "./parts.ts";

/** Functions that every target has: some targets have no calls. */
export const COMPOSED: readonly FunctionName[] = ["clamp", "mix", "floor", "ceil", "fract", "sqrt"];

/** The functions that a type has. */
export const functionNames = (type: Scalar): readonly FunctionName[] =>
  (Object.keys(FUNCTION_ROWS) as FunctionName[]).filter((op) => isOn(FUNCTION_ROWS[op], type));

/** The functions of `x`, with `y` and `z` of the same type, `by` and `count` of u32, and `power` of i32. */
export function functionsOf(type: Scalar, names: readonly FunctionName[] = functionNames(type)): Pipeline {
  const nodes: PipelineNode[] = [
    { id: 0, kind: "input", name: "x", type },
    { id: 1, kind: "input", name: "y", type },
    { id: 2, kind: "input", name: "z", type },
    { id: 3, kind: "input", name: "by", type: "u32" },
    { id: 4, kind: "input", name: "count", type: "u32" },
    { id: 5, kind: "input", name: "power", type: "i32" },
  ];
  const ids: Readonly<Partial<Record<OwnOr, readonly number[]>>> = { own: [1, 2], u32: [3, 4], i32: [5] };
  const made = names.map((op): readonly [string, number] => {
    const taken = new Map<OwnOr, number>();
    const others = FUNCTION_ROWS[op].rest.map((wanted) => {
      const place = taken.get(wanted) ?? 0;
      taken.set(wanted, place + 1);
      return ids[wanted]?.[place] as number;
    });
    const id = nodes.push({ id: nodes.length, kind: "function", op, of: [0, ...others] }) - 1;
    return [`${op}_out`, id];
  });
  for (const [name, of] of made) nodes.push({ id: nodes.length, kind: "output", name, of });
  const name = `functions-${type}`;
  const whole: Pipeline = { format: "groupwise-pipeline", version: 1, name, workGroupSize: [64], nodes };
  // Without the inputs that no function takes.
  return withOutputs(whole, new Set(made.map(([output]) => output)));
}
