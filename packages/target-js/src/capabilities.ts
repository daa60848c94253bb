import type { Capabilities } from "@groupwise/core";

const later = { unsupported: "64-bit and half types are not there yet" };

/** What plain JavaScript can do, in any engine. */
export const JS_CAPABILITIES: Capabilities = {
  execution: "sequential",
  scalars: {
    i32: "native",
    u32: "native",
    i64: later,
    u64: later,
    f16: later,
    f32: "native",
    f64: later,
    bool: "native",
  },
  maxWorkGroupSize: 65536,
  workGroupMemory: Number.POSITIVE_INFINITY,
  // Engines stop earlier, with their own error, where memory ends.
  maxItems: 0xffffffff,
  tile: { workGroupSize: 1, itemsPerWorkItem: 1 },
  surplusGroups: false,
  scatter: "native",
  subgroups: { unsupported: "one thread runs alone" },
  groupFunctions: [],
  expand: ["int-divide", "popcount"],
};
