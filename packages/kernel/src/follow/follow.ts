/** Tests follow definitions through every pass, and through what printers do with a module (`definitions.ts`). */
import { errorOf } from "@groupwise/ir/base/errors.js";
import type { Expr } from "../language/expr.ts";
import { mapParts } from "../language/map-expr.ts";
import type { Module } from "../language/module.ts";
import { withOrigins } from "../language/origin.ts";
import type { Stmt } from "../language/stmt.ts";
import { mapBlocks, mapStmt } from "../language/walk.ts";
import {
  type Around,
  type ModulePass,
  mapBlock,
  mapKernels,
  type PassWatch,
  watchPasses,
} from "../passes/base/pass.ts";
import { withGuardClause } from "../print/guard-clause.ts";
import { isNaming, placeOf, readsIn } from "../print/inline.ts";
import { joined } from "../print/joined.ts";
import { outline } from "../routines/outline.ts";
import { changedReads, type Freedom } from "./definitions.ts";

type Block = readonly Stmt[];

/** The block with values in the place of names wherever a printer may put them: a text has those that are short. */
export function inlined(block: Block): Block {
  const reads = readsIn(block);
  const done: Stmt[] = [];
  let values = new Map<string, { readonly value: Expr; readonly at: number }>();
  const change = (e: Expr): Expr =>
    e.kind === "var" ? (values.get(e.name)?.value ?? e) : mapParts(e, change);
  const inside = (inner: Block): Block => inlined(mapBlock(inner, change));
  for (const [i, stmt] of block.entries()) {
    const made = mapStmt(stmt, change, inside);
    const value = made.kind === "let" ? made.value : undefined;
    const isOnce = isNaming(stmt) && reads.get(stmt.name) === 1;
    const place = isOnce && value && placeOf(block, i, stmt, value);
    if (place && made.kind === "let") values.set(made.name, { value: made.value, at: place.at });
    else done.push(made);
    values = new Map([...values].filter(([, { at }]) => at > i));
  }
  return done;
}

const bodies = (module: Module, change: (block: Block) => Block): Module => ({
  ...mapKernels(module, (kernel) => ({ ...kernel, body: change(kernel.body) })),
  functions: module.functions.map((fn) => ({ ...fn, body: change(fn.body) })),
});
const joinedIn = (block: Block): Block =>
  block.map((stmt) => mapBlocks(stmt.kind === "if" ? joined(stmt) : stmt, joinedIn));

/** What printers do, each after the last. */
const PRINTED: readonly ModulePass[] = [
  { name: "outline", run: (module) => outline(module) },
  {
    name: "guard-clause",
    run: (module) => mapKernels(module, (k) => ({ ...k, body: withGuardClause(k.body) })),
  },
  { name: "joined", run: (module) => bodies(module, joinedIn) },
  { name: "inline", run: (module) => bodies(module, inlined) },
];

/** What passes change by design: in place, an output's array is read for that of an input. */
const FREEDOM: Readonly<Record<string, Freedom>> = {
  "in-place": { arrays: true },
  outline: { arrays: true, routines: true },
  joined: { conditions: true },
};

/** @throws GroupwiseError `bad-kernel` if the pass changed which values statements read */
export function verifyReads(pass: string, before: Module, after: Module): void {
  const [problem, ...others] = changedReads(before, after, FREEDOM[pass]);
  if (problem !== undefined)
    throw errorOf("bad-kernel", { reason: `after ${pass}, ${problem}, and ${others.length} more` });
}

/** Runs a pass, and follows definitions through it. */
function followed({ name, run }: ModulePass, module: Module, around: Around): Module {
  const before = withOrigins(module);
  const after = run(before, around);
  if ("refused" in after) throw after.error;
  verifyReads(name, before, after);
  return after;
}

/** What printers may do with a finished module keeps the values that statements read. @throws GroupwiseError `bad-kernel` */
export function verifyPrinted(module: Module, around: Around): void {
  PRINTED.reduce((given, pass) => followed(pass, given, around), module);
}

const WATCH: PassWatch = {
  begins: withOrigins,
  ended: ({ name }, before, after, around) => {
    verifyReads(name, before, after);
    // The last pass of a module, which is printed then.
    if (name === "verify") verifyPrinted(after, around);
  },
};

/** Makes it an error of this process that a pass changes which values statements read, or ends that. */
export function followDefinitions(follows: boolean): void {
  watchPasses(follows ? WATCH : undefined);
}
