/**
 * The plugin for webpack.
 * @module
 */
import type { WebpackPluginInstance } from "webpack";
import { type GroupwiseOptions, groupwise } from "./plugin.ts";

export type { GroupwiseOptions } from "./plugin.ts";

/** The plugin for webpack. @throws GroupwiseError `bad-argument`, `bad-usage` for an option that does not exist */
const plugin: (options?: GroupwiseOptions) => WebpackPluginInstance = groupwise.webpack;
export default plugin;
