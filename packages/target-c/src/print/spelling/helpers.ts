/**
 * Functions and macros for what C lacks or leaves undefined. A file has those that its text calls; names of documents
 * never equal theirs, because they are words of the text.
 */
import type { Scalar } from "@groupwise/core";
import { wordsIn } from "@groupwise/core/kernel";
import { SCALARS } from "@groupwise/core/target";
import { UNSIGNED, valueType } from "./types.ts";

type Named = readonly (readonly [name: string, text: string])[];
const INTEGERS = ["i32", "u32", "i64", "u64"] as const;
const bitsOf = (type: Scalar): number => SCALARS[type].bits;

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
const HINTS: Named = [
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

const ORDERED: Named = INTEGERS.flatMap((type) =>
  (["min", "max"] as const).map((name) => {
    const c = valueType(type);
    const text = `return a ${name === "min" ? "<" : ">"} b ? a : b;`;
    return [`${name}_${type}`, `static inline ${c} ${name}_${type}(${c} a, ${c} b) { ${text} }`] as const;
  }),
);

const FLOATS = [
  { type: "f32", bits: "bits_of_float", float: "float_of_bits", sign: "0x80000000u" },
  { type: "f64", bits: "bits_of_double", float: "double_of_bits", sign: "UINT64_C(0x8000000000000000)" },
] as const;

/**
 * C leaves open what fmin and fmax return for zeros of both signs. Equal operands have equal bits, except zeros: a minimum of zeros is -0 if one of them is,
 * a maximum if both are. There is no branch, so that compilers make vectors of element-wise operations; on random items a branch takes ten times as long.
 */
const FLOATS_ORDERED: Named = FLOATS.flatMap(({ type, bits, float }) =>
  (["min", "max"] as const).map((name) => {
    const c = valueType(type);
    const [before, sign] = name === "min" ? ["<", "|"] : [">", "&"];
    const text = `// NaN if an operand is NaN; -0 is less than +0.
static inline ${c} ${name}_${type}(${c} a, ${c} b) {
  const ${c} ordered = a ${before} b ? a : b;
  const ${c} number = a == b ? ${float}(${bits}(a) ${sign} ${bits}(b)) : ordered;
  return a != a ? a : number;
}`;
    return [`${name}_${type}`, text] as const;
  }),
);

/**
 * The same where one operand is the minimum or maximum so far, which an item rarely replaces: a branch that is easy to predict, also for items of few
 * values, does not wait for the previous item. A zero with the sign that may lose leaves the first branch.
 */
const FLOATS_RUNNING: Named = FLOATS.flatMap(({ type, bits, sign }) => {
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

const MAGNITUDES: Named = (["i32", "i64"] as const).map((type) => {
  const [c, u] = [valueType(type), valueType(UNSIGNED[type] as Scalar)];
  const text = `return x < 0 ? (${c})(0u - (${u})x) : x;`;
  return [
    `abs_${type}`,
    `// The least integer is its own magnitude.\nstatic inline ${c} abs_${type}(${c} x) { ${text} }`,
  ] as const;
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
const COUNTS: Named = (["u32", "u64"] as const).flatMap((type) => {
  const [c, ll] = [valueType(type), type === "u64" ? "ll" : ""];
  const bits = bitsOf(type);
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

const REINTERPRETED: Named = (
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

/** Truncates and saturates; NaN becomes 0. C leaves values outside of the type and NaN undefined. */
const SATURATED: Named = (["float", "double"] as const).flatMap((float) =>
  INTEGERS.map((type) => {
    const isSigned = type in UNSIGNED;
    const bits = bitsOf(type);
    const power = (exponent: number): string => `${2n ** BigInt(exponent)}.0${float === "float" ? "f" : ""}`;
    const [c, macro] = [valueType(type), `${isSigned ? "" : "U"}INT${bits}`];
    const [least, low] = isSigned
      ? [`-${power(bits - 1)}`, `${macro}_MIN`]
      : [`0.0${float === "float" ? "f" : ""}`, "0u"];
    const name = `${float}_to_${type}`;
    return [
      name,
      [
        "// Truncates and saturates; NaN becomes 0.",
        `static inline ${c} ${name}(${float} x) {`,
        `  if (x >= ${power(isSigned ? bits - 1 : bits)}) return ${macro}_MAX;`,
        `  if (x >= ${least}) return (${c})x;`,
        `  return x < ${least} ? ${low} : 0;`,
        "}",
      ].join("\n"),
    ] as const;
  }),
);

const HELPERS: Named = [
  ...HINTS,
  ...REINTERPRETED,
  ...ORDERED,
  ...FLOATS_ORDERED,
  ...FLOATS_RUNNING,
  ...MAGNITUDES,
  ...COUNTS,
  ...SATURATED,
];

/** The texts of those whose names are among the words, and of those that these use. */
export function helpersFor(words: ReadonlySet<string>): readonly string[] {
  const called = HELPERS.filter(([name]) => words.has(name)).map(([, text]) => text);
  const all = new Set([...words, ...wordsIn(called.join(" "))]);
  return HELPERS.flatMap(([name, text]) => (all.has(name) ? [text] : []));
}

/** True if one of them calls memcpy. */
export const copiesMemory = (helpers: readonly string[]): boolean =>
  helpers.some((text) => wordsIn(text).has("memcpy"));
