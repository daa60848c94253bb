/**
 * Collectives across the work-items of one work-group, in the Fenwick order, by a butterfly over
 * work-group memory: in the up-sweep every lane computes the totals of ever larger aligned blocks and stores
 * its sibling's; in the down-sweep it adds them to its carry. The bracketing depends on the lane number
 * alone. Rounds within a subgroup need no memory and no barrier.
 */

import type { Subgroups } from "@groupwise/kernel/capabilities/capabilities.js";
import type { ArrayRef, Code, SharedArrays } from "@groupwise/kernel/language/build.js";
import type { ConstExpr, Expr, VarExpr } from "@groupwise/kernel/language/expr.js";
import {
  add,
  and,
  binary,
  builtin,
  eq,
  lt,
  mul,
  ne,
  select,
  sub,
  u32,
  unary,
  zeroOf,
} from "@groupwise/kernel/language/make-expr.js";
import {
  arrays,
  type Carry,
  type Hints,
  hintsFor,
  join,
  type Monoid,
  named,
  namedResults,
  variables,
} from "../parts/monoid.ts";
import { fromWords, toWords } from "../parts/words.ts";

/** A size that is known only at launch: the same in all work-items, at least 1, and at most `bound`. */
export interface RunTimeSize {
  /** A u32; the verifier must see its least and greatest value (the builtin `group-size`, or a `min`). */
  readonly value: Expr;
  readonly bound: number;
}

/** The lane of the work-item. */
export interface Lanes {
  /** Work-items of the group. */
  readonly size: number | RunTimeSize;
  readonly lane: Expr;
  readonly shared: SharedArrays;
  /** The number of rounds whose siblings are in one subgroup, uniform; undefined if all rounds use memory. */
  readonly near?: Expr | undefined;
  /** The lane's number in its subgroup; given if shuffles name the lane that they read. */
  readonly place?: Expr | undefined;
  /** Maximum number of bytes of work-group memory for the words of records; default: unlimited. */
  readonly memory?: number;
  /** Offset of this sub-block in work-group memory, which `copies` sub-blocks of the work-group share. */
  readonly base?: Expr;
  readonly copies?: number;
  /** Whether loops over rounds are unrolled, so that their values stay in registers. */
  readonly unrolled?: boolean;
  /** Given if the whole group is one subgroup. */
  readonly within?: Within;
  /** Whether the group is 32 lanes of one subgroup that combine integers by an instruction. */
  readonly reduces?: true;
  /** Whether the group is a subgroup of 32 lanes, which collects conditions as bits of a word. */
  readonly ballots?: true;
  /** The number of the next lane in its subgroup, if the whole group is one subgroup; any number for the last lane. */
  readonly next?: Expr;
}

/** A loop, or copies of its body if the bounds are constant and it is unrolled. */
export interface Repetition {
  readonly unrolled: boolean | undefined;
  readonly hint: string;
  readonly from: Expr;
  readonly below: Expr;
  readonly body: (code: Code, index: Expr) => void;
  readonly step?: number;
}

/** A loop, or its unrolled rounds if the bounds are known. */
export function repeat(code: Code, { unrolled, hint, from, below, body, step = 1 }: Repetition): void {
  if (!unrolled || from.kind !== "const" || below.kind !== "const") {
    code.for(hint, from, below, body, step);
    return;
  }
  for (let i = Number(from.value); i < Number(below.value); i += step) body(code, u32(i));
}

/** The number of rounds of a group of `size` lanes, a power of two, whose siblings are in one subgroup. */
export function nearRounds(code: Code, size: number, { minSize, maxSize }: Subgroups): Expr {
  if (minSize === maxSize) return u32(Math.min(Math.log2(minSize), roundsOf(size)));
  const width = code.let("width", binary("min", builtin("subgroup-size"), size));
  return code.let("near", binary("min", sub(31, unary("clz", width)), roundsOf(size)));
}

/** The values of every lane after the up-sweep. */
export interface Ascent {
  readonly rounds: Expr;
  readonly most: number;
  /** Total of all lanes, if the monoid is reassociable or the size is a power of two. */
  readonly total: readonly Expr[];
  /** The totals of the lower blocks of each round, for each component, if the up-sweep stores them. */
  readonly lower: LowerTotals;
  /** The lanes that begin a segment, as bits, where no flag moves. */
  readonly begins?: Expr | undefined;
}

