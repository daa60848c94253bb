/** The slots of the tile status: looked at, waited for, published. */
import type { ArrayRef, Code } from "../../kernel/build.ts";
import type { Expr, VarExpr } from "../../kernel/expr.ts";
import { add, and, binary, eq, lt, mul, sub, u32, unary } from "../../kernel/make-expr.ts";
import { type Monoid, monoidOf } from "../../parts/monoid.ts";
import { totalOfLanes } from "../../work-groups/lane-routines.ts";
import { blockOf, digitOf, RADIX, RADIX_BITS, slotAt } from "./shape.ts";
import type { Team, TileStatus } from "./tile-status.ts";
import { areReady, halvesOf, valueOfWords, wordsOfValue } from "./words.ts";

/** No slot is missing. */
export const NONE = 0xffffffff;

/** A slot of some level. */
export interface Slot {
  readonly level: Expr;
  /** Its number among those of the level. */
  readonly slot: Expr;
}

/** Where the slot's first word stands. */
function placeOf(code: Code, { shape, n }: TileStatus, { level, slot }: Slot): Expr {
  const doc = "Where a slot of a level begins: behind the slots of lower levels.";
  const given = { slot: [slot], level: [level] };
  const { at } = code.routine({ title: "slot_at", doc }, given, (args) => ({
    at: [slotAt(shape, n, args.level[0] as Expr, args.slot[0] as Expr)],
  }));
  return at[0] as Expr;
}

/** What a work-group publishes in a slot. */
export interface Publication extends Slot {
  readonly status: TileStatus;
  readonly team: Team;
  readonly total: readonly Expr[];
  readonly when?: Expr | undefined;
}

/** Publishes the total of a block of some level, which all lanes may hold; lane 0 writes. */
export function publish(code: Code, { status, team, total, when, ...slot }: Publication): void {
  const isWriter = eq(team.lane, u32(0));
  const doc = "Publishes a total: 16 bits of it in each word, beside the bit that they are there.";
  code.if(when ? and(isWriter, when) : isWriter, (then) => {
    const at = placeOf(then, status, slot);
    then.routine({ title: "publish", doc }, { at: [at], total }, ({ at: [first], total: values }) => {
      values.flatMap(wordsOfValue).forEach((w, i) => {
        then.atomicStore(status.array.name, add(first as Expr, u32(i)), w);
      });
      return {};
    });
  });
}

/** The words of the slots before a tile that each lane has seen, level by level. */
export type Seen = ArrayRef;

/** The slots before a tile, one a lane. */
export interface SlotsBefore {
  readonly status: TileStatus;
  readonly team: Team;
  readonly tile: Expr;
  readonly seen: Seen;
}

/** Memory for the words of the slots before a tile. */
export const seenBefore = (code: Code, { shape }: TileStatus): Seen =>
  code.array("seen", "u32", shape.levels * shape.slotWords);

/** Reads the slots before a tile, as they stand. */
export function look(code: Code, slots: SlotsBefore): void {
  const { status, team, tile } = slots;
  const { levels, slotWords } = status.shape;
  const doc = "The words of a slot as they stand.";
  code.for("level", u32(0), u32(levels), (body, level) => {
    body.if(lt(team.lane, digitOf(tile, level)), (then) => {
      const at = placeOf(then, status, slotOfLane(team, tile, level));
      const { word } = then.routine({ title: "look_at", doc }, { at: [at] }, ({ at: [first] }) => ({
        word: Array.from({ length: slotWords }, (_, i) =>
          then.atomicLoad("word", status.array.name, add(first as Expr, u32(i))),
        ),
      }));
      keep(then, slots, level, word);
    });
  });
}

/** The slot of a level that a lane reads. */
const slotOfLane = (team: Team, tile: Expr, level: Expr): Slot => ({
  level,
  slot: add(binary("shl", blockOf(tile, add(level, u32(1))), u32(RADIX_BITS)), team.lane),
});

type Kept = Pick<SlotsBefore, "status" | "seen">;
const keep = (code: Code, { status, seen }: Kept, level: Expr, words: readonly Expr[]): void =>
  words.forEach((word, i) => {
    code.store(seen, wordAt(status, level, i), word);
  });

const wordAt = ({ shape }: TileStatus, level: Expr, i: number): Expr =>
  add(mul(level, u32(shape.slotWords)), u32(i));

const wordsSeen = (code: Code, { status, seen }: Kept, level: Expr): Expr[] =>
  Array.from({ length: status.shape.slotWords }, (_, i) => code.load(seen, wordAt(status, level, i)));

/** Polls a slot until its words are there, but not for ever. */
function poll(code: Code, slots: SlotsBefore, level: Expr): readonly Expr[] {
  const { status, team, tile } = slots;
  const doc = `The words of a slot, as soon as all are there, or after ${status.polls} polls.`;
  const given = {
    at: [placeOf(code, status, slotOfLane(team, tile, level))],
    seen: wordsSeen(code, slots, level),
  };
  return code.routine({ title: "poll", doc }, given, ({ at: [at], seen: old }) => {
    const words = old.map((w) => code.var("word", w));
    const tries = code.var("tries", u32(0));
    code.while(and(unary("not", areReady(words)), lt(tries, u32(status.polls))), (body) => {
      words.forEach((w, i) => {
        body.assign(w, body.atomicLoad("now", status.array.name, add(at as Expr, u32(i))));
      });
      body.assign(tries, add(tries, u32(1)));
    });
    return { word: words };
  }).word;
}

/**
 * Waits for the slot of a level before a tile, a bounded number of polls. A lane whose slot is still missing assigns its
 * level x 32 + its place among the 32 to `missing`.
 */
export function waitFor(code: Code, slots: SlotsBefore, level: Expr, missing: VarExpr): void {
  const { team, tile } = slots;
  code.if(lt(team.lane, digitOf(tile, level)), (then) => {
    const words = poll(then, slots, level);
    keep(then, slots, level, words);
    then.if(unary("not", areReady(words)), (lost) =>
      lost.assign(missing, add(team.lane, mul(level, u32(RADIX)))),
    );
  });
}

/** The first slot that some lane misses, as lane 0 knows it; or NONE. */
export const firstOf = (code: Code, team: Team, missing: Expr): Expr =>
  totalOfLanes(code, team.lanes, monoidOf("min", "u32"), [missing], "least_of_lanes")[0] as Expr;

/** Waits for all slots before a tile. Gives the first that is missing, as lane 0 knows it. */
export function wait(code: Code, slots: SlotsBefore): Expr {
  const { levels } = slots.status.shape;
  const missing = code.var("mine_missing", u32(NONE));
  // Of its slots a lane tells the lowest level's.
  code.for("step", u32(0), u32(levels), (body, step) =>
    waitFor(body, slots, body.named("level", sub(u32(levels - 1), step)), missing),
  );
  return firstOf(code, slots.team, missing);
}

/** The values that ready slots of a level hold; where there is none, anything. */
export function valuesAt(code: Code, monoid: Monoid, slots: Kept, level: Expr): Expr[] {
  const words = wordsSeen(code, slots, level);
  let at = 0;
  return monoid.types.map((type) => {
    const mine = words.slice(at, at + halvesOf(type));
    at += mine.length;
    return code.let("slot", valueOfWords(type, mine));
  });
}
