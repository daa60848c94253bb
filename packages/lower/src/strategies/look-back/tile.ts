/** A tile in rows of vectors: its total, and with the prefix before it the prefixes of its items. */

import type { Checked } from "@groupwise/ir/document/check.js";
import type { NodeId } from "@groupwise/ir/document/node.js";
import { normalises } from "@groupwise/ir/tables/op.js";
import { SCALARS, type Scalar } from "@groupwise/ir/tables/scalar.js";
import { type ArrayRef, type Code, storageRef } from "@groupwise/kernel/language/build.js";
import type { Expr, VarExpr } from "@groupwise/kernel/language/expr.js";
import { add, and, binary, eq, lt, mul, ne, select, sub, u32 } from "@groupwise/kernel/language/make-expr.js";
import type { RowWidth } from "@groupwise/kernel/language/stmt.js";
import { inEitherWay, withSizes } from "../../lanes/either-way.ts";
import { foldRoutine, scanOfLanes, totalInFirst, totalOfLanes } from "../../lanes/routines.ts";
import { keptOf } from "../../lanes/rows-of-lanes.ts";
import { descendTree, treeOf } from "../../lanes/tree.ts";
import { arrays, type Carry, hintsFor, type Monoid, named, presentIf } from "../../parts/monoid.ts";
import { siteAt } from "../../parts/site.ts";
import { SiteValues } from "../../parts/values.ts";
import type { GroupContext } from "../../work-groups/context.ts";
import { rowOf } from "../../work-groups/row.ts";
import { prefixesOfFew, recordsOf, totalOfFew } from "../../work-groups/tile.ts";
import { conditionsOf, type Fused, operandIds, operandsOfItem } from "./fused.ts";
import { finishTogether, follows, HeldPairs, pairsOfRows, reduceTogether, type Together } from "./rows.ts";
import {
  eachRow,
  isFullTile,
  itemsOfLane,
  type LaneTeam,
  MOST_BITS,
  precededIf,
  RADIX,
  sizesOf,
  type TilePlan,
  type TileStatus,
} from "./shape.ts";

/** Reads the operands of a tile: those of the items of a work-item in a row. */
export interface OperandRows {
  row(code: Code, row: Expr): Expr[][];
  /** Those of a row and of the next one, as words of two halves. */
  pair(code: Code, row: Expr): Expr[];
}

/** Work-group memory that the tiles of a kernel share. */
export interface TileMemory {
  /** Totals of the blocks of 32 lanes, `regions` times. */
  readonly blockTotals: readonly ArrayRef[];
  /** Prefixes before the blocks, and the one after the last. */
  readonly prefixes: readonly ArrayRef[];
}

/** The first item of a row that a lane has. */
function rowBase(shape: TilePlan, tile: Expr, row: Expr, lane: Expr): Expr {
  const { items, rowItems } = sizesOf(shape);
  return add(add(mul(tile, items), mul(row, rowItems)), mul(lane, shape.width));
}

/** The total of a block: of the items of a row that each of its lanes has. */
interface BlockTotal {
  readonly items: readonly Expr[][];
  readonly into: readonly ArrayRef[];
  readonly slot: Expr;
}

/** The number of items, in a comment. */
const counted = (items: readonly unknown[]): string => (items.length === 2 ? "two" : "four");

/** Stores the aggregate of a block. */
function storeBlock(
  code: Code,
  { lanes, sub }: LaneTeam,
  monoid: Monoid,
  { items, into, slot }: BlockTotal,
): void {
  const doc = `Stores the aggregate of a block: ${RADIX} lanes, each with ${counted(items)} items of a tile row.`;
  const given = { item: items.flat(), slot: [slot] };
  foldRoutine(code, monoid, { title: "store_block", doc }, given, (args, inner) => {
    const { total } = totalOfFew(code, inner, recordsOf(inner, args.item));
    const block = totalInFirst(code, lanes, inner, total);
    code.if(eq(sub, 0), (then) => {
      then.storeAll(into, args.slot[0] as Expr, block);
    });
    return {};
  });
}

/** The items of a tile, and their place in work-group memory. */
export interface TileToReduce {
  readonly status: TileStatus;
  readonly team: LaneTeam;
  readonly memory: TileMemory;
  readonly items: OperandRows;
  readonly region: Expr;
  /** The number of rows; that of the shape by default. */
  readonly rows?: Expr;
  /** Keeps what the down-sweep needs. */
  readonly partials?: Partials | undefined;
  /** Where the device's own sums come first. */
  readonly again?: Again | undefined;
}

