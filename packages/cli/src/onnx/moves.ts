/** Nodes whose elements are those of their operands at other places. */
import type { AnyValue, BoolValue, U32Value } from "@groupwise/dsl";
import { axisOf } from "./reduce.ts";
import { Refusal } from "./refusal.ts";
import {
  broadcast,
  type Dims,
  type ItemSpace,
  isOne,
  printDims,
  requireNumbers,
  reshaped,
  sideOf,
  type Tensor,
  tensor,
  uniform,
} from "./space.ts";
import type { Constant } from "./tensor.ts";
import { scalarOf } from "./types.ts";
import { apply, cast, literal, select } from "./value.ts";
import type { NodeView, Rule } from "./view.ts";

/** A tensor with its axes in another order. */
export const transposed = (space: ItemSpace, x: Tensor, order: readonly number[]): Tensor => {
  const dims = order.map((axis) => x.dims[axis] as number | string);
  const kept = order.filter((axis) => x.dims[axis] !== 1);
  if (kept.every((axis, i) => i === 0 || axis > (kept[i - 1] as number))) return reshaped(x, dims);
  return space.moved(x, dims, (at) => x.dims.map((_, axis) => at(order.indexOf(axis))));
};

function transpose(view: NodeView): Tensor {
  const x = view.input(0);
  const order = view.wholes("perm") ?? x.dims.map((_, axis) => x.dims.length - 1 - axis);
  return transposed(
    view.space,
    x,
    order.map((axis) => axisOf(axis, x.dims)),
  );
}

/** The operands one after another along an axis. */
function concatenated(space: ItemSpace, all: readonly Tensor[], axis: number): Tensor {
  const parts = all.filter(({ dims }) => dims[axis] !== 0);
  const [first = all[0] as Tensor] = parts;
  if (parts.length < 2) return first;
  const others = new Set(parts.map(({ dims }) => printDims(dims.toSpliced(axis, 1))));
  if (others.size > 1)
    throw new Refusal(
      `the shapes ${parts.map(({ dims }) => printDims(dims)).join(", ")} differ in other sides`,
    );
  const sides = parts.map(({ dims }) => sideOf(dims, axis));
  const dims = first.dims.with(
    axis,
    sides.reduce((a, b) => a + b, 0),
  );
  return tensor(first.type, dims, (index) => {
    const place = space.coordinate(index, dims, axis);
    const rest = dims.map((_, other) => space.coordinate(index, dims, other));
    let from = sides.reduce((a, b) => a + b, 0);
    const chosen = parts.map((part, i) => ({ part, side: sides[i] as number })).reverse();
    return chosen.reduce<AnyValue | undefined>((later, { part, side }) => {
      from -= side;
      const own = isOne(part.dims)
        ? space.zero
        : space.flat(rest.with(axis, from === 0 ? place : place.sub(from)), part.dims);
      const value = part.read(own);
      return later === undefined ? value : select(place.lt(from + side), value, later);
    }, undefined) as AnyValue;
  });
}

function concat(view: NodeView): Tensor {
  const all = view.all();
  const [{ dims }] = all as [Tensor];
  return concatenated(view.space, all, axisOf(view.whole("axis", 0), dims));
}

/** The elements from a place on, with a step. */
const sliced = (
  space: ItemSpace,
  x: Tensor,
  dims: Dims,
  starts: readonly number[],
  steps: readonly number[],
): Tensor =>
  starts.every((start, axis) => start === 0 && dims[axis] === x.dims[axis] && steps[axis] === 1)
    ? x
    : space.moved(x, dims, (at) =>
        x.dims.map((side, axis) => {
          if (side === 1) return undefined;
          const step = steps[axis] as number;
          const place = dims[axis] === 1 ? space.zero : at(axis);
          const far = Math.abs(step) === 1 ? place : place.mul(Math.abs(step));
          const start = apply(space.zero, "add", starts[axis]) as U32Value;
          if (starts[axis] === 0) return far;
          return step < 0 ? start.sub(far) : far === space.zero ? start : far.add(starts[axis] as number);
        }),
      );

const clampTo = (value: number, least: number, most: number): number =>
  Math.min(Math.max(value, least), most);

function slice(view: NodeView): Tensor {
  const x = view.input(0);
  const given = (index: number, name: string): readonly number[] | undefined =>
    view.wholeInput(index, `${name} are`) ?? view.wholes(name);
  const [from, to] = [given(1, "starts") ?? [], given(2, "ends") ?? []];
  const axes = (given(3, "axes") ?? from.map((_, axis) => axis)).map((axis) => axisOf(axis, x.dims));
  const by = view.wholeInput(4, "steps are") ?? from.map(() => 1);
  const [starts, steps, dims] = [x.dims.map(() => 0), x.dims.map(() => 1), [...x.dims]];
  for (const [i, axis] of axes.entries()) {
    const side = sideOf(x.dims, axis);
    const step = by[i] as number;
    const own = (place: number): number => (place < 0 ? place + side : place);
    const start = clampTo(own(from[i] as number), 0, step < 0 ? side - 1 : side);
    const end = clampTo(own(to[i] as number), step < 0 ? -1 : 0, side);
    dims[axis] = Math.max(0, Math.ceil((end - start) / step));
    starts[axis] = start;
    steps[axis] = step;
  }
  return sliced(view.space, x, dims, starts, steps);
}

