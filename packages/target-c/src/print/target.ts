import type { Target } from "@groupwise/core";
import { C_CAPABILITIES } from "./capabilities.ts";
import { emitC } from "./emit.ts";

/** C11: one thread, no dependency, any compiler with IEEE 754 floats. */
export const c: Target = {
  name: "c",
  title: "C",
  capabilities: C_CAPABILITIES,
  optionalTypes: {},
  print: emitC,
};