/** Exclusive and inclusive prefix of a lane; before the first item the exclusive one is not present. */
export interface Prefixes {
  readonly exclusive: Carry;
  readonly inclusive: readonly Expr[];
}

export const roundsOf = (size: number): number => Math.ceil(Math.log2(size));

/** How the butterfly runs over a group's lanes. */
interface Shape {
  /** The number of rounds, and its maximum. */
  readonly rounds: Expr;
  readonly most: number;
  /** Elements of each half of the memory, and their maximum. */
  readonly half: Expr;
  readonly length: number;
  /** Whether siblings can be absent. */
  readonly partial: boolean;
  readonly size: Expr;
}

function shapeOf(code: Code, size: Lanes["size"]): Shape {
  if (typeof size === "number") {
    const most = roundsOf(size);
    const width = 2 ** most;
    const partial = width !== size;
    return { rounds: u32(most), most, half: u32(width), length: width, partial, size: u32(size) };
  }
  const { value, bound } = size;
  const most = roundsOf(bound);
  // The least number of bits that holds every lane's number. A group of 1 runs one round, where its sibling is absent:
  // compilers that split kernels at barriers copy what follows a loop with a barrier that may run zero times.
  const bits = sub(32, unary("clz", sub(value, 1)));
  const rounds = code.let("rounds", binary("min", binary("max", bits, 1), most));
  return { rounds, most, half: value, length: bound, partial: true, size: value };
}

/** A hint with the number of lanes of a round's blocks, or of twice or more as many, if it is known: in unrolled rounds. */
export const ofLanes = (hint: string, round: Expr, more: number = 0): string =>
  round.kind === "const" ? `${hint}${2 ** (Number(round.value) + more)}` : hint;

/** Whether all rounds are unrolled. */
const isFlat = ({ unrolled, near }: Lanes, rounds: Expr): boolean =>
  unrolled === true && rounds.kind === "const" && (near === undefined || near.kind === "const");

/** Called with the total of the own block before each round. */
type Watch = (code: Code, round: Expr, own: readonly Expr[]) => void;

/** The values that the up-sweep stores. */
export function lowerFor(keep: boolean | Watch, flat: boolean, make: () => LowerTotals): LowerTotals {
  if (typeof keep === "function") return NOTHING;
  return keep ? (flat ? inNames() : make()) : NOTHING;
}

/** The up-sweep. `keep` stores what the down-sweep needs, or is called with the rounds. */
export function ascend(
  code: Code,
  lanes: Lanes,
  monoid: Monoid,
  value: readonly Expr[],
  keep: boolean | Watch,
): Ascent {
  const shape = shapeOf(code, lanes.size);
  const { rounds, most } = shape;
  const flat = isFlat(lanes, rounds);
  let total: readonly Expr[] = flat ? value : variables(code, monoid, "total", value);
  if (most === 0) return { rounds, most, total, lower: NOTHING };
  const lower = lowerFor(keep, flat, () => inArrays(code, monoid, most));
  const meet = (body: Code, round: Expr, bit: Expr, sibling: readonly Expr[]): void => {
    if (typeof keep === "function") keep(body, round, total);
    const upper = body.let("is_upper", ne(and(lanes.lane, bit), 0));
    const side = (hint: string, values: readonly Expr[]): readonly Expr[] =>
      monoid.isRecord ? named(body, monoid, hint, values) : values;
    const left = side(
      "earlier",
      total.map((t, i) => select(upper, sibling[i] as Expr, t)),
    );
    const right = side(
      "later",
      total.map((t, i) => select(upper, t, sibling[i] as Expr)),
    );
    lower.put(body, round, lanes.next ? sibling : left);
    // All built-in operators commute, bit for bit: the sides then need no sorting.
    const combined = monoid.commutative
      ? monoid.combine(body, total, sibling)
      : monoid.combine(body, left, right);
    const next = namedResults(body, monoid, combined, "both");
    if (flat) total = named(body, monoid, ofLanes("total", round, 1), next);
    else
      total.forEach((t, i) => {
        body.assign(t as VarExpr, next[i] as Expr);
      });
  };
  const { near } = lanes;
  if (near) {
    repeat(code, {
      unrolled: lanes.unrolled,
      hint: "round",
      from: u32(0),
      below: near,
      body: (body, round) => {
        const bit = body.let("bit", binary("shl", 1, round));
        const sibling = shuffled(body, lanes, hintsFor(monoid, ofLanes("theirs", round)), total, bit);
        meet(body, round, bit, sibling);
      },
    });
  }
  // No round needs memory.
  if (near?.kind === "const" && Number(near.value) >= most) return { rounds, most, total, lower };
  const of = typeof keep === "function" ? undefined : subgroupsOf(lanes);
  if (of) {
    const up: Meeting["ascend"] = (body, inner, own, watch) =>
      ascend(body, inner, monoid, own, keep ? watch : false).total;
    total = meetOnce(code, { lanes, of, monoid, total, ascend: up, lower: keep ? lower.put : undefined });
    return { rounds, most, total, lower };
  }
  // All lanes have read what other collectives stored in the same memory.
  code.barrier();
  repeat(code, {
    unrolled: lanes.unrolled,
    hint: "round",
    from: near ?? u32(0),
    below: rounds,
    body: (body, round) => {
      const bit = body.let("bit", binary("shl", 1, round));
      const sibling = viaMemory(body, { lanes, shape, monoid, total, round, bit });
      meet(body, round, bit, sibling);
    },
  });
  return { rounds, most, total, lower };
}

