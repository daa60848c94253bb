/** Rows along one axis of an array of several dimensions, and a range in which each row is combined as if it were alone. */
import { errorOf, requireArguments, required, type Wanted, whole } from "@groupwise/core/target";
import type { Items } from "./primitive.ts";

/** An array of shape `[outer, length, inner]`, row-major, whose rows lie along the axis in the middle. */
export type AxisNumbers = {
  /** The number of items of a row. */
  readonly length: number;
  /** The number of items between two neighbours of a row: the product of the sides after the axis; default 1. */
  readonly inner?: number;
  /** The product of the sides before the axis; default: what the number of items gives. */
  readonly outer?: number;
};

/** The shape with all of its sides. */
export interface AxisShape {
  readonly outer: number;
  readonly length: number;
  readonly inner: number;
  /** outer · inner. */
  readonly rows: number;
}

const MOST = 2 ** 32 - 1;
const SIDE = /*@__PURE__*/ whole(0, MOST);
export const AXIS: { readonly [K in keyof Required<AxisNumbers>]: Wanted } = {
  length: /*@__PURE__*/ required(SIDE),
  inner: SIDE,
  outer: SIDE,
};

const SIDES: Wanted = {
  want: "a list of sides, each a whole number",
  is: (value) => Array.isArray(value) && value.length > 0 && value.every((side) => SIDE.is(side)),
};

const product = (sides: readonly number[]): number => sides.reduce((all, side) => all * side, 1);

/**
 * The numbers of primitives along an axis: `axisScan("add", f32).runOn(runtime, { x }, along([8, 100, 3], 1))`.
 * @param shape the sides of an array in row-major order, the last one contiguous
 * @param axis from 0, or from -1 for the last
 * @throws GroupwiseError `bad-argument`
 * @example
 * ```ts
 * import { along } from "@groupwise/primitives";
 *
 * const shape = along([8, 100, 3], 1);
 * console.log(shape); // { outer: 8, length: 100, inner: 3 }
 * ```
 */
export function along(shape: readonly number[], axis: number): Required<AxisNumbers> {
  requireArguments(arguments, "along", { shape: SIDES, axis: whole(-shape?.length, shape?.length - 1) });
  const own = axis < 0 ? axis + shape.length : axis;
  return {
    outer: product(shape.slice(0, own)),
    length: shape[own] as number,
    inner: product(shape.slice(own + 1)),
  };
}

/**
 * The shape of n items.
 * @throws GroupwiseError `bad-divisor` if rows do not divide the items, `bad-usage` if a given shape has another number of items
 */
export function shapeOf(name: string, n: number, { length, inner = 1, outer }: AxisNumbers): AxisShape {
  const block = length * inner;
  if (outer === undefined) {
    if (block === 0 ? n > 0 : n % block !== 0)
      throw errorOf(
        "bad-divisor",
        { name: inner === 1 ? "length" : "length · inner", value: block, n },
        name,
      );
    const count = block === 0 ? 0 : n / block;
    return { outer: count, length, inner, rows: count * inner };
  }
  if (outer * block !== n) {
    const reason = `a shape of ${outer} · ${length} · ${inner} has ${outer * block} items, but there are ${n}`;
    throw errorOf("bad-usage", { reason, hint: "pass `along` with the shape of the array" }, name);
  }
  return { outer, length, inner, rows: outer * inner };
}

/** @throws GroupwiseError `bad-usage` for a number of items in device memory, `bad-divisor` */
export function shapeOfItems(name: string, { items, n }: Items, numbers: AxisNumbers): AxisShape {
  if (typeof items === "number") return shapeOf(name, n, numbers);
  const reason = "the number of items is in device memory, but a shape is known on the host";
  throw errorOf("bad-usage", { reason, hint: "pass n as a number" }, name);
}

/** Lanes of all rows: the last one needs no alignment. @throws GroupwiseError `too-many-items` */
export function lanesOf(name: string, { rows, length }: AxisShape, pitch: number): number {
  const lanes = rows === 0 ? 0 : (rows - 1) * 2 ** pitch + length;
  if (lanes <= MOST) return lanes;
  const why = "a range of rows, each from a multiple of the next power of two on,";
  throw errorOf("too-many-items", { n: lanes, limit: MOST, why }, name);
}
