/**
 * Runs WebAssembly on several threads of this process.
 * @module
 */
import type { Capabilities, Runtime } from "@groupwise/core";
import { portsHere } from "@groupwise/core/target";
import { WASM_WORKER, workersRuntime } from "./make.ts";

/** Options of `wasmWorkersRuntime`. */
export interface WasmWorkersOptions {
  /** Number of threads, from 1 to 256; default: one for each core. They start with the first run that needs them. */
  readonly workers?: number;
  /** Runs of fewer items are computed in the calling thread, because messages to other threads would take longer. Default: 2^17. */
  readonly leastItems?: number;
  /** As of `wasmRuntime`. */
  readonly maxBytes?: number;
  /** As of `wasmRuntime`. */
  readonly debug?: boolean;
  /** As of `wasmRuntime`. */
  readonly capabilities?: Capabilities;
}

/**
 * The WebAssembly of the engine that this code runs in, with all cores. Each thread computes a part of the range; the results are those of one thread,
 * bit for bit. Pipelines without parts run whole, in one thread: `divisionOf` of `@groupwise/core/state` reports which, and the reason. If threads do
 * not start, for example because a content security policy forbids it, the calling thread computes. All programs of a runtime share one memory, as those of
 * `wasmRuntime`. `dispose` ends the threads.
 * @throws GroupwiseError `bad-argument`, `bad-usage`; `no-modules`; `device-missing` if the engine has no threads or no shared memory
 * @example
 * ```ts
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { wasmWorkersRuntime } from "@groupwise/target-wasm/workers";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const runtime = wasmWorkersRuntime({ workers: 2 });
 * const program = await runtime.compile(sums);
 * const { y } = await program.run({ x: Float32Array.of(1, 2, 4) });
 * console.log(y); // [1, 3, 7]
 * runtime.dispose(); // ends the threads
 * ```
 */
export function wasmWorkersRuntime(options: WasmWorkersOptions = {}): Runtime {
  return workersRuntime(options, portsHere(WASM_WORKER, "wasmRuntime"));
}
