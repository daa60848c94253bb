/**
 * A scan in one pass over the tiles. Work-groups are persistent and take tiles from a counter. Each
 * publishes the total of its next tile before it waits for what precedes its own: no wait precedes a
 * publish. The items after the last full tile are a tile too, which publishes nothing, or have a kernel of their own.
 */
import { formula } from "@groupwise/ir/base/formula.js";
import type { ArrayRef, Code, SharedArrays } from "@groupwise/kernel/language/build.js";
import type { Expr, VarExpr } from "@groupwise/kernel/language/expr.js";
import {
  add,
  and,
  binary,
  builtin,
  eq,
  lt,
  mul,
  ne,
  sub,
  sub as subtract,
  u32,
  zeroOf,
} from "@groupwise/kernel/language/make-expr.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import { LARGEST_SIZE } from "@groupwise/kernel/library/types/small.js";
import { inEitherWay, smallestIn } from "../../lanes/either-way.ts";
import { type Lanes, placeInSubgroup } from "../../lanes/lanes.ts";
import { hintsFor, variables } from "../../parts/monoid.ts";
import { type GroupContext, makeKernel } from "../../work-groups/context.ts";
import { endOfChunk, firstOfChunk } from "./carried.ts";
import type { Fused } from "./fused.ts";
import { rowByRow, rowsInPairs } from "./rows.ts";
import { prefixBefore, recover, type StartTile, searchHeavy, searchLevels, searchSlots } from "./search.ts";
import {
  allOf,
  blocksAt,
  fullTilesFormula,
  inFirst,
  isFullTile,
  itemsOfLane,
  type LaneTeam,
  publishes,
  RADIX,
  RADIX_BITS,
  sizesOf,
  tilesAt,
  tilesFormula,
} from "./shape.ts";
import {
  firstMissing,
  look,
  NONE,
  publish,
  publishBlocks,
  publishLastBlocks,
  type Seen,
  wait,
} from "./slots.ts";
import {
  type Again,
  blocksOf,
  finishRows,
  type HeldValues,
  type Partials,
  reduceBlocks,
  startBlocks,
  storeAfter,
  TileItems,
  type TileMemory,
  totalOfBlocks,
} from "./tile.ts";
import { leaveTotals, Writer } from "./write.ts";

/** The words that one lane broadcasts: the first missing tile, and the next tile. */
const MISSING = 0;
const NEXT = 1;

export function lookBackKernel(context: GroupContext, stage: number, fused: Fused): Kernel {
  const { shape } = fused.status;
  const doc = [
    `Scan of the ${shape.hasTail ? "full tiles" : "tiles"}, ${shape.size} items each, in ${shape.rows} rows; work-groups take tiles from a counter.`,
    "The aggregates of a tile, of 32 tiles and so on are published once; a prefix combines at most 31 of each level.",
  ];
  const most = formula("min", tilesFormula(shape), fused.groups);
  const groups = writesTotals(fused) ? formula("max", most, 1) : most;
  return makeKernel(
    context,
    { hint: "scan", doc, workGroupSize: shape.workGroupSize, groups, tile: sizesOf(shape).items },
    ({ code, lanes }) => new LookBack(context, stage, fused, code, lanes).fill(code),
  );
}

/** Whether the kernel writes totals of no items, which are identities. */
const writesTotals = ({ totals, status: { shape } }: Fused): boolean => totals.length > 0 && !shape.hasTail;

/** By level, from the highest down: the lowest level's slots are published last. */
const downFrom = <T>(levels: number, make: (level: number) => T): T[] =>
  Array.from({ length: levels }, (_, i) => make(levels - 1 - i)).reverse();

/** A tile whose total is published: its number, the region of its blocks' totals, its total and its operands. */
interface Turn {
  readonly tile: VarExpr;
  readonly region: Expr;
  readonly own: readonly VarExpr[];
  /** What its down-sweep needs of the totals of blocks; nothing where it computes them again. */
  readonly ending: readonly VarExpr[];
  /** Its operands; undefined if what its up-sweep keeps is enough. */
  readonly mine: HeldValues | undefined;
  readonly partials: Partials | undefined;
  /** The size of the smallest value that the block of lanes reads; undefined where that is not tested. */
  readonly smallest: VarExpr | undefined;
}

