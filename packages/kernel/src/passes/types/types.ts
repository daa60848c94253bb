/**
 * Rewrites a lowered module so that only types are left that the implementation has: values of a 64-bit
 * type become two words, halves become f32 that are rounded after every operation. Lowerings are independent
 * of it, and so are emitters.
 */

import { Names } from "@groupwise/ir/base/names.js";
import { isNarrow } from "@groupwise/ir/tables/narrow.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Capabilities } from "../../capabilities/capabilities.ts";
import { halfFormOf } from "../../capabilities/half-conversions.ts";
import type { Expr } from "../../language/expr.ts";
import { fold } from "../../language/fold-expr.ts";
import { join, param } from "../../language/make-expr.ts";
import { each } from "../../language/map-expr.ts";
import { emulatedMemory, type Memory, memoryOf } from "../../language/memory.ts";
import type { Fn, GroupFn, Kernel, LaunchParam, Module, SharedArray } from "../../language/module.ts";
import type { Stmt } from "../../language/stmt.ts";
import { typesIn } from "../../language/uses.ts";
import { mapStmt } from "../../language/walk.ts";
import type { Pair } from "../../library/types/base/pair.ts";
import { floatOfHalfBits } from "../../library/types/half.ts";
import { namesOf } from "../base/names-of.ts";
import type { Around } from "../base/pass.ts";
import { halfMemoryOf } from "../base/shared-words.ts";
import { carrierOf, type Forms, formsOf } from "./forms.ts";
import { BlockRewriter } from "./rewrite.ts";
import type { ArrayWords, RewrittenNames } from "./rewritten.ts";

/** The module with native types only. */
export function legaliseTypes(module: Module, { capabilities }: Around): Module {
  const forms = formsOf(capabilities);
  const isAlien = (type: Scalar): boolean => forms(type) !== "native";
  if (![...typesIn(module)].some(isAlien) && !module.params.some(({ type }) => type === "f16")) return module;
  const names = new Names(namesOf(module));
  const params = module.params.map((one) => paramsOf(one, forms, names));
  const buffers = module.buffers.map((buffer) => {
    if (isNarrow(buffer.type) || forms(buffer.type) === "native") return buffer;
    return { ...buffer, memory: emulatedMemory(buffer.type, halfMemoryOf(capabilities, buffer)) };
  });
  const memories = new Map(buffers.map((buffer) => [buffer.name, memoryOf(buffer)]));
  const halfMemory = (array: string): Memory => memories.get(array) as Memory;
  const values = new Map(params.flatMap(({ name, value }) => (value ? [[name, value]] : [])));
  const unguardedSums = unguardedSumsOf(capabilities);
  const kernels = module.kernels.map((kernel) =>
    rewriteKernel(kernel, names, { forms, params: values, halfMemory, unguardedSums }),
  );
  const functions = module.functions.map((fn) => rewriteFunction(fn, capabilities));
  return { ...module, params: params.flatMap(({ made }) => made), buffers, functions, kernels };
}

interface ParamWords {
  readonly name: string;
  readonly made: readonly LaunchParam[];
  /** Its replacement in expressions, if it has one. */
  readonly value?: Expr | Pair;
}

/** A parameter of an emulated type is passed as words, because every host passes bits unchanged. */
function paramsOf(one: LaunchParam, forms: Forms, names: Names): ParamWords {
  const { name, type, role } = one;
  const form = forms(type);
  const from = { name, type };
  if (form === "words") {
    const [lo, hi] = [names.fresh(`${name}_lo`), names.fresh(`${name}_hi`)];
    return {
      name,
      made: [
        { name: lo, type: "u32", role, from: { ...from, word: 0 } },
        { name: hi, type: "u32", role, from: { ...from, word: 1 } },
      ],
      value: { lo: param(lo, "u32"), hi: param(hi, "u32") },
    };
  }
  if (type !== "f16") return { name, made: [one] };
  const bits = param(name, "u32");
  return {
    name,
    made: [{ name, type: "u32", role, from: { ...from, word: 0 } }],
    value: form === "rounded" ? floatOfHalfBits(bits) : join("f16", [bits]),
  };
}

