/**
 * Runs JavaScript artifacts on several threads of this process.
 * @module
 */
import type { Capabilities, Runtime } from "@groupwise/core";
import { portsHere } from "@groupwise/core/target";
import { JS_WORKER, workersRuntime } from "./make.ts";

/** Options of `jsWorkersRuntime`. */
export interface JsWorkersOptions {
  /** Number of threads, from 1 to 256; default: one for each core. They start with the first run that needs them. */
  readonly workers?: number;
  /** Runs of fewer items are computed in the calling thread, because messages to other threads would take longer. Default: 2^15. */
  readonly leastItems?: number;
  /**
   * True: outputs are returned in shared memory, and inputs in shared memory are read in place: neither is copied. Do not change such inputs while a run is under way.
   * The types of outputs say `ArrayBuffer` all the same.
   * Default: false, all inputs are copied and outputs are in memory that is not shared, as `TextDecoder` and other interfaces require.
   */
  readonly shared?: boolean;
  /** As of `jsRuntime`. */
  readonly debug?: boolean;
  /** As of `jsRuntime`. */
  readonly capabilities?: Capabilities;
}

/**
 * The JavaScript engine that this code runs in, with all cores. Each thread computes a part of the range; the results are those of one thread, bit
 * for bit. Pipelines whose parts need one another otherwise than by scans, reduces and compactions run whole, in one thread: `divisionOf` of
 * `@groupwise/core/state` reports which, and the reason. If threads do not start, because a content security policy forbids it, the calling thread
 * computes. Device arrays are in memory that the threads share; a run copies its inputs into it
 * unless `shared` is set. An executable keeps up to 64 MiB of that memory for later runs. `dispose` ends the threads.
 * @throws GroupwiseError `bad-argument`; `device-missing` if the engine has no threads or no shared memory
 * @example
 * ```ts
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { jsWorkersRuntime } from "@groupwise/target-js/workers";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const runtime = jsWorkersRuntime({ workers: 2 });
 * const program = await runtime.compile(sums);
 * const { y } = await program.run({ x: Float32Array.of(1, 2, 4) });
 * console.log(y); // [1, 3, 7]
 * runtime.dispose(); // ends the threads
 * ```
 */
export function jsWorkersRuntime(options: JsWorkersOptions = {}): Runtime {
  return workersRuntime(options, portsHere(JS_WORKER, "jsRuntime"));
}
