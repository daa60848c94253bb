/**
 * A pass for scatters of few slots. A stride of work-groups covers the items; each combines values in bins of its own, and
 * then adds the bins that are not the identity to the outputs: the number of atomics on device memory does not grow with the number of items.
 */
import { type Formula, formula } from "@groupwise/ir/base/formula.js";
import { operandsOf } from "@groupwise/ir/document/operands.js";
import { OPS } from "@groupwise/ir/tables/op.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { ConstExpr, Expr } from "@groupwise/kernel/language/expr.js";
import { add, and, binary, constant, lt, mul, ne, u32 } from "@groupwise/kernel/language/make-expr.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import { ROW } from "@groupwise/kernel/language/stmt.js";
import { siteAt } from "../parts/site.ts";
import { SiteValues } from "../parts/values.ts";
import { type GroupContext, type KernelParts, makeKernel, toExpr } from "../work-groups/context.ts";
import { fullRows, isLight, rowTail, tailOf } from "../work-groups/map-kernels.ts";
import { rowOf } from "../work-groups/row.ts";
import { type Binned, binWords } from "./binned.ts";

/** Neighbouring work-items combine in different copies: equal slots, as in skewed data, collide less. A power of two. */
const MOST_COPIES = 8;
/** Work-items of a dispatch, enough to fill a large device. */
const WORK_ITEMS = 2 ** 18;
/** Minimum number of items of a work-item. */
const LEAST_ITEMS = 16;
/** Minimum number of items that a work-group reads for each bin that it writes, so that bins are at most an eighth of what it reads. */
const ITEMS_PER_BIN = 8;

/** The bins of one scatter. */
interface Bins extends Binned {
  readonly type: Scalar;
  readonly array: ArrayRef<"work-group">;
  readonly identity: ConstExpr;
}

/** Twice that of other passes, where the device allows it: half as many work-groups add their bins to the outputs. */
const sizeFor = ({ tiling, capabilities }: GroupContext): number =>
  2 * tiling.workGroupSize <= capabilities.maxWorkGroupSize ? 2 * tiling.workGroupSize : tiling.workGroupSize;

export function binKernels(context: GroupContext, binned: readonly Binned[]): Kernel[] {
  const workGroupSize = sizeFor(context);
  const words = binned.reduce((sum, { slots }) => sum + slots, 0);
  const copies = Math.min(MOST_COPIES, 2 ** Math.floor(Math.log2(binWords(context.capabilities) / words)));
  const roots = binned.flatMap(({ sink }) => operandsOf(sink));
  const inRows = context.geometry.dimensions === 1 && isLight(context, roots);
  const [width, count]: [number, Formula] = inRows ? [ROW, fullRows()] : [1, "n"];
  const items = Math.max(LEAST_ITEMS, Math.ceil((ITEMS_PER_BIN * words) / workGroupSize));
  const groups = formula(
    "min",
    formula("ceil-div", count, Math.ceil(items / width) * workGroupSize),
    Math.ceil(WORK_ITEMS / workGroupSize),
  );
  const doc = [
    `Values combine in bins of the work-group, ${copies === 1 ? "one" : `${copies} copies`} for each slot; then bins combine into the outputs.`,
  ];
  const frame = { hint: "bins", doc, workGroupSize, groups };
  const kernel = makeKernel(context, frame, (parts) => {
    const { code, lanes } = parts;
    const copy = code.let("copy", and(lanes.lane, copies - 1));
    const bins = binned.map((one) => binsOf(context, parts, one, copies));
    for (const { array, identity, slots } of bins)
      each(parts, "bin", slots * copies, (body, i) => body.store(array, i, identity));
    code.barrier();
    const write = (body: Code, values: SiteValues): void => {
      for (const { sink, array } of bins) {
        const at = (slot: Expr): Expr => add(mul(slot, copies), copy);
        context.storage.write(sink, values, body, { bins: { array, at } });
      }
    };
    strided(context, parts, { count, groups, workGroupSize }, (body, i) => {
      if (!inRows) return write(body, new SiteValues(siteAt(context, i)));
      const base = body.let("base", mul(i, ROW));
      for (const values of rowOf(context, body, { base, roots })) write(body, values);
    });
    code.barrier();
    for (const one of bins) flush(parts, one, copies);
  });
  if (!inRows) return [kernel];
  const sinks = binned.map(({ sink }) => sink);
  const none = { scans: [], rows: [], groups: [] };
  return [kernel, tailOf(context, { hint: "bins_tail", ...rowTail() }, { ...none, items: sinks })];
}

function binsOf(
  { checked }: GroupContext,
  { lanes: { shared } }: KernelParts,
  binned: Binned,
  copies: number,
): Bins {
  const { sink, slots } = binned;
  const type = checked.types[sink.id] as Scalar;
  const array = shared.make(`${sink.name}_bins`, type, slots * copies);
  return { ...binned, type, array, identity: constant(type, OPS[sink.combine].identity(type)) };
}

/** A loop of the work-group's lanes over numbers below a bound. */
const each = (
  { code, lanes: { lane, size } }: KernelParts,
  hint: string,
  below: number,
  body: (code: Code, i: Expr) => void,
): void => code.for(hint, lane, below, body, size as number);

interface Grid {
  readonly count: Formula;
  readonly groups: Formula;
  readonly workGroupSize: number;
}

/** A loop of all lanes of the dispatch over the items, or their vec4s. */
function strided(
  context: GroupContext,
  { code, lanes, group }: KernelParts,
  { count, groups, workGroupSize }: Grid,
  visit: (code: Code, i: Expr) => void,
): void {
  const size = u32(workGroupSize);
  const below = code.named("rows", toExpr(context, count));
  const stride = code.let("stride", mul(toExpr(context, groups), size));
  const i = code.var(count === "n" ? "item" : "row", add(mul(group, size), lanes.lane));
  code.while(lt(i, below), (body) => {
    visit(body, i);
    body.assign(i, add(i, stride));
  });
}

/** Adds up the copies of each bin, and the bin to the output. */
function flush(parts: KernelParts, { sink, type, slots, array, identity }: Bins, copies: number): void {
  const output = { space: "storage", name: sink.name, type } as const;
  each(parts, "slot", slots, (body, slot) => {
    const load = (inner: Code, copy: Expr): Expr => inner.load(array, add(mul(slot, copies), copy));
    const bin = body.var("bin", load(body, u32(0)));
    body.for("other", 1, copies, (inner, other) =>
      inner.assign(bin, binary(OPS[sink.combine].elementwise, bin, load(inner, other))),
    );
    body.if(ne(bin, identity), (some) => some.atomic(sink.combine, output, slot, bin));
  });
}
