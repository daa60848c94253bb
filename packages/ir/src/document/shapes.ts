/** What callers pass as documents, for the checks of arguments. */
import { LIST, shaped, TEXT, type Wanted } from "../base/arguments.ts";

export const DOCUMENT: Wanted = /*@__PURE__*/ shaped("a pipeline's document", {
  name: TEXT,
  workGroupSize: LIST,
  nodes: LIST,
});
export const CHECKED: Wanted = /*@__PURE__*/ shaped("the result of `check`", {
  pipeline: DOCUMENT,
  types: LIST,
});
export const OPERATOR: Wanted = /*@__PURE__*/ shaped("an operator's document", { fields: LIST, nodes: LIST });
export const STATE: Wanted = /*@__PURE__*/ shaped("a state", { pipeline: TEXT, scans: LIST });
