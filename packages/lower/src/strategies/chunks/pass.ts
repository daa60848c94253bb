/** The pass of a stage over the items, a chunk for each work-item. */
import type { NodeId } from "@groupwise/ir/document/node.js";
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { binary, sub, u32 } from "@groupwise/kernel/language/make-expr.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import { eachOf, type Starting, severalItems, unrolls } from "../../loops/each.ts";
import { begun, item, type Loop, type Progress, pushingAt } from "../../loops/items.ts";
import { type Component, fieldOf } from "../../parts/components.ts";
import { materializedValues, sinksAt } from "../../parts/stages.ts";
import { binsFor } from "./bins.ts";
import { type Context, finishingAt, startingAt, totalsOf, uniformsOf } from "./context.ts";
import { type Finish, writeResults } from "./finish.ts";
import { type Chunk, chunkKernel, earlierWorkItems, someWorkItems, workItems } from "./shape.ts";
import { addChunks, storeTotal } from "./totals.ts";

/** A pass, and whether it writes the results after it where there is one chunk. */
export interface Pass {
  readonly kernel: Kernel;
  readonly finishes: boolean;
}

/** A collective in progress. */
interface Begun extends Progress {
  /** The item from which its places count. */
  readonly origin: Expr;
}

/** @param next what is ready after the pass */
export function passKernel(context: Context, stage: number, next: Finish | undefined): Pass | undefined {
  const { plan, chunks } = context;
  const [starting, finishing] = [startingAt(context, stage), finishingAt(context, stage)];
  const sinks = sinksAt(plan, stage, ["item", "group"]);
  const writes = sinks.length + (plan.materialized.get(stage) ?? []).length + finishing.length > 0;
  if (!writes && starting.length === 0) return undefined;
  const own = new Set(starting.flatMap(({ nodes }) => nodes.map(({ id }) => id)));
  const finishes =
    next !== undefined &&
    next.reduced.length > 0 &&
    next.reduced.every(({ nodes }) => nodes.every(({ id }) => own.has(id)));
  const isLastNeeded = writes || finishes;
  const hasResults = finishes || [...context.late.values()].some((id) => plan.ready[id] === stage);
  const lastOnes = hasResults ? someWorkItems(chunks) : workItems(chunks);
  const groups = isLastNeeded ? lastOnes : earlierWorkItems(chunks);
  const frame = {
    hint: writes ? "chunks" : "chunk_totals",
    doc: docOf(writes, starting),
    groups,
    isLastNeeded,
  };
  const kernel = chunkKernel(context, frame, (code, chunk) =>
    pass(context, code, chunk, { stage, starting, finishing, next: finishes ? next : undefined }),
  );
  return { kernel, finishes };
}

const docOf = (writes: boolean, starting: readonly Component[]): string[] => [
  `Each work-item loops over a chunk${writes ? "" : " and stores its totals"}${writes && starting.length > 0 ? ", and stores its totals" : ""}.`,
];

interface Work {
  readonly stage: number;
  readonly starting: readonly Component[];
  readonly finishing: readonly Component[];
  readonly next: Finish | undefined;
}

function pass(context: Context, code: Code, chunk: Chunk, { stage, starting, finishing, next }: Work): void {
  const { start, below, number, length } = chunk;
  const uniforms = uniformsOf(context, stage, code);
  const scans = finishing.map((component): Begun => ({ ...begun(code, component), origin: u32(0) }));
  for (const scan of scans)
    addChunks(code, scan, totalsOf(context, scan.component), { count: number, length, inside: false });
  const totals = starting.map((component): Begun => ({ ...begun(code, component), origin: start }));
  const bins = binsFor(context, code, sinksAt(context.plan, stage, ["item"]));
  const plain = { carrying: undefined, nexts: new Map(), ends: new Map() };
  const loop: Loop = { ...context, ...plain, uniforms, bins: bins.arrays };
  items(loop, stage, code, { from: start, below, states: [...scans, ...totals] });
  bins.flush(code);
  storeLate(context, code, chunk, scans);
  const store = (inner: Code): void => {
    for (const one of totals) storeTotal(context, inner, chunk, one);
  };
  if (!next) {
    store(code);
    return;
  }
  const byNode = new Map(
    totals.flatMap((one) => one.component.nodes.map(({ id }) => [id, one.state.latest] as const)),
  );
  const resultsOf = ({ nodes }: Component): readonly Expr[] => byNode.get(nodes[0]?.id as NodeId) ?? [];
  code.if(
    binary("le", context.geometry.n, length.items),
    (whole) => {
      const written = materializedValues(context.plan, next.stage);
      writeResults({ ...context, written }, whole, next, { uniforms: new Map(uniforms), resultsOf });
    },
    store,
  );
}

interface Items {
  readonly from: Expr;
  readonly below: Expr;
  readonly states: readonly Begun[];
}

function items(loop: Loop, stage: number, code: Code, { from, below, states }: Items): void {
  const placeOf = (body: Code, { origin }: Begun, i: Expr): Expr =>
    origin.kind === "const" ? i : body.let("place", sub(i, origin));
  const single = (body: Code, i: Expr): void => {
    const pushing = states.map((one) => pushingAt(one, placeOf(body, one, i)));
    item(loop, stage, body, loop.geometry.place(i), { states: pushing, ranks: [] });
  };
  const several = (body: Code, first: Expr): void => {
    const started = states.map((one): Starting => ({ ...one, start: placeOf(body, one, first) }));
    severalItems(loop, stage, body, first, { states: started, ranks: [] });
  };
  eachOf(code, { from, below }, single, unrolls(loop.checked, states) ? several : undefined);
}

/** The last chunk has the prefix of the whole range, which is the result of a reduce. */
function storeLate({ storage, late }: Context, code: Code, { isLast }: Chunk, scans: readonly Begun[]): void {
  const results = [...late].flatMap(([reduce, scan]) => {
    const found = scans.flatMap(({ component, state }) =>
      component.nodes.filter(({ id }) => id === scan).map((node) => state.latest[fieldOf(node)] as Expr),
    );
    return found.map((value) => ({ home: storage.home(reduce), value }));
  });
  if (results.length === 0) return;
  code.if(isLast, (last) => {
    for (const { home, value } of results) if (home) last.store(home, 0, value);
  });
}
