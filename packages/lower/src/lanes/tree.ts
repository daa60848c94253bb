/**
 * The totals of aligned blocks of lanes as one value in each lane: that of the largest block that ends with the lane. A prefix combines the
 * totals of the blocks of the ones in a lane's number, each in the last lane of its block. Lanes all meet in one subgroup of their number.
 */
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { and, binary, eq, mul, ne, select, sub, u32, unary } from "@groupwise/kernel/language/make-expr.js";
import { type Carry, hintsFor, join, type Monoid, named, namedResults, variables } from "../parts/monoid.ts";
import { type Lanes, roundsOf, shuffled, shuffledFrom } from "./lanes.ts";

type Values = readonly Expr[];
const not = (word: Expr): Expr => unary("not", word);
const bitOf = (round: Expr): Expr => binary("shl", 1, round);
const onesBelow = (bit: Expr): Expr => sub(bit, 1);
const choose = (condition: Expr, yes: Values, no: Values): Expr[] =>
  yes.map((v, i) => select(condition, v, no[i] as Expr));

export type Tree = {
  /** Of the largest block that ends with the lane, if it ends with the last one or before. */
  readonly ending: Values;
  /** Of all lanes, in each of them, if the last one is among those that are read. */
  readonly total: Values;
};

/** @param last the last lane that is read, uniform; default: that of the group */
export function treeOf(
  code: Code,
  lanes: Lanes,
  monoid: Monoid,
  value: Values,
  last: Expr = u32((lanes.size as number) - 1),
): Tree {
  const doc = `The totals of the largest block of ${lanes.size} lanes that ends with each of them up to the last one, and of all lanes.`;
  return code.routine(
    { title: "tree_of_lanes", doc, returns: "tree", fields: monoid.fields },
    { own: value, last: [last] },
    (args) => climb(code, lanes, monoid, args.own, args.last[0] as Expr),
  );
}

function climb(code: Code, lanes: Lanes, monoid: Monoid, value: Values, last: Expr): Tree {
  const { lane, size } = lanes;
  const total = variables(code, monoid, "total", value);
  const ending = variables(code, monoid, "ending", value);
  code.for("round", 0, roundsOf(size as number), (body, round) => {
    const bit = body.let("bit", bitOf(round));
    const ones = body.let("ones", onesBelow(mul(bit, 2)));
    body.if(binary("le", ones, last), (then) => {
      const theirs = shuffled(then, lanes, hintsFor(monoid, "theirs"), total, bit);
      const upper = then.let("is_upper", ne(and(lane, bit), 0));
      const [a, b] = monoid.commutative
        ? [total, theirs]
        : [
            named(then, monoid, "earlier", choose(upper, theirs, total)),
            named(then, monoid, "later", choose(upper, total, theirs)),
          ];
      then.assignAll(
        total,
        namedResults(then, monoid, monoid.combine(then, a as Values, b as Values), "both"),
      );
      then.assignAll(ending, choose(eq(and(lane, ones), ones), total, ending));
    });
  });
  return { ending, total };
}

/** A tree, and the prefix before its first lane. */
export interface Seeded {
  readonly ending: Values;
  readonly seed: Carry;
}

/** The prefix before each lane. The first lane's is that of the seed, present or not. */
export function descendTree(
  code: Code,
  { lane, size }: Lanes,
  monoid: Monoid,
  { ending, seed }: Seeded,
): { readonly exclusive: Carry } {
  const rounds = roundsOf(size as number);
  const carry = variables(code, monoid, "carry", seed.values);
  code.for("step", 0, rounds, (body, step) => {
    const bit = body.let("bit", bitOf(sub(rounds - 1, step)));
    const higher = body.let("higher", and(lane, not(onesBelow(mul(bit, 2)))));
    const block = shuffledFrom(body, hintsFor(monoid, "block"), ending, binary("or", higher, onesBelow(bit)));
    const present = seed.present && binary("or", seed.present, ne(higher, 0));
    const joined = named(body, monoid, "joined", join(body, monoid, { values: carry, present }, block));
    body.assignAll(carry, choose(ne(and(lane, bit), 0), joined, carry));
  });
  const present = seed.present && code.let("has_carry", binary("or", seed.present, ne(lane, 0)));
  return { exclusive: { values: carry, present } };
}

/** The prefix before a lane, the same in all of them, with a sum for each 1 in its number. @param at the lane, uniform */
export function prefixBeforeLane(
  code: Code,
  { size }: Lanes,
  monoid: Monoid,
  { ending, seed }: Seeded,
  at: Expr,
): Values {
  const rounds = roundsOf(size as number);
  const before = variables(code, monoid, "before", seed.values);
  code.for("step", 0, rounds, (body, step) => {
    const bit = body.let("bit", bitOf(sub(rounds - 1, step)));
    body.if(ne(and(at, bit), 0), (then) => {
      const higher = then.let("higher", and(at, not(onesBelow(mul(bit, 2)))));
      const last = then.let("last", binary("or", higher, onesBelow(bit)));
      const present = seed.present && binary("or", seed.present, ne(higher, 0));
      const block = shuffledFrom(then, hintsFor(monoid, "block"), ending, last);
      then.assignAll(
        before,
        namedResults(then, monoid, join(then, monoid, { values: before, present }, block), "both"),
      );
    });
  });
  return before;
}

interface Wanted {
  /** The lane, uniform. */
  readonly at: Expr;
  /** Uniform. Where it is false, the prefix after the lane is any value. */
  readonly needsAfter: Expr;
}
/** The prefixes before and after a lane, with one more sum: the block that ends with it follows the blocks of the ones above its size. */
export function prefixesAt(
  code: Code,
  { size }: Lanes,
  monoid: Monoid,
  { ending, seed }: Seeded,
  { at, needsAfter }: Wanted,
): { readonly before: Values; readonly after: Values } {
  const rounds = roundsOf(size as number);
  const before = variables(code, monoid, "before", seed.values);
  const after = variables(code, monoid, "after", seed.values);
  // One bit more than the number has: if all of its bits are 1, the block that ends with it is the whole.
  code.for("step", 0, rounds + 1, (body, step) => {
    const bit = body.let("bit", bitOf(sub(rounds, step)));
    const isIn = body.let("is_in", ne(and(at, bit), 0));
    const below = onesBelow(mul(bit, 2));
    const isEnd = and(needsAfter, eq(and(at, below), onesBelow(bit)));
    const higher = and(at, not(below));
    body.if(binary("or", isIn, isEnd), (then) => {
      const last = select(isIn, binary("or", higher, onesBelow(bit)), at);
      const block = shuffledFrom(then, hintsFor(monoid, "block"), ending, then.let("last", last));
      const present = seed.present && binary("or", seed.present, ne(higher, 0));
      const both = named(then, monoid, "joined", join(then, monoid, { values: before, present }, block));
      then.assignAll(after, choose(isIn, after, both));
      then.assignAll(before, choose(isIn, both, before));
    });
  });
  return { before, after };
}
