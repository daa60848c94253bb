/** Vectors of gcc and clang. */
import type { Scalar } from "@groupwise/core";
import type { Helpers, VectorDialect } from "@groupwise/core/kernel";
import { SCALARS } from "@groupwise/core/target";
import { valueType } from "./types.ts";

/** Sums of signed elements must not overflow in C, as those of signed numbers. */
const unsigned = (type: Scalar): Scalar => (type === "i32" ? "u32" : type === "i64" ? "u64" : type);
const vectorType = (type: Scalar, width: number): string => `${unsigned(type)}x${width}`;

export const VECTORS: VectorDialect = {
  operators: unsigned,
  type: vectorType,
  constant: (literal, type, width) =>
    `(${vectorType(type, width)}){${Array(width).fill(literal).join(", ")}}`,
  load: (array, index, type, width) => `load_${vectorType(type, width)}(&${array}[${index}])`,
  store: ({ array, index, value, type }, width) =>
    `store_${vectorType(type, width)}(&${array}[${index}], ${value});`,
  permute: (pattern, [left, right = left], type, width) => {
    const [first] = pattern;
    const cast = unsigned(type) === type ? "" : `(${valueType(type)})`;
    if (pattern.length === 1) return `${cast}${left}[${first}]`;
    if (width === 1) return `(${vectorType(type, pattern.length)}){${pattern.map(() => left).join(", ")}}`;
    return `__builtin_shufflevector(${[left, right, ...pattern].join(", ")})`;
  },
  choice: { native: "#if GW_VECTORS", portable: "#else", end: "#endif" },
};

/** Types and loads. Elements lie anywhere: arrays are aligned as one element is. */
export const VECTOR_HELPERS: Helpers = [
  [
    "GW_VECTORS",
    `// Other compilers have the loops without vectors, with the same results.
#if defined(__GNUC__) && defined(__has_builtin) && !defined(GW_PORTABLE)
#if __has_builtin(__builtin_shufflevector)
#define GW_VECTORS 1
#endif
#endif`,
  ],
  ...(["f32", "f64", "u32", "u64"] as const).flatMap((type): Helpers => {
    const width = 128 / SCALARS[type].bits;
    const [name, c] = [vectorType(type, width), valueType(type)];
    return [
      [name, `#if GW_VECTORS\ntypedef ${c} ${name} __attribute__((vector_size(16)));\n#endif`],
      [
        `load_${name}`,
        `#if GW_VECTORS
static inline ${name} load_${name}(const void *from) {
  ${name} to;
  memcpy(&to, from, sizeof to);
  return to;
}
#endif`,
      ],
      [
        `store_${name}`,
        `#if GW_VECTORS
static inline void store_${name}(void *to, ${name} from) { memcpy(to, &from, sizeof from); }
#endif`,
      ],
    ];
  }),
];
