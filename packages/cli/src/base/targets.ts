/**
 * The registry of targets: one line for each. The command line, the benchmarks and the documentation take them from here.
 * @module
 */
import type { TargetTools } from "@groupwise/core/target";
import { cTools } from "@groupwise/target-c/tools";
import { gpuJsTools } from "@groupwise/target-js/gpu-js/tools";
import { jsTools } from "@groupwise/target-js/tools";
import { openclTools } from "@groupwise/target-opencl/tools";
import { wgslTools } from "@groupwise/target-wgsl/tools";

/** Every target, by the name that the command line takes, in the order in which they are shown. */
export const TARGETS = {
  wgsl: wgslTools as TargetTools,
  opencl: openclTools as TargetTools,
  js: jsTools as TargetTools,
  gpujs: gpuJsTools as TargetTools,
  c: cTools as TargetTools,
} as const;

/** The name of a target, as the command line takes it. */
export type TargetName = keyof typeof TARGETS;

/** The default targets of commands. */
export const DEFAULTS: Readonly<Record<"run" | "explain" | "header", TargetName>> = {
  run: "js",
  explain: "wgsl",
  header: "opencl",
};

/** The names of all targets. */
export const TARGET_NAMES: readonly TargetName[] = Object.keys(TARGETS) as TargetName[];

/** The interface of a target for tools. */
export const toolsOf = (name: TargetName): TargetTools => TARGETS[name];
