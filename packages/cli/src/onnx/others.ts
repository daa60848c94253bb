/** Constants, casts, and nodes that only change the shape. */
import type { ScalarValue } from "@groupwise/core";
import { casted } from "./element-wise.ts";
import { axisOf } from "./reduce.ts";
import { Refusal } from "./refusal.ts";
import { type Dims, extentOf, printDims, reshaped, type Tensor, uniform } from "./space.ts";
import type { Constant } from "./tensor.ts";
import { arrayTypeOf, typeName } from "./types.ts";
import { apply, literal } from "./value.ts";
import type { NodeView, Rule } from "./view.ts";

const wholes = (values: readonly number[]): Constant => ({
  type: "i64",
  dims: [values.length],
  values: values.map(BigInt),
});

function constant(view: NodeView): Constant {
  const tensor = view.tensor("value");
  if (tensor) return tensor;
  const one = (type: "f32" | "i64", value: ScalarValue): Constant => ({ type, dims: [], values: [value] });
  const float = view.float("value_float");
  if (float !== undefined) return one("f32", float);
  const whole = view.bigint("value_int");
  if (whole !== undefined) return one("i64", whole);
  const floats = view.floats("value_floats");
  if (floats) return { type: "f32", dims: [floats.length], values: floats };
  const ints = view.wholes("value_ints");
  if (ints) return wholes(ints);
  throw new Refusal("its value is neither a tensor nor a number");
}

function cast(view: NodeView): Tensor {
  const to = view.whole("to");
  const type = arrayTypeOf(to);
  if (type === undefined) throw new Refusal(`it casts to ${typeName(to)}`);
  return casted(view.input(0), type);
}

function squeeze(view: NodeView): Tensor {
  const x = view.input(0);
  const axes = view.wholeInput(1, "axes are") ?? view.wholes("axes");
  const gone =
    axes?.map((axis) => axisOf(axis, x.dims)) ?? x.dims.flatMap((side, i) => (side === 1 ? [i] : []));
  if (gone.some((axis) => x.dims[axis] !== 1))
    throw new Refusal(`its axes ${gone.join(", ")} of ${printDims(x.dims)} are not all 1`);
  return reshaped(
    x,
    x.dims.filter((_, axis) => !gone.includes(axis)),
  );
}

function unsqueeze(view: NodeView): Tensor {
  const x = view.input(0);
  const given = view.wholeInput(1, "axes are") ?? view.wholes("axes") ?? [];
  const rank = x.dims.length + given.length;
  const axes = given.map((axis) => axisOf(axis, Array<number>(rank).fill(1)));
  const rest = [...x.dims];
  return reshaped(
    x,
    Array.from({ length: rank }, (_, axis) => (axes.includes(axis) ? 1 : (rest.shift() as number))),
  );
}

/** The number of elements. */
function size(view: NodeView): Tensor | Constant {
  const { dims } = view.shape(0);
  const { factor, names } = extentOf(dims);
  if (names === "") return { type: "i64", dims: [], values: [BigInt(factor)] };
  return uniform("i64", [], apply(view.space.elements(dims), "toI64"));
}

/** The sides, which must be numbers. */
function shape(view: NodeView): Constant {
  const { dims } = view.shape(0);
  const part = dims.slice(view.whole("start", 0), view.whole("end", dims.length));
  if (part.every((side) => typeof side === "number")) return wholes(part as number[]);
  throw new Refusal(`the sides ${printDims(part)} are not all numbers`);
}

/** The shape of a reshape: 0 is the side of the operand, and -1 what remains. @throws Refusal */
function sidesOf(given: readonly number[], from: Dims, allowsZero: boolean): Dims {
  const sides = given.map((side, axis) => (side === 0 && !allowsZero ? (from[axis] ?? 0) : side));
  const { factor, names } = extentOf(from);
  const known = extentOf(sides.filter((side) => side !== -1));
  const isSame = (one: string): boolean => known.names === one;
  const rest = factor / known.factor;
  const open = sides.filter((side) => side === -1).length;
  if (open === 1 && isSame(names) && Number.isInteger(rest))
    return sides.map((side) => (side === -1 ? rest : side));
  const [only] = from.filter((side) => typeof side === "string");
  if (open === 1 && known.names === "" && only === names && rest === 1)
    return sides.map((side) => (side === -1 ? (only as string) : side));
  if (open === 0 && isSame(names) && rest === 1) return sides;
  if (open === 0 && isSame(names) && factor === 0 && known.factor === 0) return sides;
  throw new Refusal(`the shape ${printDims(from)} does not become [${given.join(", ")}] for any sides`);
}

function reshape(view: NodeView): Tensor {
  const x = view.input(0);
  const given = view.wholeInput(1, "shape is") ?? view.wholes("shape");
  if (!given) throw new Refusal("its shape is missing");
  return reshaped(x, sidesOf(given, x.dims, view.whole("allowzero", 0) !== 0));
}

function flatten(view: NodeView): Tensor {
  const x = view.input(0);
  const axis = view.whole("axis", 1);
  const cut = axis < 0 ? axis + x.dims.length : axis;
  const one = (dims: Dims): number | string => {
    const { factor, names } = extentOf(dims);
    if (names === "") return factor;
    if (factor === 1 && !names.includes("*")) return names;
    throw new Refusal(`the sides ${printDims(dims)} are not all numbers`);
  };
  return reshaped(x, [one(x.dims.slice(0, cut)), one(x.dims.slice(cut))]);
}

/** Without training nothing is dropped, and the mask is true. */
const dropout: Rule = (view) => {
  const x = view.input(0);
  const [training] = view.constantInput(2, "training mode is")?.values ?? [];
  if (training) throw new Refusal("it drops elements at random");
  for (const unused of ["ratio", "is_test"]) view.float(unused);
  view.whole("seed");
  return [x, uniform("bool", x.dims, literal("bool", true))];
};

export const OTHERS: Readonly<Record<string, Rule>> = {
  Constant: constant,
  Cast: cast,
  CastLike: (view) => casted(view.input(0), view.shape(1).type),
  Identity: (view) => view.constantOf(0) ?? view.input(0),
  Dropout: dropout,
  Flatten: flatten,
  Reshape: reshape,
  Shape: shape,
  Size: size,
  Squeeze: squeeze,
  Unsqueeze: unsqueeze,
};
