/** Collectives of a work-group as functions to call: the same butterfly that kernels hold, around one value. */
import type { Capabilities } from "../capabilities.ts";
import { Code, Names, Shared } from "../kernel/build.ts";
import { binary, bitcast, builtin, cast, type Expr, eq, select, sub, u32 } from "../kernel/expr.ts";
import type { Fn, FnParam, GroupFn, Library } from "../kernel/stmt.ts";
import { verifyLibrary } from "../kernel/verify.ts";
import { legaliseGroupFn } from "../lower/legalise/types.ts";
import { FUNCTIONS, legalise } from "../lower/legalise.ts";
import { monoidOf, normalised, nothing } from "../lower/monoid.ts";
import { announce, ascend, descend, type Lanes } from "../lower/simt/lanes.ts";
import { isLogical } from "../op.ts";
import { isFloat, type Scalar } from "../scalar.ts";
import type { LibraryFunction } from "./functions.ts";
import { mapCalls } from "./rename.ts";

/** How a library stands in a text. */
export interface LibraryOptions {
  /** Work-items of a group: exactly, or at most where only the launch tells. */
  readonly workGroupSize: number;
  readonly sizeKnown: boolean;
  /** The name of a function in the text. */
  name(fn: LibraryFunction): string;
  /** The name in the text of a function that others call. */
  helper(name: string): string;
  /** Names that parameters and variables must not have. */
  readonly taken?: readonly string[];
  /**
   * Types whose values callers hold in another: a float in a wider one, where any other value is rounded
   * first; else as its bits.
   */
  readonly carriers?: Readonly<Partial<Record<Scalar, Scalar>>>;
}

/**
 * Lowers functions for an implementation. Deterministic; verified.
 * @throws GroupwiseError `bad-kernel`
 */
export function libraryOf(
  wanted: readonly LibraryFunction[],
  capabilities: Capabilities,
  options: LibraryOptions,
): Library {
  const parts = wanted.map((fn) => legalised(groupFn(fn, options), capabilities));
  const called = new Set(parts.flatMap(({ functions }) => functions.map((fn) => fn.name)));
  const renamed = new Map(FUNCTIONS.map(({ name }) => [name, options.helper(name)]));
  const library: Library = {
    functions: FUNCTIONS.filter(({ name }) => called.has(name)).map((fn) => ({
      ...fn,
      name: renamed.get(fn.name) as string,
      body: mapCalls(fn.body, renamed),
    })),
    groups: parts.map(({ group }) => ({ ...group, body: mapCalls(group.body, renamed) })),
  };
  verifyLibrary(library);
  return library;
}

/** By itself: what one function does to its floats is no concern of another. */
function legalised(
  given: GroupFn,
  capabilities: Capabilities,
): { readonly group: GroupFn; readonly functions: readonly Fn[] } {
  const group = legaliseGroupFn(given, capabilities);
  const kernel = { ...group, groups: 1 };
  const module = { name: group.name, params: [], buffers: [], functions: [], kernels: [kernel] };
  // A library is given no launch parameters, and so no zero to guard with: of its sums each operand but one comes from
  // work-group memory.
  const expand = capabilities.expand.filter((name) => name !== "guard-rounding");
  const { functions, kernels } = legalise(module, { ...capabilities, expand });
  const { body = [], shared = [] } = kernels[0] ?? {};
  return { group: { ...group, body, shared }, functions };
}

function groupFn(fn: LibraryFunction, options: LibraryOptions): GroupFn {
  const { workGroupSize, sizeKnown, taken = [], carriers = {} } = options;
  const carrier = carriers[fn.type] ?? fn.type;
  const names = new Names(["x", "index", ...taken]);
  const shared = new Shared(names);
  const code = new Code(names);
  const lane = code.let("lane", builtin("local-id"));
  const value = sizeKnown ? u32(workGroupSize) : code.let("size", builtin("group-size"));
  const size = sizeKnown ? workGroupSize : { value, bound: workGroupSize };
  const lanes: Lanes = { size, lane, shared };
  const x = carried(fn.type, { kind: "var", name: "x", type: carrier });
  const last = sub(value, u32(1));
  const results =
    fn.kind === "broadcast" ? broadcast(code, lanes, x, last) : combine(code, lanes, fn, x, last);
  code.return(...results.map((result) => carried(carrier, result)));
  const params: FnParam[] = [{ name: "x", type: carrier }];
  if (fn.kind === "broadcast") params.push({ name: "index", type: "u32" });
  return {
    name: options.name(fn),
    doc: [SUMMARIES[fn.kind](fn)],
    params,
    returns: carrier,
    width: results.length,
    workGroupSize,
    shared: shared.arrays,
    body: code.stmts,
  };
}

/** A value from or to its carrier; itself where it has none. */
const carried = (to: Scalar, e: Expr): Expr =>
  isFloat(to) && isFloat(e.type) ? cast(to, e) : bitcast(to, e);

const SUMMARIES: Readonly<Record<LibraryFunction["kind"], (fn: LibraryFunction) => string>> = {
  reduce: ({ op }) => `${op} of all x of the work-group.`,
  "scan-inclusive": ({ op }) => `${op} of the x up to the work-item's own, in linear order.`,
  "scan-exclusive": ({ op }) => `${op} of the x before the work-item's own; the first gets the identity.`,
  scans: ({ op }) => `The exclusive scan and the inclusive scan: ${op} of the x before, and with, the own.`,
  all: () => "Whether x holds for all work-items.",
  any: () => "Whether x holds for some work-item.",
  broadcast: () => "The x of the work-item at a linear place; past the end means the last one.",
};

function broadcast(code: Code, lanes: Lanes, x: Expr, last: Expr): Expr[] {
  const index: Expr = { kind: "var", name: "index", type: "u32" };
  const source = code.let("source", binary("min", index, last));
  return announce(code, lanes, eq(lanes.lane, source), [x]);
}

function combine(code: Code, lanes: Lanes, fn: LibraryFunction, x: Expr, last: Expr): readonly Expr[] {
  const { kind, type } = fn;
  const op = fn.op ?? (kind === "all" ? "logical-and" : "logical-or");
  const monoid = monoidOf(op, type);
  const mine = isLogical(op) && type !== "bool" ? code.let("mine", normalised(op, type, x)) : x;
  const isScan = kind === "scan-inclusive" || kind === "scan-exclusive" || kind === "scans";
  if (!isScan && monoid.exact) return ascend(code, lanes, monoid, [mine], false).total;
  const ascent = ascend(code, lanes, monoid, [mine], true);
  const { inclusive, exclusive } = descend(code, lanes, monoid, ascent, nothing(monoid));
  if (kind === "scan-inclusive") return inclusive;
  if (!isScan) return announce(code, lanes, eq(lanes.lane, last), inclusive);
  const isFirst = eq(lanes.lane, u32(0));
  const before = monoid.exact
    ? exclusive.values
    : exclusive.values.map((value, i) => select(isFirst, monoid.identity[i] as Expr, value));
  return kind === "scans" ? [...before, ...inclusive] : before;
}
