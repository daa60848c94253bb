/**
 * Functions that the text has of its own: exact arithmetic, conversions, functions of a warp, and accesses that work-groups share. A file has those that
 * it calls. CUDA has an instruction or a function for each; HIP is what `__HIP__` selects.
 */
import type { Scalar } from "@groupwise/core";
import {
  type AtomicOp,
  type HalfConversion,
  type HelperSpelling,
  type Helpers,
  orderedFloats,
  orderedIntegers,
  saturated,
} from "@groupwise/core/kernel";
import { NAMES } from "./operators.ts";
import { literal, valueType } from "./types.ts";

const FN = "__device__ inline";
const OF_ANY = `template <class T> ${FN}`;
/** Text for HIP, and for CUDA. */
const either = (hip: readonly string[], cuda: readonly string[]): readonly string[] => [
  "#ifdef __HIP__",
  ...hip,
  "#else",
  ...cuda,
  "#endif",
];
const helper = (
  name: string,
  head: string,
  body: readonly string[],
  about?: string,
): readonly [string, string] => [
  name,
  [...(about === undefined ? [] : [`// ${about}`]), `${head} {`, ...body, "}"].join("\n"),
];

/** Text for arrays that only have the alignment of their elements, and for others. */
const unaligned = (each: readonly string[], row: readonly string[]): readonly string[] => [
  "#ifdef GROUPWISE_UNALIGNED",
  ...each,
  "#else",
  ...row,
  "#endif",
];

/** Several values, in memory too: loads and stores of rows have their alignment. */
const ROWS: Helpers = [
  [
    "Row",
    [
      "// Values that are loaded, stored or returned together.",
      "template <class T, int width> struct Row;",
      "template <class T> struct alignas(2 * sizeof(T)) Row<T, 2> { T x, y; };",
      "template <class T> struct Row<T, 3> { T x, y, z; };",
      "template <class T> struct alignas(sizeof(T) < 4 ? 4 * sizeof(T) : 16) Row<T, 4> { T x, y, z, w; };",
    ].join("\n"),
  ],
  helper(
    "load_row",
    `template <int width, class T> ${FN} Row<T, width> load_row(const T* at)`,
    unaligned(
      ["  if constexpr (width == 2) return {at[0], at[1]};", "  else return {at[0], at[1], at[2], at[3]};"],
      ["  return *reinterpret_cast<const Row<T, width>*>(at);"],
    ),
  ),
  helper(
    "store_row",
    `template <int width, class T> ${FN} void store_row(T* at, const Row<T, width> row)`,
    unaligned(
      ["  at[0] = row.x, at[1] = row.y;", "  if constexpr (width == 4) at[2] = row.z, at[3] = row.w;"],
      ["  *reinterpret_cast<Row<T, width>*>(at) = row;"],
    ),
  ),
  helper("converted", `template <class T, class From> ${FN} Row<T, 4> converted(const Row<From, 4> row)`, [
    "  return {(T)row.x, (T)row.y, (T)row.z, (T)row.w};",
  ]),
];

/** Operations that round. */
const arithmetic = (name: string, sign: string): readonly [string, string] =>
  helper(
    `${name}_rn`,
    `${OF_ANY} T ${name}_rn(const T a, const T b)`,
    either(
      ["#pragma clang fp contract(off)", `  return a ${sign} b;`],
      [`  if constexpr (sizeof(T) == 4) return __f${name}_rn(a, b);`, `  else return __d${name}_rn(a, b);`],
    ),
    "Rounded to the nearest; nothing fuses it with another operation.",
  );
const ARITHMETIC: Helpers = [
  arithmetic("add", "+"),
  arithmetic("sub", "-"),
  arithmetic("mul", "*"),
  arithmetic("div", "/"),
  helper(
    "sqrt_rn",
    `${OF_ANY} T sqrt_rn(const T x)`,
    either(
      ["  if constexpr (sizeof(T) == 4) return sqrtf(x);", "  else return sqrt(x);"],
      ["  if constexpr (sizeof(T) == 4) return __fsqrt_rn(x);", "  else return __dsqrt_rn(x);"],
    ),
  ),
  helper(
    "fma_rn",
    `${OF_ANY} T fma_rn(const T a, const T b, const T c)`,
    either(
      [
        "  if constexpr (sizeof(T) == 4) return __builtin_fmaf(a, b, c);",
        "  else return __builtin_fma(a, b, c);",
      ],
      ["  if constexpr (sizeof(T) == 4) return __fmaf_rn(a, b, c);", "  else return __fma_rn(a, b, c);"],
    ),
  ),
];

