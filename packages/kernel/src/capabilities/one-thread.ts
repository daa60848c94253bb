import type { Capabilities } from "./capabilities.ts";

/** What languages have in common whose kernels are loops of one thread over arrays of host types. */
export const ONE_THREAD: Omit<Capabilities, "scalars" | "maxItems" | "expand"> = {
  execution: "sequential",
  halfMemory: "u16",
  boolMemory: "u8",
  narrow: "native",
  maxWorkGroupSize: 65536,
  leastGroup: 1,
  // Lack of memory is reported by a run, or by the engine or the system.
  workGroupMemory: Number.POSITIVE_INFINITY,
  tile: { workGroupSize: 1, itemsPerWorkItem: 1 },
  surplusGroups: false,
  scatter: "native",
  subgroups: { unsupported: "there is only one thread" },
  lookBack: { unsupported: "there is only one thread" },
  groupFunctions: [],
};