/** The rows of a tile that are read again where a value is small. */
export interface Again {
  readonly smallest: VarExpr;
  readonly items: OperandRows;
  /** Their number, which compilers do not know: they keep the loop, which rarely runs. */
  readonly rows: Expr;
}

/** Stores the totals of a tile's blocks in a region of memory, visible to all after a barrier. */
export function reduceBlocks(code: Code, tile: TileToReduce): void {
  const { status, team, memory, region, rows = sizesOf(tile.status.shape).rows, again } = tile;
  const { blocks, rowBlocks } = sizesOf(status.shape);
  if (team.together) {
    reduceTogether(code, team.together, tile, rows);
    return;
  }
  inEitherWay(code, status, again?.smallest, (outer, monoid, isAgain) => {
    const read = isAgain && again ? again : { items: tile.items, rows };
    outer.for("row", 0, read.rows, (body, row) => {
      const slot = add(mul(region, blocks), add(mul(row, rowBlocks), team.block));
      const items = read.items.row(body, row);
      if (again && !isAgain) withSizes(body, again.smallest, items.flat());
      storeBlock(body, team, monoid, { items, into: memory.blockTotals, slot });
    });
  });
  code.barrier();
}

/** The total of a tile, in every lane, after the totals of its blocks are stored in a region of memory; and what its down-sweep needs of it, or nothing. */
export function totalOfBlocks(
  code: Code,
  { status, team, memory, region }: Omit<TileToReduce, "items">,
): { readonly total: readonly Expr[]; readonly ending: readonly Expr[] } {
  const { shape, isHeavy, monoid } = status;
  const heading = {
    title: "total_of_blocks",
    doc: "The total of a tile, from the totals of its blocks.",
    returns: "total",
  };
  const first = mul(region, sizesOf(shape).blocks);
  return foldRoutine(code, monoid, heading, { first: [first] }, (args, inner) => {
    const blocks = blocksOf(code, status, team, memory, args.first[0] as Expr);
    const { total } = totalOfFew(code, inner, blocks);
    if (isHeavy) return treeOf(code, team.lanes, inner, total);
    return { total: totalOfLanes(code, team.lanes, inner, total), ending: [] };
  });
}

/** The blocks' totals that a lane of 32 has. @param start the first of the tile's */
export function blocksOf(
  code: Code,
  { shape, monoid }: TileStatus,
  team: LaneTeam,
  memory: TileMemory,
  start: Expr,
): Expr[][] {
  const first = add(start, mul(team.sub, shape.perLane));
  return Array.from({ length: shape.perLane }, (_, e) =>
    named(
      code,
      monoid,
      shape.perLane > 1 ? `block${e}` : "block",
      code.loadAll(memory.blockTotals, add(first, e)),
    ),
  );
}

/** The operands of the items of a row, where they are held, with the prefixes before each and after each. */
export interface RowPrefixes {
  readonly items: readonly (readonly Expr[])[] | undefined;
  readonly before: readonly (readonly Expr[])[];
  readonly after: readonly (readonly Expr[])[];
}

/** A tile, and the prefix that its blocks begin with. */
export interface TileToStart {
  readonly status: TileStatus;
  readonly team: LaneTeam;
  readonly memory: TileMemory;
  readonly region: Expr;
  readonly tile: Expr;
  /** The prefix before the tile, held by the first block of lanes. */
  readonly before: readonly Expr[];
  /** What `totalOfBlocks` left. */
  readonly ending?: readonly Expr[];
}

