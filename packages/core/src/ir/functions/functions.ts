/** Element-wise functions: one row each holds where it exists and what it gives. */
import { ELEMENTARY_UNARY } from "./elementary.ts";
import { ELEMENTARY_BINARY } from "./elementary-two.ts";
import { BIT_FUNCTIONS, NUMERIC_FUNCTIONS, ROUNDING_FUNCTIONS } from "./float.ts";
import { INTEGER_FUNCTIONS } from "./integer.ts";
import type { ElementaryFunction, FunctionName, FunctionSpec } from "./spec.ts";

/** Every element-wise function: where it exists and what it gives. */
export const FUNCTION_ROWS: Readonly<Record<FunctionName, FunctionSpec>> = {
  ...INTEGER_FUNCTIONS,
  ...NUMERIC_FUNCTIONS,
  ...BIT_FUNCTIONS,
  ...ROUNDING_FUNCTIONS,
  ...ELEMENTARY_UNARY,
  ...ELEMENTARY_BINARY,
};

/** True for a function whose value is rounded from one that is no fraction in general: exp, log, sin and the like. */
export const isElementary = (op: FunctionName): op is ElementaryFunction =>
  Object.hasOwn(ELEMENTARY_UNARY, op) || Object.hasOwn(ELEMENTARY_BINARY, op);