/** Bits of doubles, counts of bits. */
const BITS: Helpers = [
  helper("f64_bits", `${FN} u64 f64_bits(const f64 x)`, ["  return (u64)__double_as_longlong(x);"]),
  helper("f64_of_bits", `${FN} f64 f64_of_bits(const u64 bits)`, [
    "  return __longlong_as_double((i64)bits);",
  ]),
  ...(["u32", "u64"] as const).flatMap((type) => {
    const ll = type === "u64" ? "ll" : "";
    return [
      helper(`ones_${type}`, `${FN} ${type} ones_${type}(const ${type} x)`, [
        `  return (${type})__popc${ll}(x);`,
      ]),
      helper(`clz_${type}`, `${FN} ${type} clz_${type}(const ${type} x)`, [
        `  return (${type})__clz${ll}((${type === "u64" ? "i64" : "i32"})x);`,
      ]),
    ];
  }),
];

/** NVVM makes `abs` of a choice between x and 0 - x, and ptxas takes that for positive (`findings/ptxas-magnitudes.sh`): it does not see this negation. */
const NEGATIONS: Helpers = (["i32", "i64"] as const).map((type) => {
  const [unsigned, bits, register] = type === "i32" ? ["u32", 32, "r"] : ["u64", 64, "l"];
  return helper(
    `neg_${type}`,
    `${FN} ${type} neg_${type}(const ${type} x)`,
    either(
      [`  return (${type})((${unsigned})0 - (${unsigned})x);`],
      [
        `  ${type} y;`,
        `  asm("neg.s${bits} %0, %1;" : "=${register}"(y) : "${register}"(x));`,
        "  return y;",
      ],
    ),
    "The least integer is its own.",
  );
});

/** Conversions between an f32 and the bits of a half: to the nearest, ties to even, with subnormal halves. */
const HALVES: Helpers = [
  helper(
    "half_bits",
    `${FN} u32 half_bits(const f32 x)`,
    either(
      ["  return __builtin_bit_cast(u16, (_Float16)x);"],
      ["  u16 bits;", '  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));', "  return bits;"],
    ),
  ),
  helper(
    "half_value",
    `${FN} f32 half_value(const u16 bits)`,
    either(
      ["  return (f32)__builtin_bit_cast(_Float16, bits);"],
      ["  f32 x;", '  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));', "  return x;"],
    ),
  ),
  helper("bits_of_halves", `${FN} u32 bits_of_halves(const f32 low, const f32 high)`, [
    "#if defined(__HIP__)",
    "  const u32 upper = __builtin_bit_cast(u16, (_Float16)high);",
    "  return __builtin_bit_cast(u16, (_Float16)low) | upper << 16u;",
    "#else",
    "  u32 bits;",
    "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800",
    '  asm("cvt.rn.f16x2.f32 %0, %2, %1;" : "=r"(bits) : "f"(low), "f"(high));',
    "#else",
    '  asm("{ .reg .b16 l, h; cvt.rn.f16.f32 l, %1; cvt.rn.f16.f32 h, %2; mov.b32 %0, {l, h}; }"',
    '    : "=r"(bits) : "f"(low), "f"(high));',
    "#endif",
    "  return bits;",
    "#endif",
  ]),
];

/** By the function of halves whose body they are. */
export const HALF_CONVERSIONS: Readonly<Record<HalfConversion, (...args: string[]) => readonly string[]>> = {
  f16_bits_of_f32: (x) => [`return half_bits(${x});`],
  f32_of_f16_bits: (bits) => [`return half_value((u16)${bits});`],
  f32_of_high_f16_bits: (bits) => [`return half_value((u16)(${bits} >> 16u));`],
  two_f16_bits_of_f32: (x, y) => [`return bits_of_halves(${x}, ${y});`],
};

/** Always 0, which no compiler may suppose: a host can write it. */
const ZERO_WORD: readonly [string, string] = ["zero_word", "__constant__ u32 zero_word;"];

