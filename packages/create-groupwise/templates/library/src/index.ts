import type { Runtime } from "@groupwise/core";
import { longest } from "./longest.ts";

export { longest } from "./longest.ts";

/**
 * The longest run of values above a limit: its length.
 * @param runtime any one: `webgpuRuntime(device)`, `openclRuntime()`, `cpuRuntime()`; equal pipelines are compiled once
 */
export async function longestRun(runtime: Runtime, x: Float32Array, limit: number): Promise<number> {
  const program = await runtime.compile(longest);
  try {
    const { run } = await program.run({ x, limit });
    return run;
  } finally {
    program.dispose();
  }
}
