/**
 * Runs pipelines on the CPU: as WebAssembly where the engine runs it, as JavaScript elsewhere.
 * @module
 */
import type { Runtime } from "@groupwise/core";
import { BOOLEAN, coresHere, MOST_WORKERS, noThreadsHere, optionsOf, whole } from "@groupwise/core/target";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { jsWorkersRuntime } from "@groupwise/target-js/workers";
import { wasmRefusal, wasmRuntime } from "@groupwise/target-wasm/runtime";
import { wasmWorkersRuntime } from "@groupwise/target-wasm/workers";

/** What runs the pipelines of a {@link CpuRuntime}, and why. */
export interface CpuEngine {
  /** The name of a target. */
  readonly engine: "wasm" | "js";
  /** Number of threads. */
  readonly threads: number;
  /** Why it is this engine, and why it has fewer threads than were asked for. */
  readonly why: string;
}

/** The CPU, ready to compile pipelines. */
export interface CpuRuntime extends Runtime, CpuEngine {}

/** Options of a runtime. */
export interface CpuRuntimeOptions {
  /**
   * Number of threads, from 1 to 256: each computes a part of a long range. One for each core is best for pipelines that compute much for an item, such as
   * elementary functions; sums are as fast as memory on few. Default: 1. There is one where the engine has one core or no memory that threads share: `why` has the reason.
   */
  readonly threads?: number;
  /** As of `jsRuntime`. */
  readonly debug?: boolean;
}

/** The threads that a runtime gets, and why they are fewer. */
function threadsHere(wanted: number): { readonly threads: number; readonly reason?: string } {
  if (wanted === 1) return { threads: 1 };
  const reason = coresHere() === 1 ? "there is one core" : noThreadsHere();
  return reason === undefined ? { threads: wanted } : { threads: 1, reason };
}

function engineFor(wanted: number): CpuEngine {
  const refusal = wasmRefusal();
  const [engine, because] =
    refusal === undefined
      ? (["wasm", "this engine runs WebAssembly with vectors"] as const)
      : (["js", `this engine does not run WebAssembly: ${refusal}`] as const);
  const { threads, reason } = threadsHere(wanted);
  return { engine, threads, why: reason === undefined ? because : `${because}; one thread: ${reason}` };
}

/**
 * The engine that `cpuRuntime` takes here.
 * @throws GroupwiseError `bad-argument`, `bad-usage`
 * @example
 * ```ts
 * import { cpuEngine } from "@groupwise/cpu";
 *
 * console.log(cpuEngine().engine); // "wasm"
 * ```
 */
export const cpuEngine = (options?: CpuRuntimeOptions): CpuEngine =>
  engineFor(read(options, "the options of cpuEngine").threads);

const OPTIONS = { threads: whole(1, MOST_WORKERS), debug: BOOLEAN };

function read(options: unknown, what: string): { readonly threads: number; readonly own: Own } {
  const { threads = 1, debug } = optionsOf(options, OPTIONS, what) as CpuRuntimeOptions;
  return { threads, own: debug === undefined ? {} : { debug } };
}

/**
 * The CPU. Pipelines run as WebAssembly; as JavaScript if the engine has no WebAssembly, or if a content security policy forbids it. Runs of fewer than 128 items are
 * JavaScript's too, once a pipeline has had thousands of them: it copies nothing. Results have the same bits: `engine`, `threads` and `why` say what was taken. With several threads, `dispose` ends them.
 * @throws GroupwiseError `bad-argument`, `bad-usage`
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
  const { threads, own } = read(options, "the options of cpuRuntime");
  const chosen = engineFor(threads);
  return { ...RUNTIMES[chosen.engine](chosen.threads, own), ...chosen };
}

type Own = Pick<CpuRuntimeOptions, "debug">;

const RUNTIMES: Readonly<Record<CpuEngine["engine"], (threads: number, own: Own) => Runtime>> = {
  wasm: (workers, own) => (workers === 1 ? wasmWithShortRuns(own) : wasmWorkersRuntime({ workers, ...own })),
  js: (workers, own) => (workers === 1 ? jsRuntime(own) : jsWorkersRuntime({ workers, ...own })),
};

/** WebAssembly, which leaves to JavaScript what copies would make slower there. */
function wasmWithShortRuns(own: Own): Runtime {
  const short = jsRuntime(own);
  const runtime = wasmRuntime({ ...own, short });
  const dispose = (): void => {
    runtime.dispose();
    short.dispose();
  };
  return { ...runtime, dispose };
}
