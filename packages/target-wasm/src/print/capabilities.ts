import type { Capabilities } from "@groupwise/core";
import { OWN } from "./own.ts";

/** Capabilities of WebAssembly 2.0 without vectors: one thread, 32-bit addresses. */
export const WASM_CAPABILITIES: Capabilities = {
  execution: "sequential",
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
  halfMemory: "u16",
  boolMemory: "u8",
  narrow: "native",
  maxWorkGroupSize: 65536,
  leastGroup: 1,
  workGroupMemory: Number.POSITIVE_INFINITY,
  // Above, an item's index plus a work-group could pass 2^32; memory of 4 GiB is full before.
  maxItems: 0xf0000000,
  tile: { workGroupSize: 1, itemsPerWorkItem: 1 },
  surplusGroups: false,
  scatter: "native",
  subgroups: { unsupported: "there is only one thread" },
  lookBack: { unsupported: "there is only one thread" },
  groupFunctions: [],
  // Integer division by 0 traps.
  expand: ["int-divide"],
  own: [...OWN.keys()],
};
