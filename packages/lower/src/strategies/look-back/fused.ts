/** The collectives that one pass both reduces and finishes. */
import type { Checked } from "@groupwise/ir/document/check.js";
import { formOf, isScan } from "@groupwise/ir/document/collectives.js";
import type { NodeId, PipelineNode } from "@groupwise/ir/document/node.js";
import { operandsOf } from "@groupwise/ir/document/operands.js";
import { SCALARS, type Scalar } from "@groupwise/ir/tables/scalar.js";
import type {
  Capabilities,
  LookBack,
  Subgroups,
  TileKind,
} from "@groupwise/kernel/capabilities/capabilities.js";
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import { ROW } from "@groupwise/kernel/language/stmt.js";
import { keeping, nativeOf } from "../../lanes/either-way.ts";
import { isHeavy } from "../../lanes/heavy.ts";
import { type Component, operandsAt, placesOf } from "../../parts/components.ts";
import { product } from "../../parts/monoid.ts";
import type { Storage } from "../../parts/storage.ts";
import type { Carrying } from "../../parts/strategy.ts";
import type { SiteValues } from "../../parts/values.ts";
import type { GroupContext } from "../../work-groups/context.ts";
import { rowWidth } from "../../work-groups/row.ts";
import { pairsOf } from "./rows.ts";
import { isWide, RADIX, shapeOf, statusElements, type TileStatus } from "./shape.ts";

/** Scans whose operands are reduced at one stage. */
export interface Fused {
  readonly components: readonly Component[];
  readonly status: TileStatus;
  /** Work-groups of a dispatch, at most. */
  readonly groups: number;
  /** The number of consecutive work-items of a work-group that shuffle values; 1 if none do. */
  readonly sizes: Subgroups;
  /** Reduces that are the total of a scan, and its field in the monoid. */
  readonly totals: readonly Total[];
  /** Given if the items are a chunk of a range. */
  readonly carrying?: CarryingLookBack | undefined;
}

/** A state of scans that look back. */
export interface CarryingLookBack extends Carrying {
  /** The kernels before the scan, which find the prefix before the chunk. */
  startKernels(context: GroupContext, fused: Fused): Iterable<Kernel>;
  /** The kernels between the scan of the full tiles and the tail, which find the prefix at the end of the chunk and the state after it. */
  endKernels(context: GroupContext, fused: Fused): Iterable<Kernel>;
}

/** A value for the whole range, stored when the pass ends. */
interface Total {
  readonly id: NodeId;
  readonly at: number;
}

/** The shared context of one pass, and the capabilities of the device. */
export interface Fusing {
  readonly checked: Checked;
  readonly storage: Storage;
  readonly lookBack: LookBack;
  readonly sizes: Subgroups;
  readonly maxItems: number;
  readonly scalars: Capabilities["scalars"];
  /** Whether the device flushes subnormal numbers, and results keep them. */
  readonly keepsSubnormals: boolean;
  /** Whether a kernel may write an array both by element and as vec4s. */
  readonly writesBoth: boolean;
  /** Whether the device converts halves. */
  readonly convertsHalves: boolean;
  readonly n: TileStatus["n"];
  readonly inScans: ReadonlyMap<NodeId, NodeId>;
  readonly carrying: CarryingLookBack | undefined;
  /** Scans of which items need only a number in the chunk. */
  readonly inChunk: ReadonlySet<NodeId>;
}

