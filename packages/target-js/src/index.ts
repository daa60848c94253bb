/**
 * The JavaScript target: standalone ES modules with loops over typed arrays.
 * @module
 */
import type { Target } from "@groupwise/core";
import { JS_CAPABILITIES } from "./print/capabilities.ts";
import { emitJs } from "./print/emit.ts";

/** Plain JavaScript: one thread, no dependency, any engine with typed arrays. */
export const js: Target = {
  name: "js",
  title: "JavaScript",
  capabilities: JS_CAPABILITIES,
  optionalTypes: {},
  print: emitJs,
};
