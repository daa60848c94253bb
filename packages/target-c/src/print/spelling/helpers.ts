/**
 * Functions and macros for what C lacks or leaves undefined. A file has those that its text calls; names of documents
 * never equal theirs, because they are words of the text.
 */
import {
  type HelperSpelling,
  type Helpers,
  magnitudes,
  orderedFloats,
  orderedIntegers,
  saturated,
  UNSIGNED,
  wordsIn,
} from "@groupwise/core/kernel";
import { SCALARS } from "@groupwise/core/target";
import { NAMES } from "./operators.ts";
import { valueType } from "./types.ts";
import { VECTOR_HELPERS } from "./vectors.ts";

/** Hints for compilers, without an effect on results. @param compilers those that unroll what the macro is before */
const unroll = (name: string, why: string, compilers: string): readonly [string, string] => [
  name,
  `// ${why}
#if ${compilers}
#define ${name} _Pragma("GCC unroll 4")
#else
#define ${name}
#endif`,
];
const HINTS: Helpers = [
  unroll(
    "GW_UNROLL",
    "Iterations so short that each takes up to twice as long where its instructions lie in two lines of the cache.",
    "defined(__clang__) || defined(__GNUC__) && __GNUC__ >= 8",
  ),
  unroll(
    "GW_UNROLL_VECTORS",
    "The same for loops over vectors, which clang unrolls more often without a hint.",
    "defined(__GNUC__) && __GNUC__ >= 8 && !defined(__clang__)",
  ),
  [
    "GW_LIKELY",
    `#ifdef __GNUC__
#define GW_LIKELY(x) __builtin_expect(x, 1)
#else
#define GW_LIKELY(x) (x)
#endif`,
  ],
];

const FLOATS = [
  { type: "f32", bits: "bits_of_float", float: "float_of_bits", sign: "0x80000000u" },
  { type: "f64", bits: "bits_of_double", float: "double_of_bits", sign: "UINT64_C(0x8000000000000000)" },
] as const;

/**
 * Minima and maxima where one operand is the minimum or maximum so far, which an item rarely replaces: a branch that is easy to predict, also for items of few
 * values, does not wait for the previous item. A zero with the sign that may lose leaves the first branch.
 */
const FLOATS_RUNNING: Helpers = FLOATS.flatMap(({ type, bits, sign }) => {
  const c = valueType(type);
  const text = (name: "min" | "max", stays: string, rest: string): readonly [string, string] => [
    `running_${name}_${type}`,
    `// NaN if an operand is NaN; -0 is less than +0. The left operand is the ${name === "min" ? "minimum" : "maximum"} so far.
static inline ${c} running_${name}_${type}(${c} a, ${c} b) {
  if (GW_LIKELY(${stays})) return a;
  if (a ${name === "min" ? ">" : "<"} b) return b;
  return ${rest};
}`,
  ];
  return [
    text("min", `a <= b && ${bits}(b) != ${sign}`, "a < b ? a : a == b ? b : a + b"),
    text("max", `a >= b && ${bits}(a) != ${sign}`, "a > b ? a : a + b"),
  ];
});

/** A count as the compiler's own function, or as a loop. */
function counting(
  name: string,
  type: "u32" | "u64",
  builtin: string,
  loop: readonly string[],
): readonly [string, string] {
  const c = valueType(type);
  return [
    `${name}_${type}`,
    [
      `static inline ${c} ${name}_${type}(${c} x) {`,
      "#if defined(__GNUC__) && !defined(GW_PORTABLE)",
      `  return ${builtin};`,
      "#else",
      ...loop.map((line) => `  ${line}`),
      "#endif",
      "}",
    ].join("\n"),
  ];
}
const COUNTS: Helpers = (["u32", "u64"] as const).flatMap((type) => {
  const [c, ll] = [valueType(type), type === "u64" ? "ll" : ""];
  const bits = SCALARS[type].bits;
  return [
    // Expansions define functions named `popcount_…`.
    counting("ones", type, `(${c})__builtin_popcount${ll}(x)`, [
      `${c} ones = 0u;`,
      "for (; x != 0u; x &= x - 1u) ones++;",
      "return ones;",
    ]),
    counting("clz", type, `x == 0u ? ${bits}u : (${c})__builtin_clz${ll}(x)`, [
      `${c} zeros = ${bits}u;`,
      "for (; x != 0u; x >>= 1) zeros--;",
      "return zeros;",
    ]),
  ];
});

const REINTERPRETED: Helpers = (
  [
    ["float", "uint32_t"],
    ["double", "uint64_t"],
  ] as const
).flatMap(([float, bits]) => {
  const copy = (name: string, from: string, to: string): readonly [string, string] => [
    name,
    `static inline ${to} ${name}(${from} from) {\n  ${to} to;\n  memcpy(&to, &from, sizeof to);\n  return to;\n}`,
  ];
  return [copy(`bits_of_${float}`, float, bits), copy(`${float}_of_bits`, bits, float)];
});

/** What C calls the limits of integers, in <stdint.h>. */
const limits: HelperSpelling["limits"] = (type) => {
  const macro = `${type in UNSIGNED ? "" : "U"}INT${SCALARS[type].bits}`;
  return { least: `${macro}_MIN`, greatest: `${macro}_MAX` };
};
const SPELLING: HelperSpelling = { ...NAMES, head: "static inline", limits };

export const HELPERS: Helpers = [
  ...HINTS,
  ...VECTOR_HELPERS,
  ...REINTERPRETED,
  ...orderedIntegers(SPELLING),
  ...orderedFloats(SPELLING),
  ...FLOATS_RUNNING,
  ...magnitudes(SPELLING),
  ...COUNTS,
  ...saturated(SPELLING),
];

/** True if one of them calls memcpy. */
export const copiesMemory = (helpers: readonly string[]): boolean =>
  helpers.some((text) => wordsIn(text).has("memcpy"));
