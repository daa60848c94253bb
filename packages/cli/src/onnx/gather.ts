/** Nodes that read elements at places that other tensors hold. */
import type { AnyValue, U32Value } from "@groupwise/dsl";
import { axisOf } from "./reduce.ts";
import { Refusal } from "./refusal.ts";
import { type Dims, isOne, printDims, requireNumbers, sideOf, type Tensor, tensor } from "./space.ts";
import { apply, cast, constantLike, converted, select } from "./value.ts";
import type { NodeView, Rule } from "./view.ts";

/** A place along an axis; negative ones count from its end. */
export function placeOf(value: AnyValue, side: number): U32Value {
  const isSigned = value.type === "i32" || value.type === "i64";
  const own = isSigned
    ? select(
        apply(value, "lt", constantLike(value, 0)),
        apply(value, "add", constantLike(value, side)),
        value,
      )
    : value;
  return cast(own, "u32") as U32Value;
}

/** The index of an element of a tensor, or that of its only one. */
const within = ({ space }: NodeView, { dims }: Tensor, index: () => U32Value): U32Value =>
  isOne(dims) ? space.zero : index();

function gather(view: NodeView): Tensor {
  const [x, indices] = [view.input(0), view.input(1)];
  const axis = axisOf(view.whole("axis", 0), x.dims);
  const side = sideOf(x.dims, axis);
  const [before, after] = [x.dims.slice(0, axis), x.dims.slice(axis + 1)];
  const dims = [...before, ...indices.dims, ...after];
  const { space } = view;
  return tensor(x.type, dims, (index) => {
    const at = (from: number, many: Dims): U32Value[] =>
      many.map((_, i) => space.coordinate(index, dims, from + i));
    const chosen = at(before.length, indices.dims);
    const value = indices.read(within(view, indices, () => space.flat(chosen, indices.dims)));
    const rest = at(before.length + indices.dims.length, after);
    return x.read(
      within(view, x, () => space.flat([...at(0, before), placeOf(value, side), ...rest], x.dims)),
    );
  });
}

function gatherElements(view: NodeView): Tensor {
  const [x, indices] = [view.input(0), view.input(1)];
  const axis = axisOf(view.whole("axis", 0), x.dims);
  const side = sideOf(x.dims, axis);
  const { dims } = indices;
  const { space } = view;
  return tensor(x.type, dims, (index) => {
    const own = placeOf(indices.read(within(view, indices, () => index)), side);
    const places = dims.map((_, other) => (other === axis ? own : space.coordinate(index, dims, other)));
    return x.read(within(view, x, () => space.flat(places, x.dims)));
  });
}

function gatherND(view: NodeView): Tensor {
  const [x, indices] = [view.input(0), view.input(1)];
  const batch = view.whole("batch_dims", 0);
  const depth = sideOf(indices.dims, indices.dims.length - 1);
  if (batch + depth > x.dims.length)
    throw new Refusal(`its indices have ${depth} places for ${printDims(x.dims)}`);
  const outer = indices.dims.slice(0, -1);
  if (batch < 0 || batch > outer.length) throw new Refusal(`its batch_dims are ${batch}`);
  const inner = x.dims.slice(batch + depth);
  const dims = [...outer, ...inner];
  const sides = requireNumbers(x.dims);
  const { space } = view;
  return tensor(x.type, dims, (index) => {
    const first = outer.map((_, i) => space.coordinate(index, dims, i));
    const places = Array.from({ length: depth }, (_, k) => {
      const at = within(view, indices, () =>
        space.flat([...first, apply(space.zero, "add", k) as U32Value], indices.dims),
      );
      return placeOf(indices.read(at), sides[batch + k] as number);
    });
    const rest = inner.map((_, i) => space.coordinate(index, dims, outer.length + i));
    return x.read(within(view, x, () => space.flat([...first.slice(0, batch), ...places, ...rest], x.dims)));
  });
}

/** One of two values at each place: the second where the place is that of the index. */
function oneHot(view: NodeView): Tensor {
  const [indices, values] = [view.input(0), view.input(2)];
  const [depth] = view.wholeInput(1, "depth is") ?? [];
  if (depth === undefined) throw new Refusal("its depth is missing");
  const rank = indices.dims.length + 1;
  const axis = axisOf(view.whole("axis", -1), Array<number>(rank).fill(1));
  const dims = [...indices.dims.slice(0, axis), depth, ...indices.dims.slice(axis)];
  const { space } = view;
  return tensor(values.type, dims, (index) => {
    const places = dims.map((_, other) => space.coordinate(index, dims, other));
    const at = within(view, indices, () => space.flat(places.toSpliced(axis, 1), indices.dims));
    const whole = converted(indices.read(at), "i64");
    const side = constantLike(whole, depth);
    const own = select(apply(whole, "lt", constantLike(whole, 0)), apply(whole, "add", side), whole);
    const isOn = apply(cast(places[axis] as AnyValue, "i64"), "eq", own);
    return select(isOn, values.read(apply(space.zero, "add", 1) as U32Value), values.read(space.zero));
  });
}

export const GATHERS: Readonly<Record<string, Rule>> = {
  Gather: gather,
  GatherElements: gatherElements,
  GatherND: gatherND,
  OneHot: oneHot,
};