function split(view: NodeView): Tensor[] {
  const x = view.input(0);
  const axis = axisOf(view.whole("axis", 0), x.dims);
  const side = sideOf(x.dims, axis);
  const count = view.whole("num_outputs") ?? view.outputs;
  const part = Math.ceil(side / count);
  const sides =
    view.wholeInput(1, "split is") ??
    view.wholes("split") ??
    Array.from({ length: count }, (_, i) => Math.min(part, side - i * part));
  if (sides.reduce((a, b) => a + b, 0) !== side)
    throw new Refusal(`its parts ${sides.join(", ")} are not ${side}`);
  let from = 0;
  return sides.map((length) => {
    const starts = x.dims.map((_, other) => (other === axis ? from : 0));
    from += length;
    return sliced(
      view.space,
      x,
      x.dims.with(axis, length),
      starts,
      x.dims.map(() => 1),
    );
  });
}

function expand(view: NodeView): Tensor {
  const x = view.input(0);
  const dims = broadcast([x, { dims: view.wholeInput(1, "shape is") ?? [] }]);
  return tensor(x.type, dims, (index) => x.read(view.space.project(index, dims, x.dims)));
}

function tile(view: NodeView): Tensor {
  const x = view.input(0);
  const times = view.wholeInput(1, "repeats are") ?? [];
  const dims = requireNumbers(x.dims).map((side, axis) => side * (times[axis] ?? 1));
  return view.space.moved(x, dims, (at) =>
    x.dims.map((side, axis) =>
      times[axis] === 1 ? at(axis) : side === 1 ? undefined : at(axis).rem(side as number),
    ),
  );
}

/** The place in the operand of a padded place that is not past its ends. */
const PADS: Readonly<Record<string, (place: AnyValue, side: number) => AnyValue>> = {
  edge: (place, side) => apply(apply(place, "max", 0), "min", side - 1),
  reflect: (place, side) => {
    const wrapped = apply(place, "mod", Math.max(1, 2 * side - 2));
    return apply(wrapped, "min", apply(apply(wrapped, "neg"), "add", Math.max(1, 2 * side - 2)));
  },
  wrap: (place, side) => apply(place, "mod", side),
};

function pad(view: NodeView): Tensor {
  const x = view.input(0);
  const mode = view.text("mode") ?? "constant";
  const sides = requireNumbers(x.dims);
  const given = view.wholeInput(1, "pads are") ?? view.wholes("pads") ?? [];
  const axes = (view.wholeInput(3, "axes are") ?? sides.map((_, axis) => axis)).map((axis) =>
    axisOf(axis, x.dims),
  );
  const [before, after] = [sides.map(() => 0), sides.map(() => 0)];
  for (const [i, axis] of axes.entries()) {
    before[axis] = given[i] ?? 0;
    after[axis] = given[i + axes.length] ?? 0;
  }
  const dims = sides.map((side, axis) => (before[axis] as number) + side + (after[axis] as number));
  const fill = view.has(2) ? view.input(2) : uniform(x.type, [], literal(x.type, ZERO[scalarOf(x.type)]));
  const { space } = view;
  return tensor(x.type, dims, (index) => {
    const places = sides.map((_, axis) =>
      apply(apply(space.coordinate(index, dims, axis), "toI32"), "sub", before[axis]),
    );
    const inside = places.flatMap((place, axis) =>
      before[axis] === 0 && after[axis] === 0
        ? []
        : [apply(apply(place, "ge", 0), "and", apply(place, "lt", sides[axis]))],
    );
    const fold = PADS[mode];
    if (mode !== "constant" && !fold) throw new Refusal(`its mode is ${JSON.stringify(mode)}`);
    const own = places.map(
      (place, axis) => apply(fold ? fold(place, sides[axis] as number) : place, "toU32") as U32Value,
    );
    const value = x.read(isOne(x.dims) ? space.zero : space.flat(own, x.dims));
    const all = inside.reduce<AnyValue | undefined>((a, b) => (a ? apply(a, "and", b) : b), undefined);
    return fold || !all ? value : select(all, value, fill.read(space.zero));
  });
}

