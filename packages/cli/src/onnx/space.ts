/** Tensors in the range of a pipeline: their shapes, and where their elements are. */
import type { ArrayType } from "@groupwise/core";
import { type AnyValue, type Context, type U32Value, u32 } from "@groupwise/dsl";
import { Refusal } from "./refusal.ts";
import { apply } from "./value.ts";

/** The sides of a tensor, in numbers and names. */
export type Dims = readonly (number | string)[];

/** A tensor: its element at an index in row-major order, which one of one element ignores. */
export interface Tensor {
  readonly type: ArrayType;
  readonly dims: Dims;
  read(index: U32Value): AnyValue;
}

/** The product of sides: of the numbers, and the names. */
interface Extent {
  readonly factor: number;
  readonly names: string;
}

/** True for a tensor of one element, of any rank. */
export const isOne = (dims: Dims): boolean => dims.every((side) => side === 1);
/** A shape as models print it. */
export const printDims = (dims: Dims): string => `[${dims.join(", ")}]`;
/** The sides that are not 1. */
const coreOf = (dims: Dims): string => JSON.stringify(dims.filter((side) => side !== 1));

export function extentOf(dims: Dims): Extent {
  const names = dims.filter((side) => typeof side === "string");
  return { factor: numbersOf(dims).reduce((a, b) => a * b, 1), names: names.sort().join("*") };
}
const keyOf = (dims: Dims): string => Object.values(extentOf(dims)).join();
const numbersOf = (dims: Dims): number[] => dims.filter((side) => typeof side === "number");
export const sameExtent = (a: Extent, b: Extent): boolean => a.factor === b.factor && a.names === b.names;

/** The number of elements. @throws Refusal if a side has a name */
export function countOf(dims: Dims): number {
  const { factor, names } = extentOf(dims);
  if (names === "") return factor;
  throw new Refusal(`the sides ${printDims(dims)} are not all numbers`);
}

/** The side of an axis, as a number. @throws Refusal */
export function sideOf(dims: Dims, axis: number): number {
  const side = dims[axis];
  if (typeof side === "number") return side;
  throw new Refusal(
    `the side ${axis} of the shape ${printDims(dims)} is ${side === undefined ? "missing" : "no number"}`,
  );
}

/** A tensor of known shape. @throws Refusal */
export function requireNumbers(dims: Dims): readonly number[] {
  countOf(dims);
  return dims as readonly number[];
}

/** The import needs a range of more items. */
export class Wider extends Error {
  readonly items: number;
  constructor(items: number) {
    super(`${items} items`);
    this.items = items;
  }
}

/** A tensor whose elements are computed once for each index. */
export function tensor(type: ArrayType, dims: Dims, read: (index: U32Value) => AnyValue): Tensor {
  const made = new Map<U32Value, AnyValue>();
  const once = (index: U32Value): AnyValue => {
    const value = made.get(index) ?? read(index);
    made.set(index, value);
    return value;
  };
  return { type, dims, read: once };
}
/** A tensor whose elements are all one value. */
export const uniform = (type: ArrayType, dims: Dims, value: AnyValue): Tensor => ({
  type,
  dims,
  read: () => value,
});

/** The elements of a tensor in another shape. */
export const reshaped = (x: Tensor, dims: Dims): Tensor => ({ ...x, dims });

/** What an index is of, so that it is made once. */
type Made = Map<string, U32Value>;

/** The range. Its items are the elements of the largest tensors, in row-major order. */
export class ItemSpace {
  readonly context: Context;
  readonly extent: Extent;
  /** The index of the item. */
  readonly here: U32Value;
  readonly zero: U32Value = u32(0);
  private readonly made = new Map<U32Value, Made>();

  constructor(context: Context, extent: Extent) {
    this.context = context;
    this.extent = extent;
    this.here = context.index();
  }

  /** Whether a tensor has an element for each item. */
  isWhole(dims: Dims): boolean {
    return sameExtent(extentOf(dims), this.extent);
  }

  /** The number of elements. @throws Refusal, Wider */
  elements(dims: Dims): U32Value {
    const { factor, names } = extentOf(dims);
    if (this.isWhole(dims)) return this.context.size();
    if (names === "" && this.extent.names === "" && factor > this.extent.factor) throw new Wider(factor);
    if (names === "") return u32(factor);
    const times = this.extent.factor / factor;
    if (names === this.extent.names && Number.isInteger(times)) return this.context.size().div(times);
    const { factor: own, names: given } = this.extent;
    const range = own === 1 ? given : [own, given].join("*");
    throw new Refusal(
      `the number of elements of ${printDims(dims)} does not follow from ${range}, that of items`,
    );
  }

  /** The product of sides: a number, if they are numbers. @throws Refusal */
  count(dims: Dims): number | U32Value {
    const { factor, names } = extentOf(dims);
    return names === "" ? factor : this.elements(dims);
  }

