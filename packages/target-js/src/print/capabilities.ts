import type { Capabilities } from "@groupwise/core";
import { OWN } from "./own.ts";

/** Capabilities of plain JavaScript, in any engine. */
export const JS_CAPABILITIES: Capabilities = {
  execution: "sequential",
  scalars: {
    i32: "native",
    u32: "native",
    // Every BigInt operation allocates.
    i64: "emulated",
    u64: "emulated",
    f16: "emulated",
    f32: "native",
    f64: "native",
    bool: "native",
  },
  halfMemory: "u16",
  boolMemory: "u8",
  narrow: "native",
  maxWorkGroupSize: 65536,
  workGroupMemory: Number.POSITIVE_INFINITY,
  // Engines report lack of memory with their own error.
  maxItems: 0xffffffff,
  tile: { workGroupSize: 1, itemsPerWorkItem: 1 },
  surplusGroups: false,
  scatter: "native",
  subgroups: { unsupported: "there is only one thread" },
  lookBack: { unsupported: "there is only one thread" },
  groupFunctions: [],
  leastGroup: 1,
  expand: ["int-divide", "popcount"],
  own: Object.keys(OWN),
};
