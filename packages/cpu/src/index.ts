/**
 * Runs pipelines on the CPU: as WebAssembly where the engine runs it, as JavaScript elsewhere.
 * @module
 */
import type { Runtime } from "@groupwise/core";
import { BOOLEAN, optionsOf } from "@groupwise/core/target";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { wasmRefusal, wasmRuntime } from "@groupwise/target-wasm/runtime";

/** What runs the pipelines of a {@link CpuRuntime}, and why. */
export interface CpuEngine {
  /** The name of a target. */
  readonly engine: "wasm" | "js";
  /** Why it is this one, as a sentence. */
  readonly why: string;
}

/** The CPU, ready to compile pipelines. */
export interface CpuRuntime extends Runtime, CpuEngine {}

/** Options of a runtime. */
export interface CpuRuntimeOptions {
  /** As of `jsRuntime`. */
  readonly debug?: boolean;
}

/**
 * The engine that `cpuRuntime` takes here.
 * @example
 * ```ts
 * import { cpuEngine } from "@groupwise/cpu";
 *
 * console.log(cpuEngine().engine); // "wasm"
 * ```
 */
export function cpuEngine(): CpuEngine {
  const refusal = wasmRefusal();
  if (refusal === undefined) return { engine: "wasm", why: "this engine runs WebAssembly with vectors" };
  return { engine: "js", why: `this engine does not run WebAssembly: ${refusal}` };
}

/**
 * The CPU. Pipelines run as WebAssembly; as JavaScript if the engine has no WebAssembly, or if a content security policy forbids it. Results have the
 * same bits: `engine` and `why` say what was taken.
 * @throws GroupwiseError `bad-usage`, `bad-argument`
 * @example
 * ```ts
 * import { cpuRuntime } from "@groupwise/cpu";
 * import { f32, pipeline } from "@groupwise/dsl";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const runtime = cpuRuntime();
 * const program = await runtime.compile(sums);
 * const { y } = await program.run({ x: Float32Array.of(1, 2, 4) });
 * console.log(y); // [1, 3, 7]
 * console.log(runtime.engine); // "wasm"
 * ```
 */
export function cpuRuntime(options?: CpuRuntimeOptions): CpuRuntime {
  const given = optionsOf(options, { debug: BOOLEAN }, "the options of cpuRuntime") as CpuRuntimeOptions;
  const chosen = cpuEngine();
  const runtime = chosen.engine === "wasm" ? wasmRuntime(given) : jsRuntime(given);
  return { ...runtime, ...chosen };
}
