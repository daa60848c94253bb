/** Emitted modules that a caller imported. */
import type { LoadedProgram, Manifest } from "@groupwise/core";
import { HostDevice, having, loadedProgram, requireArgument, requireVersion } from "@groupwise/core/target";
import { ModuleMemory } from "./module-memory.ts";
import { callOf, DEVICE, type Loops } from "./program.ts";
import { RunMemory } from "./run-memory.ts";

/** The exports of an emitted module that {@link load} needs. */
export interface WasmModule {
  /** The loops on a memory. */
  instantiate(memory: WebAssembly.Memory, frame?: number): Loops;
  /** Bytes that they may write at `frame`; absent if there are none. */
  readonly frameBytes?: number;
}

const MODULE = /*@__PURE__*/ having("an emitted module", "instantiate");

/**
 * Wraps an imported module as an executable with checked values, on a memory of its own: `load<typeof sums>(manifest, module)` has the names and
 * types of the pipeline. No pipeline is compiled in the page, which still must allow WebAssembly.
 * @throws GroupwiseError `bad-version`, `bad-argument`
 * @example
 * ```ts
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { emit } from "@groupwise/core";
 * import { wasm } from "@groupwise/target-wasm";
 * import { load } from "@groupwise/target-wasm/runtime";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const { manifest, files } = emit(sums, wasm);
 * const url = `data:text/javascript;base64,${btoa(files[0]?.text ?? "")}`; // or the emitted file
 * const program = load<typeof sums>(manifest, await import(url));
 * const { y } = await program.run({ x: Float32Array.of(1, 2, 4) });
 * console.log(y); // [1, 3, 7]
 * ```
 */
export function load<P = unknown>(manifest: Manifest, module: WasmModule): LoadedProgram<P> {
  requireVersion(manifest);
  requireArgument(module, MODULE, "the module", manifest.pipeline);
  const arena = new ModuleMemory(DEVICE);
  const kernel = module.instantiate(arena.memory, arena.take(module.frameBytes ?? 0));
  const memory = new RunMemory(arena);
  return loadedProgram({
    manifest,
    host: new HostDevice(DEVICE),
    call: callOf(manifest, kernel),
    memory: (_launch, bytes) => memory.begin(bytes),
    release: () => {},
  }) as LoadedProgram<P>;
}