/** A round of a butterfly whose siblings pass values through work-group memory. */
export interface MemoryRound {
  readonly lanes: Lanes;
  readonly shape: Pick<Shape, "half" | "length" | "partial" | "size">;
  readonly monoid: Monoid;
  readonly total: readonly Expr[];
  readonly round: Expr;
  readonly bit: Expr;
}

/** The values of the siblings of a round. The halves of the memory alternate, so that one barrier for each round is enough. */
export function viaMemory(body: Code, { lanes, shape, monoid, total, round, bit }: MemoryRound): Expr[] {
  const passed = (values: readonly Expr[]): readonly Expr[] =>
    monoid.isRecord ? values.flatMap(toWords) : values;
  const [given, identity] = [passed(total), passed(monoid.identity)];
  const perTurn = monoid.isRecord ? wordsAtOnce(lanes, shape, given.length) : given.length;
  const turns = Math.ceil(given.length / perTurn);
  const { copies = 1, base = u32(0) } = lanes;
  const got: Expr[] = [];
  const hints = hintsFor(given.length === monoid.types.length ? monoid : {}, "theirs");
  for (let turn = 0; turn < turns; turn++) {
    const part = given.slice(turn * perTurn, (turn + 1) * perTurn);
    const shared = part.map((v, i) => lanes.shared.take(v.type, i, 2 * copies * shape.length));
    const parity = turns % 2 === 0 ? u32(turn % 2) : and(add(round, turn), 1);
    const half = add(base, binary("mul", parity, shape.half));
    const slot = body.let("slot", add(half, lanes.lane));
    body.storeAll(shared, slot, part);
    body.barrier();
    // The first lane of a block with absent lanes: it exists if any lane does, and has the block's total.
    const first = shape.partial && body.let("first", and(binary("xor", lanes.lane, bit), sub(0, bit)));
    shared.forEach((array) => {
      if (!first) {
        got.push(body.let(hints(got.length), body.load(array, binary("xor", slot, bit))));
        return;
      }
      const there = body.load(array, add(half, binary("min", first, sub(shape.size, 1))));
      const absent = monoid.reassociable ? (identity[got.length] as Expr) : zeroOf(array.type);
      got.push(body.let(hints(got.length), select(lt(first, shape.size), there, absent)));
    });
  }
  if (!monoid.isRecord) return got;
  const own = hintsFor(monoid, "theirs");
  return fromWords(monoid.types, got).map((v, i) => (v.kind === "var" ? v : body.let(own(i), v)));
}

