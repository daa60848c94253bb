import type { Capabilities } from "@groupwise/core";
import { GPU_JS_OWN } from "../print/own.ts";

const storage = {
  unsupported: "gpu.js stores every element as an f32, which cannot represent all integers above 2^24",
};
const wide = { unsupported: "gpu.js stores every element as an f32, which does not have 64 bits" };
const half = { unsupported: "gpu.js stores every element as an f32 and cannot round to a half" };

/** Capabilities of gpu.js, for types that it represents exactly. */
export const GPU_JS_CAPABILITIES: Capabilities = {
  execution: "per-output",
  scalars: {
    i32: storage,
    u32: storage,
    i64: wide,
    u64: wide,
    f16: half,
    f32: "native",
    f64: wide,
    bool: "native",
  },
  halfMemory: "f32",
  boolMemory: "f32",
  narrow: { unsupported: "gpu.js has arrays of 32 bits alone" },
  maxWorkGroupSize: 65536,
  workGroupMemory: 0,
  // Indexes are f32 in some of its modes, which are exact up to this number.
  maxItems: 2 ** 24,
  tile: { workGroupSize: 1, itemsPerWorkItem: 1 },
  surplusGroups: false,
  scatter: { unsupported: "a gpu.js kernel writes only the element at its own index" },
  subgroups: { unsupported: "gpu.js has no work-groups" },
  lookBack: { unsupported: "gpu.js has no work-groups" },
  groupFunctions: [],
  leastGroup: 1,
  expand: [],
  own: Object.keys(GPU_JS_OWN),
  calls: { unsupported: "a gpu.js kernel cannot call functions on the bits of its values" },
};
