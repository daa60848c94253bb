/**
 * The C target: one C11 file of loops without dependencies, and its header.
 * @module
 */
import type { Target } from "@groupwise/core";
import { C_CAPABILITIES } from "./capabilities.ts";
import { emitC } from "./print/emit.ts";

/** C11: one thread, no dependency, any compiler with IEEE 754 floats. */
export const c: Target = {
  name: "c",
  title: "C",
  capabilities: C_CAPABILITIES,
  optionalTypes: {},
  print: emitC,
};
