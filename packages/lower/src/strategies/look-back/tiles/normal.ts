/**
 * Sums and products on a device that flushes subnormal numbers. A block of lanes computes with the device's own operations, and again with
 * functions that keep subnormal numbers where a value is so small that those may be wrong. Testing each operation takes three times as
 * long (`docs/decisions/subnormals.md`).
 */
import { Code, type Named, type ValuesOf } from "@groupwise/kernel/language/build.js";
import type { Expr, VarExpr } from "@groupwise/kernel/language/expr.js";
import { binary, bool, lt, sub, u32 } from "@groupwise/kernel/language/make-expr.js";
import { mapParts } from "@groupwise/kernel/language/map-expr.js";
import type { RoutineStmt } from "@groupwise/kernel/language/stmt.js";
import { bitsOf } from "@groupwise/kernel/library/types/base/define.js";
import { isFlushed } from "@groupwise/kernel/library/types/subnormal-names.js";
import { mapBlock } from "@groupwise/kernel/passes/base/pass.js";
import { foldRoutine } from "../../../lanes/fold-routine.ts";
import type { Monoid } from "../../../parts/monoid.ts";
import type { Native } from "./native.ts";
import type { TileStatus } from "./tile-status.ts";

/** Which operations a block of lanes uses. */
export interface Way {
  readonly native: Native;
  /** Whether the device's own. */
  readonly isNormal: boolean;
  /** The size of the smallest value but zero that was read or, where results are tested, computed. */
  readonly smallest: VarExpr;
}

/** Twice the bits of the magnitude, less one: a zero is the largest. */
const sizeOf = (value: Expr): Expr => sub(binary("shl", bitsOf(value), 1), 1);
const sizesOf = (values: readonly Expr[]): Expr[] => values.filter(({ type }) => type === "f32").map(sizeOf);
/** The size of a power of two. */
const sizeOfPower = (exponent: number): number => 2 * ((exponent + 127) << 23) - 1;

/** A monoid whose sums and products are the device's own if the condition, a name or a constant, holds. */
function ownIf(monoid: Monoid, condition: Expr): Monoid {
  const normal = condition.kind === "const" ? condition.value === true : condition;
  if (!normal) return monoid;
  const marked = (e: Expr): Expr => {
    const inner = mapParts(e, marked);
    const isOwn = inner.kind === "binary" && inner.type === "f32" && isFlushed(inner.op);
    return isOwn ? { ...inner, normal: normal as true | VarExpr } : inner;
  };
  const changed =
    (combine: Monoid["combine"]): Monoid["combine"] =>
    (code, left, right) => {
      const inner = new Code(code.names);
      const results = combine(inner, left, right).map(marked);
      code.stmts.push(...mapBlock(inner.stmts, marked));
      return results;
    };
  const { combine, follow, watch } = monoid;
  return {
    ...monoid,
    combine: changed(combine),
    ...(follow && { follow: changed(follow) }),
    ...(watch && { watch: { ...watch, into: (variable) => ownIf(watch.into(variable), condition) } }),
  };
}

/** A monoid that tests its results; those that no prefix needs are not computed for prefixes. */
function tested(monoid: Monoid, needed: Native["needed"], variable: VarExpr): Monoid {
  const testing =
    (isNeeded: (i: number) => boolean): Monoid["combine"] =>
    (code, left, right) => {
      const both = monoid.combine(code, left, right);
      const results = both.map((value, i) => (isNeeded(i) ? code.named("both", value) : (left[i] as Expr)));
      withSizes(
        code,
        variable,
        results.filter((_, i) => isNeeded(i)),
      );
      return results;
    };
  return {
    ...monoid,
    combine: testing(() => true),
    follow: testing((i) => needed[i] === true),
    watch: { variable, into: (other) => tested(monoid, needed, other) },
  };
}

/** A routine that combines values in a way; without a way, as the monoid does. */
export function routineInWay<Given extends Named, Results extends Named>(
  code: Code,
  { monoid, way }: { readonly monoid: Monoid; readonly way: Way | undefined },
  heading: Omit<RoutineStmt, "kind">,
  given: Given,
  body: (args: ValuesOf<Given>, monoid: Monoid) => Results,
): ValuesOf<Results> {
  if (!way) return code.routine(heading, given, (args) => body(args, monoid));
  const { native, smallest, isNormal } = way;
  const watching = native.watches ? tested(monoid, native.needed, smallest) : monoid;
  return foldRoutine(code, watching, heading, { ...given, normal: [bool(isNormal)] }, (args, inner) =>
    body(args, ownIf(inner, args.normal[0] as Expr)),
  );
}

const LARGEST = u32(0xffffffff);
const smallestOf = (sizes: readonly Expr[]): Expr => sizes.reduce((a, b) => binary("min", a, b));

/** The way of the device's own operations. @param read values that are tested */
function newWay(code: Code, native: Native, read: readonly Expr[] = []): Way {
  const sizes = sizesOf(read);
  const smallest = code.var("smallest", sizes.length > 0 ? smallestOf(sizes) : LARGEST);
  return { native, isNormal: true, smallest };
}
/** @param isTested whether the device's own operations come first; else those that keep subnormal numbers, by the same routines */
export const wayOf = (code: Code, { native }: TileStatus, isTested: boolean): Way | undefined =>
  native && { ...newWay(code, native), isNormal: isTested };

/** Tests values too. */
export function withSizes(code: Code, smallest: VarExpr, values: readonly Expr[]): void {
  const sizes = sizesOf(values);
  if (sizes.length > 0) code.assign(smallest, smallestOf([smallest, ...sizes]));
}

/**
 * Whether some lane has a number that is too small: the same in all lanes of a subgroup. A branch needs a vote of its own: compilers take
 * a variable that was voted on before to differ between lanes, and shuffles behind it to take eight times as long.
 * @param before an earlier finding
 */
export function someSmall(code: Code, { native, smallest }: Way, before?: Expr): Expr {
  const isSmall = lt(smallest, sizeOfPower(native.least));
  return code.intrinsic("some-lane", "some_small", [before ? binary("or", before, isSmall) : isSmall]);
}

/** Values of the monoid by the device's own operations, or where a lane's number is small by those that keep subnormal ones. */
export function inEitherWay(
  code: Code,
  { native }: TileStatus,
  read: () => readonly Expr[],
  compute: (code: Code, way: Way | undefined) => readonly (readonly Expr[])[],
): readonly (readonly Expr[])[] {
  if (!native) return compute(code, undefined);
  const way = newWay(code, native, read());
  const results = compute(code, way).map((values) => values.map((value) => code.var("found", value)));
  code.ifSubgroup(someSmall(code, way), (then) =>
    compute(then, { ...way, isNormal: false }).forEach((values, i) => {
      then.assignAll(results[i] as VarExpr[], values);
    }),
  );
  return results;
}
