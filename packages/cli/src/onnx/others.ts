/** Constants, casts, and nodes that only change the shape. */
import type { ScalarValue } from "@groupwise/core";
import { casted } from "./element-wise.ts";
import { axisOf } from "./reduce.ts";
import { Refusal } from "./refusal.ts";
import { elementsOf } from "./rows.ts";
import type { Constant } from "./tensor.ts";
import { arrayTypeOf, typeName } from "./types.ts";
import { apply, constantIn, isOne, layoutOf, printDims, shaped, type Tensor } from "./value.ts";
import type { NodeView, Rule } from "./view.ts";

function constant(view: NodeView): Constant {
  const tensor = view.tensor("value");
  if (tensor) return tensor;
  const one = (type: "f32" | "i64", value: ScalarValue): Constant => ({ type, dims: [], values: [value] });
  const list = (type: "f32" | "i64", values: readonly ScalarValue[]): Constant => ({
    type,
    dims: [values.length],
    values,
  });
  const float = view.float("value_float");
  if (float !== undefined) return one("f32", float);
  const whole = view.bigint("value_int");
  if (whole !== undefined) return one("i64", whole);
  const floats = view.floats("value_floats");
  if (floats) return list("f32", floats);
  const wholes = view.wholes("value_ints");
  if (wholes) return list("i64", wholes.map(BigInt));
  throw new Refusal("its value is neither a tensor nor a number");
}

function cast(view: NodeView): Tensor {
  const to = view.whole("to");
  const type = arrayTypeOf(to);
  if (type === undefined) throw new Refusal(`it casts to ${typeName(to)}`);
  return casted(view, type);
}

function squeeze(view: NodeView): Tensor {
  const x = view.input(0);
  const axes = view.wholeInput(1, "axes") ?? view.wholes("axes");
  const gone =
    axes?.map((axis) => axisOf(axis, x.dims)) ?? x.dims.flatMap((side, i) => (side === 1 ? [i] : []));
  if (gone.some((axis) => x.dims[axis] !== 1))
    throw new Refusal(`its axes ${gone.join(", ")} of ${printDims(x.dims)} are not all 1`);
  const { at, sides } = layoutOf(x);
  const kept = <T>(list: readonly T[]): T[] => list.filter((_, axis) => !gone.includes(axis));
  return { ...x, ...shaped(kept(x.dims), kept(at), sides) };
}

function unsqueeze(view: NodeView): Tensor {
  const x = view.input(0);
  const given = view.wholeInput(1, "axes") ?? view.wholes("axes") ?? [];
  const rank = x.dims.length + given.length;
  const axes = given.map((axis) => axisOf(axis, Array<number>(rank).fill(1)));
  const { at, sides } = layoutOf(x);
  const spread = <T>(list: readonly T[], otherwise: T): T[] => {
    const rest = [...list];
    return Array.from({ length: rank }, (_, axis) => (axes.includes(axis) ? otherwise : (rest.shift() as T)));
  };
  return { ...x, ...shaped(spread(x.dims, 1), spread(at, undefined), sides) };
}

/** The number of elements. */
function size(view: NodeView): Tensor {
  const x = view.input(0);
  const count = isOne(x.dims) ? constantIn("i64", 1) : apply(elementsOf(x, view.context), "toI64");
  return { type: "i64", dims: [], value: count };
}

export const OTHERS: Readonly<Record<string, Rule>> = {
  Constant: constant,
  Cast: cast,
  CastLike: (view) => casted(view, (view.constantOf(1) ?? view.input(1)).type),
  Identity: (view) => view.constantOf(0) ?? view.input(0),
  Size: size,
  Squeeze: squeeze,
  Unsqueeze: unsqueeze,
};
