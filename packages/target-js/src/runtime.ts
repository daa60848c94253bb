/**
 * Runs JavaScript artifacts in this process.
 * @module
 */
import {
  type Artifact,
  type Capabilities,
  type CompileOptions,
  type LoadedProgram,
  type Manifest,
  type PipelineSource,
  plan,
  type Runtime,
} from "@groupwise/core";
import {
  BOOLEAN,
  debugging,
  engine,
  FUNCTION,
  HostDevice,
  type Hosted,
  having,
  hostedRuntime,
  loadedProgram,
  OBJECT,
  optionsOf,
  requireArgument,
  requireVersion,
} from "@groupwise/core/target";
import { js } from "./index.ts";
import { moduleOf } from "./runtime/evaluate.ts";
import { callOf, DEVICE, type JsModule } from "./runtime/program.ts";

export type { JsModule } from "./runtime/program.ts";

/** Options of a runtime. */
export interface JsRuntimeOptions {
  /**
   * Imports an emitted module. By default its text is evaluated, or else imported from a `data:` URL. A
   * strict content security policy forbids both: then emit the file, serve it, and import it by its own URL.
   */
  readonly importModule?: (artifact: Artifact) => Promise<JsModule>;
  /**
   * True: kernels report accesses outside of arrays and reads of what nothing wrote (`bad-access`), in steps of recorders too, and `run` first
   * checks by the reference that no two items write one slot (`scatter-conflict`). Both take far longer than the run. Default: false.
   */
  readonly debug?: boolean;
  /** Capabilities in place of those of the target, for tests. */
  readonly capabilities?: Capabilities;
}

const MODULE = /*@__PURE__*/ having("an emitted module", "kernel");

const evaluated = (artifact: Artifact): Promise<JsModule> => moduleOf<JsModule>(artifact, ["kernel"]);

/**
 * The JavaScript engine that this code runs in.
 * @throws GroupwiseError `bad-argument`, `bad-usage`
 * @example
 * ```ts
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const program = await jsRuntime().compile(sums);
 * const { y } = await program.run({ x: Float32Array.of(1, 2, 4) });
 * console.log(y); // [1, 3, 7]
 * ```
 */
export function jsRuntime(options?: JsRuntimeOptions): Runtime {
  const schema = { importModule: FUNCTION, debug: BOOLEAN, capabilities: OBJECT };
  const {
    importModule = evaluated,
    debug,
    capabilities: given = js.capabilities,
  } = optionsOf(options, schema, "the options of jsRuntime") as JsRuntimeOptions;
  const capabilities = debugging(given, debug);
  const make = async (source: PipelineSource, wanted: CompileOptions): Promise<Hosted> => {
    const lowered = plan(source, js, { capabilities, ...wanted });
    const artifact = js.print(lowered, {});
    const { manifest } = artifact;
    return { plan: lowered, manifest, call: callOf(manifest, await importModule(artifact)) };
  };
  const device = { target: js.name, name: DEVICE, driver: engine() };
  return hostedRuntime({ device, capabilities, host: new HostDevice(DEVICE), debug, make });
}

/**
 * Wraps an imported module as an executable with checked values: `load<typeof sums>(manifest, module)` has
 * the names and types of the pipeline.
 * @throws GroupwiseError `bad-version`
 * @example
 * ```ts
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { emit } from "@groupwise/core";
 * import { load } from "@groupwise/target-js/runtime";
 * import { js } from "@groupwise/target-js";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const { manifest, files } = emit(sums, js);
 * const url = `data:text/javascript,${encodeURIComponent(files[0]?.text ?? "")}`; // or the emitted file
 * const program = load<typeof sums>(manifest, await import(url));
 * const { y } = await program.run({ x: Float32Array.of(1, 2, 4) });
 * console.log(y); // [1, 3, 7]
 * ```
 */
export function load<P = unknown>(manifest: Manifest, module: JsModule): LoadedProgram<P> {
  requireVersion(manifest);
  requireArgument(module, MODULE, "the module", manifest.pipeline);
  const parts = { manifest, host: new HostDevice(DEVICE), call: callOf(manifest, module), release: () => {} };
  return loadedProgram(parts) as LoadedProgram<P>;
}
