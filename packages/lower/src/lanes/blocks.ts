/**
 * Aligned blocks of lanes, each folded on its own in the Fenwick order. Their size, a power of two, is known at launch: a round that is not
 * needed is left out by a condition that is the same in all work-items.
 */
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr, VarExpr } from "@groupwise/kernel/language/expr.js";
import { and, binary, lt, mul, ne, select, sub, u32, zeroOf } from "@groupwise/kernel/language/make-expr.js";
import {
  type Carry,
  hintsFor,
  join,
  type Monoid,
  named,
  namedResults,
  nothing,
  variables,
} from "../parts/monoid.ts";
import { inArrays, inNames, type Lanes, type Prefixes, shuffled, viaMemory } from "./lanes.ts";

type Values = readonly Expr[];

/** Blocks of 2^rounds lanes. */
export interface LaneBlocks {
  /** All lanes; their number is a power of two. */
  readonly lanes: Lanes;
  /** The lane's number in its block. */
  readonly lane: Expr;
  /** The same in all lanes, and at most `most`. */
  readonly rounds: Expr;
  readonly most: number;
  /** Whether each round has statements of its own, so that its values stay in registers. */
  readonly unrolled: boolean;
}

const choose = (condition: Expr, yes: Values, no: Values): Expr[] =>
  yes.map((v, i) => select(condition, v, no[i] as Expr));
const bitOf = (round: Expr): Expr => binary("shl", 1, round);

/** @param isUp false: the last round comes first */
function eachRound(
  code: Code,
  { rounds, most, unrolled }: LaneBlocks,
  isUp: boolean,
  visit: (code: Code, round: Expr) => void,
): void {
  if (unrolled)
    for (let i = 0; i < most; i++) {
      const round = isUp ? i : most - 1 - i;
      code.if(lt(round, rounds), (body) => visit(body, u32(round)));
    }
  else
    code.for("step", 0, rounds, (body, step) =>
      visit(body, body.let("round", binary("min", isUp ? step : sub(sub(rounds, 1), step), most - 1))),
    );
}

/** The values of the lanes whose numbers differ in the bit of a round. */
function siblings(code: Code, { lanes }: LaneBlocks, monoid: Monoid, total: Values, round: Expr): Values {
  const size = lanes.size as number;
  const bit = code.let("bit", bitOf(round));
  const shape = { half: u32(size), length: size, partial: false, size: u32(size) };
  const near = (inner: Code): Expr[] => shuffled(inner, lanes, hintsFor(monoid, "theirs"), total, bit);
  const far = (inner: Code): Expr[] => viaMemory(inner, { lanes, shape, monoid, total, round, bit });
  if (!lanes.near) return far(code);
  if (lanes.near.kind === "const" && round.kind === "const")
    return Number(round.value) < Number(lanes.near.value) ? near(code) : far(code);
  const theirs = variables(code, monoid, "sibling", monoid.types.map(zeroOf));
  code.if(
    lt(round, lanes.near),
    (inner) => inner.assignAll(theirs, near(inner)),
    (inner) => inner.assignAll(theirs, far(inner)),
  );
  return theirs;
}

/** The total of each block, and with `scans` the prefixes of its lanes. @param seedOf the prefix before each block, from its total; default: nothing */
export function foldBlocks(
  code: Code,
  of: LaneBlocks,
  monoid: Monoid,
  value: Values,
  scans: boolean,
  seedOf?: (total: Values) => Carry,
): { readonly total: Values; readonly prefixes?: Prefixes } {
  const { lane, lanes, rounds, most, unrolled } = of;
  const total = variables(code, monoid, "total", value);
  const lower = unrolled ? inNames() : inArrays(code, monoid, scans ? most : 0);
  const kept = (body: Code, round: Expr, block: Values): void => {
    if (unrolled && scans) body.assignAll(lower.pick(body, round) as VarExpr[], block);
    else if (scans) lower.put(body, round, block);
  };
  if (unrolled && scans)
    for (let round = 0; round < most; round++)
      lower.put(code, u32(round), variables(code, monoid, `lower${2 ** round}`, monoid.types.map(zeroOf)));
  // All lanes have read what other collectives stored in the same memory.
  if (lanes.near) code.if(lt(lanes.near, rounds), (far) => far.barrier());
  else code.barrier();
  eachRound(code, of, true, (body, round) => {
    const theirs = siblings(body, of, monoid, total, round);
    const upper = body.let("is_upper", ne(and(lane, bitOf(round)), 0));
    const earlier = named(body, monoid, "earlier", choose(upper, theirs, total));
    kept(body, round, earlier);
    const [a, b] = monoid.commutative
      ? [total, theirs]
      : [earlier, named(body, monoid, "later", choose(upper, total, theirs))];
    body.assignAll(total, namedResults(body, monoid, monoid.combine(body, a, b), "both"));
  });
  const seed = seedOf?.(total) ?? nothing(monoid);
  if (!scans) return { total };
  const carry = variables(code, monoid, "carry", seed.values);
  // In the last lane all bits of its number are 1, and no round changes it.
  const inclusive = variables(code, monoid, "inclusive", seedOf ? join(code, monoid, seed, total) : total);
  eachRound(code, of, false, (body, round) => {
    const upper = body.let("is_upper", ne(and(lane, bitOf(round)), 0));
    const present = seed.present && binary("or", seed.present, binary("le", mul(bitOf(round), 2), lane));
    const block = named(body, monoid, "block", lower.pick(body, round));
    const joined = named(body, monoid, "joined", join(body, monoid, { values: carry, present }, block));
    body.assignAll(inclusive, choose(upper, inclusive, joined));
    body.assignAll(carry, choose(upper, joined, carry));
  });
  const present = seed.present && code.let("has_carry", binary("or", seed.present, ne(lane, 0)));
  return { total, prefixes: { exclusive: { values: carry, present }, inclusive } };
}
