/** The slots of the tile status: read, polled, published. */

import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr, VarExpr } from "@groupwise/kernel/language/expr.js";
import {
  add,
  and,
  binary,
  bool,
  eq,
  lt,
  mul,
  ne,
  select,
  sub,
  u32,
  unary,
} from "@groupwise/kernel/language/make-expr.js";
import type { AtomicLoadRowStmt } from "@groupwise/kernel/language/stmt.js";
import { foldRoutine, totalOfLanes } from "../../lanes/routines.ts";
import { type Monoid, monoidOf, named, variables } from "../../parts/monoid.ts";
import {
  allOf,
  areReady,
  blockOf,
  digitOf,
  type LaneTeam,
  publishes,
  RADIX,
  RADIX_BITS,
  slotAt,
  type TileStatus,
  trailingOnes,
  valuesOf,
  wordsOfValue,
} from "./shape.ts";

/** No slot is missing. */
export const NONE = 0xffffffff;

/** A slot of some level. */
interface Slot {
  readonly level: Expr;
  /** Its number among those of the level. */
  readonly slot: Expr;
}

/**
 * The index of the slot's first word. Its words are inside the status, which the kernel does not show: a slot of a level is below the full blocks of that level, because
 * tiles are taken from a counter as long as they are below the number of full tiles, only slots of tiles and blocks that end before a tile
 * are read, and only blocks that end with a tile are published.
 */
function placeOf(code: Code, { shape, n }: TileStatus, { level, slot }: Slot): Expr {
  const doc = "The index of the first word of a slot. The slots of lower levels come first.";
  const given = { slot: [slot], level: [level] };
  const { at } = code.routine({ title: "slot_at", doc }, given, (args) => ({
    at: [slotAt(shape, n, args.level[0] as Expr, args.slot[0] as Expr)],
  }));
  return at[0] as Expr;
}

/** The total that a work-group publishes in a slot. */
export interface Publication extends Slot {
  readonly status: TileStatus;
  readonly team: LaneTeam;
  readonly total: readonly Expr[];
  readonly when?: Expr | undefined;
}

/** Publishes the total of a block of some level, which all lanes may hold; lane 0 stores it. */
export function publish(code: Code, { status, team, total, when, level, slot }: Publication): void {
  const isWriter = eq(team.lane, 0);
  const doc =
    "Publishes a total: 16 of its bits in each word, beside a bit that marks the word as published.";
  const given = { slot: [slot], level: [level], total };
  code.if(when ? and(isWriter, when) : isWriter, (then) => {
    then.routine({ title: "publish", doc, fields: status.monoid.fields }, given, (args) => {
      const at = placeOf(then, status, { level: args.level[0] as Expr, slot: args.slot[0] as Expr });
      args.total.flatMap(wordsOfValue).forEach((w, i) => {
        then.atomicStore(status.array.name, add(at, i), w, true);
      });
      return {};
    });
  });
}

/** The slots before a tile, one a lane. */
export interface SlotsBefore {
  readonly status: TileStatus;
  readonly team: LaneTeam;
  readonly tile: Expr;
  /** The prefix before the chunk; undefined if there is none. */
  readonly first?: readonly Expr[] | undefined;
}

/** The words of a level's slots that the first lanes have read. */
export type Seen = readonly Expr[];

interface ReadArgs {
  readonly tile: readonly Expr[];
  readonly level: readonly Expr[];
  readonly lane: readonly Expr[];
}

const operandsOf = (args: ReadArgs): [Expr, Expr, Expr] =>
  [args.tile[0], args.level[0], args.lane[0]] as [Expr, Expr, Expr];

/** Whether a lane reads a slot of a level. */
function readsSlot(args: ReadArgs): Expr {
  const [tile, level, lane] = operandsOf(args);
  return lt(lane, digitOf(tile, level));
}

