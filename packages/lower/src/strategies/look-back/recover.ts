/** A slot that is not published in time: the waiting work-group computes its total, with the same bits. */
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr, VarExpr } from "@groupwise/kernel/language/expr.js";
import { add, and, binary, mul, zeroOf } from "@groupwise/kernel/language/make-expr.js";
import { publish } from "./slots.ts";
import { RADIX, RADIX_BITS, trailingOnes } from "./tiles/shape.ts";
import type { Team, TileStatus } from "./tiles/tile-status.ts";

/** A slot that is missing before a tile. */
export interface Missing {
  readonly status: TileStatus;
  readonly team: Team;
  readonly tile: Expr;
  /** Level x 32 + its place among the 32. */
  readonly missing: Expr;
  /** The total of a tile, in every lane. */
  totalOf(code: Code, tile: Expr): readonly Expr[];
}

/** Computes the missing total, tile by tile of its block, and publishes it. */
export function recover(code: Code, { status, team, tile, missing, totalOf }: Missing): void {
  const { monoid, shape } = status;
  code.comment("computes the total of a slot that is not published in time, with the same bits");
  const most = RADIX_BITS * (shape.levels - 1) + 1;
  const blocks = monoid.types.map((type) => code.array("lost_blocks", type, most));
  const level = code.let("level", binary("shr", missing, RADIX_BITS));
  const bits = code.let("bits", mul(level, RADIX_BITS));
  const above = binary("shr", tile, add(bits, RADIX_BITS));
  const slot = code.let("slot", add(binary("shl", above, RADIX_BITS), and(missing, RADIX - 1)));
  const first = code.let("first", binary("shl", slot, bits));
  const lost = monoid.types.map((type) => code.var("lost", zeroOf(type)));
  code.for("i", 0, binary("shl", 1, bits), (body, i) => {
    // All lanes have folded the tile before.
    body.barrier();
    totalOf(body, add(first, i)).forEach((v, c) => {
      body.assign(lost[c] as VarExpr, v);
    });
    // The number of consecutive finished blocks of the same size is the number of trailing ones of i.
    const ones = body.let("ones", binary("min", trailingOnes(i), most - 1));
    body.for("k", 0, ones, (inner, k) => {
      const left = blocks.map((array) => inner.load(array, k));
      const both = monoid.combine(inner, left, lost).map((v) => inner.let("both", v));
      both.forEach((v, c) => {
        inner.assign(lost[c] as VarExpr, v);
      });
    });
    body.storeAll(blocks, ones, lost);
  });
  publish(code, { status, team, level, slot, total: lost });
}
