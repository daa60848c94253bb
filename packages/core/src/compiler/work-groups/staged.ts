/**
 * Scatters of consecutive slots: the values of a tile are gathered in work-group memory, each at its slot modulo the tile's size,
 * and written in the order of the slots, so that neighbouring work-items write neighbours.
 */
import type { ScatterNode, SinkNode } from "../../ir/document/node.ts";
import type { Scalar } from "../../ir/tables/scalar.ts";
import type { ArrayRef, Code } from "../kernel/build.ts";
import type { Expr } from "../kernel/expr.ts";
import { add, and, binary, eq, lt, mul, select, u32 } from "../kernel/make-expr.ts";
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

/** Tiles of a kernel, one after the other. */
export interface StagedTiles {
  /** Items of a tile, a power of two. */
  readonly size: number;
  /** Which tile it is, where there are several: two in turn are in memory, if there is enough. */
  readonly turn?: Expr;
}

/** The number of the first slot of a tile, and of the one behind its last. */
const FIRST = 0;
const END = 1;

export class Stage {
  private readonly context: Context;
  private readonly lanes: Lanes;
  private readonly size: number;
  private readonly turn: Expr | undefined;
  private readonly isDouble: boolean;
  private readonly staged: readonly Staged[];
  /** FIRST and END of each scatter, of one or two tiles. */
  private readonly slots: ArrayRef<"work-group">;

  /** Undefined where no scatter has consecutive slots and fits. Other work-group memory of the kernel must be taken before. */
  static of(
    context: Context,
    lanes: Lanes,
    sinks: readonly SinkNode[],
    tiles: StagedTiles,
  ): Stage | undefined {
    const fitting = fittingOf(context, lanes, sinks, tiles);
    return fitting.sinks.length > 0 ? new Stage(context, lanes, tiles, fitting) : undefined;
  }

  private constructor(
    context: Context,
    lanes: Lanes,
    { size, turn }: StagedTiles,
    { sinks, isDouble }: Fitting,
  ) {
    this.context = context;
    this.lanes = lanes;
    this.size = size;
    this.turn = turn;
    this.isDouble = isDouble;
    const tiles = isDouble ? 2 : 1;
    this.staged = sinks.map(({ sink, rank }) => {
      const type = context.checked.types[sink.id] as Scalar;
      return { sink, rank, array: lanes.shared.make(`${sink.name}_tile`, type, size * tiles) };
    });
    this.slots = lanes.shared.make("tile_slots", "u32", 2 * sinks.length * tiles);
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
      if (isFirst) code.if(isFirst, (one) => one.store(this.slots, this.slotAt(i, FIRST), before));
      if (isLast) code.if(isLast, (one) => one.store(this.slots, this.slotAt(i, END), after));
    });
  }

  /** Writes the tile, when all of its items are put. */
  write(code: Code): void {
    const { context, lanes, staged } = this;
    const values = new Values(siteAt(context, u32(0)));
    code.barrier();
    staged.forEach(({ sink, rank, array }, i) => {
      const first = code.let("first_slot", code.load(this.slots, this.slotAt(i, FIRST)));
      const end = code.let("end_slot", code.load(this.slots, this.slotAt(i, END)));
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
    // The next tile but one comes after the next one's barrier.
    if (this.turn && !this.isDouble) code.barrier();
  }

  private get part(): Expr {
    return this.isDouble && this.turn ? and(this.turn, u32(1)) : u32(0);
  }

  private at(slot: Expr): Expr {
    return add(mul(this.part, u32(this.size)), and(slot, u32(this.size - 1)));
  }

  private slotAt(i: number, end: number): Expr {
    return add(mul(this.part, u32(2 * this.staged.length)), u32(2 * i + end));
  }
}

interface Fitting {
  readonly sinks: readonly { readonly sink: ScatterNode; readonly rank: Rank }[];
  readonly isDouble: boolean;
}

/** The scatters that fit into half of the memory, in the order of the document. */
function fittingOf(
  context: Context,
  { shared }: Lanes,
  sinks: readonly SinkNode[],
  tiles: StagedTiles,
): Fitting {
  const { capabilities, checked, plan } = context;
  const limit = capabilities.workGroupMemory;
  const free = Math.min(limit / 2, limit - sharedNeed(capabilities, shared.arrays));
  const found: Fitting["sinks"][number][] = [];
  let need = 0;
  for (const sink of sinks) {
    const rank = plan.latency.ranks?.get(sink.id);
    if (sink.kind !== "scatter" || !rank) continue;
    const bytes = tiles.size * sharedBytes(capabilities, checked.types[sink.id] as Scalar) + 2 * SLOT_BYTES;
    if (need + bytes > free) continue;
    need += bytes;
    found.push({ sink, rank });
  }
  return { sinks: found, isDouble: tiles.turn !== undefined && 2 * need <= free };
}

const SLOT_BYTES = 4;
