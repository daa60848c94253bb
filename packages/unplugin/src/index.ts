/**
 * Emits pipelines while a bundler builds: `import scan from "./scan.ts?groupwise"` becomes text, and the function that loads it.
 * @module
 */
export { type GroupwiseOptions, groupwise } from "./plugin.ts";
