/** Pipelines that compute a function on many operands, and reduce the bits of the results to two words. */
import type { Pipeline } from "@groupwise/core";
import { FUNCTION_ROWS, type FunctionName, isElementary, isOn } from "@groupwise/core/target";
import { param, pipeline, type U32Value, u32 } from "@groupwise/dsl";
import { type FloatLike, floatOf, mixed, operandOf, type SweptType } from "./operands.ts";

/** A pipeline of the DSL. */
export interface SweepPipeline {
  readonly ir: Pipeline;
}

/** What a sweep computes. */
export interface Swept {
  readonly name: FunctionName;
  readonly type: SweptType;
}
/** Changes a result, so that tests can insert a fault. @param key the number of the operands */
export type ResultChange = (word: U32Value, key: U32Value) => U32Value;

const OPTIONS = { places: false } as const;
const PARAMS = { start: param(u32), stride: param(u32) } as const;
/** Different for each index, so that exchanged results have another hash. */
const ODD = 0x9e3779b1;

/** The words of a float, the lowest first; every NaN has the same. */
function wordsOfFloat(type: SweptType, value: FloatLike): readonly U32Value[] {
  if (type !== "f64") {
    const bits = (value.toF32() as unknown as { bitsAs(type: string): U32Value }).bitsAs("u32");
    return [bits.and(0x7fffffff).gt(0x7f800000).select(u32(0x7fc00000), bits)];
  }
  const bits = (value as unknown as { bitsAs(type: "u64"): ReturnType<U32Value["toU64"]> }).bitsAs("u64");
  const [low, high] = [bits.toU32(), bits.shr(32).toU32()];
  const size = high.and(0x7fffffff);
  const isNan = size.gt(0x7ff00000).or(size.eq(0x7ff00000).and(low.ne(0)));
  return [isNan.select(u32(0), low), isNan.select(u32(0x7ff80000), high)];
}

/** The operands of an item; of functions of one operand of f16 and f32 all bit patterns. */
function operandsOf({ name, type }: Swept, key: U32Value): readonly FloatLike[] {
  const count = 1 + FUNCTION_ROWS[name].rest.length;
  if (count === 1 && type !== "f64") return [floatOf(type, key)];
  return Array.from({ length: count }, (_, slot) => operandOf(type, key, slot));
}

/** The words of the result of a function. */
function wordsOf({ name, type }: Swept, [first, ...others]: readonly FloatLike[]): readonly U32Value[] {
  const functions = first as unknown as Record<string, (...rest: readonly FloatLike[]) => unknown>;
  const result = functions[name]?.(...others);
  const kind = FUNCTION_ROWS[name].result;
  if (kind === "own") return wordsOfFloat(type, result as FloatLike);
  return [kind === "bool" ? (result as { toU32(): U32Value }).toU32() : (result as U32Value).bitsAs("u32")];
}

type Given = { readonly start: U32Value; readonly stride: U32Value };
const keyOf = ({ start, stride }: Given, index: U32Value): U32Value => index.mul(stride).add(start);
const nameOf = (kind: string, { name, type }: Swept): string => `sweep-${kind}-${type}-${name.toLowerCase()}`;

/** Two words for n operands from number `start` with a stride. A different result of one of them changes `sum`. */
export function hashPipeline(swept: Swept, change: ResultChange = (word) => word): SweepPipeline {
  const build = (given: Given, { index }: { index(): U32Value }) => {
    const key = keyOf(given, index());
    const [low, ...high] = wordsOf(swept, operandsOf(swept, key));
    const first = mixed(change(low as U32Value, key).add(key.mul(ODD)));
    const hash = high.reduce((before, word) => mixed(word.add(before)), first);
    // The exclusive or mixes the words differently, because the sum and the exclusive or of the same words depend on each other.
    return { sum: hash.reduce("add"), xor: mixed(hash).reduce("xor") };
  };
  return pipeline(nameOf("hash", swept), PARAMS, build as never, OPTIONS) as unknown as SweepPipeline;
}

/** The words of operands and results of the same items, to see which differ: `x0_0`, `x1_0`, `y_0` and so on. */
export function valuesPipeline(swept: Swept, change: ResultChange = (word) => word): SweepPipeline {
  const build = (given: Given, { index }: { index(): U32Value }) => {
    const key = keyOf(given, index());
    const operands = operandsOf(swept, key);
    const [low, ...high] = wordsOf(swept, operands);
    const named = operands.flatMap((operand, slot) =>
      wordsOfFloat(swept.type, operand).map((word, i) => [`x${slot}_${i}`, word] as const),
    );
    const results = [change(low as U32Value, key), ...high].map((word, i) => [`y_${i}`, word] as const);
    return Object.fromEntries([...named, ...results]);
  };
  return pipeline(nameOf("values", swept), PARAMS, build as never, OPTIONS) as unknown as SweepPipeline;
}

/** Functions of floats with this number of operands, all of the function's type. */
function withOperands(count: number, type: SweptType): readonly FunctionName[] {
  const names = (Object.keys(FUNCTION_ROWS) as FunctionName[]).filter((name) => {
    const { rest } = FUNCTION_ROWS[name];
    return isOn(FUNCTION_ROWS[name], type) && rest.length === count - 1 && rest.every((one) => one === "own");
  });
  return names.toSorted((a, b) => Number(isElementary(b)) - Number(isElementary(a)));
}

/** Functions of one operand, the elementary ones first. */
export const unaryOf = (type: SweptType): readonly FunctionName[] => withOperands(1, type);
/** Functions of two. */
export const pairedOf = (type: SweptType): readonly FunctionName[] => withOperands(2, type);
