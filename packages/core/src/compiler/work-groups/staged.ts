/**
 * Scatters of consecutive slots: the values of a tile are gathered in work-group memory, each at its slot modulo the tile's size,
 * and written in the order of the slots, so that neighbouring work-items write neighbours.
 */
import type { ScatterNode, SinkNode } from "../../ir/document/node.ts";
import type { Scalar } from "../../ir/tables/scalar.ts";
import type { ArrayRef, Code } from "../kernel/build.ts";
import type { Expr } from "../kernel/expr.ts";
import { add, and, binary, eq, lt, select, u32 } from "../kernel/make-expr.ts";
import { sharedBytes, sharedNeed } from "../memory.ts";
import { siteAt } from "../parts/site.ts";
import { Values } from "../parts/values.ts";
import type { Rank } from "../ranks/ranks.ts";
import type { Context } from "./context.ts";
import type { Lanes } from "./lanes.ts";

/** A scatter, and the memory of its values. */
interface Staged {
  readonly sink: ScatterNode;
  readonly rank: Rank;
  readonly array: ArrayRef<"work-group">;
}

/** An item of a tile; whether it is the first or the last of them, where it may be. */
export interface StagedItem {
  readonly values: Values;
  readonly isFirst?: Expr;
  readonly isLast?: Expr;
}

/** The number of the first slot of a tile, and of the one behind its last. */
const FIRST = 0;
const END = 1;

export class Stage {
  private readonly context: Context;
  private readonly lanes: Lanes;
  private readonly size: number;
  private readonly staged: readonly Staged[];
  /** FIRST and END of each scatter. */
  private readonly slots: ArrayRef<"work-group">;

  /**
   * Undefined where no scatter has consecutive slots and fits. Other work-group memory of the kernel must be taken before.
   * @param size items of a tile, a power of two
   */
  static of(context: Context, lanes: Lanes, sinks: readonly SinkNode[], size: number): Stage | undefined {
    const ranked = fittingOf(context, lanes, sinks, size);
    return ranked.length > 0 ? new Stage(context, lanes, size, ranked) : undefined;
  }

  private constructor(context: Context, lanes: Lanes, size: number, ranked: readonly Ranked[]) {
    this.context = context;
    this.lanes = lanes;
    this.size = size;
    this.staged = ranked.map(({ sink, rank }) => {
      const type = context.checked.types[sink.id] as Scalar;
      return { sink, rank, array: lanes.shared.make(`${sink.name}_tile`, type, size) };
    });
    this.slots = lanes.shared.make("tile_slots", "u32", 2 * ranked.length);
  }

  has(sink: SinkNode): boolean {
    return this.staged.some((one) => one.sink.id === sink.id);
  }

  /** Takes the values of an item. */
  put(code: Code, { values, isFirst, isLast }: StagedItem): void {
    this.staged.forEach(({ sink, rank: { where, skipped }, array }, i) => {
      const [value, slot] = [values.get(sink.value, code), values.get(sink.slot, code)];
      const writes = values.get(where, code);
      code.if(writes, (then) => then.store(array, this.at(slot), value));
      const next = add(slot, u32(1));
      const before = skipped ? select(writes, slot, next) : slot;
      const after = skipped ? next : add(slot, select(writes, u32(1), u32(0)));
      if (isFirst) code.if(isFirst, (one) => one.store(this.slots, slotAt(i, FIRST), before));
      if (isLast) code.if(isLast, (one) => one.store(this.slots, slotAt(i, END), after));
    });
  }

  /** Writes the tile, when all of its items are put. */
  write(code: Code): void {
    const { context, lanes, staged } = this;
    const values = new Values(siteAt(context, u32(0)));
    code.barrier();
    staged.forEach(({ sink, rank, array }, i) => {
      const first = code.let("first_slot", code.load(this.slots, slotAt(i, FIRST)));
      const end = code.let("end_slot", code.load(this.slots, slotAt(i, END)));
      const most = code.named("most", context.storage.endOf(sink, values, code, rank.total !== undefined));
      const output = context.storage.arrayOf(sink);
      code.for(
        "slot",
        add(first, lanes.lane),
        binary("min", end, most),
        (body, slot) => body.store(output, slot, body.load(array, this.at(slot))),
        lanes.size as number,
      );
      code.if(and(eq(lanes.lane, u32(0)), lt(most, end)), (past) => context.storage.flag(sink, past));
    });
  }

  private at(slot: Expr): Expr {
    return and(slot, u32(this.size - 1));
  }
}

/** The place of an end of the i-th scatter. */
const slotAt = (i: number, end: number): Expr => u32(2 * i + end);

type Ranked = Pick<Staged, "sink" | "rank">;
const SLOT_BYTES = 4;

/** The scatters that fit into the memory that is left, in the order of the document. */
function fittingOf(context: Context, { shared }: Lanes, sinks: readonly SinkNode[], size: number): Ranked[] {
  const { capabilities, checked, plan } = context;
  let free = capabilities.workGroupMemory - sharedNeed(capabilities, shared.arrays);
  return sinks.flatMap((sink): Ranked[] => {
    const rank = plan.latency.ranks?.get(sink.id);
    if (sink.kind !== "scatter" || !rank) return [];
    const bytes = size * sharedBytes(capabilities, checked.types[sink.id] as Scalar) + 2 * SLOT_BYTES;
    if (bytes > free) return [];
    free -= bytes;
    return [{ sink, rank }];
  });
}
