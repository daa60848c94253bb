/**
 * The search of look-back where combining takes many operations: the first block of lanes finds the prefix of the tile with a combination for each 1
 * of its number.
 */
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, binary, eq, lt, mul, ne, select, sub, u32 } from "@groupwise/kernel/language/make-expr.js";
import { totalOfLanes } from "../../lanes/lane-routines.ts";
import { prefixesAt, treeOf } from "../../lanes/tree.ts";
import { type Found, firstOf, presentAt } from "./prefix.ts";
import { endsOf, type Finished, firstMissing, look, NONE, waitAt, withOwn } from "./slots.ts";
import { digitOf } from "./tiles/shape.ts";

/** The values of the slots of a tile's levels. */
interface Slots {
  readonly values: readonly ArrayRef[];
  readonly missing: Expr;
  /** The highest level of which a block ends with the tile. */
  readonly ends: Expr;
}

/** Waits for the slots before a tile, which it first reads for all levels at once. The tile and the blocks that end with it have slots too. */
function slotsOf(code: Code, here: Finished): Slots {
  const { status, team, tile, own } = here;
  const { levels, slotWords } = status.shape;
  const seen = code.array("seen", "u32", levels * slotWords);
  const words = Array.from({ length: levels }, (_, level) => look(code, here, level)).flat();
  for (const [i, word] of words.entries()) code.store(seen, i, word);
  const values = status.monoid.types.map((type) => code.array("slots", type, levels));
  const missing = code.var("missing", u32(NONE));
  const total = own.map((v) => code.var("total", v));
  const ends = endsOf(code, status, tile);
  code.for("level", 0, levels, (body, level) => {
    const first = mul(level, slotWords);
    const read = Array.from({ length: slotWords }, (_, i) => body.load(seen, add(first, i)));
    const waited = waitAt(body, here, { level: [level], seen: read });
    body.assign(missing, binary("min", waited.missing, missing));
    const mine = withOwn(body, team, waited.slot, total, digitOf(tile, level));
    body.storeAll(values, level, mine);
    body.if(lt(level, ends), (then) =>
      then.assignAll(total, totalOfLanes(then, team.lanes, status.monoid, mine)),
    );
  });
  return { values, missing: firstMissing(code, team, [{ slot: [], missing }]), ends };
}

/** Finds the prefixes before and after a tile, the highest level of its slots first. */
export function searchHeavy(code: Code, here: Finished): Found {
  const { status, team, tile, own } = here;
  const { monoid, shape } = status;
  const { values, missing, ends } = slotsOf(code, here);
  const before = firstOf(here).map((v) => code.var("before", v));
  const after = own.map((v) => code.var("after", v));
  code.for("step", 0, shape.levels, (body, step) => {
    const level = body.let("level", sub(shape.levels - 1, step));
    const digit = body.let("digit", digitOf(tile, level));
    // The order combines the largest block that ends with the tile first.
    const isLargest = body.let("is_largest", eq(level, ends));
    body.if(binary("or", ne(digit, 0), isLargest), (then) => {
      const slot = values.map((array) => then.let("slot", then.load(array, level)));
      const { ending } = treeOf(then, team.lanes, monoid, slot, digit);
      const present = presentAt(status, { tile: [tile], level: [level] });
      const seeded = { ending, seed: { values: before, present } };
      const found = prefixesAt(then, team.lanes, monoid, seeded, { at: digit, needsAfter: isLargest });
      then.assignAll(before, found.before);
      then.assignAll(
        after,
        found.after.map((v, i) => select(isLargest, v, after[i] as Expr)),
      );
    });
  });
  return { missing, before, after };
}