/** The prefixes before the blocks of a tile, which its first block of lanes stores. */
export function startBlocks(
  code: Code,
  { status, team, memory, region, tile, before, ending = [] }: TileToStart,
): void {
  const { shape } = status;
  const doc =
    "Stores the prefix before each block of a tile, from the totals of the blocks and the prefix before the tile.";
  const first = mul(region, sizesOf(shape).blocks);
  const given = { first: [first], tile: [tile], before, ending };
  foldRoutine(code, status.monoid, { title: "start_blocks", doc }, given, (args, monoid) => {
    const blocks = blocksOf(code, status, team, memory, args.first[0] as Expr);
    const few = totalOfFew(code, monoid, blocks);
    const present = presentIf(monoid, () => precededIf(status, ne(args.tile[0] as Expr, 0)));
    const seed = { values: args.before, present };
    const { exclusive } =
      ending.length > 0
        ? descendTree(code, team.lanes, monoid, { ending: args.ending, seed })
        : scanOfLanes(code, team.lanes, monoid, few.total, seed);
    const starts = prefixesOfFew(code, monoid, exclusive, blocks, few.pair);
    code.if(lt(team.lane, RADIX), (then) => {
      starts.forEach((values, e) => {
        const slot = add(mul(team.sub, shape.perLane), e);
        then.storeAll(memory.prefixes, slot, values);
      });
    });
    return {};
  });
}

/** Stores the prefix after a tile, following those before its blocks. */
export const storeAfter = (
  code: Code,
  { shape }: TileStatus,
  { prefixes }: TileMemory,
  after: readonly Expr[],
): void => code.storeAll(prefixes, sizesOf(shape).blocks, after);

/** Prefixes of the items of a row that each lane of a block has: before each, and after the last. */
function scanOfRow(
  code: Code,
  { lanes }: LaneTeam,
  monoid: Monoid,
  items: readonly (readonly Expr[])[],
  { values: start, present }: Carry,
): { readonly before: Expr[][]; readonly inclusive: readonly Expr[] } {
  const doc = `The prefixes before the ${counted(items)} items that each of ${RADIX} lanes has in a tile row, and after the last.`;
  const given = { item: items.flat(), start, has_start: present ? [present] : [] };
  const heading = { title: "scan_of_rows", doc, returns: "scanned" };
  const { before, inclusive } = foldRoutine(code, monoid, heading, given, (args, inner) => {
    const values = recordsOf(inner, args.item);
    const { total, pair } = totalOfFew(code, inner, values);
    const seed = { values: args.start, present: args.has_start[0] };
    const down = scanOfLanes(code, lanes, inner, total, seed);
    return {
      before: prefixesOfFew(code, inner, down.exclusive, values, pair).flat(),
      inclusive: down.inclusive,
    };
  });
  return { before: recordsOf(monoid, before), inclusive };
}

/** A tile, and a function of each of its rows. */
export interface TileToFinish {
  readonly status: TileStatus;
  readonly team: LaneTeam;
  readonly memory: TileMemory;
  /** Undefined if no output needs the operands. */
  readonly items: OperandRows | undefined;
  readonly tile: Expr;
  /** The values that the up-sweep stored; if undefined, the operands are read again. */
  readonly partials: Partials | undefined;
  /** Where the device's own sums come first. */
  readonly again?: Again | undefined;
}

/** The down-sweep from the prefixes before the blocks of a tile to its items, row by row. */
export function finishRows(
  code: Code,
  finish: TileToFinish,
  visit: (code: Code, row: Expr, prefixes: RowPrefixes) => void,
): void {
  const { status, team, memory, partials, again } = finish;
  const { shape } = status;
  if (team.together && partials) {
    finishTogether(code, team.together, { ...finish, partials }, visit);
    return;
  }
  const { rows, rowBlocks } = sizesOf(shape);
  const isEnd = eq(team.sub, 31);
  const lasts = hintsFor(status.monoid, "last");
  inEitherWay(code, status, again?.smallest, (outer, monoid, isAgain) => {
    const read = isAgain && again ? again : { items: finish.items, rows };
    outer.for("row", 0, read.rows, (body, row) => {
      const block = add(mul(row, rowBlocks), team.block);
      const values = read.items?.row(body, row);
      const seed = seedOf(body, finish, block);
      if (again && !isAgain) withSizes(body, again.smallest, seed.values);
      const { before, inclusive } = scanOfRow(body, team, monoid, values ?? [], seed);
      // The prefix after the last lane ends a larger block too, which the order combines first.
      const ends = body.loadAll(memory.prefixes, add(block, 1));
      const last = inclusive.map((v, i) =>
        monoid.reassociable ? v : body.let(lasts(i), select(isEnd, ends[i] as Expr, v)),
      );
      visit(body, row, { items: values, before, after: [...before.slice(1), last] });
    });
  });
}