const ALL = "0xffffffffu";
/** Functions of 32 work-items: a warp, or a half of a wave of 64. */
const WARPS: Helpers = [
  helper(
    "shuffle_xor",
    `${OF_ANY} T shuffle_xor(const T value, const u32 bit)`,
    either(
      ["  return __shfl_xor(value, (i32)bit, 32);"],
      [`  return __shfl_xor_sync(${ALL}, value, (i32)bit);`],
    ),
  ),
  helper(
    "shuffle",
    `${OF_ANY} T shuffle(const T value, const u32 lane)`,
    either(["  return __shfl(value, (i32)lane, 32);"], [`  return __shfl_sync(${ALL}, value, (i32)lane);`]),
  ),
  helper(
    "ballot",
    `${FN} u32 ballot(const bool condition)`,
    either(
      ["  return (u32)(__ballot(condition) >> (__lane_id() & 32u));"],
      [`  return __ballot_sync(${ALL}, condition);`],
    ),
    "A bit for each of 32 work-items.",
  ),
  helper(
    "prefetch_line",
    `${FN} void prefetch_line(const void* address)`,
    either(["  (void)address;"], ['  asm volatile("prefetch.global.L2 [%0];" : : "l"(address));']),
    "Asks for a line of memory that another work-group reads soon.",
  ),
  helper(
    "some_lane",
    `${FN} bool some_lane(const bool condition)`,
    either(
      ["  return (u32)(__ballot(condition) >> (__lane_id() & 32u)) != 0u;"],
      [`  return __any_sync(${ALL}, condition) != 0;`],
    ),
  ),
];

const TITLES: Readonly<Record<AtomicOp, string>> = {
  add: "sum",
  min: "least",
  max: "greatest",
  and: "conjunction of the bits",
  or: "disjunction of the bits",
  xor: "exclusive disjunction of the bits",
};
const OPS = Object.keys(TITLES) as readonly AtomicOp[];
/** The name of a reduction. */
export const reduceName = (op: AtomicOp, type: Scalar): string => `reduce_32_${op}_${type}`;
/** Devices of compute capability 8.0 or higher have an instruction; bits of signed integers are those of unsigned ones. */
function reduction(op: AtomicOp, type: "i32" | "u32"): readonly [string, string] {
  const name = reduceName(op, type);
  const signs: Readonly<Partial<Record<AtomicOp, string>>> = { and: "&", or: "|", xor: "^" };
  const sign = signs[op];
  const isOfBits = sign !== undefined || op === "add";
  const both =
    op === "min" || op === "max"
      ? `reduced ${op === "min" ? "<" : ">"} other ? reduced : other`
      : `(${type})((u32)reduced ${sign ?? "+"} (u32)other)`;
  const call = `__reduce_${op}_sync(${ALL}, ${isOfBits ? "(u32)value" : "value"})`;
  return helper(
    name,
    `${FN} ${type} ${name}(const ${type} value)`,
    [
      "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800",
      `  return ${isOfBits && type === "i32" ? `(i32)${call}` : call};`,
      "#else",
      `  ${type} reduced = value;`,
      "  for (u32 bit = 1u; bit < 32u; bit <<= 1u) {",
      `    const ${type} other = shuffle_xor(reduced, bit);`,
      `    reduced = ${both};`,
      "  }",
      "  return reduced;",
      "#endif",
    ],
    `The ${TITLES[op]} of 32 work-items, in each of them.`,
  );
}
const REDUCTIONS: Helpers = OPS.flatMap((op) => (["i32", "u32"] as const).map((type) => reduction(op, type)));

const AGENT = "__ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT";
/** PTX ISA, 9.7.9.8 and 9.7.9.11: relaxed accesses, of a vector one of each element. */
const inGlobal = (instructions: string): string =>
  `{ .reg .u64 at; cvta.to.global.u64 at, %ADDRESS; ${instructions} }`;
