/** The parts of expressions, and expressions with other parts. */
import type { Expr } from "./expr.ts";

/** The direct parts of an expression. */
export function partsOf(expr: Expr): readonly Expr[] {
  return (PARTS[expr.kind] as (expr: Expr) => readonly Expr[])(expr);
}

/** The expression with its direct parts replaced. */
export function mapParts(expr: Expr, change: (part: Expr) => Expr): Expr {
  return (MAP[expr.kind] as (expr: Expr, change: (part: Expr) => Expr) => Expr)(expr, change);
}

type Of<K extends Expr["kind"]> = Extract<Expr, { kind: K }>;
const leaf = (): readonly Expr[] => [];
const PARTS: { readonly [K in Expr["kind"]]: (expr: Of<K>) => readonly Expr[] } = {
  const: leaf,
  var: leaf,
  param: leaf,
  builtin: leaf,
  load: (e) => [e.index],
  unary: (e) => [e.of],
  binary: (e) => [e.left, e.right],
  select: (e) => [e.condition, e.then, e.otherwise],
  cast: (e) => [e.of],
  bitcast: (e) => [e.of],
  word: (e) => [e.of],
  join: (e) => e.words,
  call: (e) => e.args,
  part: leaf,
};

const itself = (expr: Expr): Expr => expr;
const MAP: { readonly [K in Expr["kind"]]: (expr: Of<K>, change: (part: Expr) => Expr) => Expr } = {
  const: itself,
  var: itself,
  param: itself,
  builtin: itself,
  load: (e, f) => ({ ...e, index: f(e.index) }),
  unary: (e, f) => ({ ...e, of: f(e.of) }),
  binary: (e, f) => ({ ...e, left: f(e.left), right: f(e.right) }),
  select: (e, f) => ({ ...e, condition: f(e.condition), then: f(e.then), otherwise: f(e.otherwise) }),
  cast: (e, f) => ({ ...e, of: f(e.of) }),
  bitcast: (e, f) => ({ ...e, of: f(e.of) }),
  word: (e, f) => ({ ...e, of: f(e.of) }),
  join: (e, f) => ({ ...e, words: e.words.map(f) }),
  call: (e, f) => ({ ...e, args: e.args.map(f) }),
  part: itself,
};
