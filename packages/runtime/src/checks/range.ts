/** The range of a run or a step, from options and inputs. */
import { errorOf } from "@groupwise/ir/base/errors.js";
import { itemsIn, type Sides } from "@groupwise/ir/base/formula.js";
import { kindOf, shown, typedArrayName } from "../api/host-view.ts";
import type { RunOptions } from "../api/runtime.ts";
import type { Manifest } from "../plan/manifest.ts";
import { optionsOf, recordOf } from "./arguments.ts";

/** Ids are u32. */
export const END: number = 2 ** 32;

/** Arrays that determine the number of items. */
export type Lengths = readonly { readonly name: string; readonly length: number }[];

/** The items of a run. */
export interface Range {
  readonly n: number;
  /** Items per dimension. */
  readonly globalSize: readonly number[];
  readonly globalOffset: readonly number[];
}

const badRange = (manifest: Manifest, reason: string, cause?: unknown): Error =>
  errorOf("bad-range", { reason, sides: manifest.workGroupSize.length }, manifest.pipeline, cause);

/**
 * A number of items.
 * @throws GroupwiseError `bad-length`
 */
export function checkedItems(manifest: Manifest, n: unknown): number {
  if (Number.isSafeInteger(n) && (n as number) >= 0) return n as number;
  throw errorOf("bad-length", { got: shown(n), limit: manifest.maxItems }, manifest.pipeline);
}

/** A list with a whole number for each dimension, each read once. */
function sidesOf(manifest: Manifest, what: string, given: unknown): readonly number[] {
  const { length: sides } = manifest.workGroupSize;
  let list: unknown[] | undefined;
  let length: unknown;
  try {
    if (Array.isArray(given) || typedArrayName(given) !== undefined) {
      const items = given as ArrayLike<unknown>;
      length = items.length;
      list = length === sides ? Array.from({ length: sides }, (_, d) => items[d]) : [];
    }
  } catch (cause) {
    throw badRange(manifest, `${what} cannot be read`, cause);
  }
  if (!list || list.length !== sides) {
    const got = list ? `has ${shown(length)}` : `is ${kindOf(given)}, not a list`;
    throw badRange(manifest, `the pipeline has ${sides} dimension(s), but ${what} ${got}`);
  }
  const bad = list.findIndex((side) => !Number.isSafeInteger(side) || (side as number) < 0);
  if (bad !== -1) throw badRange(manifest, `${what} contains ${shown(list[bad])}`);
  return list as number[];
}

const RANGE = ["n", "globalSize", "globalOffset"] as const;
const OTHERS = ["spare"];

/**
 * The options of the range, each read once.
 * @throws GroupwiseError `bad-argument`, `bad-length`, `bad-range`
 */
export const rangeOptions = (manifest: Manifest, options: unknown): RunOptions =>
  checkedRange(manifest, optionsOf(options, RANGE, "the options", manifest.pipeline, OTHERS));

/**
 * The options of the range, which were read.
 * @throws GroupwiseError `bad-length`, `bad-range`
 */
export function checkedRange(
  manifest: Manifest,
  { n, globalSize, globalOffset }: { readonly [K in keyof RunOptions]?: unknown },
): RunOptions {
  return {
    ...(n !== undefined && { n: checkedItems(manifest, n) }),
    ...(globalSize !== undefined && { globalSize: sidesOf(manifest, "globalSize", globalSize) }),
    ...(globalOffset !== undefined && { globalOffset: sidesOf(manifest, "globalOffset", globalOffset) }),
  };
}

/**
 * A range for which a size is requested.
 * @throws GroupwiseError `bad-length`, `bad-range`
 */
export function checkedSides(manifest: Manifest, sides: unknown): Sides {
  if (typeof sides !== "object" || sides === null) return checkedItems(manifest, sides);
  if (Array.isArray(sides)) return sidesOf(manifest, "globalSize", sides);
  const { globalSize, scalars } = optionsOf(sides, ["globalSize", "scalars"], "the range", manifest.pipeline);
  const { params, lengths } = optionsOf(scalars, ["params", "lengths"], "the scalars", manifest.pipeline);
  const numbers = (of: unknown, what: string): Readonly<Record<string, number>> =>
    (of === undefined ? {} : recordOf(of, what, manifest.pipeline)) as Readonly<Record<string, number>>;
  return {
    globalSize: sidesOf(manifest, "globalSize", globalSize),
    scalars: {
      params: numbers(params, "the parameters of the range"),
      lengths: numbers(lengths, "the lengths of the range"),
    },
  };
}

/**
 * The range, from options and inputs.
 * @param options the result of `rangeOptions`
 * @throws GroupwiseError `length-needed`, `length-mismatch`, `bad-length`, `bad-range`, `too-many-items`
 */
export function rangeOf(manifest: Manifest, arrays: Lengths, options: RunOptions): Range {
  const { length: sides } = manifest.workGroupSize;
  const { globalSize: given, globalOffset = manifest.workGroupSize.map(() => 0) } = options;
  if (given === undefined && sides !== 1)
    throw badRange(manifest, `the pipeline has ${sides} dimensions, but globalSize is missing`);
  const n = lengthOf(manifest, arrays, options);
  const globalSize = given ?? [n];
  globalSize.forEach((size, d) => {
    const offset = globalOffset[d] as number;
    // An offset is a u32 of the kernels, also of a range without items.
    if (offset + Math.max(size, 1) > END)
      throw badRange(manifest, `dimension ${d} ends at ${offset} + ${size}, past 2^32`);
  });
  return { n, globalSize, globalOffset };
}

function lengthOf(manifest: Manifest, arrays: Lengths, { n: given, globalSize }: RunOptions): number {
  const lengths = [...arrays];
  // The range comes first: if it is given, the inputs must fit it.
  if (globalSize)
    lengths.unshift({ name: `globalSize ${globalSize.join(" × ")} =`, length: itemsIn(globalSize) });
  if (given !== undefined) lengths.push({ name: "n", length: given });
  const [first] = lengths;
  if (!first) throw errorOf("length-needed", undefined, manifest.pipeline);
  const n = checkedItems(manifest, first.length);
  if (lengths.some(({ length }) => length !== n)) {
    const listed = lengths.map(({ name, length }) => `${name} ${length}`).join(", ");
    throw errorOf("length-mismatch", { lengths: listed }, manifest.pipeline);
  }
  if (n > manifest.maxItems) {
    const details = { n, limit: manifest.maxItems, why: "the index arithmetic" };
    throw errorOf("too-many-items", details, manifest.pipeline);
  }
  return n;
}