/** Elements of a matrix on one side of a diagonal; others are 0. */
function trilu(view: NodeView): Tensor {
  const x = view.input(0);
  const { space } = view;
  const [k = 0] = view.wholeInput(1, "k is") ?? [];
  const isUpper = view.whole("upper", 1) !== 0;
  const rank = x.dims.length;
  return tensor(x.type, x.dims, (index) => {
    const [row, column] = [rank - 2, rank - 1].map((axis) =>
      apply(space.coordinate(index, x.dims, axis), "toI32"),
    ) as [AnyValue, AnyValue];
    const diagonal = apply(row, "add", k);
    const value = x.read(index);
    return select(apply(column, isUpper ? "ge" : "le", diagonal), value, literal(x.type, ZERO[value.type]));
  });
}

const ZERO: Readonly<Record<string, unknown>> = {
  bool: false,
  i64: 0n,
  u64: 0n,
  i32: 0,
  u32: 0,
  f16: 0,
  f32: 0,
  f64: 0,
};

/** Blocks of channels as squares: two forms of the order of channels. */
function depthToSpace(view: NodeView): Tensor {
  const x = view.input(0);
  const b = view.whole("blocksize", 1);
  const [n, c, h, w] = requireNumbers(x.dims) as [number, number, number, number];
  const isColumns = view.text("mode") === "CRD";
  const parts = isColumns ? [n, c / b ** 2, b, b, h, w] : [n, b, b, c / b ** 2, h, w];
  const order = isColumns ? [0, 1, 4, 2, 5, 3] : [0, 3, 4, 1, 5, 2];
  return reshaped(transposed(view.space, reshaped(x, parts), order), [n, c / b ** 2, h * b, w * b]);
}

function spaceToDepth(view: NodeView): Tensor {
  const x = view.input(0);
  const b = view.whole("blocksize", 1);
  const [n, c, h, w] = requireNumbers(x.dims) as [number, number, number, number];
  const parts = reshaped(x, [n, c, h / b, b, w / b, b]);
  return reshaped(transposed(view.space, parts, [0, 3, 5, 1, 2, 4]), [n, c * b ** 2, h / b, w / b]);
}

function constantOfShape(view: NodeView): Tensor {
  const dims = view.wholeInput(0, "shape is") ?? [];
  const { type, values } = view.tensor("value") ?? { type: "f32", values: [0] };
  return uniform(type, dims, literal(type, values[0]));
}

/** Numbers at equal distances, as many as the limits, which are constants, give. */
function range(view: NodeView): Tensor {
  const [start, limit, delta] = [0, 1, 2].map((i) => {
    const values = view.constantInput(i, "limits are");
    if (values?.values.length === 1) return values;
    throw new Refusal(`its input ${i} is not one number`);
  }) as [Constant, Constant, Constant];
  const [from, to, by] = [start, limit, delta].map(({ values }) => Number(values[0])) as [
    number,
    number,
    number,
  ];
  const count = Math.max(0, Math.ceil((to - from) / by));
  const own = scalarOf(start.type);
  const first = literal(start.type, start.values[0]);
  const step = literal(start.type, delta.values[0]);
  return tensor(start.type, [count], (index) => apply(first, "add", apply(cast(index, own), "mul", step)));
}

function eyeLike(view: NodeView): Tensor {
  const { dims, type: own } = view.shape(0);
  const k = view.whole("k", 0);
  const type = view.typeOf("dtype") ?? own;
  return tensor(type, dims, (index) => {
    const [row, column] = [0, 1].map((axis) => apply(view.space.coordinate(index, dims, axis), "toI32")) as [
      AnyValue,
      AnyValue,
    ];
    return cast(apply(column, "eq", apply(row, "add", k)), scalarOf(type));
  });
}

/** The first elements of each sequence in reverse order. */
function reverseSequence(view: NodeView): Tensor {
  const [x, lengths] = [view.input(0), view.input(1)];
  const [batch, time] = [view.whole("batch_axis", 1), view.whole("time_axis", 0)];
  return view.space.moved(x, x.dims, (at) =>
    x.dims.map((_, axis) => {
      if (axis !== time) return at(axis);
      const length = cast(lengths.read(isOne(lengths.dims) ? view.space.zero : at(batch)), "u32") as U32Value;
      return select(at(time).lt(length) as BoolValue, length.sub(1).sub(at(time)), at(time)) as U32Value;
    }),
  );
}

export const MOVES: Readonly<Record<string, Rule>> = {
  Concat: concat,
  ConstantOfShape: constantOfShape,
  DepthToSpace: depthToSpace,
  Expand: expand,
  EyeLike: eyeLike,
  Pad: pad,
  Range: range,
  ReverseSequence: reverseSequence,
  Slice: slice,
  SpaceToDepth: spaceToDepth,
  Split: split,
  Tile: tile,
  Transpose: transpose,
  Trilu: trilu,
};
