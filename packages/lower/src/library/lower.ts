/** Work-group collectives as functions: the butterfly of the kernels, for one value. */
import { Names } from "@groupwise/ir/base/names.js";
import { normalises } from "@groupwise/ir/tables/op.js";
import { isFloat, type Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import { Code, SharedArrays } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import {
  binary,
  bitcast,
  builtin,
  cast,
  eq,
  select,
  sub,
  u32,
} from "@groupwise/kernel/language/make-expr.js";
import { mapParts } from "@groupwise/kernel/language/map-expr.js";
import type { Fn, FnParam, GroupFn, Library } from "@groupwise/kernel/language/module.js";
import type { Stmt } from "@groupwise/kernel/language/stmt.js";
import { verifyLibrary } from "@groupwise/kernel/language/verify.js";
import { mapStmt } from "@groupwise/kernel/language/walk.js";
import { runPasses } from "@groupwise/kernel/passes/base/pass.js";
import { FUNCTIONS } from "@groupwise/kernel/passes/functions.js";
import { EXPANSION } from "@groupwise/kernel/passes/list.js";
import { legaliseGroupFn } from "@groupwise/kernel/passes/types/types.js";
import { announce, ascend, descend, type Lanes } from "../lanes/lanes.ts";
import { monoidOf, normalised, nothing } from "../parts/monoid.ts";
import { exactFeature } from "../work-groups/native.ts";
import type { LibraryFunction, LibraryGroup } from "./functions.ts";

// Renames calls: a library's functions are mixed with other code.
/** The statements with renamed calls. */
function mapCalls(stmts: readonly Stmt[], names: ReadonlyMap<string, string>): readonly Stmt[] {
  const nameOf = (fn: string): string => names.get(fn) ?? fn;
  const expr = (e: Expr): Expr => {
    const mapped = mapParts(e, expr);
    return mapped.kind === "call" ? { ...mapped, fn: nameOf(mapped.fn) } : mapped;
  };
  const block = (list: readonly Stmt[]): readonly Stmt[] =>
    list.map((stmt) => {
      const mapped = mapStmt(stmt, expr, block);
      return mapped.kind === "call" ? { ...mapped, fn: nameOf(mapped.fn) } : mapped;
    });
  return block(stmts);
}

/** Options of a library in a text. */
export interface LibraryOptions {
  /** Work-items of a work-group: the exact number, or the maximum if only the launch determines it. */
  readonly workGroupSize: number;
  readonly sizeKnown: boolean;
  /** The name of a function in the text. */
  name(fn: LibraryFunction): string;
  /** The name in the text of a helper function. */
  helper(name: string): string;
  /** Names that parameters and variables must not have. */
  readonly taken?: readonly string[];
  /** Carrier types: a float in a wider float type, whose values are rounded first, or as its bits. */
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
): Library<LibraryGroup> {
  const parts = wanted.map((of) => ({ of, ...legalised(groupFn(of, options), capabilities) }));
  const called = new Set(parts.flatMap(({ functions }) => functions.map((fn) => fn.name)));
  const renamed = new Map(FUNCTIONS.map(({ name }) => [name, options.helper(name)]));
  const library: Library<LibraryGroup> = {
    functions: FUNCTIONS.filter(({ name }) => called.has(name)).map((fn) => ({
      ...fn,
      name: renamed.get(fn.name) as string,
      body: mapCalls(fn.body, renamed),
    })),
    groups: parts.map(({ group, of }) => ({
      ...group,
      of,
      feature: of.op && exactFeature(of.op, of.type),
      body: mapCalls(group.body, renamed),
    })),
  };
  verifyLibrary(library);
  return library;
}

/** Lowers each function separately, so that the floats of one function do not affect another. */
function legalised(
  given: GroupFn,
  capabilities: Capabilities,
): { readonly group: GroupFn; readonly functions: readonly Fn[] } {
  const group = legaliseGroupFn(given, capabilities);
  const kernel = { ...group, groups: 1 };
  const module = { name: group.name, params: [], buffers: [], functions: [], kernels: [kernel] };
  // A library has no launch parameters and therefore no zero for guards; all operands of its sums but one
  // come from work-group memory.
  const expand = capabilities.expand.filter((name) => name !== "guard-rounding");
  const made = runPasses(EXPANSION, module, { capabilities: { ...capabilities, expand } });
  if ("refused" in made) throw made.error;
  const { functions, kernels } = made;
  const { body = [], shared = [] } = kernels[0] ?? {};
  return { group: { ...group, body, shared }, functions };
}

function groupFn(fn: LibraryFunction, options: LibraryOptions): GroupFn {
  const { workGroupSize, sizeKnown, taken = [], carriers = {} } = options;
  const carrier = carriers[fn.type] ?? fn.type;
  const names = new Names(["x", "index", ...taken]);
  const shared = new SharedArrays(names);
  const code = new Code(names);
  const lane = code.let("lane", builtin("local-id"));
  const value = sizeKnown ? u32(workGroupSize) : code.let("size", builtin("group-size"));
  const size = sizeKnown ? workGroupSize : { value, bound: workGroupSize };
  const lanes: Lanes = { size, lane, shared };
  const x = carried(fn.type, { kind: "var", name: "x", type: carrier });
  const last = sub(value, 1);
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

/** Converts a value from or to its carrier type; unchanged without one. */
const carried = (to: Scalar, e: Expr): Expr =>
  isFloat(to) && isFloat(e.type) ? cast(to, e) : bitcast(to, e);

const SUMMARIES: Readonly<Record<LibraryFunction["kind"], (fn: LibraryFunction) => string>> = {
  reduce: ({ op }) => `${op} of all x of the work-group.`,
  "scan-inclusive": ({ op }) => `${op} of the x up to and including the work-item's own, in linear order.`,
  "scan-exclusive": ({ op }) =>
    `${op} of the x before the work-item's own; the identity for the first work-item.`,
  scans: ({ op }) =>
    `The exclusive and the inclusive scan: ${op} of the x before the work-item's own, and including it.`,
  all: () => "Whether x holds for all work-items.",
  any: () => "Whether x holds for some work-item.",
  broadcast: () => "The x of the work-item with a linear id; past the end means the last one.",
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
  const mine = normalises(op, type) ? code.let("mine", normalised(op, type, x)) : x;
  const isScan = kind === "scan-inclusive" || kind === "scan-exclusive" || kind === "scans";
  if (!isScan && monoid.reassociable) return ascend(code, lanes, monoid, [mine], false).total;
  const ascent = ascend(code, lanes, monoid, [mine], true);
  // Without a launch parameter, nothing hides from compilers that a neutral value is -0.
  const { neutral: _, ...guardless } = monoid;
  const start = nothing(monoid.reassociable ? monoid : guardless);
  const { inclusive, exclusive } = descend(code, lanes, monoid, ascent, start);
  if (kind === "scan-inclusive") return inclusive;
  if (!isScan) return announce(code, lanes, eq(lanes.lane, last), inclusive);
  const isFirst = eq(lanes.lane, 0);
  const before = monoid.reassociable
    ? exclusive.values
    : exclusive.values.map((value, i) => select(isFirst, monoid.identity[i] as Expr, value));
  return kind === "scans" ? [...before, ...inclusive] : before;
}
