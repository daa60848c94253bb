/** The writes of look-back kernels for their items. */
import type { Checked } from "@groupwise/ir/document/check.js";
import type { NodeId } from "@groupwise/ir/document/node.js";
import { firstElementOf } from "@groupwise/ir/slots/in-chunk.js";
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, and, binary, eq, lt, mul, select, sub } from "@groupwise/kernel/language/make-expr.js";
import { siteAt } from "../../parts/site.ts";
import { SiteValues } from "../../parts/values.ts";
import { computedFor } from "../../schedule/computed.ts";
import type { GroupContext } from "../../work-groups/context.ts";
import { rootsOf, type Sinks, sinksOf, writeItem, writeRow } from "../../work-groups/row.ts";
import { endInPass, ofRange } from "./carried.ts";
import { type Fused, operandIds, type Scan, scansOf } from "./fused.ts";
import { sizesOf } from "./shape.ts";
import { type KnownValue, knownOf, type RowPrefixes, type TileMemory } from "./tile.ts";

/** The prefixes before and after an item. */
interface ItemPrefixes {
  /** Whether it is the first item of the range; undefined if it never is. */
  readonly isFirst: Expr | undefined;
  readonly before: readonly Expr[];
  readonly after: readonly Expr[];
}

/** A node's value, the same for all items. */
interface Constant {
  readonly id: NodeId;
  readonly value: Expr;
}

export class Writer {
  private readonly context: GroupContext;
  private readonly fused: Fused;
  private readonly scans: readonly Scan[];
  private readonly sinks: Sinks;
  private readonly known: readonly KnownValue[];
  private readonly constants: readonly Constant[];

  /** @param first the prefix before the chunk */
  constructor(context: GroupContext, stage: number, fused: Fused, first: readonly Expr[] | undefined) {
    this.context = context;
    this.fused = fused;
    this.scans = scansOf(fused);
    const ids = this.scans.map(({ id }) => id);
    this.sinks = sinksOf(context, stage, ids);
    this.known = knownOf(fused, context.checked);
    this.constants = first ? startsOf(context.checked, this.scans, first) : [];
  }

  /** Whether outputs need the operands themselves. */
  get needsOperands(): boolean {
    const { nodes } = this.context.checked.pipeline;
    const operands = new Set(operandIds(this.fused));
    const computed = [...computedFor(nodes, rootsOf(this.sinks), this.context.written)];
    return computed.some(({ id }) => operands.has(id));
  }

  /** Writes the outputs of a row of a full tile. */
  row(code: Code, base: Expr, { items, before, after }: RowPrefixes): void {
    const { constants } = this;
    const known = items ? this.known : [];
    const { start, shape } = this.fused.status;
    const set = (values: SiteValues, j: number): void => {
      for (const { id, value } of constants) values.set(id, value);
      for (const { id, from } of known) values.set(id, from(items?.[j] as Expr[]));
      this.setScans(code, values, {
        isFirst: j === 0 ? isFirst(base, start) : undefined,
        before: before[j] as Expr[],
        after: after[j] as Expr[],
      });
    };
    const found = new Set<NodeId>([...this.sinks.scans, ...[...known, ...constants].map(({ id }) => id)]);
    writeRow(this.context, code, { base, width: shape.width, sinks: this.sinks, known: found, set });
  }

  /** Writes the outputs of the existing items of a row. */
  some(code: Code, base: Expr, { before, after }: RowPrefixes): void {
    const { context, fused } = this;
    const { monoid, start } = fused.status;
    const { types } = monoid;
    const bounds = [...before, after.at(-1) as readonly Expr[]];
    const arrays = types.map((type, c) => {
      const array = code.array("prefixes", type, bounds.length);
      bounds.forEach((values, j) => {
        code.store(array, j, values[c] as Expr);
      });
      return array;
    });
    if (fused.status.shape.isLastSeparate)
      storeEnd(code, fused, code.let("last", sub(sub(context.n, 1), base)), arrays);
    const at = (body: Code, index: Expr): Expr[] => arrays.map((array) => body.load(array, index));
    code.for("k", 0, before.length, (body, k) => {
      const item = body.let("i", add(base, k));
      body.if(lt(item, context.n), (inner) => {
        const values = new SiteValues(siteAt(context, item));
        for (const { id, value } of this.constants) values.set(id, value);
        const upTo = at(inner, add(k, 1));
        this.setScans(inner, values, { isFirst: isFirst(item, start), before: at(inner, k), after: upTo });
        writeItem(context, inner, values, this.sinks, true);
        inner.if(eq(item, sub(context.n, 1)), (one) => {
          leaveTotals(context, fused, one, ofRange(one, fused.status, upTo));
        });
      });
    });
  }

  /** If no items follow the last full tile, its end is that of the range. */
  totals(code: Code, lane: Expr, tile: Expr, memory: TileMemory): void {
    const { shape, n } = this.fused.status;
    const isEnd = eq(mul(add(tile, 1), sizesOf(shape).items), n);
    code.if(and(eq(lane, 0), isEnd), (one) => {
      const ends = memory.prefixes.map((array) => one.load(array as ArrayRef, sizesOf(shape).blocks));
      leaveTotals(this.context, this.fused, one, ofRange(one, this.fused.status, ends));
    });
  }

  /** Sets the values of the scans of an item. */
  private setScans(code: Code, values: SiteValues, { isFirst, before, after }: ItemPrefixes): void {
    const { monoid } = this.fused.status;
    for (const { id, inclusive, at } of this.scans) {
      const own = before[at] as Expr;
      const identity = monoid.identity[at] as Expr;
      const exclusive = (): Expr =>
        monoid.reassociable || !isFirst ? own : code.let("exclusive", select(isFirst, identity, own));
      values.set(id, inclusive ? (after[at] as Expr) : exclusive());
    }
  }
}

/** The numbers of elements before the chunk, which scans begin with: those that items read of the state. */
function startsOf(
  { pipeline: { nodes }, counted }: Checked,
  scans: readonly Scan[],
  first: readonly Expr[],
): readonly Constant[] {
  const found = new Map(scans.map(({ id, at }) => [counted?.get(id), first[at] as Expr]));
  return nodes.flatMap((node) => {
    const table = node.kind === "gather" ? firstElementOf(nodes, node) : undefined;
    const value = table === undefined ? undefined : found.get(table);
    return value ? [{ id: node.id, value }] : [];
  });
}

/** Whether an item is the first of the range. @param start the place of its chunk */
const isFirst = (item: Expr, start: Expr | undefined): Expr =>
  eq(start ? binary("or", item, start) : item, 0);

/** The last item may end a block that begins before the chunk, which the order combines first. @param last its number in the row, or more */
const storeEnd = (code: Code, { status }: Fused, last: Expr, after: readonly ArrayRef[]): void =>
  code.if(lt(last, status.shape.width), (then) => {
    then.storeAll(after, add(last, 1), endInPass(then, status));
  });

/** Stores the totals of the range. @param values of all of the monoid */
export function leaveTotals(
  { storage }: GroupContext,
  { totals }: Fused,
  code: Code,
  values: readonly Expr[],
): void {
  for (const { id, at } of totals) code.store(storage.home(id) as ArrayRef, 0, values[at] as Expr);
}
