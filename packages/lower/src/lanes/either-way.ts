/** Which monoids combine by the device's own operations where no value is small, and from which magnitude on those are right. */

import { type Capabilities, hasWideSubgroups } from "@groupwise/kernel/capabilities/capabilities.js";
import { type ArrayRef, Code, type NamedValues, type ValuesOf } from "@groupwise/kernel/language/build.js";
import type { Expr, VarExpr } from "@groupwise/kernel/language/expr.js";
import { bool, eq, lt, ne } from "@groupwise/kernel/language/make-expr.js";
import { mapParts, partsOf } from "@groupwise/kernel/language/map-expr.js";
import type { RoutineStmt } from "@groupwise/kernel/language/stmt.js";
import { allExprs } from "@groupwise/kernel/language/walk.js";
import {
  LARGEST_SIZE,
  LEAST_OF_PRODUCTS,
  LEAST_OF_SUMS,
  sizeOfPower,
  sizesOf,
  smallestOf,
} from "@groupwise/kernel/library/types/small.js";
import { isFlushed } from "@groupwise/kernel/library/types/subnormal-names.js";
import { mapBlock } from "@groupwise/kernel/passes/base/pass.js";
import { type Combination, combinationOf, hintsFor, type Monoid, type Way } from "../parts/monoid.ts";
import type { Lanes } from "./lanes.ts";

/** How a pass uses the device's own sums and products of f32. */
export interface Native {
  /** The exponent of the least magnitude but zero for which they are right. */
  readonly least: number;
  /** Whether that holds only if results of `combine` are as large. */
  readonly watches: boolean;
  /** By value of the monoid: whether prefixes that are written depend on those before them in this value. */
  readonly needed: readonly boolean[];
}

/** What an expression's name is of; undefined for an operand. */
type Definition = (name: string) => Expr | undefined;

/** By value: whether one of the needed results depends on it in the prefix before it. */
function neededBy(
  { left, results }: Combination,
  definition: Definition,
  read: ReadonlySet<number>,
): readonly boolean[] {
  const needed = left.map((_, i) => read.has(i));
  const visit = (e: Expr): void => {
    const i = left.findIndex((v) => e.kind === "var" && v.name === e.name);
    if (i >= 0 && !needed[i]) {
      needed[i] = true;
      visit(results[i] as Expr);
    }
    const value = e.kind === "var" ? definition(e.name) : undefined;
    for (const part of value ? [value] : partsOf(e)) visit(part);
  };
  for (const i of read) visit(results[i] as Expr);
  return needed;
}

/** Values are operands or chosen from them; sums may be smaller, and are no factors. */
type Form = "value" | "sum";

/** The form of an f32; undefined for those that other operations compute. */
function formOf(e: Expr, definition: Definition): Form | undefined {
  const form = (...parts: readonly Expr[]): Form | undefined => {
    const forms = parts.map((part) => formOf(part, definition));
    return forms.includes(undefined) ? undefined : forms.includes("sum") ? "sum" : "value";
  };
  switch (e.kind) {
    case "var": {
      const value = definition(e.name);
      return value ? form(value) : "value";
    }
    case "const":
      return e.value === 0 || Math.abs(Number(e.value)) >= 2 ** LEAST_OF_PRODUCTS ? "value" : undefined;
    case "unary":
      return form(e.of);
    case "select":
      return form(e.then, e.otherwise);
    case "cast":
      // From an integer: other floats are refused by themselves.
      return "value";
    case "binary": {
      if (e.op === "min" || e.op === "max") return form(e.left, e.right);
      if (e.op === "add" || e.op === "sub") return form(e.left, e.right) && "sum";
      return e.op === "mul" && form(e.left, e.right) === "value" ? "sum" : undefined;
    }
    default:
      return undefined;
  }
}

/**
 * Undefined if the device's own operations are not enough.
 * @param read the values of the monoid of which prefixes are written
 */