/** Finds the prefix of a tile, and starts the tile with it. @returns the first slot that is missing, or NONE */
type Search = (code: Code, start: StartTile) => Expr;

class LookBack {
  private readonly context: GroupContext;
  private readonly fused: Fused;
  private readonly team: LaneTeam;
  private readonly memory: TileMemory;
  private readonly broadcast: ArrayRef;
  private readonly items: TileItems;
  private readonly writer: Writer;
  /** The prefix before the chunk. */
  private readonly first: readonly Expr[] | undefined;

  constructor(context: GroupContext, stage: number, fused: Fused, code: Code, lanes: Lanes) {
    this.context = context;
    this.fused = fused;
    this.team = teamOf(code, lanes, fused, true);
    this.memory = memoryOf(lanes.shared, fused);
    this.broadcast = lanes.shared.make("broadcast_words", "u32", NEXT + 1);
    this.items = new TileItems(context, fused, this.team);
    this.first = firstOfChunk(code, fused.status, lanes);
    this.writer = new Writer(context, stage, fused, this.first);
  }

  fill(code: Code): void {
    const { context, fused, team } = this;
    const { n, monoid } = fused.status;
    if (writesTotals(fused))
      code.if(and(eq(team.lane, 0), eq(n, 0)), (one) => leaveTotals(context, fused, one, monoid.identity));
    if (this.team.isSubgroup && !this.fused.status.isHeavy) this.ahead(code);
    else this.inTurn(code);
  }

  /** Publishes the total of the next tile before it waits for those before a tile. */
  private ahead(code: Code): void {
    const { items, team } = this;
    const { status } = this.fused;
    const { monoid, shape } = status;
    const tiles = code.let("tiles", tilesAt(shape, status.n));
    code.comment(
      "each iteration reads the next tile and publishes its total, then finishes the previous tile",
    );
    const tile = code.uniformVar("tile", tiles);
    const next = code.uniformVar("next", u32(0));
    const region = code.uniformVar("region", u32(0));
    const own = variables(code, monoid, "own", monoid.types.map(zeroOf));
    const [partials, nextPartials] = [items.partials(code, "kept"), items.partials(code, "next_kept")];
    const holds = !partials || this.writer.needsOperands;
    const mine = holds ? items.hold(code, "items") : undefined;
    const following = holds ? items.hold(code, "next_items") : undefined;
    const smallest = status.native && code.var("smallest", LARGEST_SIZE);
    const turn: Turn = { tile, region: and(region, 1), own, ending: [], mine, partials, smallest };
    const place = and(add(region, 1), 1);
    code.while(lt(next, tiles), (body) => {
      body.comment("first reads of the slots; they complete while the next tile is read");
      // At first there is no tile: the slots before the end are read, of full tiles only.
      const at = shape.hasTail ? tile : body.let("at", binary("min", tile, blocksAt(shape, status.n, 0)));
      const seen = downFrom(shape.levels, (level) => look(body, { status, team, tile: at }, level));
      const ends = shape.hasTail ? lt(tile, tiles) : isFullTile(status, tile);
      body.if(ends, (then) => publishBlocks(then, { status, team, tile, own }));
      body.assign(next, this.take(body));
      const nextOwn = variables(body, monoid, "next_own", own);
      const nextSmallest = smallest && body.var("next_smallest", LARGEST_SIZE);
      const read = { mine: following, partials: nextPartials, smallest: nextSmallest };
      const later: Turn = { tile: next, region: place, own: nextOwn, ending: [], ...read };
      body.if(lt(next, tiles), (more) => this.begin(more, later));
      const search: Search = (round, start) => this.search(round, turn, seen, start);
      body.if(lt(tile, tiles), (then) => this.finish(then, turn, search));
      body.assign(tile, next);
      body.assign(region, add(region, 1));
      body.assignAll(own, nextOwn);
      if (smallest) body.assign(smallest, nextSmallest as VarExpr);
      if (following) mine?.copy(body, following, itemsOfLane(shape));
      if (nextPartials) partials?.copy(body, nextPartials);
    });
  }

