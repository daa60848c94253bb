/** The source of the operands of a tile: memory, or the values that a work-item holds. */
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, binary, mul, sub, u32 } from "@groupwise/kernel/language/make-expr.js";
import { ROW } from "@groupwise/kernel/language/stmt.js";
import { keptOf } from "../../lanes/rows-of-lanes.ts";
import { siteAt } from "../../parts/site.ts";
import { Values } from "../../parts/values.ts";
import type { Context } from "../../work-groups/context.ts";
import { vec4Of } from "../../work-groups/row.ts";
import { type Fused, operandIds, operandsOfItem } from "./fused.ts";
import { Held, type Holding, holdingOf } from "./held.ts";
import { pairsOfRows } from "./tiles/pairs.ts";
import { Partials } from "./tiles/partials.ts";
import { type Items, rowBase } from "./tiles/tile.ts";
import { eachRow, type Team } from "./tiles/tile-status.ts";

const IN_PAIRS: Holding = { conditions: [], operands: [], isInPairs: true };

/** The items of a lane in the tiles of a pass. */
export class TileItems {
  private readonly context: Context;
  private readonly fused: Fused;
  private readonly team: Team;

  constructor(context: Context, fused: Fused, team: Team) {
    this.context = context;
    this.fused = fused;
    this.team = team;
  }

  /** The first item that the lane has in a row of a tile. */
  base(tile: Expr, row: Expr): Expr {
    return rowBase(this.fused.status.shape, tile, row, this.team.lane);
  }

  /** Registers for the operands of a tile. */
  hold(code: Code, hint: string): Held {
    const { checked } = this.context;
    const items = this.fused.status.shape.rows * ROW;
    const isInPairs = this.team.together?.each === 2;
    return new Held(code, hint, isInPairs ? IN_PAIRS : holdingOf(this.fused, checked, items), checked, items);
  }

  /** Registers for what a sweep over a tile leaves for the next one, where that is kept. */
  partials(code: Code, hint: string): Partials | undefined {
    const { together } = this.team;
    return together && new Partials(code, hint, together.monoid.types, together.rows, keptOf(together));
  }

  /** Reads the operands of a full tile. */
  load(code: Code, tile: Expr, into: Held): void {
    const { pairs } = into;
    if (pairs) {
      const { rows } = this.fused.status.shape;
      const direct = this.direct(tile);
      for (let row = 0; row < rows; row += 2) pairs.put(code, u32(row), direct.pair(code, u32(row)));
      return;
    }
    into.clear(code);
    this.eachRow(code, tile, (body, row, base) => {
      const four = vec4Of(this.context, body, { base, roots: operandIds(this.fused) });
      four.forEach((values, j) => {
        into.put(body, add(mul(row, ROW), j), values);
      });
    });
  }

  /** Reads the operands of a tile that is not full, without holding them. Past the end it reads the last item again, which no item's prefix uses. */
  loadSome(code: Code, tile: Expr, into: Held): void {
    const { context } = this;
    const last = sub(context.n, 1);
    this.eachRow(code, tile, (body, row, base) =>
      body.for("k", 0, ROW, (each, k) => {
        const item = each.let("i", binary("min", add(base, k), last));
        into.put(each, add(mul(row, ROW), k), new Values(siteAt(context, item)));
      }),
    );
  }

  private eachRow(code: Code, tile: Expr, visit: (body: Code, row: Expr, base: Expr) => void): void {
    const { rows } = this.fused.status.shape;
    eachRow(code, this.team, u32(rows), (body, row) =>
      visit(body, row, body.let("base", this.base(tile, row))),
    );
  }

  /** A tile's operands, from held values. */
  held(tile: Expr, held: Held): Items {
    const { fused, context } = this;
    const row: Items["row"] = (code, at) =>
      vec4Of(context, code, { base: this.base(tile, at), roots: [] }).map((values, j) => {
        held.restore(code, add(mul(at, ROW), j), values);
        return operandsOfItem(fused, values, code);
      });
    return { row, pair: (code, at) => held.pairs?.get(code, at) ?? pairsOfRows(code, row, at) };
  }

  /** The operands of a full tile, read from memory. */
  direct(tile: Expr): Items {
    const { fused, context } = this;
    const row: Items["row"] = (code, at) => {
      const base = code.let("base", this.base(tile, at));
      return vec4Of(context, code, { base, roots: operandIds(fused) }).map((values) =>
        operandsOfItem(fused, values, code),
      );
    };
    return { row, pair: (code, at) => pairsOfRows(code, row, at) };
  }
}
