/** The vectors of a loop: which kind of loop it is, how many elements a vector has, and how many vectors an iteration. */

import { isScan } from "@groupwise/ir/document/collectives.js";
import type { SinkNode } from "@groupwise/ir/document/node.js";
import { typeOfSink } from "@groupwise/ir/document/sink-type.js";
import { type ArrayType, arraySpec, valueTypeOf } from "@groupwise/ir/tables/narrow.js";
import { OPS, type Op } from "@groupwise/ir/tables/op.js";
import { isFloat, SCALARS } from "@groupwise/ir/tables/scalar.js";
import type { VectorLoop, Vectors } from "@groupwise/kernel/capabilities/capabilities.js";
import { isPerGroup, sinksAt } from "../parts/stages.ts";
import { UNROLLED } from "./counter.ts";
import { isShort } from "./each.ts";
import type { Loop, Progress } from "./items.ts";

/** Vectors of one iteration with shorter elements, at least. */
const OF_SHORT = 4;
/** Vectors of one iteration with a reduce, whose partial results do not wait for one another, and with a scan. */
const OF_REDUCE = 8;
const OF_SCAN = 4;

/** What vectors do with a collective. */
export type LoopKind = Exclude<VectorLoop, "map" | "where">;

/** Undefined if vectors do not have it. */
export function kindOf({ component: { nodes, builtin } }: Progress): LoopKind | undefined {
  if (!builtin || builtin.type === "bool") return undefined;
  const { op, type } = builtin;
  // In any order too, a tree is better than partial results: products of every fourth item overflow.
  if (!nodes.some(isScan)) return OPS[op].exactlyAssociative(type) ? "reduce" : "tree";
  // Minima of floats take several instructions, and a scan has log2(width) of them.
  return nodes.every(isScan) && !isFloat(type) ? "scan" : undefined;
}

/** Whether vectors have the operator of a collective. */
const combines = ({ operators }: Vectors, { component: { builtin } }: Progress): boolean =>
  builtin !== undefined && (operators[builtin.type]?.includes(OPS[builtin.op].elementwise) ?? false);

/** The neutral value of an operator on integers of so many bits. */
export const SHORT: Readonly<Partial<Record<Op, (isSigned: boolean, bits: number) => number>>> = {
  add: () => 0,
  or: () => 0,
  xor: () => 0,
  and: (isSigned, bits) => (isSigned ? -1 : 2 ** bits - 1),
  min: (isSigned, bits) => (isSigned ? 2 ** (bits - 1) - 1 : 2 ** bits - 1),
  max: (isSigned, bits) => (isSigned ? -(2 ** (bits - 1)) : 0),
};

/** Whether a collective may combine elements that are shorter than its type. */
const hasShort = (one: Progress): boolean => {
  const { op, type } = one.component.builtin ?? {};
  return kindOf(one) === "reduce" && op !== undefined && op in SHORT && (type === "u32" || type === "i32");
};

/** The items of an iteration, and the vectors that they are. */
export interface LoopShape {
  readonly width: number;
  readonly count: number;
}

/** Whether a loop without vectors has a counter of blocks for a collective. */
export const isTree = (progress: Progress): boolean => kindOf(progress) === "tree";

/** Items of an iteration with a tree, at most: the place of its first item is a multiple of it. */
export const mostInTree = (vectors: Vectors | undefined): number =>
  vectors?.loops.includes("tree") ? (OF_REDUCE * vectors.bytes) / 4 : UNROLLED;

/** The vectors that an iteration may have, the shortest elements first; none for a stage that does anything but what the capabilities have vectors for. */
export function shapesOf(
  loop: Loop,
  stage: number,
  vectors: Vectors,
  states: readonly Progress[],
): readonly LoopShape[] {
  const { checked, plan } = loop;
  const kinds: (VectorLoop | undefined)[] = states.map(kindOf);
  const sinks = sinksAt(plan, stage, ["item", "group"]);
  const isStored = states.some(({ component }) =>
    component.nodes.some((node) => isScan(node) && plan.stored.has(node.id)),
  );
  const writesItems = sinks.every((sink) => sink.kind === "output" && !isPerGroup(checked, sink));
  if (isStored || !writesItems || plan.materialized.has(stage)) return [];
  if (sinks.length > 0 && !kinds.includes("scan")) kinds.push("map");
  const isRepeated = isShort(checked);
  if (kinds.length === 0 || (kinds.includes("tree") && !isRepeated)) return [];
  if (!states.every((one) => combines(vectors, one))) return [];
  if (!kinds.every((kind) => kind !== undefined && vectors.loops.includes(kind))) return [];
  const most = kinds.some((kind) => kind === "tree" || kind === "reduce") ? OF_REDUCE : OF_SCAN;
  return elementsOf(loop, vectors, states, sinks).map((element) => {
    const width = vectors.bytes / element;
    const count =
      isRepeated && states.length > 0 ? Math.min(most, Math.max(OF_SHORT, (most * element) / 4)) : 1;
    return { width, count };
  });
}

/** The bytes of elements that vectors may have: those of the values, and before them those of arrays with shorter elements. */
function elementsOf(
  { checked }: Loop,
  vectors: Vectors,
  states: readonly Progress[],
  sinks: readonly SinkNode[],
): readonly number[] {
  const written = sinks.map((sink) => typeOfSink(checked, sink));
  const arrays = [...checked.inputs.map(({ type }) => type), ...written];
  const bytesOfValue = (type: ArrayType): number =>
    type === "bool" ? 4 : SCALARS[valueTypeOf(type)].bits / 8;
  const types: ArrayType[] = [...states.flatMap(({ component }) => component.monoid.types), ...written];
  const whole = Math.max(...types.map(bytesOfValue));
  if (whole < 4 || whole > vectors.bytes / 2) return [];
  const isWhole = whole !== 4 || !states.every(hasShort);
  const least = isWhole ? whole : Math.min(...arrays.map((type) => arraySpec(type).hostBytes));
  const ops = states.map(({ component: { builtin } }) => OPS[builtin?.op ?? "add"].elementwise);
  const combined = (bytes: number): boolean => {
    const has = vectors.short?.[bytes];
    return has !== undefined && ops.every((op) => has.includes(op));
  };
  return [...[1, 2].filter((bytes) => bytes >= least && combined(bytes)), whole];
}
