/** Adds the functions that expressions call. */
import type { Capabilities } from "../capabilities/capabilities.ts";
import { halfFormOf } from "../capabilities/half-conversions.ts";
import type { Fn, Module } from "../language/module.ts";
import type { Stmt } from "../language/stmt.ts";
import { usesOfBlock } from "../language/uses.ts";
import { BFLOAT_FUNCTIONS } from "../library/types/bfloat.ts";
import { COMPARE_FUNCTIONS } from "../library/types/compare.ts";
import { COMPOSED_FUNCTIONS } from "../library/types/composed.ts";
import { CONVERT_FUNCTIONS } from "../library/types/convert.ts";
import { DIVIDE_FUNCTIONS } from "../library/types/divide.ts";
import { HALF_FUNCTIONS } from "../library/types/half.ts";
import { CONVERTING, HALF_WORD_FUNCTIONS } from "../library/types/half-conversions.ts";
import { pairFunctions } from "../library/types/half-pairs.ts";
import { QUICK_EXP } from "../library/types/quick/exp.ts";
import { QUICK_LOGARITHMS } from "../library/types/quick/log.ts";
import { SUBNORMAL_FUNCTIONS } from "../library/types/subnormals.ts";
import { WIDE_FUNCTIONS } from "../library/types/wide.ts";
import { ZERO_MINUS_FUNCTIONS } from "../library/types/zero-minus.ts";
import { type Around, mapBlock } from "./base/pass.ts";
import { functionRewrite } from "./expand.ts";
import { GUARD_FUNCTIONS } from "./guards/guard-rounding.ts";
import { HIDING_FUNCTIONS } from "./least-floats.ts";

/** Every function that passes may call; callees precede callers. */
export const FUNCTIONS: readonly Fn[] = [
  ...CONVERT_FUNCTIONS,
  ...COMPARE_FUNCTIONS,
  ...DIVIDE_FUNCTIONS,
  ...SUBNORMAL_FUNCTIONS,
  QUICK_EXP,
  ...QUICK_LOGARITHMS,
  ...ZERO_MINUS_FUNCTIONS,
  ...WIDE_FUNCTIONS,
  ...HALF_FUNCTIONS,
  ...BFLOAT_FUNCTIONS,
  ...COMPOSED_FUNCTIONS,
  ...GUARD_FUNCTIONS,
  ...HIDING_FUNCTIONS,
];

/**
 * The module with the functions that its kernels call, and without those whose calls passes removed. A library has no kernels: it has all of its own functions, and
 * those that they call.
 */
export function linkFunctions(module: Module, { capabilities }: Around): Module {
  const own = new Set(module.functions);
  const isLibrary = module.kernels.length === 0;
  const known = [...functionsFor(capabilities), ...module.functions];
  // Only counts of bits, magnitudes and conversions of halves depend on the implementation.
  const change = functionRewrite(capabilities);
  const called = new Map<string, readonly Stmt[]>();
  const visit = (stmts: readonly Stmt[]): void => {
    for (const call of usesOfBlock(stmts).calls) {
      const fn = known.find(({ name }) => name === call);
      if (!fn || called.has(call)) continue;
      const body = change && !own.has(fn) ? mapBlock(fn.body, change) : fn.body;
      called.set(call, body);
      visit(body);
    }
  };
  for (const { body } of isLibrary ? module.functions : module.kernels) visit(body);
  const functions = known.flatMap((fn) => {
    const body = called.get(fn.name) ?? (isLibrary && own.has(fn) ? fn.body : undefined);
    return body ? [{ ...fn, body }] : [];
  });
  return { ...module, functions };
}

/** The functions of an implementation: all have the same results. */
function functionsFor(capabilities: Capabilities): readonly Fn[] {
  const form = halfFormOf(capabilities);
  if (!form) return FUNCTIONS;
  const converting = CONVERTING[form];
  const replaced = new Set(converting.map(({ name }) => name));
  const others = FUNCTIONS.filter(({ name }) => !replaced.has(name));
  const pairs = pairFunctions(capabilities.expand.includes("guard-rounding"));
  return [...converting, ...others, ...HALF_WORD_FUNCTIONS, ...pairs];
}
