/** The replacements of values and their context. */
import { errorOf } from "@groupwise/ir/base/errors.js";
import type { Expr, VarExpr } from "../../language/expr.ts";
import { partsOf } from "../../language/map-expr.ts";
import type { Memory } from "../../language/memory.ts";
import type { Pair } from "../../library/types/base/pair.ts";
import type { Forms } from "./forms.ts";

/** The arrays of the low and of the high words. */
export interface ArrayWords {
  readonly lo: string;
  readonly hi: string;
}
/** A value in its form: two words, or one expression. */
export type FormValue = Expr | Pair;
/** The two variables of a variable. */
export interface Words extends Pair {
  readonly lo: VarExpr;
  readonly hi: VarExpr;
}
export const isPair = (value: FormValue): value is Pair => "lo" in value;

export interface RewrittenNames {
  readonly forms: Forms;
  /** The replacement of a launch scalar that changes. */
  readonly params: ReadonlyMap<string, FormValue>;
  /** The replacement of a function's parameter that became two words. */
  readonly given?: ReadonlyMap<string, Pair>;
  /** Private and work-group arrays that became two. */
  readonly arrays: Map<string, ArrayWords>;
  /** Whether sums of halves are rounded so that other sums read them without a guard. */
  readonly unguardedSums: boolean;
  /** The form of halves in an array of device memory. */
  readonly halfMemory: (array: string) => Memory;
}

export const fail = (reason: string): never => {
  throw errorOf("bad-kernel", { reason });
};
export const mentions = (e: Expr, name: string): boolean =>
  (e.kind === "var" && e.name === name) || partsOf(e).some((inner) => mentions(inner, name));