  /**
   * One tile after the other. Where lanes meet at barriers, one that may be skipped would cost compilers more than the tile read ahead gains.
   * Where combining takes longer than memory, other work-groups gain more by the registers.
   */
  private inTurn(code: Code): void {
    const { items, team, first } = this;
    const { status } = this.fused;
    const { isHeavy, monoid } = status;
    const find = isHeavy ? searchHeavy : searchLevels;
    const tiles = code.let("tiles", tilesAt(status.shape, status.n));
    code.comment("each iteration reads a tile, publishes its total, and waits for its prefix");
    const own = variables(code, monoid, "own", monoid.types.map(zeroOf));
    const ending = isHeavy ? variables(code, monoid, "ending", monoid.types.map(zeroOf)) : [];
    const partials = items.partials(code, "kept");
    const mine = !partials || this.writer.needsOperands ? items.hold(code, "items") : undefined;
    const tile = code.uniformVar("tile", this.take(code));
    const turn: Turn = { tile, region: u32(0), own, ending, mine, partials, smallest: undefined };
    code.while(lt(tile, tiles), (body) => {
      this.begin(body, turn);
      this.finish(body, turn, (round, start) => {
        const { missing, ...prefix } = find(round, { status, team, tile, own, first });
        start(round, monoid, turn, prefix);
        return missing;
      });
      body.assign(tile, this.take(body));
    });
  }

  /** Reads a tile and publishes its total. */
  private begin(code: Code, { tile, region, own, ending, mine, partials, smallest }: Turn): void {
    const { team, items, memory } = this;
    const { status } = this.fused;
    const read = mine ?? items.hold(code, "items");
    items.load(code, tile, read);
    const again = smallest && this.again(tile, smallest);
    const held = { status, team, memory, items: items.held(tile, read), region, partials, again };
    reduceBlocks(code, held);
    const isFull = isFullTile(status, tile);
    inFirst(code, team, (first) => {
      // By functions alone, each of which tests, scans take up to 1.06 times as long.
      const least = again && smallestIn(first, this.totalsOfBlocks(first, region));
      inEitherWay(first, status, least, (body, monoid) => {
        const all = totalOfBlocks(body, { ...held, status: { ...status, monoid } });
        body.assignAll([...own, ...ending], [...all.total, ...all.ending]);
      });
      const when = allOf(isFull, publishes(status, tile));
      publish(first, { status, team, level: u32(0), slot: tile, total: own, when });
      if (status.isHeavy) first.if(isFull, (full) => publishBlocks(full, { status, team, tile, own }));
    });
  }

  /** Waits for the prefix of a tile, computes missing totals, and writes the tile. */
  private finish(code: Code, { tile, ending, mine, partials, smallest }: Turn, search: Search): void {
    const { team, memory, broadcast, items, writer } = this;
    const { status } = this.fused;
    const missing = code.uniformVar("missing", u32(0));
    const start: StartTile = (body, monoid, at, { before, after }) => {
      startBlocks(body, { status: { ...status, monoid }, team, memory, ...at, before, ending });
      body.if(eq(team.lane, 0), (one) => storeAfter(one, status, memory, after));
    };
    code.while(ne(missing, NONE), (round) => {
      inFirst(round, team, (first) => {
        const found = search(first, start);
        first.if(eq(team.lane, 0), (one) => one.store(broadcast, MISSING, found));
      });
      round.assign(missing, round.uniformLoad("first_missing", broadcast, MISSING));
      const rows = this.unknownRows();
      round.if(ne(missing, NONE), (lost) =>
        recover(lost, {
          status,
          team,
          tile,
          missing,
          totalOf: (body, which) => {
            // It exists, but only the slots show that.
            const last = sub(blocksAt(status.shape, status.n, 0), 1);
            const lostTile = body.let("lost_tile", binary("min", which, last));
            const direct = { status, team, memory, items: items.direct(lostTile), region: u32(LOST), rows };
            reduceBlocks(body, direct);
            return totalOfBlocks(body, direct).total;
          },
        }),
      );
    });
    if (!status.shape.isLastSeparate) writer.totals(code, team.lane, tile, memory);
    const held = mine && items.held(tile, mine);
    const again = smallest && this.again(tile, smallest);
    const write = (body: Code, way: "row" | "some"): void =>
      finishRows(
        body,
        { status, team, memory, items: held, tile, partials, again },
        (row, number, prefixes) => writer[way](row, row.let("base", items.base(tile, number)), prefixes),
      );
    // A branch around each row's stores instead takes 1.06 times as long for full tiles of one word.
    code.if(
      isFullTile(status, tile),
      (full) => write(full, "row"),
      (some) => write(some, "some"),
    );
  }

