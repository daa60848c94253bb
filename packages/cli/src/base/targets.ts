/**
 * The registry of targets: one line for each, and its name in target-names.ts. The command line, the benchmarks and the documentation use it.
 * @module
 */

import type { TargetTools } from "@groupwise/core/target";
import { oneOf, requireArguments } from "@groupwise/core/target";
import { cTools } from "@groupwise/target-c/tools";
import { cudaTools } from "@groupwise/target-cuda/tools";
import { gpuJsTools } from "@groupwise/target-js/gpu-js/tools";
import { jsTools } from "@groupwise/target-js/tools";
import { openclTools } from "@groupwise/target-opencl/tools";
import { wasmTools } from "@groupwise/target-wasm/tools";
import { wgslTools } from "@groupwise/target-wgsl/tools";
import { TARGET_NAMES, type TargetName } from "./target-names.ts";

export { DEFAULTS, TARGET_NAMES, type TargetName } from "./target-names.ts";

/** Every target, by its name on the command line. */
export const TARGETS: Readonly<Record<TargetName, TargetTools>> = {
  wgsl: wgslTools,
  opencl: openclTools,
  cuda: cudaTools,
  js: jsTools,
  wasm: wasmTools,
  gpujs: gpuJsTools,
  c: cTools,
};

/** The interface of a target for tools. */
export function toolsOf(name: TargetName): TargetTools {
  requireArguments(arguments, "toolsOf", { target: TARGET });
  return TARGETS[name];
}
const TARGET = oneOf(...TARGET_NAMES);
