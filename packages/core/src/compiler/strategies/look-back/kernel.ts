/**
 * A scan in one pass over the full tiles. Work-groups stay and take tile after tile from a counter. Each
 * publishes the total of its next tile before it waits for what precedes its own: no wait stands before a
 * publish. What is left behind the last full tile is `tail.ts`'s.
 */
import { formula } from "../../../ir/base/formula.ts";
import type { NodeId } from "../../../ir/document/node.ts";
import type { ArrayRef, Code, Shared } from "../../kernel/build.ts";
import type { Expr, VarExpr } from "../../kernel/expr.ts";
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
  zeroOf,
} from "../../kernel/make-expr.ts";
import type { Kernel } from "../../kernel/module.ts";
import { ROW } from "../../kernel/stmt.ts";
import type { Values } from "../../parts/values.ts";
import { type Context, makeKernel } from "../../work-groups/context.ts";
import type { Lanes } from "../../work-groups/lanes.ts";
import { rowOf } from "../../work-groups/row.ts";
import { type Sinks, sinksOf, writeRow } from "../../work-groups/write-row.ts";
import { type Fused, operandIds, operandsOfItem, type Scan, scansOf } from "./fused.ts";
import { Held, holdingOf } from "./held.ts";
import { type Known, knownOf } from "./known.ts";
import { prefixOf, publishEarly } from "./prefix.ts";
import { blocksAt, RADIX, RADIX_BITS, tilesFormula } from "./shape.ts";
import { look, NONE, publish, wait } from "./slots.ts";
import {
  finishRows,
  type Items,
  type Memory,
  type RowPrefixes,
  rowBase,
  startBlocks,
  totalOf,
} from "./tile.ts";
import { publishes, type Team } from "./tile-status.ts";
import { leaveTotals } from "./totals.ts";

/** Totals of blocks of lanes: of the own tile and the next one in turn, and of a tile of someone else. */
const REGIONS = 3;
const LOST = 2;
/** What one lane tells all: what is missing, which tile is next. */
const MISSING = 0;
const NEXT = 1;

export function lookBackKernel(context: Context, stage: number, fused: Fused): Kernel {
  const { shape } = fused.status;
  const tiles = tilesFormula(shape);
  const doc = [
    `Scan of the full tiles, ${shape.size} items each, in ${shape.rows} rows; work-groups take tile after tile.`,
    "Totals of tiles, of 32 tiles and so on are published once; a prefix is a fold over at most 31 of each level.",
  ];
  const groups = formula("min", tiles, fused.groups);
  return makeKernel(
    context,
    { hint: "scan", doc, workGroupSize: shape.workGroupSize, groups },
    ({ code, lanes }) => new LookBack(context, stage, fused, lanes).fill(code),
  );
}

/** The lanes in blocks of 32. */
export function teamOf(
  code: Code,
  { lane, shared, memory }: Lanes,
  { status: { shape }, near }: Fused,
): Team {
  const sub = code.let("sub", and(lane, u32(RADIX - 1)));
  const block = code.let("block", binary("shr", lane, u32(RADIX_BITS)));
  const base = mul(block, u32(2 * RADIX));
  const lanes: Lanes = {
    size: RADIX,
    lane: sub,
    shared,
    ...(memory !== undefined && { memory }),
    near: u32(Math.min(near, RADIX_BITS)),
    base,
    copies: shape.lanes32,
    unrolled: near >= RADIX_BITS,
  };
  const isSubgroup = near >= RADIX_BITS;
  return { lane, sub, block, lanes, isSubgroup };
}

/** A row of a tile, and the prefixes of its items. */
interface Row {
  readonly team: Team;
  readonly tile: Expr;
  readonly number: Expr;
  readonly prefixes: RowPrefixes;
}

/** The total of a tile, in every lane; the totals of its blocks go to a region of memory. */
type TotalOf = (code: Code, tile: Expr, region: Expr) => readonly Expr[];

const assignAll = (code: Code, variables: readonly VarExpr[], values: readonly Expr[]): void =>
  variables.forEach((v, i) => {
    code.assign(v, values[i] as Expr);
  });

class LookBack {
  private readonly context: Context;
  private readonly fused: Fused;
  private readonly lanes: Lanes;
  private readonly scans: readonly Scan[];
  private readonly sinks: Sinks;
  private readonly known: readonly Known[];

  constructor(context: Context, stage: number, fused: Fused, lanes: Lanes) {
    this.context = context;
    this.fused = fused;
    this.lanes = lanes;
    this.scans = scansOf(fused);
    const ids = this.scans.map(({ id }) => id);
    this.sinks = sinksOf(context, stage, ids);
    this.known = knownOf(fused, context.checked);
  }