  /** @throws Refusal, Wider if a tensor has more elements than the range */
  require(dims: Dims): void {
    this.elements(dims);
  }

  /** An array of n elements. */
  items(type: ArrayType, dims: Dims, value: AnyValue): Tensor {
    return tensor(type, dims, (index) => (index === this.here ? value : apply(value, "at", index)));
  }

  /** The value at each item of the range. */
  own(x: Tensor): AnyValue {
    return x.read(isOne(x.dims) ? this.zero : this.here);
  }

  /** An index, made once. */
  index(of: U32Value, key: string, make: () => U32Value): U32Value {
    const made: Made = this.made.get(of) ?? new Map<string, U32Value>();
    this.made.set(of, made);
    const index = made.get(key) ?? make();
    made.set(key, index);
    return index;
  }

  /** The place along an axis of the element at an index. @throws Refusal */
  coordinate(index: U32Value, dims: Dims, axis: number): U32Value {
    if (axis >= dims.length) throw new Refusal(`the shape ${printDims(dims)} has no axis ${axis}`);
    return this.place(index, dims.slice(0, axis), dims.slice(axis, axis + 1), dims.slice(axis + 1));
  }

  /** The place along some sides, as if they were one. @throws Refusal */
  private place(index: U32Value, before: Dims, sides: Dims, after: Dims): U32Value {
    if (isOne(sides)) return this.zero;
    const inner = this.count(after);
    const length = isOne(before) ? undefined : this.count(sides);
    const key = `/${keyOf(after)}%${length === undefined ? "" : keyOf(sides)}`;
    return this.index(index, key, () => {
      const block = inner === 1 ? index : index.div(inner);
      return length === undefined ? block : block.rem(length);
    });
  }

  /** The index of an element by its places; those along sides of 1 are ignored. */
  flat(places: readonly (U32Value | undefined)[], dims: Dims): U32Value {
    const terms = places.flatMap((place, axis) => {
      if (dims[axis] === 1 || place === undefined || place === this.zero) return [];
      const inner = this.count(dims.slice(axis + 1));
      return [inner === 1 ? place : place.mul(inner)];
    });
    const [first = this.zero, ...rest] = terms;
    return rest.reduce((a, b) => a.add(b), first);
  }

  /** The index in a tensor of the element that is broadcast to an index of a larger shape. */
  project(index: U32Value, from: Dims, to: Dims): U32Value {
    if (isOne(to)) return this.zero;
    if (coreOf(from) === coreOf(to)) return index;
    return this.index(index, `${printDims(from)}>${printDims(to)}`, () => this.projected(index, from, to));
  }

  /** Neighbouring axes that both shapes have are one axis. */
  private projected(index: U32Value, from: Dims, to: Dims): U32Value {
    const own = [...Array<number>(from.length - to.length).fill(1), ...to];
    const isKept = (axis: number): boolean => own[axis] !== 1;
    let sum = this.zero;
    for (let axis = 0, end = 0; axis < from.length; axis = end) {
      end = axis + 1;
      if (!isKept(axis)) continue;
      while (end < from.length && (isKept(end) || from[end] === 1)) end += 1;
      const place = this.place(index, from.slice(0, axis), from.slice(axis, end), from.slice(end));
      const inner = this.count(own.slice(end));
      const term = inner === 1 ? place : place.mul(inner);
      sum = sum === this.zero ? term : sum.add(term);
    }
    return sum;
  }

  /** A tensor whose element at some places is one of another tensor. */
  moved(
    x: Tensor,
    dims: Dims,
    places: (at: (axis: number) => U32Value, index: U32Value) => readonly (U32Value | undefined)[],
  ): Tensor {
    return tensor(x.type, dims, (index) =>
      x.read(
        isOne(x.dims)
          ? this.zero
          : this.flat(
              places((axis) => this.coordinate(index, dims, axis), index),
              x.dims,
            ),
      ),
    );
  }
}

/**
 * The shape to which tensors are broadcast.
 * @throws Refusal
 */
export function broadcast(all: readonly { readonly dims: Dims }[]): Dims {
  const rank = Math.max(0, ...all.map(({ dims }) => dims.length));
  const padded = all.map(({ dims }) => [...Array<number>(rank - dims.length).fill(1), ...dims]);
  return Array.from({ length: rank }, (_, axis) => {
    const sides = new Set(padded.map((dims) => dims[axis] as number | string).filter((side) => side !== 1));
    if (sides.size > 1) {
      const shown = [...new Set(all.map(({ dims }) => printDims(dims)))].join(" and ");
      throw new Refusal(`the shapes ${shown} differ in sides that are not 1`);
    }
    return [...sides][0] ?? 1;
  });
}
