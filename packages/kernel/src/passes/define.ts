/** Adds the bodies of functions that kernels call, before types and operations are rewritten. */
import { errorOf } from "@groupwise/ir/base/errors.js";
import type { Fn, Module } from "../language/module.ts";
import type { Stmt } from "../language/stmt.ts";
import { usesOfBlock } from "../language/uses.ts";
import { BODIES } from "../library/functions/apply.ts";
import { ELEMENTARY_BODIES } from "../library/functions/elementary/bodies.ts";
import { FAST_BODIES } from "../library/functions/elementary/fast.ts";
import type { Around, PassRefusal } from "./base/pass.ts";
import { formsOf } from "./types/forms.ts";

const ALL: readonly Fn[] = [...BODIES, ...ELEMENTARY_BODIES, ...FAST_BODIES];
/** The module with the bodies that its kernels call, on the types of the document. */
export function defineFunctions(module: Module, { capabilities }: Around): Module | PassRefusal {
  const { calls, own = [], fast = {} } = capabilities;
  const forms = formsOf(capabilities);
  const isOwn = ({ name, params, returns }: Fn): boolean =>
    (own.includes(name) || Object.hasOwn(fast, name)) &&
    [...params.map(({ type }) => type), returns].every((type) => forms(type) === "native");
  const there = new Set(module.functions.map(({ name }) => name));
  const wanted = new Set<Fn>();
  const visit = (stmts: readonly Stmt[]): void => {
    for (const call of usesOfBlock(stmts).calls) {
      const fn = ALL.find(({ name }) => name === call);
      if (!fn || there.has(call)) continue;
      there.add(call);
      wanted.add(fn);
      if (!isOwn(fn)) visit(fn.body);
    }
  };
  for (const { body } of module.kernels) visit(body);
  const lacking = calls && [...wanted].find((fn) => !isOwn(fn));
  if (lacking) {
    const error = errorOf("unsupported", { what: lacking.name, reason: calls.unsupported });
    return { refused: error.what, error };
  }
  const defined = ALL.filter((fn) => wanted.has(fn)).map(
    (fn): Fn => (isOwn(fn) ? { ...fn, own: true, body: [] } : fn),
  );
  return { ...module, functions: [...module.functions, ...defined] };
}