  fill(code: Code): void {
    const { fused } = this;
    const { status } = fused;
    const { monoid, shape } = status;
    const { shared } = this.lanes;
    const team = teamOf(code, this.lanes, fused);
    const memory = memoryOf(shared, fused);
    const told: ArrayRef = shared.make("told", "u32", NEXT + 1);
    const tiles = code.let("tiles", blocksAt(shape, status.n, 0));
    const tile = code.uniformVar("tile", this.take(code, team, told));
    const region = code.uniformVar("region", u32(0));
    const own = monoid.types.map((type) => code.var("own", zeroOf(type)));
    const mine = this.hold(code, "items");
    const following = this.hold(code, "next_items");
    const totalOfTile = (here: Code, which: Expr, where: Expr, keep: Held): readonly Expr[] => {
      this.load(here, team, which, keep);
      return totalOf(here, { status, team, memory, items: this.heldItems(team, which, keep), region: where });
    };
    const recovering: TotalOf = (here, which, where) =>
      totalOf(here, { status, team, memory, items: this.items(team, which), region: where });
    code.if(lt(tile, tiles), (first) => {
      const total = totalOfTile(first, tile, and(region, u32(1)), mine);
      assignAll(first, own, total);
      publish(first, {
        status,
        team,
        level: u32(0),
        slot: tile,
        total: own,
        when: publishes(status, tile),
      });
    });
    code.while(lt(tile, tiles), (body) => {
      body.comment("a first look at the slots, which arrive while the next tile is read");
      const seen = look(body, status, team, tile);
      publishEarly(body, { status, team, tile, seen }, own);
      const next = this.take(body, team, told);
      const nextOwn = own.map((v) => body.var("next_own", v));
      body.if(lt(next, tiles), (more) => {
        const total = totalOfTile(more, next, and(add(region, u32(1)), u32(1)), following);
        assignAll(more, nextOwn, total);
        publish(more, {
          status,
          team,
          level: u32(0),
          slot: next,
          total: nextOwn,
          when: publishes(status, next),
        });
      });
      const where = and(region, u32(1));
      const missing = body.uniformVar("missing", u32(0));
      body.while(ne(missing, u32(NONE)), (round) => {
        const first = wait(round, { status, team, tile, seen });
        const prefix = prefixOf(round, { status, team, tile, seen, own, isThere: eq(first, u32(NONE)) });
        startBlocks(round, { status, team, memory, region: where, tile, prefix });
        round.if(eq(team.lane, u32(0)), (one) => one.store(told, u32(MISSING), first));
        round.assign(missing, round.uniformLoad("first_missing", told, u32(MISSING)));
        round.if(ne(missing, u32(NONE)), (lost) => this.recover(lost, team, tile, missing, recovering));
      });
      this.leaveTotals(body, tile, memory);
      finishRows(
        body,
        { status, team, memory, items: this.heldItems(team, tile, mine), tile },
        (row, number, prefixes) => this.writeRow(row, { team, tile, number, prefixes }),
      );
      body.assign(tile, next);
      body.assign(region, add(region, u32(1)));
      assignAll(body, own, nextOwn);
      mine.copy(body, following, shape.rows * ROW);
    });
  }

  /** Writes the outputs of a row. */
  private writeRow(code: Code, { team, tile, number, prefixes }: Row): void {
    const base = code.let("base", rowBase(this.fused.status.shape, tile, number, team.lane));
    const set = (values: Values, j: number): void => {
      for (const { id, from } of this.known) values.set(id, from(prefixes.items[j] as Expr[]));
      this.setScans(code, base, prefixes, values, j);
    };
    writeRow(this.context, code, { base, sinks: this.sinks, known: this.knownIds(), set });
  }

  private knownIds(): ReadonlySet<NodeId> {
    return new Set([...this.sinks.scans, ...this.known.map(({ id }) => id)]);
  }

  /** Where no items are behind the last full tile, its end is that of the range. */
  private leaveTotals(code: Code, tile: Expr, memory: Memory): void {
    const { shape, n } = this.fused.status;
    const isEnd = eq(mul(add(tile, u32(1)), u32(shape.size)), n);
    code.if(and(eq(this.lanes.lane, u32(0)), isEnd), (one) => {
      const ends = memory.prefixes.map((array) => one.load(array, u32(shape.blocks)));
      leaveTotals(this.context, this.fused, one, ends);
    });
  }

  /** Gives the j-th item of a row the values of the scans. */
  private setScans(code: Code, base: Expr, prefixes: RowPrefixes, values: Values, j: number): void {
    const { monoid } = this.fused.status;
    for (const { id, inclusive, at } of this.scans) {
      const before = prefixes.before[j]?.[at] as Expr;
      const isFirst = eq(base, u32(0));
      const exclusive = (): Expr =>
        monoid.reassociable || j > 0
          ? before
          : code.let("exclusive", select(isFirst, monoid.identity[at] as Expr, before));
      values.set(id, inclusive ? (prefixes.after[j]?.[at] as Expr) : exclusive());
    }
  }

