/**
 * The plugin for Rollup.
 * @module
 */
import type { Plugin } from "rollup";
import { type GroupwiseOptions, groupwise } from "./plugin.ts";

export type { GroupwiseOptions } from "./plugin.ts";

/** The plugin for Rollup. @throws GroupwiseError `bad-argument`, `bad-usage` for an option that does not exist */
const plugin: (options?: GroupwiseOptions) => Plugin = groupwise.rollup;
export default plugin;
