/** Vectors of OpenCL C, whose elements lie anywhere in device memory. Those of signed integers are unsigned, as sums of signed ones must not overflow. */
import type { Scalar } from "@groupwise/core";
import { bare, type VectorDialect } from "@groupwise/core/kernel";

const unsigned = (type: Scalar): Scalar => (type === "i32" ? "u32" : type);
const NAMES: Readonly<Partial<Record<Scalar, string>>> = { u32: "uint" };
const nameOf = (type: Scalar, width: number): string => `${NAMES[unsigned(type)]}${width}`;

/** In parentheses: an element may be taken of it. */
const repeated = (value: string, type: Scalar, width: number): string =>
  `((${nameOf(type, width)})(${type === "i32" ? `as_uint(${bare(value)})` : value}))`;

export const VECTORS: VectorDialect = {
  operators: unsigned,
  type: nameOf,
  constant: repeated,
  load: (array, index, type, width) => {
    const loaded = `vload${width}(0, &${array}[${index}])`;
    return type === "i32" ? `as_uint${width}(${loaded})` : loaded;
  },
  store: ({ array, index, value, type }, width) => {
    const stored = type === "i32" ? `as_int${width}(${value})` : value;
    return `vstore${width}(${stored}, 0, &${array}[${index}]);`;
  },
  permute: (pattern, vectors, type, width) => {
    if (width === 1) return repeated(vectors[0] ?? "", type, pattern.length);
    const elements = pattern.map((at) => `${vectors[Math.floor(at / width)]}.s${(at % width).toString(16)}`);
    const cast = type === "i32" ? "as_int" : "";
    return pattern.length === 1
      ? `${cast}(${elements[0]})`
      : `(${nameOf(type, pattern.length)})(${elements.join(", ")})`;
  },
  choice: { native: "", portable: "", end: "" },
};
