/**
 * The plugin for Vite.
 * @module
 */
import type { Plugin } from "vite";
import { type GroupwiseOptions, groupwise } from "./plugin.ts";

export type { GroupwiseOptions } from "./plugin.ts";

/** The plugin for Vite. @throws GroupwiseError `bad-argument`, `bad-usage` for an option that does not exist */
const plugin: (options?: GroupwiseOptions) => Plugin = groupwise.vite;
export default plugin;