/** The number of words of a record that pass through the memory at once, so that the steps have about the same size. */
export function wordsAtOnce(
  { memory = Number.POSITIVE_INFINITY, copies = 1 }: Lanes,
  { length }: Pick<Shape, "length">,
  words: number,
): number {
  const most = Math.max(1, Math.floor(memory / (2 * copies * length * 4)));
  return Math.ceil(words / Math.max(1, Math.ceil(words / most)));
}

/** The down-sweep, from a carry that precedes the whole group. */
export function descend(code: Code, lanes: Lanes, monoid: Monoid, ascent: Ascent, seed: Carry): Prefixes {
  const first = join(code, monoid, seed, ascent.total);
  const { rounds, most } = ascent;
  if (most === 0) return { exclusive: seed, inclusive: named(code, monoid, "inclusive", first) };
  const flat = isFlat(lanes, rounds);
  let carry: readonly Expr[] = flat ? seed.values : variables(code, monoid, "carry", seed.values);
  // The initial value is that of the last lane: no bit of its number is 0, so the loop does not change it.
  const inclusive = lanes.next ? [] : variables(code, monoid, "inclusive", first);
  repeat(code, {
    unrolled: lanes.unrolled,
    hint: "step",
    from: u32(0),
    below: rounds,
    body: (body, step) => {
      const round = lastFirst(body, ascent, step);
      const bit = binary("shl", 1, round);
      const upper = body.let("is_upper", ne(and(lanes.lane, bit), 0));
      const found = ascent.lower.pick(body, round);
      const block = lanes.next ? found : named(body, monoid, "block", found);
      // Of the blocks before the lane's, those of the higher bits of its number are in the carry.
      const isHighest = bit.kind === "const" && 2 * Number(bit.value) >= 2 ** most;
      const isLater = binary("le", mul(bit, 2), lanes.lane);
      const present = seed.present && (isHighest ? seed.present : binary("or", seed.present, isLater));
      const joined = named(
        body,
        monoid,
        ofLanes("joined", round),
        join(body, monoid, { values: carry, present }, block),
      );
      // The block that ends at this lane: the lowest 0 bit comes last and stays.
      inclusive.forEach((last, i) => {
        body.assign(last, select(upper, last, joined[i] as Expr));
      });
      const next = joined.map((value, i) => select(upper, value, carry[i] as Expr));
      if (flat) carry = named(body, monoid, ofLanes("carry", round), next);
      else
        next.forEach((v, i) => {
          body.assign(carry[i] as VarExpr, v);
        });
    },
  });
  const present = seed.present && code.let("has_carry", binary("or", seed.present, ne(lanes.lane, 0)));
  if (ascent.begins && lanes.next) {
    const flags = flagsAround(code, lanes, ascent.begins, seed.values[0] as Expr);
    const [before, after] = [carry.slice(1), first.slice(1)];
    const others = { fields: monoid.fields?.slice(1) };
    return {
      exclusive: { values: [flags.before, ...before], present },
      inclusive: [flags.upTo, ...upToNext(code, lanes, others, before, after)],
    };
  }
  const exclusive = { values: carry, present };
  return { exclusive, inclusive: lanes.next ? upToNext(code, lanes, monoid, carry, first) : inclusive };
}

/** Whether a segment begins before a lane, and up to it. @param begins the lanes that begin one, as bits @param carried whether one begins before all */
export function flagsAround(
  code: Code,
  { lane, size }: Lanes,
  begins: Expr,
  carried: Expr,
): { readonly before: Expr; readonly upTo: Expr } {
  const some = (lanesThat: Expr): Expr =>
    code.let("has_begun", binary("or", carried, ne(and(begins, lanesThat), 0)));
  const upTo = binary("shr", 0xffff_ffff, sub((size as number) - 1, lane));
  return { before: some(sub(binary("shl", 1, lane), 1)), upTo: some(upTo) };
}

/** The prefix before the next lane, which is the one after its own; in the last lane the total of all. */
function upToNext(
  code: Code,
  { lane, size, next }: Lanes,
  monoid: Pick<Monoid, "fields">,
  before: readonly Expr[],
  after: readonly Expr[],
): Expr[] {
  const isLast = eq(lane, (size as number) - 1);
  const [hints, own] = [hintsFor(monoid, "next"), hintsFor(monoid, "inclusive")];
  return before.map((v, i) => {
    const following = code.intrinsic("shuffle", hints(i), [v, next as Expr]);
    return code.let(own(i), select(isLast, after[i] as Expr, following));
  });
}