/** The place of the slot of a level that a lane reads. */
function slotOf(code: Code, status: TileStatus, args: ReadArgs): Expr {
  const [tile, level, lane] = operandsOf(args);
  const slot = add(binary("shl", blockOf(tile, add(level, 1)), RADIX_BITS), lane);
  return placeOf(code, status, { level, slot });
}

/** The words of a slot, read as rows; zeros where the condition is false. */
function rowsOf(code: Code, { array, shape }: TileStatus, at: Expr, condition: Expr): Expr[] {
  const width = shape.rowWords as AtomicLoadRowStmt["width"];
  return Array.from({ length: shape.slotWords / width }, (_, i) =>
    code.atomicLoadRow("now", array.name, {
      index: add(at, i * width),
      ...{ width, condition, inside: true },
    }),
  ).flat();
}

/** Reads the words of a slot, published or not. @param take gets each word when it is read */
function readSlot(code: Code, status: TileStatus, at: Expr, take: (word: Expr, i: number) => void): void {
  const { array, shape } = status;
  if (shape.rowWords > 1)
    for (const [i, word] of rowsOf(code, status, at, bool(true)).entries()) take(word, i);
  else
    for (let i = 0; i < shape.slotWords; i++) take(code.atomicLoad("now", array.name, add(at, i), true), i);
}

/** Reads the slots of a level before a tile, published or not. */
export function look(code: Code, { status, team, tile }: SlotsBefore, level: number): Seen {
  const doc = "Reads the words of the slot of a level that the lane needs, published or not.";
  const given = { tile: [tile], level: [u32(level)], lane: [team.lane] };
  return code.routine({ title: "look_at", doc, returns: `seen_${level}` }, given, (args) => {
    const { slotWords, rowWords } = status.shape;
    if (rowWords > 1) return { word: rowsOf(code, status, slotOf(code, status, args), readsSlot(args)) };
    const words = Array.from({ length: slotWords }, (_, i) => code.var(`word${i}`, u32(0)));
    code.if(readsSlot(args), (then) => {
      readSlot(then, status, slotOf(then, status, args), (now, i) => then.assign(words[i] as VarExpr, now));
    });
    return { word: words };
  }).word;
}

/** The value of a lane's slot of a level. */
export interface Waited {
  /** The value of the slot; arbitrary if there is none. */
  readonly slot: readonly Expr[];
  /** Level x 32 + the lane if the slot is missing, otherwise NONE. */
  readonly missing: Expr;
}

/** No slot. */
export const unseen = ({ shape }: TileStatus): Seen => Array.from({ length: shape.slotWords }, () => u32(0));

/** Waits for the slot of a level before a tile, a bounded number of polls. @param seen its words at the first read */
export function wait(code: Code, { status, team, tile }: SlotsBefore, level: number, seen: Seen): Waited {
  return waitAt(code, { status, team, tile }, { level: [u32(level)], seen }, `answer_${level}`);
}

/** Waits for the slot of a level that is an expression. */
export function waitAt(
  code: Code,
  { status, team, tile }: SlotsBefore,
  { level, seen }: Readonly<Record<"level" | "seen", readonly Expr[]>>,
  returns = "answer",
): Waited {
  const { polls, monoid } = status;
  const doc = `Polls the lane's slot of a level until all of its words are published, at most ${polls} times.`;
  const given = { tile: [tile], level, lane: [team.lane], seen };
  const { slot, missing } = code.routine({ title: "wait_for", doc, returns }, given, (args) => {
    const words = args.seen.map((w, i) => code.var(args.seen.length > 1 ? `word${i}` : "word", w));
    const missing = code.var("missing", u32(NONE));
    code.if(readsSlot(args), (then) => {
      const at = slotOf(then, status, args);
      const tries = then.var("tries", u32(0));
      const isLate = unary("not", areReady(words));
      then.while(and(isLate, lt(tries, polls)), (body) => {
        readSlot(body, status, at, (now, i) => body.assign(words[i] as VarExpr, now));
        body.assign(tries, add(tries, 1));
      });
      const place = add(mul(args.level[0] as Expr, RADIX), args.lane[0] as Expr);
      then.if(isLate, (lost) => lost.assign(missing, place));
    });
    return { slot: valuesOf(monoid.types, words), missing: [missing] };
  });
  return { slot, missing: missing[0] as Expr };
}