/** The prefix before a block. */
const seedOf = (code: Code, { status, memory, tile }: TileToFinish, block: Expr): Carry => ({
  values: named(code, status.monoid, "start", code.loadAll(memory.prefixes, block)),
  present: presentIf(status.monoid, () => follows(status, tile, block)),
});

/*
 * What registers keep of the first sweep over a tile, where combining takes long.
 */

/** Copies private arrays of the same types. */
const copyArrays = (
  code: Code,
  arrays: readonly ArrayRef[],
  from: readonly ArrayRef[],
  length: number,
): void =>
  code.for("k", 0, length, (body, k) =>
    arrays.forEach((array, i) => {
      body.store(array, k, body.load(from[i] as ArrayRef, k));
    }),
  );

/** Values of a lane's row that its prefixes combine: its first item; of four items also the first two, and the third. */
const leavesIn = ({ width }: TilePlan): number => width - 1;

/** What a work-item keeps of the first sweep over a tile for the second one: totals across lanes, and the leaves of its rows. */
export class Partials {
  private readonly monoid: Monoid;
  private readonly arrays: readonly ArrayRef[];
  private readonly across: number;
  private readonly leaves: number;
  private readonly length: number;

  constructor(code: Code, hint: string, of: Together, shape: TilePlan) {
    this.monoid = of.monoid;
    this.across = keptOf(of);
    this.leaves = leavesIn(shape);
    this.length = this.across + of.rows * this.leaves;
    this.arrays = arrays(code, of.monoid, hint, this.length);
  }

  copy(code: Code, from: Partials): void {
    copyArrays(code, this.arrays, from.arrays, this.length);
  }

  putAcross(code: Code, totals: readonly (readonly Expr[])[]): void {
    for (const [k, values] of totals.entries()) this.put(code, u32(k), values);
  }

  takeAcross(code: Code): Expr[][] {
    return Array.from({ length: this.across }, (_, k) => this.take(code, u32(k)));
  }

  putRow(code: Code, row: Expr, leaves: readonly (readonly Expr[])[]): void {
    for (const [j, values] of leaves.entries()) this.put(code, this.leaf(row, j), values);
  }

  takeRow(code: Code, row: Expr): Expr[][] {
    return Array.from({ length: this.leaves }, (_, j) => this.take(code, this.leaf(row, j)));
  }

  private leaf(row: Expr, j: number): Expr {
    return add(mul(row, this.leaves), this.across + j);
  }

  private put(code: Code, at: Expr, values: readonly Expr[]): void {
    code.storeAll(this.arrays, at, values);
  }

  private take(code: Code, at: Expr): Expr[] {
    return named(code, this.monoid, "kept", code.loadAll(this.arrays, at));
  }
}

/*
 * The source of the operands of a tile: memory, or the values that a work-item holds.
 */

const IN_PAIRS: Holding = { conditions: [], operands: [], isInPairs: true };

/** Elements of 32 bits in a cache line of 128 bytes. */
const LINE = 32;

/** The values of the items of a row. @param base the first of them */
type RowValues = (code: Code, base: Expr) => SiteValues[];

/** The items of a lane in the tiles of a pass. */
export class TileItems {
  private readonly context: GroupContext;
  private readonly fused: Fused;
  private readonly team: LaneTeam;

  constructor(context: GroupContext, fused: Fused, team: LaneTeam) {
    this.context = context;
    this.fused = fused;
    this.team = team;
  }

  private get width(): RowWidth {
    return this.fused.status.shape.width;
  }

  /** The first item that the lane has in a row of a tile. */
  base(tile: Expr, row: Expr): Expr {
    return rowBase(this.fused.status.shape, tile, row, this.team.lane);
  }

  /** Registers for the operands of a tile. */
  hold(code: Code, hint: string): HeldValues {
    const { checked } = this.context;
    const { shape } = this.fused.status;
    const isInPairs = this.team.together?.each === 2;
    const holding = isInPairs ? IN_PAIRS : holdingOf(this.fused, checked, itemsOfLane(shape));
    return new HeldValues(code, hint, holding, checked, shape);
  }

  /** Registers for what a sweep over a tile leaves for the next one, where that is kept. */
  partials(code: Code, hint: string): Partials | undefined {
    const { together } = this.team;
    return together && new Partials(code, hint, together, this.fused.status.shape);
  }