  private hold(code: Code, hint: string): Held {
    const { checked } = this.context;
    const items = this.fused.status.shape.rows * ROW;
    return new Held(code, hint, holdingOf(this.fused, checked, items), checked, items);
  }

  /** Reads a tile's operands. */
  private load(code: Code, team: Team, tile: Expr, into: Held): void {
    const { shape } = this.fused.status;
    into.clear(code);
    code.for("row", u32(0), u32(shape.rows), (body, row) => {
      const base = body.let("base", rowBase(shape, tile, row, team.lane));
      const four = rowOf(this.context, body, { base, roots: operandIds(this.fused) });
      four.forEach((values, j) => {
        into.put(body, add(mul(row, u32(ROW)), u32(j)), values);
      });
    });
  }

  /** A tile's operands, of what is held. */
  private heldItems(team: Team, tile: Expr, held: Held): Items {
    const { fused, context } = this;
    return {
      row: (code, row) => {
        const base = rowBase(fused.status.shape, tile, row, team.lane);
        return rowOf(context, code, { base, roots: [] }).map((values, j) => {
          held.tell(code, add(mul(row, u32(ROW)), u32(j)), values);
          return operandsOfItem(fused, values, code);
        });
      },
    };
  }

  /** A tile's operands, read from the inputs. */
  private items(team: Team, tile: Expr): Items {
    const { fused, context } = this;
    return {
      row: (code, row) => {
        const base = code.let("base", rowBase(fused.status.shape, tile, row, team.lane));
        return rowOf(context, code, { base, roots: operandIds(fused) }).map((values) =>
          operandsOfItem(fused, values, code),
        );
      },
    };
  }

  /** The next tile that nobody has taken. */
  private take(code: Code, team: Team, told: ArrayRef): Expr {
    code.if(eq(team.lane, u32(0)), (one) =>
      one.store(told, u32(NEXT), one.atomicAdd("taken", this.fused.status.array.name, u32(0), u32(1))),
    );
    return code.uniformLoad("ticket", told, u32(NEXT));
  }

  /** Computes the total that is missing, tile after tile of its block, and publishes it. */
  private recover(code: Code, team: Team, tile: Expr, missing: Expr, totalOfTile: TotalOf): void {
    const { status } = this.fused;
    const { monoid, shape } = status;
    code.comment("a slot that did not come: its total, with the same bits, by who waits for it");
    const most = RADIX_BITS * (shape.levels - 1) + 1;
    const blocks = monoid.types.map((type) => code.array("lost_blocks", type, most));
    const level = code.let("level", binary("shr", missing, u32(RADIX_BITS)));
    const bits = code.let("bits", mul(level, u32(RADIX_BITS)));
    const above = code.let("above", add(bits, u32(RADIX_BITS)));
    const slot = code.let(
      "slot_at",
      add(binary("shl", binary("shr", tile, above), u32(RADIX_BITS)), and(missing, u32(RADIX - 1))),
    );
    const first = code.let("first", binary("shl", slot, bits));
    const lost = monoid.types.map((type) => code.var("lost", zeroOf(type)));
    code.for("i", u32(0), binary("shl", u32(1), bits), (body, i) => {
      // The tile before has been folded by everyone.
      body.barrier();
      totalOfTile(body, add(first, i), u32(LOST)).forEach((v, c) => {
        body.assign(lost[c] as VarExpr, v);
      });
      // As many finished blocks as i has trailing ones are of the same size, one after the other.
      const next = body.let("next", add(i, u32(1)));
      const low = and(next, sub(u32(0), next));
      const ones = body.let("ones", binary("min", sub(u32(31), unary("clz", low)), u32(most - 1)));
      body.for("k", u32(0), ones, (inner, k) => {
        const left = blocks.map((array) => inner.load(array, k));
        const both = monoid.combine(inner, left, lost).map((v) => inner.let("both", v));
        both.forEach((v, c) => {
          inner.assign(lost[c] as VarExpr, v);
        });
      });
      blocks.forEach((array, c) => {
        body.store(array, ones, lost[c] as Expr);
      });
    });
    publish(code, { status, team, level, slot, total: lost });
  }
}

/** Work-group memory of a kernel that looks back. */
export function memoryOf(shared: Shared, { status: { monoid, shape } }: Fused): Memory {
  return {
    blockTotals: monoid.types.map((type) => shared.make("block_totals", type, REGIONS * shape.blocks)),
    prefixes: monoid.types.map((type) => shared.make("prefixes", type, shape.blocks + 1)),
  };
}
