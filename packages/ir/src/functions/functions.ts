/** Element-wise functions: the row of each has its types and its result. */
import { ELEMENTARY_UNARY } from "./elementary.ts";
import { ELEMENTARY_BINARY } from "./elementary-two.ts";
import { BIT_FUNCTIONS, NUMERIC_FUNCTIONS, ROUNDING_FUNCTIONS } from "./float.ts";
import { INTEGER_FUNCTIONS } from "./integer.ts";
import type { ElementaryFunction, FunctionName, FunctionSpec } from "./spec.ts";

/** Every element-wise function: its types and its result. */
export const FUNCTION_ROWS: Readonly<Record<FunctionName, FunctionSpec>> = {
  ...INTEGER_FUNCTIONS,
  ...NUMERIC_FUNCTIONS,
  ...BIT_FUNCTIONS,
  ...ROUNDING_FUNCTIONS,
  ...ELEMENTARY_UNARY,
  ...ELEMENTARY_BINARY,
};

/** True for an elementary function, whose exact value is generally irrational: exp, log, sin and others. */
export const isElementary = (op: FunctionName): op is ElementaryFunction =>
  Object.hasOwn(ELEMENTARY_UNARY, op) || Object.hasOwn(ELEMENTARY_BINARY, op);
