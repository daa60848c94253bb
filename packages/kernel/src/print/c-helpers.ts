/**
 * Functions for what C and its relatives lack or leave undefined. A file has those that its text calls; names of documents never equal theirs, because
 * they are words of the text.
 */
import { type IntegerScalar, SCALARS, type Scalar } from "@groupwise/ir/tables/scalar.js";
import type { FloatKind } from "./c-literals.ts";
import { type CNames, UNSIGNED } from "./c-operators.ts";
import { wordsIn } from "./names.ts";

/** Texts by the names that they define; a text may use those of earlier ones. */
export type Helpers = readonly (readonly [name: string, text: string])[];

/** How a language spells them. */
export interface HelperSpelling extends Pick<CNames, "valueType" | "floats" | "bits"> {
  /** What stands before the type of a function. */
  readonly head: string;
  /** The least and the greatest value of a signed integer type, the greatest of an unsigned one. */
  limits(type: Scalar): { readonly least: string; readonly greatest: string };
}

const INTEGERS = ["i32", "u32", "i64", "u64"] as const;
const FLOAT_KINDS: readonly FloatKind[] = ["f32", "f64"];
const EXTREMA = ["min", "max"] as const;

/** Lines before and after the body of a function. */
export interface AroundBody {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Minima and maxima of integers. */
export const orderedIntegers = ({ head, valueType }: HelperSpelling): Helpers =>
  INTEGERS.flatMap((type) =>
    EXTREMA.map((name) => {
      const c = valueType(type);
      const text = `return a ${name === "min" ? "<" : ">"} b ? a : b;`;
      return [`${name}_${type}`, `${head} ${c} ${name}_${type}(${c} a, ${c} b) { ${text} }`] as const;
    }),
  );

/**
 * C leaves open what fmin and fmax return for zeros of both signs. Equal operands have equal bits, except zeros: a minimum of zeros is -0 if one of them is,
 * a maximum if both are. There is no branch, so that compilers make vectors of element-wise operations; on random items a branch takes ten times as long.
 * @param instruction lines around the body, for compilers that have it as an instruction
 */
export const orderedFloats = (
  { head, valueType, bits }: HelperSpelling,
  instruction?: (name: "min" | "max", type: FloatKind) => AroundBody | undefined,
): Helpers =>
  FLOAT_KINDS.flatMap((type) =>
    EXTREMA.map((name) => {
      const c = valueType(type);
      const [before, sign] = name === "min" ? ["<", "|"] : [">", "&"];
      const { toBits, ofBits } = bits[type];
      const around = instruction?.(name, type);
      const text = [
        "// NaN if an operand is NaN; -0 is less than +0.",
        `${head} ${c} ${name}_${type}(${c} a, ${c} b) {`,
        ...(around?.before ?? []),
        `  const ${c} ordered = a ${before} b ? a : b;`,
        `  const ${c} number = a == b ? ${ofBits}(${toBits}(a) ${sign} ${toBits}(b)) : ordered;`,
        "  return a != a ? a : number;",
        ...(around?.after ?? []),
        "}",
      ].join("\n");
      return [`${name}_${type}`, text] as const;
    }),
  );

/** Magnitudes of signed integers. */
export const magnitudes = ({ head, valueType }: HelperSpelling): Helpers =>
  (["i32", "i64"] as const).map((type) => {
    const [c, u] = [valueType(type), valueType(UNSIGNED[type] as Scalar)];
    const text = `return x < 0 ? (${c})(0u - (${u})x) : x;`;
    return [
      `abs_${type}`,
      `// The least integer is its own magnitude.\n${head} ${c} abs_${type}(${c} x) { ${text} }`,
    ] as const;
  });

/**
 * Conversions of floats to integers, which truncate and saturate; NaN becomes 0. C leaves values outside of the type and NaN undefined.
 * @param instruction lines around the body, for compilers that have it as an instruction
 */
export const saturated = (
  { head, valueType, floats, limits }: HelperSpelling,
  instruction?: (kind: FloatKind, type: IntegerScalar) => AroundBody,
): Helpers =>
  FLOAT_KINDS.flatMap((kind) =>
    INTEGERS.map((type) => {
      const [from, suffix] = [floats[kind], kind === "f32" ? "f" : ""];
      const isSigned = type in UNSIGNED;
      const { bits } = SCALARS[type];
      const power = (exponent: number): string => `${2n ** BigInt(exponent)}.0${suffix}`;
      const c = valueType(type);
      const { least, greatest } = limits(type);
      const [low, lowest] = isSigned ? [`-${power(bits - 1)}`, least] : [`0.0${suffix}`, "0u"];
      const name = `${from}_to_${type}`;
      const around = instruction?.(kind, type);
      return [
        name,
        [
          "// Truncates and saturates; NaN becomes 0.",
          `${head} ${c} ${name}(${valueType(kind)} x) {`,
          ...(around?.before ?? []),
          `  if (x >= ${power(isSigned ? bits - 1 : bits)}) return ${greatest};`,
          `  if (x >= ${low}) return (${c})x;`,
          `  return x < ${low} ? ${lowest} : 0;`,
          ...(around?.after ?? []),
          "}",
        ].join("\n"),
      ] as const;
    }),
  );

/** The texts of those whose names are among the words, and of those that these use. */
export function helpersFor(helpers: Helpers, words: ReadonlySet<string>): readonly string[] {
  const all = new Set(words);
  for (const [name, text] of [...helpers].reverse())
    if (all.has(name)) for (const word of wordsIn(text)) all.add(word);
  return helpers.flatMap(([name, text]) => (all.has(name) ? [text] : []));
}