  /** The number of rows, which compilers do not know. */
  private unknownRows(): Expr {
    const { shape, n } = this.fused.status;
    const { rows } = sizesOf(shape);
    return binary("min", add(n, rows), rows);
  }

  /** The rows of a tile, read again. */
  private again(tile: Expr, smallest: VarExpr): Again {
    return { smallest, items: this.items.again(tile), rows: this.unknownRows() };
  }

  /** Waits for the prefix of a tile. @param seen by level: the words of the slots before it at the first read */
  private search(code: Code, { tile, region, own }: Turn, seen: readonly Seen[], start: StartTile): Expr {
    const { team, first } = this;
    const { status } = this.fused;
    const here = { status, team, tile, first };
    const waited = downFrom(seen.length, (level) => wait(code, here, level, seen[level] as Seen));
    const missing = firstMissing(code, team, waited);
    const slots = waited.map(({ slot }) => slot);
    const blocks = (): Expr[] => this.totalsOfBlocks(code, region);
    searchSlots(code, { ...here, region, slots, own, blocks }, start);
    return missing;
  }

  /** The totals of a tile's blocks that a lane has. */
  private totalsOfBlocks(code: Code, region: Expr): Expr[] {
    const { status } = this.fused;
    const start = mul(region, sizesOf(status.shape).blocks);
    return blocksOf(code, status, this.team, this.memory, start).flat();
  }

  /** The next tile that no work-group has taken. */
  private take(code: Code): Expr {
    const { team, broadcast, fused } = this;
    code.if(eq(team.lane, 0), (one) =>
      one.store(broadcast, NEXT, one.atomicAdd("taken", fused.status.array, 0, 1)),
    );
    return code.uniformLoad("ticket", broadcast, NEXT);
  }
}

/*
 * The lanes of a work-group in blocks of 32, and the work-group memory of a look-back kernel.
 */

/** Words of a slot, two for each word of a value, up to which rounds between lanes are written out: what loops index is not in registers. */
const MOST_WRITTEN_OUT = 8;

/** The lanes in blocks of 32. @param areFull whether the tiles are full */
export function teamOf(
  code: Code,
  { lane, shared, memory, place }: Lanes,
  { status, sizes: { minSize, maxSize, reduces, ballots } }: Fused,
  areFull = false,
): LaneTeam {
  const { shape, isHeavy, isTogether, pairs } = status;
  const sub = code.let("sub", and(lane, RADIX - 1));
  const block = code.let("block", binary("shr", lane, RADIX_BITS));
  const base = mul(block, 2 * RADIX);
  const near = Math.min(Math.floor(Math.log2(minSize)), RADIX_BITS);
  const isSubgroup = near === RADIX_BITS;
  // A subgroup of 32 is a block.
  const isBlock = minSize === RADIX && maxSize === RADIX;
  const at = isBlock ? sub : (place ?? placeInSubgroup(code, lane, { minSize, maxSize }));
  const first = isBlock ? u32(0) : and(at, -RADIX >>> 0);
  const width = isBlock ? u32(RADIX) : builtin("subgroup-size");
  const following = and(add(isBlock ? sub : lane, 1), subtract(width, u32(1)));
  const next = isBlock ? following : code.let("next_lane", following);
  const lanes: Lanes = {
    size: RADIX,
    lane: sub,
    shared,
    ...(memory !== undefined && { memory }),
    near: u32(near),
    ...(place && { place: isBlock ? sub : place }),
    base,
    copies: shape.lanes32,
    ...(isSubgroup && { next, within: { at, first } }),
    ...(isSubgroup && reduces && { reduces }),
    ...(isBlock && ballots && { ballots }),
    unrolled: isSubgroup && !isHeavy && shape.slotWords <= MOST_WRITTEN_OUT,
  };
  const inPairs = pairs && areFull && isSubgroup ? rowsInPairs(lanes, shape, pairs) : undefined;
  const together = isTogether ? rowByRow(lanes, status) : inPairs;
  return {
    lane,
    sub,
    block,
    lanes,
    isSubgroup,
    isFirstAlone: isHeavy && isBlock,
    unrolled: areFull && (isHeavy || inPairs !== undefined),
    together,
  };
}

