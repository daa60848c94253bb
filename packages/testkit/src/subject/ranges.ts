/** Ranges of one, two and three dimensions, their work-groups, and pipelines that depend on the position of each item. */
import type { Pipeline, RunOptions } from "@groupwise/core";
import { itemsIn } from "@groupwise/core/target";
import { f32, param, pipeline, u32 } from "@groupwise/dsl";
import type { Random } from "../data/random.ts";
import type { Effort } from "./subject.ts";

const group = { scope: "work-group" } as const;

/** The sides of a work-group. */
export type RangeSides = readonly [number] | readonly [number, number] | readonly [number, number, number];

const NORMAL: readonly RangeSides[] = [
  [1],
  [5],
  [64],
  [1, 1],
  [4, 3],
  [1, 7],
  [16, 16],
  [32, 32],
  [2, 3, 4],
  [5, 1, 3],
  [1, 1, 1],
  [8, 8, 16],
];

/** Ones, primes, sides of one, squares, and the largest that devices run. */
export const SHAPES: Readonly<Record<Effort, readonly RangeSides[]>> = {
  quick: [[5], [4, 3], [3, 2, 2]],
  normal: NORMAL,
  full: [...NORMAL, [7, 1], [13, 11], [1, 256], [1, 4, 1], [7, 5, 3]],
};

/** Ranges around the sides of a work-group, with small offsets, and offsets with which the last id is the largest. */
export function rangeOf(
  shape: RangeSides,
  random: Random,
  most: number,
): Required<Pick<RunOptions, "globalSize" | "globalOffset">> {
  const side = (w: number): number =>
    random.pick([1, 1, w - 1, w, w, w + 1, 2 * w + 1, 3 * w, random.int(0, 13), 17, 29]);
  let globalSize = shape.map(side);
  while (itemsIn(globalSize) > most) globalSize = globalSize.map((x) => Math.ceil(x / 2));
  const globalOffset = globalSize.map((x) =>
    random.pick([0, 1, 1000, 2 ** 32 - Math.max(x, 1), random.int(0, 2 ** 31)]),
  );
  return { globalSize, globalOffset };
}

const named = (name: string, shape: RangeSides): string => `${name}-${shape.join("x")}`;

/** Every work-item function in every dimension and one past the last, combined to a number for each uniformity. */
export function queriesOf(shape: RangeSides): Pipeline {
  const made = pipeline(
    named("queries", shape),
    {},
    (_, at) => {
      type Value = ReturnType<typeof at.workDim>;
      const hash = (start: Value, asked: readonly ((dimension: number) => Value)[]): Value =>
        [0, 1, 2, 3].reduce(
          (sum, d) => asked.reduce((before, ask) => before.mul(1_000_003).add(ask(d)), sum),
          start,
        );
      return {
        ofRange: hash(at.workDim(), [at.globalSize, at.enqueuedLocalSize, at.numGroups, at.globalOffset]),
        ofGroup: hash(at.groupIndex(), [at.localSize, at.groupId]),
        ofItem: hash(at.globalLinearId(), [at.globalId, at.localId, at.localSize, at.groupId]),
        lane: at.localLinearId(),
        sizes: at.size().sub(at.groupSize()).mul(at.enqueuedGroupSize()),
        // Collectives of both scopes over the positions.
        order: at.globalId(1).add(at.localLinearId()).scanInclusive("add"),
        first: at.globalId(0).xor(at.globalId(1)).xor(at.globalId(2)).reduce("min", group),
      };
    },
    { workGroupSize: shape, places: false },
  );
  return made.ir;
}

/** Collectives of both scopes by turns, with broadcasts of constant coordinates, also for targets that have only floats. */
export function floatsOf(shape: RangeSides): Pipeline {
  const zero = shape.map(() => 0);
  const last = shape.map((side) => side - 1);
  const made = pipeline(
    named("floats", shape),
    { x: f32 },
    ({ x }) => {
      const within = x.scanInclusive("add", group);
      const total = x.reduce("add", group);
      const across = within.scanExclusive("add");
      return {
        within,
        before: x.scanExclusive("mul", group),
        total,
        least: across.reduce("min", group),
        across,
        all: x.reduce("add"),
        back: across.scanInclusive("add", group),
        some: x.gt(0).any(group),
        every: x.gt(0).all(),
        corner: x.broadcast(zero, group),
        opposite: x.sub(x.broadcast(last, group)),
        origin: within.broadcast(zero),
        far: total.perItem().broadcast(shape.map(() => 2)),
      };
    },
    { workGroupSize: shape, places: false },
  );
  return made.ir;
}

/** Broadcasts by computed coordinates, one past the end in a dimension or in all; scatters across the range. */
export function placesOf(shape: RangeSides): Pipeline {
  const made = pipeline(
    named("places", shape),
    { x: u32, a: param(u32), b: param(u32) },
    ({ x, a, b }, at) => {
      const point = shape.map((_, d) => (d % 2 === 0 ? a : b));
      const turned = shape.map((_, d) => at.groupId(d).add(d % 2 === 0 ? b : a));
      const sum = x.scanInclusive("add");
      return {
        ofGroup: x.broadcast(point, group),
        ofGroupToo: sum.broadcast(turned, group),
        ofRange: x.broadcast(point),
        scanned: sum.broadcast(point).add(x.scanExclusive("xor", group)),
        mirrored: x.scatter({ to: at.size().sub(1).sub(at.index()) }),
        byGroup: x
          .reduce("max", group)
          .perItem()
          .scatter({ to: at.groupIndex(), where: at.localIndex().eq(0) }),
      };
    },
    { workGroupSize: shape, places: false },
  );
  return made.ir;
}
