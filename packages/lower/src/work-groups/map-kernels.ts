/** Passes without collectives: four items to a work-item, or two of 64 bits, as vector loads and stores. */
import { type Formula, formula } from "@groupwise/ir/base/formula.js";
import type { NodeId } from "@groupwise/ir/document/node.js";
import { operandsOf } from "@groupwise/ir/document/operands.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, and, lt, mul, sub } from "@groupwise/kernel/language/make-expr.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import { ROW, type RowWidth } from "@groupwise/kernel/language/stmt.js";
import { HEAVY, isLong, type Shared, sharedIn, shareIn } from "../parts/shared.ts";
import { siteAt } from "../parts/site.ts";
import { SiteValues } from "../parts/values.ts";
import { computedFor } from "../schedule/computed.ts";
import { type GroupContext, makeKernel, toExpr } from "./context.ts";
import { roundsAt } from "./group-kernel.ts";
import { rootsOf, rowWidth, type Sinks, sinksOf, writeItem, writeRow } from "./row.ts";

/** Maximum number of operations of an item: with more, computing takes longer than memory accesses, and four items make the text four times as long. */
const LIGHT = 32;
/** Items of a work-item that computes once what they share. */
const BLOCK = 2 * ROW;

/** True for a pass over these nodes that is bound by memory. */
export function isLight({ checked, capabilities, written }: GroupContext, roots: readonly NodeId[]): boolean {
  let operations = 0;
  for (const node of computedFor(checked.pipeline.nodes, roots, written)) {
    const isNative = !isLong(node) && capabilities.scalars[checked.types[node.id] as Scalar] === "native";
    if (operandsOf(node).length > 0) operations += isNative ? 1 : HEAVY;
    if (operations > LIGHT) return false;
  }
  return true;
}

/** The number of full vectors. */
export const fullRows = (): Formula => formula("floor-div", "n", ROW);

/**
 * The full vectors, or blocks of eight items that share most of what they compute, and a kernel for the items after them. Undefined if one item to a
 * work-item is better, or a collective of a work-group needs it.
 */
export function mapKernels(context: GroupContext, stage: number): Kernel[] | undefined {
  if (context.geometry.dimensions > 1 || roundsAt(context, stage).length > 0) return undefined;
  const sinks = sinksOf(context, stage, []);
  if (sinks.rows.length === 0) return undefined;
  const roots = rootsOf(sinks);
  const light = isLight(context, roots);
  const shared = light ? undefined : sharedIn(context, roots, BLOCK);
  if (!light && !shared) return undefined;
  const { workGroupSize } = context.tiling;
  const width = shared ? ROW : rowWidth(context.storage);
  const [length, what] = shared ? [BLOCK, "block"] : [width, rowTail(width).what];
  const blocks = formula("floor-div", "n", length);
  const frame = {
    ...{ hint: "map", workGroupSize, groups: formula("ceil-div", blocks, workGroupSize) },
    doc: [shared ? SHARED_DOC : `${width} items to a work-item, as one vec${width}.`],
  };
  const map = makeKernel(context, frame, ({ code, lanes, group }) => {
    const row = code.let(shared ? "block" : "row", add(mul(group, workGroupSize), lanes.lane));
    code.if(lt(row, toExpr(context, blocks)), (then) => {
      const base = then.let("base", mul(row, length));
      if (shared) writeBlock(context, then, { base, sinks, shared });
      else writeRow(context, then, { base, width, sinks });
    });
  });
  return [map, tailOf(context, { hint: "map_tail", what, size: length, workGroupSize: length }, sinks)];
}
const SHARED_DOC = `${BLOCK} items to a work-item, which computes once what they share, and stores them as vec4s.`;

/** Writes the items of a block. */
function writeBlock(
  context: GroupContext,
  code: Code,
  { base, sinks, shared }: { readonly base: Expr; readonly sinks: Sinks; readonly shared: Shared },
): void {
  const knownAt = shareIn(shared, new SiteValues(siteAt(context, base)), code);
  const known = new Set(knownAt(0).keys());
  for (let from = 0; from < BLOCK; from += ROW)
    writeRow(context, code, {
      ...{ base: from === 0 ? base : code.let("base", add(base, from)), sinks, known },
      set: (values, j) => {
        for (const [id, value] of knownAt(from + j)) values.set(id, value);
      },
    });
}

/** What follows the last full block of items: a vec4 or a tile. */
interface Tail {
  readonly hint: string;
  /** The name of such a block. */
  readonly what: string;
  /** Items of a block, a power of two. */
  readonly size: number;
  readonly workGroupSize: number;
}
export const rowTail = (width: RowWidth = ROW): Omit<Tail, "hint"> => ({
  what: `vec${width}`,
  size: width,
  workGroupSize: width,
});

/** The items after the last full block, by a kernel of their own. */
export function tailOf(
  context: GroupContext,
  { hint, what, size, workGroupSize }: Tail,
  sinks: Sinks,
): Kernel {
  const doc = [`The items after the last full ${what}.`];
  const rest = formula("sub", "n", formula("mul", formula("floor-div", "n", size), size));
  const isOne = size <= workGroupSize;
  const groups = isOne ? formula("min", rest, 1) : formula("ceil-div", rest, workGroupSize);
  const frame = { hint, doc, workGroupSize, groups };
  const tail = makeKernel(context, frame, ({ code, lanes: { lane }, group }) => {
    const count = code.let("count", and(context.n, size - 1));
    const at = isOne ? lane : code.let("at", add(mul(group, workGroupSize), lane));
    code.if(lt(at, count), (then) => {
      const item = then.let("i", add(sub(context.n, count), at));
      writeItem(context, then, new SiteValues(siteAt(context, item)), sinks);
    });
  });
  return { ...tail, isIndependent: true };
}
