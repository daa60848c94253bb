/**
 * Runs pipelines as WebAssembly in this process.
 * @module
 */
import {
  type Capabilities,
  type CompileOptions,
  type PipelineSource,
  plan,
  type Runtime,
} from "@groupwise/core";
import {
  BOOLEAN,
  debugging,
  engine,
  HostDevice,
  type Hosted,
  hostedRuntime,
  OBJECT,
  optionsOf,
  RUNTIME,
} from "@groupwise/core/target";
import { wasm } from "./index.ts";
import { withLongRuns } from "./runtime/long-runs.ts";
import { MAX_BYTES, ModuleMemory } from "./runtime/module-memory.ts";
import { callOf, compiledLoops, DEVICE, instanceOf, requireEngine } from "./runtime/program.ts";
import { RunMemory } from "./runtime/run-memory.ts";
import { shortRuns } from "./runtime/short-runs.ts";
import { withWindows } from "./runtime/windows.ts";

export { load, type WasmModule } from "./runtime/load.ts";
export { wasmRefusal } from "./runtime/program.ts";

/** Options of a runtime. */
export interface WasmRuntimeOptions {
  /**
   * True: kernels report accesses outside of arrays and reads of what nothing wrote (`bad-access`), in steps of recorders too, and `run` first
   * checks by the reference that no two items write one slot (`scatter-conflict`). Both take far longer than the run. Default: false.
   */
  readonly debug?: boolean;
  /** Capabilities in place of those of the target, for tests. */
  readonly capabilities?: Capabilities;
  /**
   * Takes the runs of fewer than 128 items, once a pipeline has had thousands of them: another runtime of this process, such as `jsRuntime()`, which copies nothing. The caller disposes
   * of it, after this one. Default: none.
   */
  readonly short?: Runtime;
  /** The most bytes of the memory, from 2^20 to 2^32. Default: 2^32, or what the engine gives. */
  readonly maxBytes?: number;
}

/**
 * The WebAssembly of the engine that this code runs in. All programs of a runtime share one memory of at most 4 GiB, which grows and never
 * shrinks. Runs whose arrays do not fit go through it in pieces, with the same bits. Its arrays lie there, so that steps of recorders copy nothing; free them with `dispose`. `run` copies its arrays into the memory and its
 * results out of it. Under a content security policy it needs `'wasm-unsafe-eval'`.
 * @throws GroupwiseError `bad-argument`, `bad-usage`; `no-modules` if the engine does not run WebAssembly: `wasmRefusal` has the reason
 * @example
 * ```ts
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { wasmRuntime } from "@groupwise/target-wasm/runtime";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const program = await wasmRuntime().compile(sums);
 * const { y } = await program.run({ x: Float32Array.of(1, 2, 4) });
 * console.log(y); // [1, 3, 7]
 * ```
 */
export function wasmRuntime(options?: WasmRuntimeOptions): Runtime {
  const {
    debug,
    capabilities: given = wasm.capabilities,
    maxBytes,
    short,
  } = optionsOf(
    options,
    { debug: BOOLEAN, capabilities: OBJECT, maxBytes: MAX_BYTES, short: RUNTIME },
    "the options of wasmRuntime",
  ) as WasmRuntimeOptions;
  requireEngine();
  const capabilities = debugging(given, debug);
  const arena = new ModuleMemory(DEVICE, { maxBytes });
  // Calls return when they are done, so that one run is under way at most.
  const memory = new RunMemory(arena);
  const make = async (source: PipelineSource, wanted: CompileOptions): Promise<Hosted> => {
    const lowered = plan(source, wasm, { capabilities, ...wanted });
    const loops = await compiledLoops(lowered, "own");
    const { manifest } = loops;
    const frame = arena.take(loops.frame);
    const kernel = await instanceOf(loops, arena, frame);
    const hosted = {
      plan: lowered,
      manifest,
      call: callOf(manifest, kernel),
      memory: (_launch: unknown, bytes: number) => memory.begin(bytes),
      free: () => arena.give(frame),
    };
    const parts = { arena, kind: "own", whole: lowered, wanted } as const;
    const long = withWindows(withLongRuns(hosted, parts), kernel, memory);
    const others = short ? shortRuns(short, source, wanted, manifest) : undefined;
    if (!others) return long;
    return {
      ...long,
      ...others,
      free: () => {
        long.free();
        others.free?.();
      },
    };
  };
  const device = { target: wasm.name, name: DEVICE, driver: engine() };
  const host = new HostDevice(DEVICE, (type, length) => arena.block(type, length));
  return hostedRuntime({ device, capabilities, host, debug, make });
}
