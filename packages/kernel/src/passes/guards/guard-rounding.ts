/**
 * Keeps a compiler from merging float operations, for languages that allow it to regroup sums and products, to fuse a
 * product into a sum, to drop the sign of a zero, and to assume that there is no NaN and no infinity.
 *
 * The rule: an operation that rounds reads only values that the compiler knows nothing about. A value
 * that memory, a parameter or another work-item supplies is such a value. The result of an expression becomes one by a
 * detour through its bits, to which a launch parameter is added that is always 0. No guard is placed where the result
 * goes to memory or is read as bits alone. See docs/decisions/contraction.md.
 */
import { Names } from "@groupwise/ir/base/names.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { BinaryExpr, CallExpr, Expr, ParamExpr, VarExpr } from "../../language/expr.ts";
import { add, binary, call } from "../../language/make-expr.ts";
import { each, mapParts, partsOf } from "../../language/map-expr.ts";
import type { Fn } from "../../language/module.ts";
import {
  blockOf,
  declaredIn,
  isRoutine,
  partsOfBlock,
  type Routine,
  readBy,
} from "../../language/routines.ts";
import type { Stmt } from "../../language/stmt.ts";
import { exprsOf, mapBlocks, mapStmt, walk } from "../../language/walk.ts";
import { HALF_NAMES } from "../../library/types/half-names.ts";
import { takesZero } from "../../library/types/half-pairs.ts";
import { bitsOf, floatOf, isShort } from "../base/short.ts";
import { cancelling, valuesOf } from "./cancel.ts";
import { flowOf, isRounding, isUnknown, nameOf, targetOf, testedZero, widens } from "./flow.ts";
import { sumOfHalves, withSum } from "./half-sums.ts";

// Routines for the guard of rounded results: calls with opaque arguments and results.
/** No name has a space in it. */
const ARGUMENT = "an argument";

/**
 * The statements with calls in place of routines: every float that one reads is an operand, every float that it returns is computed.
 * @param passed to which the floats are added that routines read. Those that only sums of halves read are guarded where they are assigned,
 * so that equal routines stay equal
 */
function withCalls(block: readonly Stmt[], passed: Set<string>): readonly Stmt[] {
  const inner = (stmts: readonly Stmt[]): readonly Stmt[] => withCalls(stmts, passed);
  return partsOfBlock(block).flatMap((part) => {
    if (!isRoutine(part)) return [mapBlocks(part, inner)];
    const read = readBy(part).filter(isShort);
    for (const { name } of read) passed.add(name);
    return standIns(part, read);
  });
}

/** Whether an expression has an operation that rounds, other than a sum of halves. @param sum of halves, which is rounded around it */
const computes = (e: Expr, sum?: Expr): boolean =>
  (isRounding(e) && e !== sum) ||
  widens(e) ||
  partsOf(e).some((part) => computes(part, sumOfHalves(e) ?? sum));

function standIns({ body, results }: Routine, read: readonly VarExpr[]): readonly Stmt[] {
  const isComputing = walk(body).some((stmt) => exprsOf(stmt).some((e) => computes(e)));
  const sum = (e: VarExpr): Expr => add(e, e);
  const args = (isComputing ? read : []).map((e): Stmt => ({ kind: "let", name: ARGUMENT, value: sum(e) }));
  const given = results.map((e): Stmt => ({ kind: "let", name: e.name, value: sum(e) }));
  return [...args, ...given];
}

// Sums of emulated halves: which of their operands need no guard. The rounding of such a sum multiplies by powers of two and works on bits. A
// compiler that regroups those products with another such sum changes no result: they are exact, and what overflows is infinite
// as a half. So a sum may read a sum, or a half that was loaded, if the compiler cannot know its value.
type Test = (e: Expr) => boolean;

/** Names to which a value without a property is assigned; the property of a value may depend on such names. */
function namesWithout(
  body: readonly Stmt[],
  has: (e: Expr, names: ReadonlySet<string>) => boolean,
): Set<string> {
  const names = new Set<string>();
  for (let before = -1; before !== names.size; ) {
    before = names.size;
    for (const stmt of walk(body)) {
      if (stmt.kind === "load-row" && names.has(stmt.array)) names.add(stmt.name);
      const target = targetOf(stmt);
      if (target === undefined) continue;
      for (const value of valuesOf(stmt)) if (isShort(value) && !has(value, names)) names.add(target);
    }
  }
  return names;
}

const isRead = ({ kind }: Expr): boolean => kind === "load" || kind === "part" || kind === "var";

