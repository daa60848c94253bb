/**
 * The status: totals of full tiles, of blocks of 32 tiles, of 32 such blocks, each published once and never
 * changed. A prefix is a fold over at most 31 slots a level (`docs/decisions/look-back.md`); whoever waits too long for a
 * slot computes its total, with the same bits.
 */
import type { ArrayRef, Code } from "../../kernel/build.ts";
import type { Expr, ParamExpr, VarExpr } from "../../kernel/expr.ts";
import { add, and, binary, eq, lt, ne, select, u32, unary } from "../../kernel/make-expr.ts";
import { type Monoid, monoidOf, nothing } from "../../parts/monoid.ts";
import { scanOfLanes, totalOfLanes } from "../../work-groups/lane-routines.ts";
import type { Lanes } from "../../work-groups/lanes.ts";
import { digitOf, RADIX, RADIX_BITS, type Shape, slotAt } from "./shape.ts";
import { areReady, halvesOf, valueOfWords, wordsOfValue } from "./words.ts";

/** What the kernels of one look-back share. */
export interface TileStatus {
  readonly shape: Shape;
  readonly monoid: Monoid;
  readonly array: ArrayRef;
  readonly n: ParamExpr;
  /** Polls of a slot before who waits computes it. */
  readonly polls: number;
  /** Tiles that publish nothing, in tests. */
  readonly withheld: readonly number[];
}

/** The lanes of a work-group, in blocks of 32. */
export interface Team {
  readonly lane: Expr;
  /** The lane's number in its block, and the block's. */
  readonly sub: Expr;
  readonly block: Expr;
  /** The 32 of a block. */
  readonly lanes: Lanes;
  /** Blocks are parts of subgroups. */
  readonly isSubgroup: boolean;
}

/** What `from`-th lane of the block holds, in all of them. */
export function pick(code: Code, team: Team, values: readonly Expr[], from: Expr): Expr[] {
  if (team.isSubgroup) return values.map((v) => code.shuffle("picked", v, from));
  const { shared, copies = 1 } = team.lanes;
  const arrays = values.map((v, i) => shared.take(v.type, i, RADIX * copies));
  code.barrier();
  values.forEach((v, i) => {
    code.store(arrays[i] as ArrayRef, team.lane, v);
  });
  code.barrier();
  const at = add(binary("mul", team.block, u32(RADIX)), from);
  return arrays.map((array) => code.let("picked", code.load(array, at)));
}

/** What a tile publishes in its slot. */
export interface Publication {
  readonly status: TileStatus;
  readonly team: Team;
  /** Where the slot's first word stands. */
  readonly at: Expr;
  readonly total: readonly Expr[];
  readonly when?: Expr | undefined;
}

/** Publishes the total of a block of some level, which all lanes may hold; lane 0 writes. */
export function publish(code: Code, { status, team, at, total, when }: Publication): void {
  const isWriter = eq(team.lane, u32(0));
  const doc = "Publishes a total: 16 bits of it in each word, beside the bit that they are there.";
  code.if(when ? and(isWriter, when) : isWriter, (then) => {
    then.routine({ title: "publish", doc }, { at: [at], total }, ({ at: [first], total: values }) => {
      values.flatMap(wordsOfValue).forEach((w, i) => {
        then.atomicStore(status.array.name, add(first as Expr, u32(i)), w);
      });
      return {};
    });
  });
}

/** Whether a tile's totals are published: always, but in tests. */
export function publishes(status: TileStatus, tile: Expr): Expr | undefined {
  const others = status.withheld.map((tile2) => ne(tile, u32(tile2)));
  return others.length > 0 ? others.reduce(and) : undefined;
}

/** By level: the words of the slot that a lane of the first block waits for. */
export type Seen = readonly (readonly VarExpr[])[];

/** Reads the slots before a tile, one a lane, as they stand. */
export function look(code: Code, status: TileStatus, team: Team, tile: Expr): Seen {
  const { levels, slotWords } = status.shape;
  const seen = Array.from({ length: levels }, () =>
    Array.from({ length: slotWords }, () => code.var("seen", u32(0))),
  );
  for (let level = levels - 1; level >= 0; level--) read(code, { status, team, tile, level, seen });
  return seen;
}

const firstSlot = (tile: Expr, level: number): Expr =>
  binary("shl", binary("shr", tile, u32(RADIX_BITS * (level + 1))), u32(RADIX_BITS));

