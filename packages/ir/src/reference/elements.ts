/** Nodes whose value at an item depends only on others' values at that item. */

import { FUNCTION_ROWS } from "../functions/functions.ts";
import { bitcastValue, castValue } from "../tables/convert-value.ts";
import { BINARY, UNARY } from "../tables/expr-op.ts";
import { decodeLiteral } from "../tables/literal.ts";
import type { ScalarValue } from "../tables/scalar.ts";
import { answer, type Item } from "./items.ts";
import type { NodeOf, Reference } from "./reference.ts";

/** Nodes whose value at an item depends only on others' values at that item. */
export type ElementKind =
  | "const"
  | "param"
  | "input"
  | "query"
  | "unary"
  | "binary"
  | "function"
  | "select"
  | "cast"
  | "bitcast"
  | "spread";
export type At = (id: number) => ScalarValue;

export const ELEMENTS: {
  readonly [K in ElementKind]: (run: Reference, node: NodeOf<K>, at: At, i: number) => ScalarValue;
} = {
  const: (_, { type, value }) => decodeLiteral(type, value) as ScalarValue,
  param: ({ run }, { name }) => run.params?.[name] as ScalarValue,
  input: ({ run }, { name }, _, i) => run.inputs[name]?.[i] as ScalarValue,
  query: ({ range, places }, node, _, i) => answer(range, places[i] as Item, node.query, node.dimension),
  unary: (run, { op, of }, at) => UNARY[op].apply(run.typeOf(of), at(of)),
  binary: (run, { op, left, right }, at) => BINARY[op].apply(run.typeOf(left), at(left), at(right)),
  function: (run, { op, of }, at) => FUNCTION_ROWS[op].apply(run.typeOf(of[0] as number), of.map(at)),
  select: (_, node, at) => (at(node.condition) ? at(node.then) : at(node.otherwise)),
  cast: (run, { of, to }, at) => castValue(run.typeOf(of), to, at(of)),
  bitcast: (run, { of, to }, at) => bitcastValue(run.typeOf(of), to, at(of)),
  spread: (_, { of }, at) => at(of),
};