/** A value that depends on memory, a parameter or another work-item, so that a compiler cannot know it. */
function isFree(e: Expr, fixed: ReadonlySet<string>): boolean {
  if (isRead(e)) return !fixed.has(nameOf(e) ?? "");
  if (e.kind === "select") return isFree(e.then, fixed) && isFree(e.otherwise, fixed);
  if (e.kind === "call" && e.fn === HALF_NAMES.ofBits)
    return e.args.every((arg) => arg.kind !== "var" && isFree(arg, fixed));
  const sum = sumOfHalves(e);
  return sum ? isFree(sum.left, fixed) || isFree(sum.right, fixed) : e.kind === "param";
}

/** Tests whether a sum of halves of a kernel may read a value without a guard. */
function exemptIn(body: readonly Stmt[]): Test {
  // Most kernels have no sum of halves, and need not be searched.
  let others: ReadonlySet<string> | undefined;
  let fixed: ReadonlySet<string>;
  const isExempt = (e: Expr, names: ReadonlySet<string>): boolean => {
    if (isRead(e)) return !names.has(nameOf(e) ?? "");
    if (e.kind === "select") return isExempt(e.then, names) && isExempt(e.otherwise, names);
    return e.kind === "call" ? isFree(e, fixed) : isUnknown(e);
  };
  return (e) => {
    fixed ??= namesWithout(body, isFree);
    others ??= namesWithout(body, isExempt);
    return isExempt(e, others);
  };
}

const guardName = (kind: "rounded" | "opaque", type: Scalar): string => `${kind}_${type}`;

/** Both take the launch parameter that is always 0 as an argument, because functions of some languages cannot read it. */
const guardFunction = (kind: "rounded" | "opaque", type: Scalar, doc: string, zeros: number): Fn => {
  const x: Expr = { kind: "var", name: "x", type };
  const zero: Expr = { kind: "var", name: "zero", type: "u32" };
  const added = zeros === 1 ? zero : binary("shl", zero, Math.log2(zeros));
  return {
    name: guardName(kind, type),
    doc,
    params: [
      { name: "x", type },
      { name: "zero", type: "u32" },
    ],
    returns: type,
    width: 1,
    body: [{ kind: "return", values: [floatOf(type, add(bitsOf(x), added))] }],
  };
};

/** More than the number of guards that a value passes between two operations that change it; a half has 16 bits to add it to. */
const MANY = 1024;

/**
 * The functions that a guarded module calls. A compiler could take `rounded(x)` and `rounded(x)` for one value and their
 * difference for 0, which it is not for an infinity: `opaque` adds the zero so often that no number of guards on the other
 * side adds it as often. One more would not do: x * 1 is x, and so is a maximum of x and x, each with a guard. An
 * exclusive or would not do either: it undoes a sum that only changes the sign bit, as in -0 + zero.
 */
export const GUARD_FUNCTIONS: readonly Fn[] = (["f32", "f16"] as const).flatMap((type) => [
  guardFunction(
    "rounded",
    type,
    "Returns x. Compilers cannot see through it, so they cannot contract two operations.",
    1,
  ),
  guardFunction(
    "opaque",
    type,
    "Returns x, so that compilers cannot cancel it against an equal value.",
    MANY,
  ),
]);
/** Their names. */
export const GUARD_NAMES: ReadonlySet<string> = new Set(GUARD_FUNCTIONS.map(({ name }) => name));

/** The constant -0, which literals cannot represent. */
function isMinusZero(e: Expr): boolean {
  const [bits] = e.kind === "call" && e.fn === `${e.type}_of_bits` ? e.args : [];
  return bits?.kind === "const" && bits.value === (e.type === "f16" ? 0x8000 : 0x80000000);
}

/** The parts of guards. */
export interface Guards {
  /** A launch parameter that is always 0, a u32. */
  readonly param: ParamExpr;
  /** The unique name of the variable into which the kernel reads it. */
  readonly hint: string;
  /** True: a -0 in a branch of a choice is guarded, because a compiler may treat it as +0. */
  readonly minusZero: boolean;
  /** True: a test for 0 is an operation, because a compiler may compare floats instead of bits, and the device takes a subnormal number for 0. */
  readonly zeros: boolean;
}

/** Whether the rule concerns an expression: many kernels compute with integers alone. */
const concerns = (e: Expr): boolean =>
  isShort(e) || (e.kind === "call" && takesZero(e.fn)) || partsOf(e).some(concerns);

