/** The shared context of the simt kernels of one pipeline. */

import { type Formula, formula } from "@groupwise/ir/base/formula.js";
import type { Names } from "@groupwise/ir/base/names.js";
import type { Checked } from "@groupwise/ir/document/check.js";
import { isCollective, isMonoid, isScan } from "@groupwise/ir/document/collectives.js";
import type { CollectiveNode } from "@groupwise/ir/document/node.js";
import { type Capabilities, hasSiblings } from "@groupwise/kernel/capabilities/capabilities.js";
import { Code, SharedArrays } from "@groupwise/kernel/language/build.js";
import type { ConstExpr, Expr, ParamExpr } from "@groupwise/kernel/language/expr.js";
import { binary, builtin, lt, param, size, u32 } from "@groupwise/kernel/language/make-expr.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import { type Lanes, nearRounds, placeInSubgroup } from "../lanes/lanes.ts";
import { type Component, componentsOf } from "../parts/components.ts";
import type { Carry } from "../parts/monoid.ts";
import type { SiteContext } from "../parts/site.ts";
import type { Schedule } from "../parts/stages.ts";
import type { Carrying } from "../parts/strategy.ts";
import type { ItemRun } from "./tile.ts";
import { CARRIED, type TileTotals } from "./tile-totals.ts";

/** The items of a work-group. */
export interface Tile {
  readonly itemsPerWorkItem: number;
  /** A power of two. */
  readonly size: number;
  /** log2 of it. */
  readonly shift: number;
}

/** The sizes of tiles with their names in texts. */
export const itemsIn = ({ items }: Tiling): ConstExpr => size("TILE_ITEMS", items.size);
export const totalsIn = ({ tilesOfTotals }: Tiling): ConstExpr => size("TILE_TOTALS", tilesOfTotals.size);

/** The division of the items into tiles for scans over the whole range. */
export interface Tiling {
  readonly workGroupSize: number;
  readonly items: Tile;
  readonly tilesOfTotals: Tile;
  /** Levels of totals: tiles of items, tiles of these totals, and so on, until less than a tile remains. */
  readonly levels: number;
}

/**
 * Tiles of totals are longer than those of items, which saves a level. They are never shorter, because they also hold the tail of the items.
 * Where combining takes many operations, compilers take long for each item of a work-item.
 */
const TOTALS_PER_WORK_ITEM = { light: 8, heavy: 4 } as const;

/** What decides the sizes of tiles, besides the implementation. */
export interface TileDemand {
  /** No pass over the items writes anything but totals of tiles, of a word each. */
  readonly onlyTotals: boolean;
  /** A combination takes many operations. */
  readonly heavy: boolean;
}

export function tilingOf({ tile, maxItems }: Capabilities, { onlyTotals, heavy }: TileDemand): Tiling {
  const { workGroupSize, itemsPerWorkItem } = tile;
  const length = onlyTotals ? (tile.reducedPerWorkItem ?? itemsPerWorkItem) : itemsPerWorkItem;
  const tileOf = (itemsPerWorkItem: number): Tile => {
    const size = workGroupSize * itemsPerWorkItem;
    return { itemsPerWorkItem, size, shift: Math.log2(size) };
  };
  const items = tileOf(length);
  const tilesOfTotals = tileOf(Math.max(length, TOTALS_PER_WORK_ITEM[heavy ? "heavy" : "light"]));
  let levels = 1;
  while (Math.floor(maxItems / items.size / tilesOfTotals.size ** (levels - 1)) >= tilesOfTotals.size)
    levels++;
  return { workGroupSize, items, tilesOfTotals, levels };
}

/** log2 of the items in a full block of a level. */
const bitsAt = ({ items, tilesOfTotals }: Tiling, level: number): number =>
  level === 0 ? 0 : items.shift + (level - 1) * tilesOfTotals.shift;

export interface GroupContext extends SiteContext {
  readonly capabilities: Capabilities;
  readonly plan: Schedule;
  readonly tiling: Tiling;
  readonly names: Names;
  readonly n: ParamExpr;
  /** By the stage that computes them. */
  readonly totals: ReadonlyMap<number, readonly TileTotals[]>;
  /** Stages whose items are written by kernels of the strategy, and not by the pass in tiles. */
  readonly elsewhere: ReadonlySet<number>;
  readonly isInPlace: boolean;
  /** Given if the items are a chunk of a range. */
  readonly carrying?: CarryingGroups | undefined;
}

/** Items of a work-item, which may include the last of the range. */
export interface GroupEnding {
  readonly totals: readonly TileTotals[];
  /** The first of them. */
  readonly base: Expr;
  /** Their prefixes. */
  readonly run: ItemRun;
}

/** A state on work-groups. */
export interface CarryingGroups extends Carrying {
  /**
   * For the scans and reduces that are ready at a stage: the kernels that compute from tile totals the totals of the chunk's blocks,
   * the prefixes at its ends and the state after it.
   */
  kernels(context: GroupContext, stage: number): Iterable<Kernel>;
  /** The prefix before the chunk. */
  first(code: Code, totals: readonly TileTotals[]): Carry;
  /** Corrects the prefix of the last item, which may end a block that begins before the chunk. */
  correctEnd(context: GroupContext, code: Code, end: GroupEnding): void;
}

