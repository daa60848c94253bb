/** What first steps of elementary functions share: sums and products of f32 in Kernel IR. */
import type { Code } from "../../../language/build.ts";
import type { Expr } from "../../../language/expr.ts";
import { add, and, binary, bitcast, cast, constant, mul, ne, sub } from "../../../language/make-expr.ts";
import { floatOf, SIGN } from "../base/define.ts";

/** The bits of a number, rounded to f32. */
export const f32Bits = (x: number): number => new Uint32Array(Float32Array.of(x).buffer)[0] as number;
export const f32 = (x: number): Expr => constant("f32", Math.fround(x));
export const bits = (x: Expr): Expr => bitcast("u32", x);
/** The f32 nearest to the i32 of these bits. */
export const asFloat = (x: Expr): Expr => cast("f32", bitcast("i32", x));
/** The sum a + x b. */
export const plus = (a: Expr, x: Expr, b: Expr): Expr => add(a, mul(x, b));
export const horner = (x: Expr, coefficients: readonly Expr[]): Expr =>
  coefficients.reduceRight((sum, c) => plus(c, x, sum));

/**
 * Gives floats back unchanged, and compilers cannot regroup across that.
 * @param positive bits of a float that is never negative, which compilers do not know
 */
export const guardBy =
  (positive: Expr): ((x: Expr) => Expr) =>
  (x) =>
    floatOf(binary("or", bits(x), and(positive, SIGN)));

/** What is small beside exact numbers. */
interface Small {
  /** The sum of all small numbers. @param lost what sums of the exact ones lose */
  readonly left: (lost: Expr) => Expr;
  /** More than the error. @param head the sum of the exact ones, rounded */
  readonly doubt: (head: Expr) => Expr;
}
/** The bits of a sum, and whether it rounds in another way with the bound of its error. @param exact numbers of falling size, or 0 */
export function roundedSum(
  code: Code,
  guarded: (x: Expr) => Expr,
  exact: readonly Expr[],
  small: Small,
): { readonly most: Expr; readonly isOpen: Expr } {
  let head = exact[0] as Expr;
  const losses = exact.slice(1).map((next) => {
    const [before, sum] = [head, code.let("head", guarded(add(head, next)))];
    head = sum;
    return guarded(sub(next, guarded(sub(sum, before))));
  });
  const left = code.let("left", small.left(losses.reduce(add)));
  const doubt = small.doubt(head);
  const [up, down] = [add(left, doubt), sub(left, doubt)].map((by) => bits(add(head, guarded(by))));
  const most = code.let("most", up as Expr);
  return { most, isOpen: ne(most, down as Expr) };
}