export function nativeOf(monoid: Monoid, read: ReadonlySet<number>): Native | undefined {
  const combination = combinationOf(monoid, true);
  const values = new Map<string, Expr>();
  for (const stmt of combination.stmts) {
    // Others are of operators with a function of their own.
    if (stmt.kind !== "let") return undefined;
    values.set(stmt.name, stmt.value);
  }
  const definition: Definition = (name) => values.get(name);
  const exprs = allExprs(combination.stmts);
  const computed = exprs.filter((e) => e.kind === "binary" && e.type === "f32" && isFlushed(e.op));
  const isMade = (e: Expr): boolean =>
    e.type === "f32" ? formOf(e, definition) !== undefined : e.type !== "f16" && e.type !== "f64";
  if (computed.length === 0 || !exprs.every(isMade)) return undefined;
  const watches = computed.some((e) => e.kind === "binary" && e.op === "mul");
  const needed = neededBy(combination, definition, read);
  return { least: watches ? LEAST_OF_PRODUCTS : LEAST_OF_SUMS, watches, needed };
}

/*
 * Sums and products on a device that flushes subnormal numbers. A block of lanes computes with the device's own operations, and again with
 * functions that keep subnormal numbers where a value is so small that those may be wrong. Testing each operation takes three times as
 * long (`docs/decisions/subnormal-forms.md`).
 */

/** A monoid, and how it uses the device's own operations. */
export interface TestedMonoid {
  readonly monoid: Monoid;
  readonly native: Native | undefined;
}

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
  const { combine, follow } = monoid;
  return { ...monoid, combine: changed(combine), ...(follow && { follow: changed(follow) }) };
}

/** A monoid that tests its results; those that no prefix needs are not computed for prefixes. */
function tested(monoid: Monoid, needed: Native["needed"], smallest: Expr): Monoid {
  const testing =
    (isNeeded: (i: number) => boolean): Monoid["combine"] =>
    (code, left, right) => {
      const both = monoid.combine(code, left, right);
      const hints = hintsFor(monoid, "both");
      const results = both.map((value, i) => (isNeeded(i) ? code.named(hints(i), value) : (left[i] as Expr)));
      withSizes(
        code,
        smallest,
        results.filter((_, i) => isNeeded(i)),
      );
      return results;
    };
  return { ...monoid, combine: testing(() => true), follow: testing((i) => needed[i] === true) };
}

/** A monoid by the device's own operations if a condition holds, else by functions that keep subnormal numbers. */
function inWay(monoid: Monoid, native: Native, { normal, smallest }: Omit<Way, "into">): Monoid {
  const way = ownIf(smallest ? tested(monoid, native.needed, smallest) : monoid, normal);
  return { ...way, way: { normal, smallest, into: (other) => inWay(monoid, native, other) } };
}

/** The monoid by functions that keep subnormal numbers, by the same routines as the device's own operations. */
export const keeping = (monoid: Monoid, native: Native): Monoid =>
  inWay(monoid, native, { normal: bool(false), smallest: native.watches ? LARGEST_SIZE : undefined });

/** A monoid by which a work-group combines values. */
export interface GroupMonoid extends TestedMonoid {
  readonly lanes: Lanes;
  /** Whether a small number was found; undefined where that is not tested. */
  readonly found: ArrayRef | undefined;
}

/**
 * How a work-group combines values on a device, whose subgroups are those of a GPU: on others barriers take longer than the functions.
 * @param meets whether the lanes always meet at a barrier while they combine
 */
export function combiningOn(
  code: Code,
  lanes: Lanes,
  capabilities: Capabilities,
  monoid: Monoid,
  meets: boolean = meetsAtBarriers(lanes),
): GroupMonoid {
  const isTested = capabilities.subnormals === "exact" && hasWideSubgroups(capabilities);
  const native = isTested ? nativeOf(monoid, new Set(monoid.types.keys())) : undefined;
  if (!native) return { lanes, monoid, native, found: undefined };
  const found = lanes.shared.make("found_small", "u32", 1);
  code.if(eq(lanes.lane, 0), (first) => first.store(found, 0, 0));
  if (!meets) code.barrier();
  return { lanes, monoid, native, found };
}

