/** Subexpressions, and expressions with replaced subexpressions. */
import type { Expr, VarExpr } from "./expr.ts";

/** The direct subexpressions of an expression. */
export function partsOf(expr: Expr): readonly Expr[] {
  return (PARTS[expr.kind] as (expr: Expr) => readonly Expr[])(expr);
}

/** The expression with its direct subexpressions replaced. */
export function mapParts(expr: Expr, change: (part: Expr) => Expr): Expr {
  return (MAP[expr.kind] as (expr: Expr, change: (part: Expr) => Expr) => Expr)(expr, change);
}

type Of<K extends Expr["kind"]> = Extract<Expr, { kind: K }>;
const NONE: readonly Expr[] = [];
const leaf = (): readonly Expr[] => NONE;
const PARTS: { readonly [K in Expr["kind"]]: (expr: Of<K>) => readonly Expr[] } = {
  const: leaf,
  var: leaf,
  param: leaf,
  builtin: leaf,
  load: (e) => [e.index],
  unary: (e) => [e.of],
  binary: (e) => (typeof e.normal === "object" ? [e.left, e.right, e.normal] : [e.left, e.right]),
  select: (e) => [e.condition, e.then, e.otherwise],
  cast: (e) => [e.of],
  bitcast: (e) => [e.of],
  word: (e) => [e.of],
  join: (e) => e.words,
  call: (e) => e.args,
  permute: (e) => (e.right ? [e.left, e.right] : [e.left]),
  bits: (e) => [e.of],
  part: leaf,
};
/** Expressions without subexpressions. */
export const LEAVES: ReadonlySet<string> = new Set(
  Object.entries(PARTS).flatMap(([kind, parts]) => (parts === leaf ? [kind] : [])),
);

const itself = (expr: Expr): Expr => expr;
const ofOne = <E extends Expr & { readonly of: Expr }>(e: E, f: (part: Expr) => Expr): E => {
  const of = f(e.of);
  return of === e.of ? e : { ...e, of };
};
/** The list with each of its members changed; the list itself if none changes. */
export function each<T>(list: readonly T[], change: (one: T) => T): readonly T[] {
  let changed: T[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const one = list[i] as T;
    const made = change(one);
    if (changed) changed.push(made);
    else if (made !== one) changed = [...list.slice(0, i), made];
  }
  return changed ?? list;
}
/** A promise that a name or a constant gives. */
function conditionOf(e: Expr): true | VarExpr | undefined {
  if (e.kind === "const") return e.value === true ? true : undefined;
  return e.kind === "var" ? e : undefined;
}
/** Unchanged expressions remain the same objects, because most passes change few expressions. */
const MAP: { readonly [K in Expr["kind"]]: (expr: Of<K>, change: (part: Expr) => Expr) => Expr } = {
  const: itself,
  var: itself,
  param: itself,
  builtin: itself,
  load: (e, f) => {
    const index = f(e.index);
    return index === e.index ? e : { ...e, index };
  },
  unary: ofOne,
  binary: (e, f) => {
    const [left, right] = [f(e.left), f(e.right)];
    const normal = typeof e.normal === "object" ? conditionOf(f(e.normal)) : e.normal;
    if (left === e.left && right === e.right && normal === e.normal) return e;
    const { normal: _, ...others } = e;
    return { ...others, left, right, ...(normal && { normal }) };
  },
  select: (e, f) => {
    const [condition, then, otherwise] = [f(e.condition), f(e.then), f(e.otherwise)];
    const same = condition === e.condition && then === e.then && otherwise === e.otherwise;
    return same ? e : { ...e, condition, then, otherwise };
  },
  cast: ofOne,
  bitcast: ofOne,
  word: ofOne,
  join: (e, f) => {
    const words = each(e.words, f);
    return words === e.words ? e : { ...e, words };
  },
  call: (e, f) => {
    const args = each(e.args, f);
    return args === e.args ? e : { ...e, args };
  },
  permute: (e, f) => {
    const [left, right] = [f(e.left), e.right && f(e.right)];
    return left === e.left && right === e.right ? e : { ...e, left, ...(right && { right }) };
  },
  bits: ofOne,
  part: itself,
};
