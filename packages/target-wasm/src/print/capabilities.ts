import type { Capabilities, Vectors } from "@groupwise/core";
import { ONE_THREAD } from "@groupwise/core/target";
import { OWN } from "./own.ts";

const COMPARED = ["eq", "ne", "lt", "le", "gt", "ge"] as const;
const FLOATS = ["add", "sub", "mul", "div", "min", "max", "neg", "abs", ...COMPARED] as const;
const BITS = ["and", "or", "xor", "not"] as const;
const WIDE = ["add", "sub", "mul", ...BITS, "shl", "shr", "eq", "ne"] as const;
const SHORT = ["add", "sub", "min", "max", ...BITS, "shl", "shr", ...COMPARED, "neg", "abs"] as const;
/** Vectors of 128 bits, without relaxed instructions, whose results differ between machines. */
const VECTORS: Vectors = {
  bytes: 16,
  loops: ["map", "reduce", "tree", "scan", "where"],
  operators: {
    i32: [...WIDE, ...COMPARED, "min", "max", "neg", "abs"],
    u32: [...WIDE, ...COMPARED, "min", "max"],
    i64: [...WIDE, ...COMPARED, "neg", "abs"],
    u64: WIDE,
    f32: FLOATS,
    f64: FLOATS,
    bool: BITS,
  },
  casts: {
    bool: ["i32", "u32", "i64", "u64"],
    i32: ["u32", "f32"],
    u32: ["i32", "f32"],
    f32: ["i32", "u32"],
  },
  widens: ["i8", "u8", "i16", "u16", "bool"],
  narrows: ["i8", "u8", "i16", "u16", "bool"],
  short: { 1: SHORT, 2: [...SHORT, "mul"] },
};

/** Capabilities of WebAssembly 2.0: one thread, 32-bit addresses. */
export const WASM_CAPABILITIES: Capabilities = {
  ...ONE_THREAD,
  scalars: {
    i32: "native",
    u32: "native",
    i64: "native",
    u64: "native",
    f16: "emulated",
    f32: "native",
    f64: "native",
    bool: "native",
  },
  // Above, an item's index plus a work-group could pass 2^32; memory of 4 GiB is full before.
  maxItems: 0xf0000000,
  vectors: VECTORS,
  unrolls: true,
  // Integer division by 0 traps.
  expand: ["int-divide"],
  own: [...OWN.keys()],
};