/** Totals of blocks of lanes: of the current and the next tile in turn, and of a missing tile. */
const REGIONS = 3;
const LOST = 2;

/** Memory of equal size in all kernels of a pass, so that functions serve each of them. */
export function memoryOf(shared: SharedArrays, { status: { monoid, shape } }: Fused): TileMemory {
  const made = (hint: string, length: number): ArrayRef[] => {
    const hints = hintsFor(monoid, hint);
    return monoid.types.map((type, i) => shared.make(hints(i), type, length));
  };
  return {
    blockTotals: made("block_totals", REGIONS * shape.blocks),
    prefixes: made("prefixes", shape.blocks + 1),
  };
}

/*
 * The items after the last full tile, handled by one work-group: of a chunk, whose last item may need its state, and in languages that bind an array
 * that is written either by element or as vec4s.
 */

export function tailKernel(context: GroupContext, stage: number, fused: Fused): Kernel {
  const { shape } = fused.status;
  const { size, workGroupSize } = shape;
  const items = formula("sub", "n", formula("mul", fullTilesFormula(shape), size));
  const some = formula("min", items, 1);
  // Without items the totals are identities, which a pass has to write.
  const groups =
    fused.totals.length > 0 ? formula("max", some, formula("sub", 1, formula("min", "n", 1))) : some;
  const doc = ["The items after the last full tile."];
  return makeKernel(
    context,
    { hint: "tail", doc, workGroupSize, groups, tile: sizesOf(shape).items },
    ({ code, lanes }) => {
      if (fused.totals.length === 0) return writeTail(context, stage, fused, code, lanes);
      const { n, monoid } = fused.status;
      code.if(
        ne(n, 0),
        (some) => writeTail(context, stage, fused, some, lanes),
        (none) =>
          none.if(eq(lanes.lane, 0), (one) =>
            leaveTotals(context, fused, one, endOfChunk(one, fused.status) ?? monoid.identity),
          ),
      );
    },
  );
}

/** Writes the items after the last full tile, and the totals if there is such an item. */
function writeTail(context: GroupContext, stage: number, fused: Fused, code: Code, lanes: Lanes): void {
  const { status } = fused;
  const team = teamOf(code, lanes, fused);
  const memory = memoryOf(lanes.shared, fused);
  const items = new TileItems(context, fused, team);
  const tile = code.let("tile", blocksAt(status.shape, status.n, 0));
  const held = items.hold(code, "items");
  items.loadSome(code, tile, held);
  const first = firstOfChunk(code, status, lanes);
  const writer = new Writer(context, stage, fused, first);
  publishLastBlocks(code, { status, team, tile });
  const tileItems = items.held(tile, held);
  const region = u32(0);
  const partials = items.partials(code, "kept");
  reduceBlocks(code, { status, team, memory, items: tileItems, region, partials });
  // All slots are published: no wait is needed.
  const before = prefixBefore(code, { status, team, tile, first });
  startBlocks(code, { status, team, memory, region, tile, before });
  code.barrier();
  finishRows(code, { status, team, memory, items: tileItems, tile, partials }, (row, number, prefixes) =>
    writer.some(row, row.let("base", items.base(tile, number)), prefixes),
  );
}