function loadRelaxed(width: 2 | 4): readonly [string, string] {
  const letters = ["x", "y", "z", "w"].slice(0, width);
  const zeros = letters.map(() => "0u").join(", ");
  const loads = letters.map((_, i) => `__hip_atomic_load(address${i === 0 ? "" : ` + ${i}`}, ${AGENT})`);
  const places = letters.map((_, i) => `%${i}`).join(", ");
  const code = inGlobal(
    `.reg .pred p; setp.ne.u32 p, %${width + 1}, 0; @p ld.relaxed.gpu.global.v${width}.u32 {${places}}, [at];`,
  ).replace("%ADDRESS", `%${width}`);
  const outputs = letters.map((letter) => `"+r"(words.${letter})`).join(", ");
  return helper(
    `load_relaxed_${width}`,
    `${FN} Row<u32, ${width}> load_relaxed_${width}(const u32* address, const bool condition)`,
    [
      `  Row<u32, ${width}> words = {${zeros}};`,
      ...either(
        [`  if (condition) words = {${loads.join(", ")}};`],
        [`  asm volatile("${code}"`, `    : ${outputs} : "l"(address), "r"((u32)condition) : "memory");`],
      ),
      "  return words;",
    ],
    "Words that other work-groups may write, each loaded atomically; zeros where the condition is false.",
  );
}
const RELAXED: Helpers = [
  helper(
    "load_relaxed",
    `${FN} u32 load_relaxed(const u32* address)`,
    either(
      [`  return __hip_atomic_load(address, ${AGENT});`],
      [
        "  u32 word;",
        `  asm volatile("${inGlobal("ld.relaxed.gpu.global.u32 %0, [at];").replace("%ADDRESS", "%1")}"`,
        '    : "=r"(word) : "l"(address) : "memory");',
        "  return word;",
      ],
    ),
    "A word that other work-groups may write at the same time.",
  ),
  loadRelaxed(2),
  loadRelaxed(4),
  helper(
    "store_relaxed",
    `${FN} void store_relaxed(u32* address, const u32 word)`,
    either(
      [`  __hip_atomic_store(address, word, ${AGENT});`],
      [
        `  asm volatile("${inGlobal("st.relaxed.gpu.global.u32 [at], %1;").replace("%ADDRESS", "%0")}"`,
        '    : : "l"(address), "r"(word) : "memory");',
      ],
    ),
    "Writes a word that other work-groups may read at the same time.",
  ),
];

const limits: HelperSpelling["limits"] = (type) => {
  const bits = type.endsWith("64") ? 64n : 32n;
  const isSigned = type.startsWith("i");
  const greatest = 2n ** (isSigned ? bits - 1n : bits) - 1n;
  const spelled = (value: bigint): string =>
    literal({ type, value: bits === 64n ? String(value) : Number(value) });
  return { least: isSigned ? spelled(-greatest - 1n) : "0u", greatest: spelled(greatest) };
};
const SPELLING: HelperSpelling = { ...NAMES, valueType, head: FN, limits };

/** Minima and maxima of f32 are an instruction from compute capability 8.0 on (PTX ISA, 9.7.3.11: NaN, and -0 is less than +0). */
const instruction: Parameters<typeof orderedFloats>[1] = (name, type) =>
  type === "f64"
    ? undefined
    : {
        before: [
          "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800",
          "  f32 chosen;",
          `  asm("${name}.NaN.f32 %0, %1, %2;" : "=f"(chosen) : "f"(a), "f"(b));`,
          "  return chosen;",
          "#else",
        ],
        after: ["#endif"],
      };

const INTEGERS: Readonly<Record<string, string>> = { i32: "int", u32: "uint", i64: "ll", u64: "ull" };
/**
 * The device's conversion saturates, and gives 0 for NaN only from an f32 to 32 bits (PTX ISA, `cvt`). There subnormal numbers are flushed, which
 * changes no result: else ptxas drops the conversion of a choice between 2^-149 and 0 (`findings/ptxas-least-floats.sh`). Other conversions have no such form: the
 * expansion `least-floats` hides the choices.
 */
const conversion: Parameters<typeof saturated>[1] = (kind, type) => {
  const call = `__${kind === "f32" ? "float" : "double"}2${INTEGERS[type]}_rz(x)`;
  const isExact = kind === "f32" && type.endsWith("32");
  const body = isExact
    ? [
        `  ${type} whole;`,
        `  asm("cvt.rzi.ftz.${type === "i32" ? "s" : "u"}32.f32 %0, %1;" : "=r"(whole) : "f"(x));`,
        "  return whole;",
      ]
    : [`  return x == x ? ${call} : 0;`];
  return { before: ["#ifndef __HIP__", ...body, "#else"], after: ["#endif"] };
};

export const HELPERS: Helpers = [
  ...ROWS,
  ...BITS,
  ...NEGATIONS,
  ...ARITHMETIC,
  ...orderedIntegers(SPELLING),
  ...orderedFloats(SPELLING, instruction),
  ...saturated(SPELLING, conversion),
  ...HALVES,
  ZERO_WORD,
  ...WARPS,
  ...REDUCTIONS,
  ...RELAXED,
];
