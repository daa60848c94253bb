import type { Capabilities } from "@groupwise/core";
import { ONE_THREAD } from "@groupwise/core/target";

const FLOATS = ["add", "sub", "mul", "div"] as const;
/** Products and comparisons of integers take several instructions where compilers may use SSE2 alone. */
const INTEGERS = ["add", "sub", "and", "or", "xor"] as const;

/** Capabilities of C11 on a machine with IEEE 754 floats and 32-bit ints, which emitted files assert. */
export const C_CAPABILITIES: Capabilities = {
  ...ONE_THREAD,
  scalars: {
    i32: "native",
    u32: "native",
    i64: "native",
    u64: "native",
    // C11 has no half.
    f16: "emulated",
    f32: "native",
    f64: "native",
    bool: "native",
  },
  // Above, an item's index plus a work-group could pass 2^32.
  maxItems: 0xf0000000,
  // See docs/decisions/loops-in-c.md: other types, and minima and maxima, are slower in blocks with gcc or with clang.
  blockScans: {
    add: ["i32", "u32"],
    mul: ["i32", "u32", "i64", "u64"],
    and: ["i32", "u32"],
    or: ["i32", "u32"],
    xor: ["i32", "u32"],
  },
  // Compilers vectorise other loops themselves.
  vectors: {
    bytes: 16,
    loops: ["tree", "scan"],
    operators: { f32: FLOATS, f64: FLOATS, i32: INTEGERS, u32: INTEGERS, i64: INTEGERS, u64: INTEGERS },
    casts: {},
    widens: [],
    narrows: [],
    isOptional: true,
  },
  // Compilers vectorise reduces of integers, and not those of floats. C leaves open integer division by 0. GCC 12 gives -0 for 0 - |x| and for 0 less
  // a converted integer, where both are 0 and stand in one expression, at every level of optimisation.
  expand: ["float-reduce-min-max", "int-divide", "zero-minus"],
};