const meetsAtBarriers = ({ near, size }: Lanes): boolean =>
  near?.kind !== "const" || 2 ** Number(near.value) < Number(size);

/** Tests values too, where `smallest` is a variable. */
export function withSizes(code: Code, smallest: Expr, values: readonly Expr[]): void {
  const sizes = sizesOf(values);
  if (smallest.kind === "var" && sizes.length > 0) code.assign(smallest, smallestOf([smallest, ...sizes]));
}

/** A variable: the size of the smallest of the values. */
export const smallestIn = (code: Code, values: readonly Expr[]): VarExpr =>
  code.var("smallest", smallestOf(sizesOf(values)));

/**
 * Computes by the device's own operations, and in subgroups where a lane's number is too small again by functions that keep subnormal
 * ones. Each branch needs a vote of its own: compilers take a variable that was voted on before to differ between lanes, and shuffles
 * behind it to take eight times as long.
 * @param smallest the size of the smallest value but zero that is read and, where the monoid tests its results, computed; undefined: the functions alone
 */
export function inEitherWay(
  code: Code,
  { monoid, native }: TestedMonoid,
  smallest: VarExpr | undefined,
  compute: (code: Code, monoid: Monoid, isAgain: boolean) => void,
): void {
  const { way } = monoid;
  if (!native || !way || !smallest) {
    compute(code, monoid, false);
    return;
  }
  compute(code, way.into({ normal: bool(true), smallest: way.smallest && smallest }), false);
  const isSmall = lt(smallest, sizeOfPower(native.least));
  const someSmall = code.intrinsic("some-lane", "some_small", [isSmall]);
  code.ifSubgroup(someSmall, (then) => compute(then, monoid, true));
}

/** Tests values that are combined. */
export type Test = (code: Code, values: readonly Expr[]) => void;

/** What a work-group reads and combines, where it meets at barriers. */
export interface OfGroup<Given extends NamedValues> {
  readonly combining: GroupMonoid;
  readonly heading: Omit<RoutineStmt, "kind">;
  readonly given: Given;
  /** Reads the values, which it tests, and combines them. */
  compute(code: Code, args: ValuesOf<Given>, monoid: Monoid, test: Test): readonly Expr[];
  /** Stores what is combined, perhaps again. */
  store(code: Code, values: readonly Expr[]): void;
}

/** Stores values by the device's own operations, and where a number is small again by those that keep subnormal ones: two calls of one routine. */
export function inEitherWayOfGroup<Given extends NamedValues>(
  code: Code,
  { combining: { native, monoid, found }, heading, given, compute, store }: OfGroup<Given>,
): void {
  if (!native || !found) {
    store(
      code,
      compute(code, given, monoid, () => {}),
    );
    return;
  }
  const call = (body: Code, isNormal: boolean): Expr => {
    const { total, smallest } = body.routine(
      { ...heading, fields: monoid.fields },
      { ...given, normal: [bool(isNormal)] },
      (args: ValuesOf<Given & { readonly normal: readonly Expr[] }>) => {
        const least = body.var("smallest", LARGEST_SIZE);
        const normal = args.normal[0] as Expr;
        const own = inWay(monoid, native, { normal, smallest: native.watches ? least : undefined });
        const values = compute(body, args, own, (inner, read) => withSizes(inner, least, read));
        return { total: values, smallest: [least] };
      },
    );
    store(body, total);
    return smallest[0] as Expr;
  };
  const isSmall = lt(call(code, true), sizeOfPower(native.least));
  // All that write it write the same value. It stays: a work-item may still read it when others go on.
  code.if(isSmall, (then) => then.store(found, 0, 1));
  // Its barrier shows what was stored, too.
  code.if(ne(code.uniformLoad("some_small", found, 0), 0), (then) => {
    call(then, false);
    then.barrier();
  });
}
