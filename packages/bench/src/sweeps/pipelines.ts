/** Pipelines that compute a function of one operand on many operands, and reduce the bits of the results to two words. */
import type { Pipeline } from "@groupwise/core";
import { FUNCTION_ROWS, type FunctionName, isElementary, isOn } from "@groupwise/core/target";
import { param, pipeline, type U32Value, u32 } from "@groupwise/dsl";
import { type FloatLike, floatOf, mixed, type SweptType } from "./operands.ts";

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

/** The word of a float, as an f32; every NaN has the same. */
function wordOfFloat(value: FloatLike): U32Value {
  const bits = (value.toF32() as unknown as { bitsAs(type: string): U32Value }).bitsAs("u32");
  return bits.and(0x7fffffff).gt(0x7f800000).select(u32(0x7fc00000), bits);
}

/** The word of the result of a function. */
function wordOf(name: FunctionName, operand: FloatLike): U32Value {
  const result = (operand as unknown as Record<string, () => unknown>)[name]?.();
  const kind = FUNCTION_ROWS[name].result;
  if (kind === "own") return wordOfFloat(result as FloatLike);
  return kind === "bool" ? (result as { toU32(): U32Value }).toU32() : (result as U32Value).bitsAs("u32");
}

type Given = { readonly start: U32Value; readonly stride: U32Value };
const keyOf = ({ start, stride }: Given, index: U32Value): U32Value => index.mul(stride).add(start);
const nameOf = (kind: string, { name, type }: Swept): string => `sweep-${kind}-${type}-${name.toLowerCase()}`;

/** Two words for n operands from number `start` with a stride. A different result of one of them changes `sum`. */
export function hashPipeline(swept: Swept, change: ResultChange = (word) => word): SweepPipeline {
  const build = (given: Given, { index }: { index(): U32Value }) => {
    const key = keyOf(given, index());
    const word = wordOf(swept.name, floatOf(swept.type, key));
    const hash = mixed(change(word, key).add(key.mul(ODD)));
    // The exclusive or mixes the words differently, because the sum and the exclusive or of the same words depend on each other.
    return { sum: hash.reduce("add"), xor: mixed(hash).reduce("xor") };
  };
  return pipeline(nameOf("hash", swept), PARAMS, build as never, OPTIONS) as unknown as SweepPipeline;
}

/** The operand `x` and the result `y` of the same items, to see which differ. */
export function valuesPipeline(swept: Swept, change: ResultChange = (word) => word): SweepPipeline {
  const build = (given: Given, { index }: { index(): U32Value }) => {
    const key = keyOf(given, index());
    const operand = floatOf(swept.type, key);
    return { x: wordOfFloat(operand), y: change(wordOf(swept.name, operand), key) };
  };
  return pipeline(nameOf("values", swept), PARAMS, build as never, OPTIONS) as unknown as SweepPipeline;
}

/** Functions of one operand, the elementary ones first. */
export function unaryOf(type: SweptType): readonly FunctionName[] {
  const names = (Object.keys(FUNCTION_ROWS) as FunctionName[]).filter(
    (name) => isOn(FUNCTION_ROWS[name], type) && FUNCTION_ROWS[name].rest.length === 0,
  );
  return names.toSorted((a, b) => Number(isElementary(b)) - Number(isElementary(a)));
}