export function fuse(components: readonly Component[], fusing: Fusing): Fused {
  const { checked, storage, lookBack, sizes, n, inScans, carrying, inChunk } = fusing;
  const monoid = product(components.map((component) => component.monoid));
  const [one, ...others] = components;
  const pairs = fusing.convertsHalves && others.length === 0 ? pairsOf(one?.builtin) : undefined;
  const kind = kindOf(components, checked, pairs !== undefined);
  const { polls, withheld = [], groups } = lookBack;
  const places = new Map(placesOf(components).map(({ node, at }) => [node.id, at]));
  const totals = [...inScans].flatMap(([id, scan]) => {
    const at = places.get(scan);
    return at === undefined ? [] : [{ id, at }];
  });
  const areSubgroups = sizes.minSize >= RADIX;
  const heavy = areSubgroups && isHeavy(monoid, fusing.scalars);
  const isTogether =
    heavy || (areSubgroups && kind !== undefined && lookBack.kinds?.[kind]?.together === true);
  const isPlain = areSubgroups && sizes.ballots === true && !isTogether && !pairs;
  const read = placesOf(components).flatMap(({ node, at }) => (isScan(node) ? [at] : []));
  const native = fusing.keepsSubnormals && isPlain ? nativeOf(monoid, new Set(read)) : undefined;
  // The second way of products takes registers that tall tiles need: 1.7 and 1.14 times as long as without it on an H200.
  const tiles = native?.watches ? undefined : kind;
  const isCarried = carrying !== undefined;
  // Where lanes meet at barriers, the stores of a tile that is not full would need a second set of them.
  const hasTail = isCarried || !areSubgroups || !fusing.writesBoth;
  const areBits = components.every(({ of }) => of.every((id) => conditionsOf(checked, id)));
  const width = tiles && lookBack.kinds?.[tiles]?.width ? rowWidth(storage) : ROW;
  const sizing = { maxItems: fusing.maxItems, isCarried, hasTail, kind: tiles, areBits, width };
  const shape = shapeOf(lookBack, monoid, sizing);
  const array = storage.scratch("status", "u32", statusElements(shape), true);
  const start = carrying?.start;
  const fromNone = components.flatMap(({ nodes, monoid: { types } }) =>
    types.map(() => nodes.every(({ id }) => inChunk.has(id))),
  );
  const slots = { shape, monoid: native ? keeping(monoid, native) : monoid, array, n, polls, withheld };
  const status = { ...slots, isHeavy: heavy, isTogether, native, pairs, start, fromNone };
  return { components, status, groups, sizes, totals, carrying };
}

/** The nodes whose values the operands depend on. */
export const operandIds = ({ components }: Fused): NodeId[] => components.flatMap(({ of }) => of);

/** The operands of an item, one per value of the monoid. */
export const operandsOfItem = ({ components }: Fused, values: SiteValues, code: Code): Expr[] =>
  components.flatMap((component) => operandsAt(component, values, code));

/** A scan of the pass, and its value of the monoid. */
export interface Scan {
  readonly id: NodeId;
  readonly inclusive: boolean;
  readonly at: number;
}

/** The scans, each with the place of its value in the monoid. */
export function scansOf({ components }: Fused): Scan[] {
  return placesOf(components)
    .filter(({ node }) => isScan(node))
    .map(({ node, at }) => ({ id: node.id, inclusive: formOf(node) === "scan-inclusive", at }));
}

/*
 * The kinds of passes that may have tiles of their own, and conditions, of which work-items hold bits.
 */

/** Operators that are recomputed instead of held. */
const CHEAP: ReadonlySet<PipelineNode["kind"]> = new Set(["unary", "binary", "select", "cast", "bitcast"]);

/** The only condition that a value depends on, besides the item's index; undefined if it depends on more. */
export function conditionsOf(
  { pipeline, types, uniformities }: Checked,
  root: NodeId,
): ReadonlySet<NodeId> | undefined {
  const found = new Set<NodeId>();
  const stack = [root];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    const node = pipeline.nodes[id] as PipelineNode;
    if (types[id] === "bool" && uniformities[id] === "item") found.add(id);
    else if (CHEAP.has(node.kind)) stack.push(...operandsOf(node));
    else if (!["const", "param", "query"].includes(node.kind)) return undefined;
    if (found.size > 1) return undefined;
  }
  return found;
}

const areWords = (types: readonly Scalar[]): boolean => types.every((type) => SCALARS[type].words === "bits");

/**
 * The kind of a pass; undefined for others: several operands, records of other sizes, and conditions, of which a work-item has a bit each.
 * @param inPairs whether halves are combined in pairs
 */
export function kindOf(
  [one, ...others]: readonly Component[],
  checked: Checked,
  inPairs: boolean,
): TileKind | undefined {
  if (!one || others.length > 0) return undefined;
  if (one.monoid.opsInSegments) return "segments";
  if (one.of.some((id) => conditionsOf(checked, id))) return undefined;
  if (inPairs) return "pairs";
  const { types, isRecord } = one.monoid;
  if (isWide(types)) return "wide";
  if (!areWords(types)) return undefined;
  if (isRecord) return types.length === 2 ? "record" : undefined;
  return "word";
}