/** The round of a step of the down-sweep. */
function lastFirst(code: Code, { rounds, most }: Ascent, step: Expr): Expr {
  if (rounds.kind === "const" && step.kind === "const")
    return u32(Number(rounds.value) - 1 - Number(step.value));
  const down = sub(sub(rounds, 1), step);
  return rounds.kind === "const"
    ? code.let("round", down)
    : code.let("up_round", binary("min", down, most - 1));
}

/** One lane's values, in all lanes. Exactly one lane may hold `isSource`. */
export function announce(code: Code, lanes: Lanes, isSource: Expr, value: readonly Expr[]): Expr[] {
  const shared = value.map((v, i) => lanes.shared.take(v.type, i, 1));
  code.barrier();
  code.if(isSource, (then) => {
    then.storeAll(shared, 0, value);
  });
  code.barrier();
  return shared.map((array) => code.let("announced", code.load(array, 0)));
}

/*
 * Shuffles of values between the lanes of a subgroup.
 */

/** A lane's number in its subgroup, and that of the first lane of its group. */
export interface Within {
  readonly at: Expr;
  readonly first: Expr;
}

/** The number of a lane in its subgroup, whose size is a power of two. It may be larger than the group. */
export function placeInSubgroup(code: Code, lane: Expr, { minSize, maxSize }: Subgroups): Expr {
  const size = minSize === maxSize ? u32(minSize) : builtin("subgroup-size");
  return code.let("subgroup_lane", and(lane, sub(size, 1)));
}

/** The values of another lane of the subgroup. */
export const shuffledFrom = (code: Code, hints: Hints, values: readonly Expr[], from: Expr): Expr[] =>
  values.map((v, i) => code.intrinsic("shuffle", hints(i), [v, from]));

/** The values of the lanes of the same subgroup whose numbers differ in a bit. */
export const shuffled = (
  code: Code,
  { place }: Pick<Lanes, "place">,
  hints: Hints,
  values: readonly Expr[],
  bit: Expr,
): Expr[] =>
  place
    ? shuffledFrom(code, hints, values, binary("xor", place, bit))
    : values.map((v, i) => code.intrinsic("shuffle-xor", hints(i), [v, bit]));

/*
 * The totals of lower blocks that a lane stores in the up-sweep, for the down-sweep.
 */

/**
 * The totals that the rounds of the up-sweep store for the down-sweep: of the lower one of the two blocks that meet. If a lane knows the next
 * one, only those of upper blocks are read, and the others may store anything.
 */
export interface LowerTotals {
  put(code: Code, round: Expr, lower: readonly Expr[]): void;
  pick(code: Code, round: Expr): readonly Expr[];
}

export const NOTHING: LowerTotals = { put: () => {}, pick: () => [] };

/** In arrays, whose elements a loop can index. */
export function inArrays(code: Code, monoid: Monoid, rounds: number): LowerTotals {
  const lower = arrays(code, monoid, "lower", rounds);
  return {
    put: (body, round, values) => body.storeAll(lower, round, values),
    pick: (body, round) => lower.map((array) => body.load(array, round)),
  };
}

/** In names, for unrolled rounds. */
export function inNames(): LowerTotals {
  const found = new Map<number, readonly Expr[]>();
  const numberOf = (round: Expr): number => Number((round as ConstExpr).value);
  return {
    put: (_, round, lower) => {
      found.set(numberOf(round), lower);
    },
    pick: (_, round) => found.get(numberOf(round)) ?? [],
  };
}

/*
 * Groups of several subgroups, whose totals pass through work-group memory at once and not in a round with a barrier for each bit: every
 * subgroup folds the totals of all of them, in the same order.
 */

/** The most totals that a lane folds by itself. */
const MOST_EACH = 4;
/** The least number of subgroups: two meet in one round. */
const LEAST = 4;

/** The subgroups of a group. */
export interface BlocksOfLanes {
  /** log2 of the lanes of a subgroup, and of the subgroups. */
  readonly near: number;
  readonly far: number;
  /** The totals that each lane folds, one after the other: 1, 2 or 4. */
  readonly each: number;
  /** The lane's number in its subgroup. */
  readonly place: Expr;
}