/** A kernel's statements with the guards that the rule requires. */
export function guardRounding(body: readonly Stmt[], { param, hint, ...kinds }: Guards): readonly Stmt[] {
  if (!walk(body).some((stmt) => exprsOf(stmt).some(concerns))) return body;
  const guard = new Guard(() => new Names(declaredIn(body)).fresh(hint), kinds);
  const done = guard.block(body);
  // Read once: some compilers read a parameter again at each use.
  return guard.zero ? [{ kind: "let", name: guard.zero.name, value: param }, ...done] : done;
}

/** Guards of the statements of one kernel. */
class Guard {
  /** The variable of the zero, if there are guards. */
  zero: VarExpr | undefined;
  private readonly fresh: () => string;
  private readonly kinds: Pick<Guards, "minusZero" | "zeros">;

  /** @param fresh makes the name of the variable */
  constructor(fresh: () => string, kinds: Pick<Guards, "minusZero" | "zeros">) {
    this.fresh = fresh;
    this.kinds = kinds;
  }

  /** The statements of a kernel or of a routine, analysed without the values from outside. */
  block(body: readonly Stmt[]): readonly Stmt[] {
    const passed = new Set<string>();
    const calls = withCalls(body, passed);
    const { operands, unguarded: shown } = flowOf(calls, this.kinds.zeros);
    // The result of a routine has no guard inside it: the guard is placed where an operation reads the result.
    const unguarded = new Set(shown);
    for (const stmt of walk(body))
      if (stmt.kind === "results") for (const e of stmt.values) if (e.kind === "var") unguarded.add(e.name);
    const mayCancel = cancelling(calls);
    const isExempt = exemptIn(body);
    const operation = (e: BinaryExpr, reads: (e: Expr) => Expr, isKnown: (e: Expr) => boolean): Expr => {
      const cancels = e.op === "sub" || (e.op === "add" && mayCancel(e.left, e.right));
      const right = cancels ? subtrahend(e.left, e.right, isKnown) : reads(e.right);
      return { ...e, left: reads(e.left), right };
    };
    const isGiven = (e: Expr): boolean => isUnknown(e, unguarded);
    const inside = (e: Expr): Expr => {
      const sum = sumOfHalves(e);
      if (sum) return withSum(e, operation(sum, addend, isAddend));
      if (isRounding(e)) return operation(e, operand, isGiven);
      const tested = this.kinds.zeros ? testedZero(e) : undefined;
      if (tested) {
        const given = (part: Expr): Expr => (part === tested ? operand(part) : mapParts(part, given));
        return given(e);
      }
      if (e.kind === "call" && takesZero(e.fn)) return this.withZero(e.args.map(inside), e);
      if (e.kind === "select") return mapParts(e, arm);
      return mapParts(e, widens(e) ? operand : inside);
    };
    const arm = (e: Expr): Expr =>
      this.kinds.minusZero && isMinusZero(e) ? this.guarded("rounded", e) : inside(e);
    const operand = (e: Expr): Expr => (isGiven(e) ? inside(e) : this.guarded("rounded", inside(e)));
    const isGuarded = (name: string): boolean =>
      passed.has(name) || (operands.has(name) && !unguarded.has(name));
    /** Guarded where it is assigned, or not to be guarded for a sum of halves. */
    const isAddend = (e: Expr): boolean => (e.kind === "var" && isGuarded(e.name)) || isExempt(e);
    const addend = (e: Expr): Expr => (isAddend(e) ? inside(e) : this.guarded("rounded", inside(e)));
    const subtrahend = (left: Expr, right: Expr, isGuardless: (e: Expr) => boolean): Expr => {
      const unlike = left.kind === "const" || right.kind === "const";
      return unlike && isGuardless(right) ? inside(right) : this.guarded("opaque", inside(right));
    };
    const one = (stmt: Stmt): Stmt => {
      const target = targetOf(stmt);
      const guards = target !== undefined && operands.has(target) && !unguarded.has(target);
      const guard = guards ? operand : target !== undefined && passed.has(target) ? addend : inside;
      return mapStmt(stmt, (e) => (isShort(e) ? guard(e) : inside(e)), block);
    };
    const block = (stmts: readonly Stmt[]): readonly Stmt[] =>
      stmts.some(({ kind }) => kind === "routine")
        ? partsOfBlock(stmts).flatMap((part) =>
            isRoutine(part) ? blockOf(part, this.block(part.body)) : [one(part)],
          )
        : each(stmts, one);
    return block(body);
  }

  private withZero(args: readonly Expr[], e: CallExpr): CallExpr {
    this.zero ??= { kind: "var", name: this.fresh(), type: "u32" };
    return { ...e, args: [...args, this.zero] };
  }

  private guarded(kind: "rounded" | "opaque", e: Expr): Expr {
    return this.withZero([e], call(guardName(kind, e.type), e.type, []));
  }
}
