/** Fast functions where a target has none of its own: the exact ones, which are within any bound. */
import { FUNCTION_ROWS, isElementary } from "@groupwise/ir/functions/functions.js";
import type { FunctionName } from "@groupwise/ir/functions/spec.js";
import { call } from "../../../language/make-expr.ts";
import type { Fn } from "../../../language/module.ts";
import { body, bodyName, fastName } from "../format.ts";

/** A body for each elementary function of an f32. */
export const FAST_BODIES: readonly Fn[] = (Object.keys(FUNCTION_ROWS) as FunctionName[])
  .filter(isElementary)
  .map((op) => {
    const names = ["x", "y"].slice(0, FUNCTION_ROWS[op].rest.length + 1);
    const params = names.map((name) => [name, "f32"] as const);
    const doc = `${op}, not equal bit for bit on all targets.`;
    return body(fastName(op), doc, params, "f32", (code, ...args) =>
      code.return(call(bodyName(op, "f32"), "f32", args)),
    );
  });
