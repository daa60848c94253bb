/** The rows of the table of equivalence: function × type × scope × shape, and the pipelines that compute them. */
import type { Pipeline, Scalar, Scope } from "@groupwise/core";
import { PipelineNodes } from "@groupwise/core/target";
import { collectivesOf, TYPES, WORK_ITEM_FUNCTIONS } from "@groupwise/testkit";

/** A range and its work-groups. */
export interface TableShape {
  readonly name: "1D" | "2D" | "3D" | "groups of 1" | "groups of 256";
  readonly workGroupSize: readonly number[];
  /** Coordinates of the broadcast. */
  readonly at: readonly number[];
  /** Ranges of a reduced run; partial groups at the ends, groups of 1, primes. */
  readonly ranges: readonly (readonly number[])[];
  /** Further ranges of a full run. */
  readonly more: readonly (readonly number[])[];
}

export const SHAPES: readonly TableShape[] = [
  {
    name: "1D",
    workGroupSize: [64],
    at: [5],
    ranges: [[1], [64], [257], [2049]],
    more: [[0], [63], [65], [1009], [2047], [2048], [6151]],
  },
  {
    name: "2D",
    workGroupSize: [8, 6],
    at: [2, 3],
    ranges: [
      [1, 1],
      [8, 6],
      [29, 23],
    ],
    more: [
      [0, 3],
      [1, 31],
      [31, 1],
      [16, 12],
      [67, 41],
    ],
  },
  {
    name: "3D",
    workGroupSize: [4, 3, 5],
    at: [1, 2, 3],
    ranges: [
      [1, 1, 1],
      [4, 3, 5],
      [9, 7, 11],
    ],
    more: [
      [2, 0, 2],
      [1, 5, 1],
      [8, 6, 10],
      [13, 17, 19],
    ],
  },
  {
    name: "groups of 1",
    workGroupSize: [1],
    at: [0],
    ranges: [[1], [257]],
    more: [[0], [2], [2049]],
  },
  {
    // The most that every WebGPU device runs.
    name: "groups of 256",
    workGroupSize: [256],
    at: [200],
    ranges: [[255], [513]],
    more: [[0], [1], [256], [2049]],
  },
];
/** Shapes that take a minute to compile and find the same faults as the others. */
const IN_FULL_RUNS: ReadonlySet<string> = new Set(["groups of 256"]);

/** Parts that represent the others if minutes are too long: each scope, integers and floats. */
const SAMPLE: readonly string[] = [
  // Collectives of numbers over the range take a minute each to compile: the conformance suite has them on each device.
  ...["bool device 1D", "f32 work-group 3D", "u32 work-item 2D"],
];
/** Types of the collectives over the range in `some`: one word, two words, rounded. */
const SOME: readonly Scalar[] = ["bool", "i64", "f32"];

/**
 * A share of the table. `some` lacks collectives over the range of types that others represent: the conformance suite has them
 * on each device.
 */
export type TableShare = "whole" | "some" | "sample";
const IS_IN: Readonly<Record<TableShare, (part: TablePart) => boolean>> = {
  whole: () => true,
  some: ({ type, scope }) => scope !== "device" || SOME.includes(type),
  sample: ({ type, scope, shape }) => SAMPLE.includes(`${type} ${scope} ${shape.name}`),
};

/** Outputs of one pipeline: rows of the same type, scope and shape. */
export interface TablePart {
  readonly type: Scalar;
  /** `work-item` for the work-item functions. */
  readonly scope: Scope | "work-item";
  readonly shape: TableShape;
  readonly pipeline: Pipeline;
  /** Its outputs, which are the rows' functions. */
  readonly functions: readonly string[];
}

/** For each work-item function, a number that depends on every dimension and on one past the last. */
function workItems({ workGroupSize }: TableShape): Pipeline {
  const list = new PipelineNodes();
  const factor = list.constant("u32", 1_000_003);
  const outputs = WORK_ITEM_FUNCTIONS.map((query) => {
    const isAlone = query === "work-dim" || query.endsWith("linear-id");
    const ask = (dimension: number): number => list.once({ kind: "query", query, dimension });
    let value = ask(0);
    if (!isAlone)
      for (const dimension of [1, 2, 3])
        value = list.binary("add", list.binary("mul", value, factor), ask(dimension));
    return [`get_${query.replaceAll("-", "_")}`, value] as const;
  });
  for (const [output, of] of outputs) list.output(output, of);
  return list.pipeline(`work-items-${workGroupSize.join("x")}`, workGroupSize);
}

const partOf = (
  type: Scalar,
  scope: TablePart["scope"],
  shape: TableShape,
  pipeline: Pipeline,
): TablePart => ({
  type,
  scope,
  shape,
  pipeline,
  functions: pipeline.nodes.flatMap((node) => (node.kind === "output" ? [node.name] : [])),
});

/**
 * Every part. Device-wide collectives do not depend on work-groups: outside of full runs one shape represents all, because
 * compiling them takes most of the time.
 */
export function tableParts(isFull: boolean, share: TableShare = "whole"): readonly TablePart[] {
  return allParts(isFull).filter(IS_IN[share]);
}

function allParts(isFull: boolean): readonly TablePart[] {
  const scopes = (shape: TableShape): readonly Scope[] =>
    isFull || shape.name === "1D" ? ["work-group", "device"] : ["work-group"];
  return SHAPES.filter(({ name }) => isFull || !IN_FULL_RUNS.has(name)).flatMap((shape) => [
    ...TYPES.flatMap((type) =>
      scopes(shape).map((scope) => {
        const { workGroupSize, at } = shape;
        return partOf(type, scope, shape, collectivesOf({ type, scope, workGroupSize, broadcast: at }));
      }),
    ),
    partOf("u32", "work-item", shape, workItems(shape)),
  ]);
}
