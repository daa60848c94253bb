/**
 * Sums on a device that flushes subnormal numbers. A float of at least 2^-102 is a multiple of 2^-125, and so are rounded sums of such
 * floats and zeros: none is subnormal. So a block of lanes that reads only those has right sums by the device's own operation. It
 * computes with that, and again with sums that keep subnormal numbers where a lane reads a smaller one. Testing each sum takes three
 * times as long (`docs/decisions/subnormals.md`).
 */
import type { Code } from "../../../kernel/build.ts";
import type { Expr, VarExpr } from "../../../kernel/expr.ts";
import { binary, bool, lt, sub, u32, zeroOf } from "../../../kernel/make-expr.ts";
import type { Component } from "../../../parts/components.ts";
import type { Monoid } from "../../../parts/monoid.ts";
import { bitsOf } from "../../../soft/base/define.ts";
import type { TileStatus } from "./tile-status.ts";

/** The bits of 2^-102 in the form of {@link sizeOf}. */
const LEAST = 2 * 0x0c800000 - 1;
/** Twice the bits of the magnitude, less one: a zero is the largest. */
const sizeOf = (value: Expr): Expr => sub(binary("shl", bitsOf(value), u32(1)), u32(1));

/** Whether the only operations on floats are sums of f32 and choices of an operand. */
export const hasOnlySums = (components: readonly Component[]): boolean =>
  components.some(({ builtin }) => builtin?.type === "f32" && builtin.op === "add") &&
  components.every(
    ({ builtin }) =>
      builtin &&
      (builtin.type === "f32"
        ? ["add", "min", "max"].includes(builtin.op)
        : !["f16", "f64"].includes(builtin.type)),
  );

/** The monoid whose sums may be the device's own if the condition, a name or a constant, holds; without a condition the monoid. */
export function sumsIf(monoid: Monoid, condition: Expr | undefined): Monoid {
  const normal = condition?.kind === "const" ? condition.value === true || undefined : condition;
  if (normal === undefined) return monoid;
  const marked = (e: Expr): Expr =>
    e.kind === "binary" && e.op === "add" && e.type === "f32"
      ? { ...e, normal: normal as true | VarExpr }
      : e;
  return { ...monoid, combine: (code, left, right) => monoid.combine(code, left, right).map(marked) };
}

/** A routine's argument that says whether its sums may be the device's own. */
export const argumentOf = (normal: boolean | undefined): readonly Expr[] =>
  normal === undefined ? [] : [bool(normal)];

/** The size of the smallest float but zero. */
export const smallestOf = (values: readonly Expr[]): Expr =>
  values
    .filter(({ type }) => type === "f32")
    .map(sizeOf)
    .reduce((least, size) => binary("min", least, size));

/** The smallest size so far. */
export const sizeVar = (code: Code): VarExpr => code.var("least", u32(0xffffffff));
export const withSizes = (code: Code, least: VarExpr, values: readonly Expr[]): void =>
  code.assign(least, binary("min", least, smallestOf(values)));

/**
 * Whether some lane has a number that is too small: the same in all lanes of a subgroup. A branch needs a vote of its own: compilers take
 * a variable that was voted on before to differ between lanes, and shuffles behind it to take eight times as long.
 * @param before an earlier finding
 */
export function someSmall(code: Code, least: Expr, before?: Expr): Expr {
  const isSmall = lt(least, u32(LEAST));
  return code.someLane("some_small", before ? binary("or", before, isSmall) : isSmall);
}

/** Values of the monoid by the device's own sums, or where a lane's number is small by sums that keep subnormal ones. */
export function inEitherWay(
  code: Code,
  { monoid, isNormalFirst }: TileStatus,
  least: () => Expr,
  compute: (code: Code, normal: boolean | undefined) => readonly (readonly Expr[])[],
  count: number,
): readonly (readonly Expr[])[] {
  if (!isNormalFirst) return compute(code, undefined);
  const isSmall = someSmall(code, least());
  const results = Array.from({ length: count }, () =>
    monoid.types.map((type) => code.var("found", zeroOf(type))),
  );
  const assigned = (inner: Code, normal: boolean): void =>
    compute(inner, normal).forEach((values, i) => {
      inner.assignAll(results[i] as VarExpr[], values);
    });
  code.ifSubgroup(
    isSmall,
    (then) => assigned(then, false),
    (otherwise) => assigned(otherwise, true),
  );
  return results;
}
