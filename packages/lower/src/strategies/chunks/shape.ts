/** The division of a range into chunks: a power of two of items each, so that a whole chunk is a block of the order of floats. */
import { type Formula, formula } from "@groupwise/ir/base/formula.js";
import type { CoreChunks } from "@groupwise/kernel/capabilities/chunks.js";
import { Code } from "@groupwise/kernel/language/build.js";
import type { Expr, ParamExpr } from "@groupwise/kernel/language/expr.js";
import { add, and, binary, builtin, lt, sub, u32, unary } from "@groupwise/kernel/language/make-expr.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import { toExpr } from "../../work-groups/context.ts";
import type { ChunkContext } from "./context.ts";

/** The number of work-items of a pass over chunks; those past the last chunk do nothing. */
export const workItems = ({ most, least }: CoreChunks): Formula =>
  formula("min", most, formula("ceil-div", "n", least));
/** The same for a pass that computes a result of the whole range, also of an empty one. */
export const someWorkItems = (chunks: CoreChunks): Formula => formula("max", 1, workItems(chunks));
/** The passes for totals leave out the last chunk: only later chunks need a total. */
export const earlierWorkItems = (chunks: CoreChunks): Formula => formula("sub", someWorkItems(chunks), 1);
/** 1 if there is more than one chunk. */
export const severalChunks = (chunks: CoreChunks): Formula => formula("min", 1, earlierWorkItems(chunks));

/** The length of chunks. */
export interface Length {
  readonly items: Expr;
  /** log2 of it. */
  readonly shift: Expr;
}

/** The least power of two for which there are at most `most` chunks. Of an empty range it is some power of two. */
export function lengthOf(code: Code, n: ParamExpr, { most, least }: CoreChunks): Length {
  const share = binary("shr", sub(n, 1), Math.log2(most));
  const bits = sub(32, unary("clz", share));
  const shift = code.let("shift", binary("max", bits, Math.log2(least)));
  return { shift, items: code.let("length", binary("shl", 1, shift)) };
}

/** One chunk in the kernel of its work-item. */
export interface Chunk {
  readonly number: Expr;
  readonly length: Length;
  /** The first item. */
  readonly start: Expr;
  /** The end: the last chunk may be shorter. */
  readonly below: Expr;
  /** True for the last chunk. */
  readonly isLast: Expr;
}

interface Frame {
  readonly hint: string;
  readonly doc: readonly string[];
  readonly groups: Formula;
}

/** A kernel of one work-item in each work-group: no barriers, no work-group memory. */
export function loopKernel(
  context: ChunkContext,
  { hint, doc, groups }: Frame,
  fill: (code: Code, number: Expr) => void,
): Kernel {
  const name = context.names.fresh(hint);
  const code = new Code(context.names.fork());
  if (groups === 1) fill(code, u32(0));
  else {
    const number = code.let("chunk", builtin("group-id"));
    if (context.surplusGroups) code.if(lt(number, toExpr(context, groups)), (inner) => fill(inner, number));
    else fill(code, number);
  }
  return { name, doc, workGroupSize: 1, groups, shared: [], body: code.stmts };
}

/** The kernel of a pass over chunks. @param isLastNeeded false if only whole chunks before others do something */
export function chunkKernel(
  context: ChunkContext,
  { isLastNeeded, ...frame }: Frame & { readonly isLastNeeded: boolean },
  fill: (code: Code, chunk: Chunk) => void,
): Kernel {
  const { n } = context.geometry;
  return loopKernel(context, frame, (code, number) => {
    const length = lengthOf(code, n, context.chunks);
    const start = code.let("start", binary("shl", number, length.shift));
    const isBefore = lt(length.items, sub(n, start));
    const exists = isLastNeeded ? lt(start, binary("max", n, 1)) : and(lt(start, n), isBefore);
    code.if(exists, (inner) => {
      const count = isLastNeeded ? binary("min", length.items, sub(n, start)) : length.items;
      const below = inner.let("below", add(start, count));
      fill(inner, { number, length, start, below, isLast: binary("eq", below, n) });
    });
  });
}