/** The subgroups whose totals can meet at once; undefined if they meet in rounds. */
export function subgroupsOf({ size, near, place, copies, unrolled }: Lanes): BlocksOfLanes | undefined {
  if (typeof size !== "number" || near?.kind !== "const" || !place || copies !== undefined || unrolled)
    return undefined;
  const width = 2 ** Number(near.value);
  const count = size / width;
  const far = Math.log2(count);
  if (!Number.isInteger(far) || count < LEAST || count > MOST_EACH * width) return undefined;
  return { near: Number(near.value), far, each: Math.max(1, count / width), place };
}

/** What the subgroups meet with. */
export interface Meeting {
  readonly lanes: Lanes;
  readonly of: BlocksOfLanes;
  readonly monoid: Monoid;
  /** The total of the lane's subgroup. */
  readonly total: readonly Expr[];
  /** Folds the lanes of a subgroup. */
  ascend(code: Code, lanes: Lanes, value: readonly Expr[], watch: Watch): readonly Expr[];
  /** Called for each round with the total of the lower one of the two blocks that meet. */
  lower?: ((code: Code, round: Expr, block: readonly Expr[]) => void) | undefined;
}

/** The totals that a lane folds: of the first two, where there are more than two, and of all. */
function foldOf(
  code: Code,
  monoid: Monoid,
  values: readonly (readonly Expr[])[],
): { readonly pair: readonly Expr[]; readonly total: readonly Expr[] } {
  const both = (a: readonly Expr[], b: readonly Expr[]): readonly Expr[] =>
    named(code, monoid, "both", namedResults(code, monoid, monoid.combine(code, a, b), "both"));
  const [a, b, c, d] = values as [Expr[], Expr[]?, Expr[]?, Expr[]?];
  if (!b) return { pair: a, total: a };
  const pair = both(a, b);
  return { pair, total: c && d ? both(pair, both(c, d)) : pair };
}

/** Stores the totals of the subgroups, which all lanes see afterwards. */
function share(code: Code, { lanes, of: { far, place }, total }: Meeting, subgroup: Expr): ArrayRef[] {
  const shared = total.map((v, i) => lanes.shared.take(v.type, i, 2 ** far));
  // All lanes have read what other collectives stored in the same memory.
  code.barrier();
  code.if(eq(place, 0), (first) => {
    first.storeAll(shared, subgroup, total);
  });
  code.barrier();
  return shared;
}

const without = (x: Expr, bit: Expr): Expr => and(x, unary("not", bit));

/** The total of all subgroups, in each lane. */
function meetOnce(code: Code, meeting: Meeting): readonly Expr[] {
  const { lanes, of, monoid, ascend, lower } = meeting;
  const { near, far, each, place } = of;
  const subgroup = code.let("subgroup", binary("shr", lanes.lane, near));
  const shared = share(code, meeting, subgroup);
  const load = (at: Expr): Expr[] => named(code, monoid, "block", code.loadAll(shared, at));
  const first = each > 1 ? mul(place, each) : and(place, 2 ** far - 1);
  const values = Array.from({ length: each }, (_, k) => load(add(first, k)));
  const { pair, total } = foldOf(code, monoid, values);
  const folded = Math.log2(each);
  // The lane that folds the total of the own subgroup.
  const owner = code.let("owner", binary("shr", subgroup, folded));
  const from = (body: Code, values: readonly Expr[], lane: Expr): Expr[] =>
    shuffledFrom(body, hintsFor(monoid, "block"), values, lane);
  if (each > 1) lower?.(code, u32(near), load(without(subgroup, u32(1))));
  if (each > 2) lower?.(code, u32(near + 1), from(code, pair, owner));
  const rounds = far - folded;
  const inner: Lanes = { size: 2 ** rounds, lane: place, place, near: u32(rounds), shared: lanes.shared };
  return ascend(code, inner, total, (body, round, block) =>
    lower?.(
      body,
      add(round, near + folded),
      from(body, block, body.let("from", without(owner, binary("shl", 1, round)))),
    ),
  );
}