  /** Reads the operands of a tile that a pass takes. */
  load(code: Code, tile: Expr, into: HeldValues): void {
    into.clear(code);
    code.if(
      isFullTile(this.fused.status, tile),
      (full) => this.loadFull(full, tile, into),
      (some) => this.loadSome(some, tile, into),
    );
  }

  private loadFull(code: Code, tile: Expr, into: HeldValues): void {
    this.ahead(code, tile);
    if (into.pairs) this.loadPairs(code, this.direct(tile), into.pairs);
    else
      this.eachRow(code, tile, (body, row, base) =>
        this.row(body, base).forEach((values, j) => {
          into.put(body, add(mul(row, this.width), j), values);
        }),
      );
  }

  /** Asks for the lines of a later tile of the inputs that are operands, where these are one value of 32 bits: others do not gain. */
  private ahead(code: Code, tile: Expr): void {
    const { lookBack, checked, n } = { ...this.context, ...this.context.capabilities };
    const { shape, monoid } = this.fused.status;
    const [type] = monoid.types as [Scalar];
    if (
      "unsupported" in lookBack ||
      !lookBack.prefetch ||
      monoid.types.length > 1 ||
      SCALARS[type].words !== "bits"
    )
      return;
    const { items } = sizesOf(shape);
    for (const id of operandIds(this.fused)) {
      const node = checked.pipeline.nodes[id];
      if (node?.kind !== "input" || node.type !== type) continue;
      const first = code.let("later", mul(add(tile, lookBack.prefetch), items));
      code.for(
        "line",
        this.team.lane,
        shape.size / LINE,
        (body, line) => {
          const at = body.let("at", add(first, mul(line, LINE)));
          body.if(lt(at, n), (inside) => inside.prefetch(storageRef(node.name, node.type), at));
        },
        shape.workGroupSize,
      );
    }
  }

  /** Reads the operands of a tile that is not full. */
  loadSome(code: Code, tile: Expr, into: HeldValues): void {
    if (into.pairs) this.loadPairs(code, this.itemsOf(tile, this.rowExisting), into.pairs);
    else
      this.eachRow(code, tile, (body, row, base) =>
        body.for("k", 0, this.width, (each, k) =>
          into.put(each, add(mul(row, this.width), k), this.existing(each, add(base, k))),
        ),
      );
  }

  private loadPairs(code: Code, { pair }: OperandRows, into: HeldPairs): void {
    const { rows } = this.fused.status.shape;
    for (let row = 0; row < rows; row += 2) into.put(code, u32(row), pair(code, u32(row)));
  }

  /** The values of the items of a row from a base on. */
  private readonly row: RowValues = (code, base) =>
    rowOf(this.context, code, { base, width: this.width, roots: operandIds(this.fused) });

  private readonly rowExisting: RowValues = (code, base) =>
    Array.from({ length: this.width }, (_, j) => this.existing(code, add(base, j)));

  /** The values of an item. Past the end they are those of the last item again, which no item's prefix uses. */
  private existing(code: Code, item: Expr): SiteValues {
    const last = sub(this.context.n, 1);
    return new SiteValues(siteAt(this.context, code.let("i", binary("min", item, last))));
  }

  private eachRow(code: Code, tile: Expr, visit: (body: Code, row: Expr, base: Expr) => void): void {
    const { rows } = sizesOf(this.fused.status.shape);
    eachRow(code, this.team, rows, (body, row) => visit(body, row, body.let("base", this.base(tile, row))));
  }

  /** A tile's operands, from held values. */
  held(tile: Expr, held: HeldValues): OperandRows {
    const { fused, context, width } = this;
    const row: OperandRows["row"] = (code, at) =>
      rowOf(context, code, { base: this.base(tile, at), width, roots: [] }).map((values, j) => {
        held.restore(code, add(mul(at, width), j), values);
        return operandsOfItem(fused, values, code);
      });
    return { row, pair: (code, at) => held.pairs?.get(code, at) ?? pairsOfRows(code, row, at) };
  }

  /** The operands of a full tile, read from memory. */
  direct(tile: Expr): OperandRows {
    return this.itemsOf(tile, this.row);
  }

  /** The operands of a tile that a pass takes, read from memory: slower than those of a full one. */
  again(tile: Expr): OperandRows {
    return this.itemsOf(tile, this.fused.status.shape.hasTail ? this.row : this.rowExisting);
  }