/** Not so where a compiler omits conversions, which might regroup what is between. */
const unguardedSumsOf = (capabilities: Capabilities): boolean => halfFormOf(capabilities) !== "apart";

/** What surrounds a function. */
const withoutParams = (capabilities: Capabilities): Omit<RewrittenNames, "arrays"> => ({
  forms: formsOf(capabilities),
  params: new Map(),
  halfMemory: () => capabilities.halfMemory,
  unguardedSums: unguardedSumsOf(capabilities),
});

/** A function with native types only: a value of two words has a parameter for each. */
function rewriteFunction(fn: Fn, capabilities: Capabilities): Fn {
  const forms = formsOf(capabilities);
  const names = new Names(namesOf({ params: fn.params, functions: [fn] }));
  const given = new Map<string, Pair>();
  const params = fn.params.flatMap((one): Fn["params"] => {
    if (forms(one.type) !== "words") return [{ ...one, type: carrierOf(one.type, forms(one.type)) }];
    const [lo, hi] = ["lo", "hi"].map((tail) => names.fresh(`${one.name}_${tail}`)) as [string, string];
    given.set(one.name, { lo: variable(lo), hi: variable(hi) });
    return [lo, hi].map((name) => ({ name, type: "u32" }));
  });
  const around = { ...withoutParams(capabilities), given };
  const { body } = rewriteKernel({ shared: [], body: fn.body }, names, around);
  const inWords = forms(fn.returns) === "words";
  const returns = inWords ? "u32" : carrierOf(fn.returns, forms(fn.returns));
  return { ...fn, params, returns, width: inWords ? 2 : 1, body };
}

const variable = (name: string): Expr => ({ kind: "var", name, type: "u32" });

/** A group function with native types only: a value of two words is a parameter of width 2. */
export function legaliseGroupFn(fn: GroupFn, capabilities: Capabilities): GroupFn {
  const forms = formsOf(capabilities);
  const names = new Names(namesOf({ params: fn.params, kernels: [fn] }));
  const wide = fn.params.filter(({ type }) => forms(type) === "words");
  const wordOf = (of: string, index: number): Expr => ({ kind: "part", of, index, type: "u32" });
  const given = new Map(wide.map(({ name }) => [name, { lo: wordOf(name, 0), hi: wordOf(name, 1) }]));
  const around = { ...withoutParams(capabilities), given };
  const { shared, body } = rewriteKernel(fn, names, around);
  const inWords = forms(fn.returns) === "words";
  return {
    ...fn,
    params: fn.params.map((one) =>
      wide.includes(one)
        ? { ...one, type: "u32", width: 2 }
        : { ...one, type: carrierOf(one.type, forms(one.type)) },
    ),
    returns: inWords ? "u32" : carrierOf(fn.returns, forms(fn.returns)),
    width: inWords ? 2 * fn.width : fn.width,
    shared,
    body,
  };
}

type Rewritten = Pick<Kernel, "shared" | "body">;

function rewriteKernel<K extends Rewritten>(
  kernel: K,
  taken: Names,
  around: Omit<RewrittenNames, "arrays">,
): K {
  const names = taken.fork();
  const arrays = new Map<string, ArrayWords>();
  const shared = kernel.shared.flatMap((array): SharedArray[] => {
    const form = around.forms(array.type);
    if (form !== "words") return [{ ...array, type: carrierOf(array.type, form) }];
    const words = { lo: names.fresh(`${array.name}_lo`), hi: names.fresh(`${array.name}_hi`) };
    arrays.set(array.name, words);
    return [words.lo, words.hi].map((name) => ({ ...array, name, type: "u32" }));
  });
  const body = folded(kernel.body);
  const rewriter = new BlockRewriter(names, { ...around, arrays }, body);
  return { ...kernel, shared, body: rewriter.block(body) };
}

/** Facts about whole values are used first, since they are lost when values become words. */
const folded = (stmts: readonly Stmt[]): readonly Stmt[] =>
  each(stmts, (stmt) => mapStmt(stmt, fold, folded));
