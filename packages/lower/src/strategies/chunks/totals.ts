/**
 * Totals of chunks in device memory. The total of a whole chunk is that of a block of the order of floats. The last chunk may be shorter:
 * then the totals of its blocks follow those of the chunks, by log2 of their sizes.
 */
import { isScan } from "@groupwise/ir/document/collectives.js";
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, and, binary, ne, sub } from "@groupwise/kernel/language/make-expr.js";
import { type RunningItems, running } from "../../loops/counter.ts";
import type { Progress } from "../../loops/items.ts";
import type { Component } from "../../parts/components.ts";
import { named } from "../../parts/monoid.ts";
import type { Storage } from "../../parts/storage.ts";
import { SIZES } from "../../parts/strategy.ts";
import {
  makeTileTotals,
  readTileTotals,
  type TileTotals,
  writeTileTotals,
} from "../../work-groups/tile-totals.ts";
import { type ChunkContext, totalsOf } from "./context.ts";
import type { Chunk, Length } from "./shape.ts";

/** Whether a shorter last chunk stores the totals of its blocks: only reduces need them. */
const hasBlocks = ({ monoid, nodes }: Component): boolean =>
  !monoid.reassociable && nodes.some((node) => !isScan(node));

/** The array for the totals of a component. @param most chunks */
export const makeTotals = (component: Component, storage: Storage, most: number): TileTotals =>
  makeTileTotals(component, storage, most + (hasBlocks(component) ? SIZES : 0), "totals");

/** Stores the total of a chunk. */
export function storeTotal(
  context: ChunkContext,
  code: Code,
  chunk: Chunk,
  { component, state }: Progress,
): void {
  const totals = totalsOf(context, component);
  writeTileTotals(code, [totals], chunk.number, state.latest);
  const { blocks } = state;
  if (!blocks || !hasBlocks(component)) return;
  code.if(binary("lt", sub(chunk.below, chunk.start), chunk.length.items), (short) =>
    short.for("level", 0, SIZES, (body, level) => {
      const total = named(body, component.monoid, "block", body.loadAll(blocks.totals, level));
      writeTileTotals(body, [totals], add(level, context.chunks.most), total);
    }),
  );
}

/** Adds whole chunks, from the first one on. @param inside whether there are totals of so many, for a reason that the kernel does not show */
export function addChunks(
  code: Code,
  { component, state }: Progress,
  totals: TileTotals,
  { count, length, inside }: { readonly count: Expr; readonly length: Length; readonly inside: boolean },
): void {
  code.for("earlier", 0, count, (body, earlier) => {
    const read = readTileTotals(body, [{ ...totals, component }], earlier, inside);
    const total = named(body, component.monoid, "of_chunk", read);
    const end = body.let("end", binary("shl", add(earlier, 1), length.shift));
    state.pushBlock(body, sub(end, 1), total, length.shift);
  });
}

/** The combination of all items. */
export function foldChunks(
  context: ChunkContext,
  code: Code,
  component: Component,
  length: Length,
): RunningItems {
  const { n } = context.geometry;
  const totals = totalsOf(context, component);
  const state = running(code, component.monoid, `${component.name}_so_far`);
  const rest = and(n, sub(length.items, 1));
  const whole = code.let("whole", binary("shr", n, length.shift));
  // The length is the least power of two for which there are at most as many chunks as totals.
  addChunks(code, { component, state }, totals, { count: whole, length, inside: true });
  if (component.monoid.reassociable) {
    code.if(ne(rest, 0), (short) => {
      // A chunk that is not whole is one of those for which there are totals.
      const total = readTileTotals(short, [{ ...totals, component }], whole, true);
      state.push(short, whole, total);
    });
    return state;
  }
  const end = code.var("end", binary("shl", whole, length.shift));
  code.for("step", 0, SIZES, (body, step) => {
    const level = body.let("level", and(sub(SIZES - 1, step), SIZES - 1));
    const size = body.let("size", binary("shl", 1, level));
    body.if(ne(and(rest, size), 0), (inner) => {
      const at = add(level, context.chunks.most);
      const read = readTileTotals(inner, [{ ...totals, component }], at);
      const total = named(inner, component.monoid, "block", read);
      inner.assign(end, add(end, size));
      state.pushBlock(inner, sub(end, 1), total, level);
    });
  });
  return state;
}
