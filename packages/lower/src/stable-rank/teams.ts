/** Ranks among the equal keys of a team of lanes: of earlier rounds, then of earlier lanes. */
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import {
  add,
  and,
  binary,
  eq,
  lt,
  mul,
  ne,
  select,
  sub,
  u32,
  unary,
} from "@groupwise/kernel/language/make-expr.js";
import type { Context, KernelParts } from "../work-groups/context.ts";
import type { Ranking } from "./kernels.ts";
import { keyOf, valuesAt, wordsOf } from "./key.ts";
import type { Shape } from "./shape.ts";
import { eachItem, eachRound, type Memory, type Own, placeAt } from "./tile.ts";

/** The first bit of the key in a word that also has the rank within the team. */
export const KEY_SHIFT = 16;

/** The lanes of a round. */
interface Round {
  readonly code: Code;
  readonly round: Expr;
  readonly isItem: Expr;
  readonly key: Expr;
  /** The index of the counts of the key in the team. */
  readonly cell: Expr;
}

/** Finds the ranks; afterwards `before` has the number of items of each bin of each team. */
export function rankInTeams(
  context: Context,
  parts: KernelParts,
  { node, shape }: Ranking,
  memory: Memory,
  own: Own,
): void {
  const { code } = parts;
  const { teams, bins, ballots } = shape;
  clear(parts, memory.before, teams * bins);
  if (!ballots) clear(parts, memory.words, 2 * teams * bins);
  eachItem(code, shape, own, (body, round, item) => {
    const values = valuesAt(context, item);
    body.store(own.found, round, keyOf(node, values, body));
    for (const [sink, arrays] of own.held)
      for (const [k, word] of wordsOf(sink, values, body).entries())
        body.store(arrays[k] as ArrayRef, round, word);
  });
  code.barrier();
  const base = code.let("base", mul(own.team, bins));
  code.comment(
    "ranks among the equal keys of a team of lanes: items of earlier rounds, then of earlier lanes",
  );
  eachRound(code, shape, (body, round) => {
    const isItem = body.let("is_item", lt(placeAt(shape, own, round), own.count));
    const key = body.let("key", binary("min", body.load(own.found, round), bins - 1));
    const cell = body.let("cell", add(base, key));
    const rank = (ballots ? byBallots : byBits)({ code: body, round, isItem, key, cell }, shape, memory, own);
    body.store(own.found, round, binary("or", binary("shl", key, KEY_SHIFT), rank));
  });
  code.barrier();
}

function clear({ code, lanes: { lane, size } }: KernelParts, array: Memory["before"], length: number): void {
  code.for("cell", lane, length, (body, cell) => body.store(array, cell, 0), size as number);
}

/** The number of lanes before this one with the same key. */
const lower = (same: Expr, bit: Expr): Expr => unary("popcount", and(same, sub(binary("shl", 1, bit), 1)));

/**
 * A subgroup compares its keys bit by bit. The last of the lanes with a key adds their number to its count, and broadcasts the previous
 * count: no barrier is needed, because a subgroup's operations on one word are executed in order.
 */
function byBallots(
  { code, isItem, key, cell }: Round,
  { bins, lanes, teams }: Shape,
  { before }: Memory,
  own: Own,
): Expr {
  const title = "rank_in_subgroup";
  const doc = "The number of earlier items of the subgroup with the same key.";
  const given = { key: [key], cell: [cell], bit: [own.bit], is_item: [isItem] };
  const { rank } = code.routine({ title, doc }, given, (args) => {
    const [value, at, bit, isPresent] = [args.key[0], args.cell[0], args.bit[0], args.is_item[0]] as [
      Expr,
      Expr,
      Expr,
      Expr,
    ];
    let same: Expr = code.intrinsic("ballot", "items", [isPresent]);
    for (let digit = 0; 2 ** digit < bins; digit++) {
      const isSet = code.let("is_set", ne(and(value, 2 ** digit), 0));
      const having = code.intrinsic("ballot", "having", [isSet]);
      same = code.let("same", and(same, select(isSet, having, unary("not", having))));
    }
    // For a lane without an item, any lane.
    const last = code.let("last", and(sub(31, unary("clz", same)), lanes - 1));
    const taken = code.var("taken", u32(0));
    code.if(and(isPresent, eq(bit, last)), (one) =>
      one.assign(
        taken,
        one.atomicAdd("count", before, binary("min", at, teams * bins - 1), unary("popcount", same)),
      ),
    );
    const earlier = code.intrinsic("shuffle", "earlier", [taken, last]);
    return { rank: [add(earlier, lower(same, bit))] };
  });
  return rank[0] as Expr;
}

/** The lanes of a team set bits of a word for each key; two words by turns, so that two barriers are enough. */
function byBits(
  { code, round, isItem, cell }: Round,
  { teams, bins }: Shape,
  { words, before }: Memory,
  own: Own,
): Expr {
  const side = code.let("side", mul(and(round, 1), teams * bins));
  const at = code.let("at", add(side, cell));
  code.if(isItem, (inside) => inside.atomic("or", words, at, binary("shl", 1, own.bit)));
  code.barrier();
  const same = code.let("same", code.load(words, at));
  const earlier = code.let("earlier", code.load(before, cell));
  code.barrier();
  const rank = code.let("rank", add(earlier, lower(same, own.bit)));
  const isLast = eq(binary("shr", same, own.bit), 1);
  code.if(and(isItem, isLast), (last) => {
    last.store(before, cell, add(rank, 1));
    last.store(words, at, 0);
  });
  return rank;
}