/** The first slot that is missing in some lane, in lane 0; or NONE. */
export function firstMissing(code: Code, team: LaneTeam, waited: readonly Waited[]): Expr {
  const missing = waited.map((each) => each.missing).reduce((a, b) => binary("min", a, b));
  const text = {
    title: "least_of_lanes",
    doc: `The least of ${RADIX} values, in each lane.`,
    returns: "least",
  };
  return totalOfLanes(code, team.lanes, monoidOf("min", "u32"), [missing], text)[0] as Expr;
}

/** The tile's own block, after the earlier slots of its level. */
export const withOwn = (
  code: Code,
  team: LaneTeam,
  monoid: Monoid,
  slot: readonly Expr[],
  own: readonly Expr[],
  digit: Expr,
): Expr[] => {
  const isMine = eq(team.sub, digit);
  return named(
    code,
    monoid,
    "slot",
    slot.map((v, i) => select(isMine, own[i] as Expr, v)),
  );
};

/** A tile whose total is known. */
export interface Finished extends SlotsBefore {
  readonly own: readonly Expr[];
}

/** The number of larger blocks that end with a tile. */
export const blocksEnded = (tile: Expr, { shape }: TileStatus): Expr =>
  binary("min", binary("div", trailingOnes(tile), RADIX_BITS), shape.levels - 1);

/** The highest level of which a block ends with the tile. */
export const endsOf = (code: Code, status: TileStatus, tile: Expr): Expr =>
  status.shape.levels === 1 ? u32(0) : code.let("ends", blocksEnded(tile, status));

/**
 * Publishes the blocks that end with the tile, before the next tile is read, because many tiles wait for them. If another total is
 * missing, the block's total is too, and a waiting work-group computes it.
 */
export function publishBlocks(code: Code, { status, team, tile, own }: Finished): void {
  if (status.shape.levels === 1) return;
  const doc = "Publishes the blocks that end with a tile, if all of their 32 slots are available.";
  const heading = { title: "publish_blocks", doc };
  foldRoutine(code, status.monoid, heading, { tile: [tile], own }, (args, monoid) => {
    const at = args.tile[0] as Expr;
    const ends = endsOf(code, status, at);
    const total = variables(code, monoid, "total", args.own);
    // A loop: few tiles end a block, and compilers take as long for a block as for the rest of the tile.
    code.for("level", 0, ends, (body, level) => {
      const waited = waitAt(body, { status, team, tile: at }, { level: [level], seen: unseen(status) });
      const isPresent = eq(firstMissing(body, team, [waited]), NONE);
      const values = withOwn(body, team, monoid, waited.slot, total, u32(RADIX - 1));
      body.assignAll(total, totalOfLanes(body, team.lanes, monoid, values));
      const above = add(level, 1);
      const when = allOf(isPresent, publishes(status, at));
      publish(body, { status, team, level: above, slot: blockOf(at, above), total, when });
    });
    return {};
  });
}

/**
 * Publishes the blocks that end with the last full tile, for a kernel that reads all slots before `tile` after a barrier. That tile publishes them early, but not if a
 * slot was late, and no later tile computes them. Through work-group memory, tiles publish their blocks after the last slot is known.
 */
export function publishLastBlocks(code: Code, { status, team, tile }: SlotsBefore): void {
  if (status.shape.levels === 1 || !team.isSubgroup) return;
  const last = sub(tile, 1);
  const at = slotAt(status.shape, status.n, u32(0), last);
  code.if(ne(tile, 0), (then) => {
    const words: Expr[] = [];
    readSlot(then, status, at, (word) => words.push(word));
    publishBlocks(then, { status, team, tile: last, own: valuesOf(status.monoid.types, words) });
  });
}