  private itemsOf(tile: Expr, values: RowValues): OperandRows {
    const row: OperandRows["row"] = (code, at) =>
      values(code, code.let("base", this.base(tile, at))).map((item) =>
        operandsOfItem(this.fused, item, code),
      );
    return { row, pair: (code, at) => pairsOfRows(code, row, at) };
  }
}

/*
 * The operands of a tile that a work-item keeps in registers: conditions as bits of a word, and those
 * operands that cannot be computed from conditions and indexes of items.
 */

/** The values that are held for an item. */
export interface Holding {
  readonly conditions: readonly NodeId[];
  readonly operands: readonly NodeId[];
  /** In place of these: the operands of two rows in each word. */
  readonly isInPairs?: boolean;
}

/** @param items of a work-item in a tile */
function holdingOf({ components }: Fused, checked: Checked, items: number): Holding {
  const conditions = new Set<NodeId>();
  const operands = new Set<NodeId>();
  for (const id of components.flatMap(({ of }) => of)) {
    const found = items <= MOST_BITS ? conditionsOf(checked, id) : undefined;
    if (found) for (const condition of found) conditions.add(condition);
    else operands.add(id);
  }
  return { conditions: [...conditions], operands: [...operands] };
}

/** The held values of a tile. */
export class HeldValues {
  private readonly holding: Holding;
  private readonly bits: readonly VarExpr[];
  private readonly arrays: readonly ArrayRef[];
  readonly pairs: HeldPairs | undefined;

  constructor(code: Code, hint: string, holding: Holding, { types }: Checked, shape: TilePlan) {
    this.holding = holding;
    this.pairs = holding.isInPairs ? new HeldPairs(code, hint, shape) : undefined;
    this.bits = holding.conditions.map(() => code.var(`${hint}_bits`, u32(0)));
    this.arrays = holding.operands.map((id) =>
      code.array(hint, types[id] as Expr["type"], itemsOfLane(shape)),
    );
  }

  /** Clears all held values. */
  clear(code: Code): void {
    for (const word of this.bits) code.assign(word, u32(0));
  }

  /** Adds an item, the `k`-th of the work-item, after {@link clear}. */
  put(code: Code, k: Expr, values: SiteValues): void {
    this.holding.conditions.forEach((id, i) => {
      const word = this.bits[i] as VarExpr;
      const bit = select(values.get(id, code), 1, 0);
      code.assign(word, binary("or", word, binary("shl", bit, k)));
    });
    this.holding.operands.forEach((id, i) => {
      code.store(this.arrays[i] as ArrayRef, k, values.get(id, code));
    });
  }

  /** Sets the held values of an item. */
  restore(code: Code, k: Expr, values: SiteValues): void {
    this.holding.conditions.forEach((id, i) => {
      const bit = and(binary("shr", this.bits[i] as Expr, k), 1);
      values.set(id, code.let("holds", ne(bit, 0)));
    });
    this.holding.operands.forEach((id, i) => {
      values.set(id, code.load(this.arrays[i] as ArrayRef, k));
    });
  }

  /** Copies what another one holds. */
  copy(code: Code, from: HeldValues, items: number): void {
    for (const [i, word] of this.bits.entries()) code.assign(word, from.bits[i] as Expr);
    copyArrays(code, this.arrays, from.arrays, items);
    if (from.pairs) this.pairs?.copy(code, from.pairs);
  }
}

/** A node's value, computed from the operands of the pass. */
export interface KnownValue {
  readonly id: NodeId;
  from(operands: readonly Expr[]): Expr;
}

/** The operands, and the conditions that they count. */
export function knownOf({ components }: Fused, { pipeline, types }: Checked): KnownValue[] {
  const operands = components.flatMap(({ of, builtin }) => of.map((id) => ({ id, builtin })));
  return operands.flatMap(({ id, builtin }, i): KnownValue[] => {
    if (builtin && (normalises(builtin.op, builtin.type) || builtin.type !== types[id])) return [];
    const own: KnownValue = { id, from: (values) => values[i] as Expr };
    const node = pipeline.nodes[id];
    if (node?.kind !== "cast" || node.to !== "u32" || types[node.of] !== "bool") return [own];
    return [own, { id: node.of, from: (values) => ne(values[i] as Expr, 0) }];
  });
}