/** The slots before a tile of one level. */
interface SlotsToRead {
  readonly status: TileStatus;
  readonly team: Team;
  readonly tile: Expr;
  readonly level: number;
  readonly seen: Seen;
}

function read(code: Code, { status, team, tile, level, seen }: SlotsToRead): void {
  code.if(lt(team.lane, digitOf(tile, level)), (then) => readNow(then, { status, team, tile, level, seen }));
}

/** Where the slot of a level stands that a lane reads. */
const placeOf = ({ status, team, tile, level }: Omit<SlotsToRead, "seen">): Expr =>
  slotAt(status.shape, status.n, level, add(firstSlot(tile, level), team.lane));

function readNow(code: Code, slots: SlotsToRead): void {
  const { status, level, seen } = slots;
  const mine = seen[level] ?? [];
  const doc = "The words of a slot as they stand.";
  const { word } = code.routine({ title: "look_at", doc }, { at: [placeOf(slots)] }, ({ at: [at] }) => ({
    word: mine.map((_, i) => code.atomicLoad("word", status.array.name, add(at as Expr, u32(i)))),
  }));
  mine.forEach((w, i) => {
    code.assign(w, word[i] as Expr);
  });
}

/** Polls a slot until its words are there, but not for ever. */
function poll(code: Code, slots: SlotsToRead): void {
  const { status, level, seen } = slots;
  const mine = seen[level] ?? [];
  const doc = `The words of a slot, as soon as all are there, or after ${status.polls} polls.`;
  const { word } = code.routine(
    { title: "poll", doc },
    { at: [placeOf(slots)], seen: mine },
    ({ at: [at], seen: old }) => {
      const words = old.map((w) => code.var("word", w));
      const tries = code.var("tries", u32(0));
      code.while(and(unary("not", areReady(words)), lt(tries, u32(status.polls))), (body) => {
        words.forEach((w, i) => {
          body.assign(w, body.atomicLoad("now", status.array.name, add(at as Expr, u32(i))));
        });
        body.assign(tries, add(tries, u32(1)));
      });
      return { word: words };
    },
  );
  mine.forEach((w, i) => {
    code.assign(w, word[i] as Expr);
  });
}

/** No slot is missing. */
export const NONE = 0xffffffff;

/** The slots before a tile that must be published. */
export interface SlotsToAwait {
  readonly status: TileStatus;
  readonly team: Team;
  readonly tile: Expr;
  readonly seen: Seen;
  readonly levels?: readonly number[];
}

/**
 * Waits for the slots before a tile, each a bounded number of polls. Gives what lane 0 knows of the first that
 * is still missing: its level x 32 + its place among the 32, or NONE.
 */
export function wait(
  code: Code,
  { status, team, tile, seen, levels = seen.map((_, level) => level) }: SlotsToAwait,
): Expr {
  const missing = code.var("mine_missing", u32(NONE));
  for (const level of [...levels].reverse()) {
    const words = seen[level] ?? [];
    const isDue = lt(team.lane, digitOf(tile, level));
    code.if(isDue, (then) => {
      poll(then, { status, team, tile, level, seen });
      then.if(unary("not", areReady(words)), (lost) =>
        lost.assign(missing, add(team.lane, u32(RADIX * level))),
      );
    });
  }
  const [least] = totalOfLanes(code, team.lanes, monoidOf("min", "u32"), [missing], "least_of_lanes");
  return least as Expr;
}

/** The values that ready slots hold; where there is none, anything. */
export function valuesOf(code: Code, monoid: Monoid, words: readonly Expr[]): Expr[] {
  let at = 0;
  return monoid.types.map((type) => {
    const mine = words.slice(at, at + halvesOf(type));
    at += mine.length;
    return code.let("slot", valueOfWords(type, mine));
  });
}

/** The slots before a tile, and the tile's own total behind them. */
const withOwn = (
  code: Code,
  team: Team,
  slots: readonly Expr[],
  own: readonly Expr[],
  digit: Expr,
): Expr[] => {
  const isMine = eq(team.sub, digit);
  return slots.map((v, i) => code.let("slot", select(isMine, own[i] as Expr, v)));
};

/** The aggregate of a tile, from which those of larger blocks are made. */
export interface EarlyPublication {
  readonly status: TileStatus;
  readonly team: Team;
  readonly tile: Expr;
  readonly seen: Seen;
  readonly own: readonly Expr[];
  readonly level?: number;
}