/** The number of full blocks of a level. */
export const countAt = (context: GroupContext, level: number): Expr =>
  binary(
    "shr",
    context.n,
    level === 1 ? size("TILE_SHIFT", context.tiling.items.shift) : bitsAt(context.tiling, level),
  );
export const countFormula = (tiling: Tiling, level: number): Formula =>
  level === 0 ? "n" : formula("floor-div", "n", 2 ** bitsAt(tiling, level));

/** The index of a level's first total. */
export function offsetAt(context: GroupContext, level: number): Expr {
  let offset: Expr = u32(context.carrying ? CARRIED : 0);
  for (let above = context.tiling.levels; above > level; above--)
    offset = binary("add", offset, countAt(context, above));
  return offset;
}

/** Device-scope monoid collectives whose tile totals a stage computes. */
export function deviceComponents(checked: Checked, plan: Schedule, stage: number): Component[] {
  const nodes = checked.pipeline.nodes.filter(isCollective).filter(isMonoid);
  return componentsOf(
    nodes.filter((node) => node.scope === "device" && plan.start.get(node.id) === stage),
    checked.pipeline.operators,
  );
}

/** The scans that a stage finishes, as components of the totals that an earlier stage reduced. */
export function scansReadyAt(context: GroupContext, stage: number): TileTotals[] {
  const isReady = (node: CollectiveNode): boolean => isScan(node) && context.plan.ready[node.id] === stage;
  return [...context.totals.values()].flat().filter((t) => t.component.nodes.some(isReady));
}

export interface KernelParts {
  readonly code: Code;
  readonly lanes: Lanes;
  /** The work-group's number. */
  readonly group: Expr;
}

/** A group whose size is no power of two has subgroups that are not full: shuffles may be undefined there. */
function shufflesOf(
  code: Code,
  { subgroups, leastGroup, shuffles }: Capabilities,
  lane: Expr,
  size: number,
): Pick<Lanes, "near" | "place"> {
  if ("unsupported" in subgroups || !hasSiblings(size, leastGroup)) return {};
  const near = nearRounds(code, size, subgroups);
  return shuffles === "by-place" ? { near, place: placeInSubgroup(code, lane, subgroups) } : { near };
}

/** The name of a kernel, its comment for readers, and its number of work-groups. */
export interface KernelFrame {
  readonly hint: string;
  readonly doc: readonly string[];
  readonly workGroupSize: number;
  readonly groups: Formula;
  /** The number of items or totals of a tile, for its name in the text. */
  readonly tile?: ConstExpr;
  /** Whether the kernel itself does nothing in work-groups past their number. */
  readonly isGuarded?: true;
}

/** Makes the frame of a kernel: names, ids, and a guard if more groups may run than were requested. */
export function makeKernel(
  context: GroupContext,
  { hint, doc, workGroupSize, groups, tile, isGuarded }: KernelFrame,
  fill: (parts: KernelParts) => void,
): Kernel {
  const name = context.names.fresh(hint);
  const names = context.names.fork();
  const shared = new SharedArrays(names);
  const code = new Code(names, context.capabilities.routines !== undefined);
  const lane = code.let("lane", builtin("local-id"));
  const group = code.let(groups === 1 ? "unused_group" : "group", builtin("group-id"));
  if (groups === 1) code.stmts.pop();
  const shuffles = shufflesOf(code, context.capabilities, lane, workGroupSize);
  // Half of the memory: the remainder is for arrays of other types.
  const memory = context.capabilities.workGroupMemory / 2;
  const lanes: Lanes = { size: workGroupSize, lane, shared, ...shuffles, memory };
  if (groups === 1 || isGuarded || !context.capabilities.surplusGroups)
    fill({ code, lanes, group: groups === 1 ? u32(0) : group });
  else code.if(lt(group, toExpr(context, groups, tile)), (inner) => fill({ code: inner, lanes, group }));
  return { name, doc, workGroupSize, groups, shared: shared.arrays, body: code.stmts };
}

/** A size formula as an expression of kernels, with a name for the size of a tile. n + k never overflows, because n is at most 2^32 - 2^28. */
export function toExpr(context: Pick<GroupContext, "geometry">, f: Formula, tile?: ConstExpr): Expr {
  if (typeof f === "number") return f === tile?.value ? tile : u32(f);
  if (typeof f === "string") return context.geometry.variable(f);
  if (!("op" in f)) return param("param" in f ? f.param : context.geometry.lengthOf(f.length).name, "u32");
  const [a, b] = f.args.map((arg) => toExpr(context, arg, tile)) as [Expr, Expr];
  if (f.op === "floor-div") return binary("div", a, b);
  if (f.op !== "ceil-div") return binary(f.op, a, b);
  return binary("div", binary("add", a, (f.args[1] as number) - 1), b);
}
