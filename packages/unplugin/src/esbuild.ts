/**
 * The plugin for esbuild.
 * @module
 */
import type { Plugin } from "esbuild";
import { type GroupwiseOptions, groupwise } from "./plugin.ts";

export type { GroupwiseOptions } from "./plugin.ts";

/** The plugin for esbuild. @throws GroupwiseError `bad-argument`, `bad-usage` for an option that does not exist */
const plugin: (options?: GroupwiseOptions) => Plugin = groupwise.esbuild;
export default plugin;