/**
 * Publishes the blocks that end with the tile as soon as their other totals are there: many wait for these. What is
 * not there yet is left for later.
 */
export function publishEarly(
  code: Code,
  { status, team, tile, seen, own, level = 0 }: EarlyPublication,
): void {
  const { monoid, shape } = status;
  if (level + 1 >= shape.levels) return;
  const digit = digitOf(tile, level);
  code.if(eq(digit, u32(RADIX - 1)), (last) => {
    const isThere = eq(wait(last, { status, team, tile, seen, levels: [level] }), u32(NONE));
    const values = withOwn(last, team, valuesOf(last, monoid, seen[level] ?? []), own, digit);
    const total = totalOfLanes(last, team.lanes, monoid, values);
    const slot = binary("shr", tile, u32(RADIX_BITS * (level + 1)));
    const may = publishes(status, tile);
    const at = slotAt(shape, status.n, level + 1, slot);
    publish(last, { status, team, at, total, when: may ? and(isThere, may) : isThere });
    if (level === 0) publishEarly(last, { status, team, tile, seen, own: total, level: 1 });
  });
}

/** The prefix before a tile, and, where the tile's own total is told, the prefix after it. */
export interface Prefix {
  readonly before: readonly VarExpr[];
  readonly after: readonly VarExpr[];
}

/** The tile whose prefix is computed, and what is known of the tiles before it. */
export interface PrefixSearch {
  readonly status: TileStatus;
  readonly team: Team;
  readonly tile: Expr;
  readonly seen: Seen;
  /** The tile's total: then blocks that end with the tile are published. */
  readonly own: readonly Expr[] | undefined;
  /** No slot is missing, as the first block of lanes knows it. */
  readonly isThere?: Expr;
}

/**
 * Folds the slots before a tile, highest level first, in the first block of lanes.
 */
export function prefixOf(code: Code, { status, team, tile, seen, own, isThere }: PrefixSearch): Prefix {
  const { monoid, shape } = status;
  const slots = seen.map((words) => valuesOf(code, monoid, words));
  const before = nothing(monoid).values.map((v) => code.var("before", v));
  const present = (level: number): Expr | undefined =>
    monoid.reassociable ? undefined : ne(binary("shr", tile, u32(RADIX_BITS * (level + 1))), u32(0));
  // What the slots of a level add to the prefix before them.
  const enter = (here: Code, level: number): void => {
    const seed = { values: before, present: present(level) };
    const { exclusive } = scanOfLanes(here, team.lanes, monoid, slots[level] as Expr[], seed);
    const picked = pick(here, team, exclusive.values, digitOf(tile, level));
    before.forEach((v, i) => {
      here.assign(v, picked[i] as Expr);
    });
  };
  const above: (readonly Expr[])[] = [];
  for (let level = shape.levels - 1; level > 0; level--) {
    above[level] = own ? before.map((v) => code.let("above", v)) : before;
    code.if(ne(digitOf(tile, level), u32(0)), (then) => enter(then, level));
  }
  const after: VarExpr[] = [];
  // The tile's own total stands behind the slots before it.
  const climb = (here: Code, level: number, total: readonly Expr[]): void => {
    const digit = digitOf(tile, level);
    const values = withOwn(here, team, slots[level] as Expr[], total, digit);
    const seed = { values: level === 0 ? before : (above[level] as Expr[]), present: present(level) };
    const { total: all, exclusive, inclusive } = scanOfLanes(here, team.lanes, monoid, values, seed);
    const picked = pick(here, team, inclusive, digit);
    if (level === 0) {
      const mine = pick(here, team, exclusive.values, digit);
      after.push(...picked.map((v) => here.var("after", v)));
      before.forEach((v, i) => {
        here.assign(v, mine[i] as Expr);
      });
    } else {
      after.forEach((v, i) => {
        here.assign(v, picked[i] as Expr);
      });
    }
    if (level + 1 >= shape.levels) return;
    here.if(eq(digit, u32(RADIX - 1)), (last) => {
      const slot = binary("shr", tile, u32(RADIX_BITS * (level + 1)));
      const may = [isThere, publishes(status, tile)].filter((e) => e !== undefined);
      publish(last, {
        status,
        team,
        at: slotAt(shape, status.n, level + 1, slot),
        total: all,
        when: may.length > 0 ? may.reduce(and) : undefined,
      });
      climb(last, level + 1, all);
    });
  };
  if (own) climb(code, 0, own);
  else enter(code, 0);
  return { before, after };
}
