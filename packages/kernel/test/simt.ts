/** What a small implementation with work-groups has, for tests of lowerings. */
import type { Capabilities } from "../src/capabilities/capabilities.ts";

const none = { unsupported: "not in this test" };

/** 64-bit integers are emulated, floats are not there. */
export const SIMT: Capabilities = {
  execution: "simt",
  scalars: {
    i32: "native",
    u32: "native",
    i64: "emulated",
    u64: "emulated",
    f16: none,
    f32: none,
    f64: none,
    bool: "native",
  },
  halfMemory: "f32",
  boolMemory: "u32",
  narrow: "words",
  maxWorkGroupSize: 256,
  workGroupMemory: 32_768,
  maxItems: 0xf0000000,
  tile: { workGroupSize: 8, itemsPerWorkItem: 4 },
  splitArrays: true,
  surplusGroups: true,
  scatter: "native",
  subgroups: none,
  lookBack: none,
  groupFunctions: [],
  leastGroup: 3,
  expand: [],
};
