import type { Capabilities } from "@groupwise/core";

/** What plain JavaScript can do, in any engine. */
export const JS_CAPABILITIES: Capabilities = {
  execution: "sequential",
  scalars: {
    i32: "native",
    u32: "native",
    // A BigInt costs an allocation for every operation.
    i64: "emulated",
    u64: "emulated",
    f16: "emulated",
    f32: "native",
    f64: "native",
    bool: "native",
  },
  halfMemory: "u16",
  maxWorkGroupSize: 65536,
  workGroupMemory: Number.POSITIVE_INFINITY,
  // Engines stop earlier, with their own error, where memory ends.
  maxItems: 0xffffffff,
  tile: { workGroupSize: 1, itemsPerWorkItem: 1 },
  surplusGroups: false,
  scatter: "native",
  subgroups: { unsupported: "one thread runs alone" },
  lookBack: { unsupported: "one thread runs alone" },
  groupFunctions: [],
  expand: ["int-divide", "popcount"],
};
