/**
 * Runs JavaScript artifacts in this process.
 * @module
 */
import {
  type Artifact,
  type Capabilities,
  type CompileOptions,
  type Executable,
  type LoadedProgram,
  type Manifest,
  type PipelineSource,
  type Plan,
  plan,
  type Runtime,
} from "@groupwise/core";
import {
  ArrayProgram,
  checkedSides,
  compileOptionsOf,
  contentKey,
  HostDevice,
  inspectorOf,
  pipelineOf,
  SharedCache,
  shapeOf,
  type UntypedCompile,
} from "@groupwise/core/target";
import { moduleOf } from "./evaluate.ts";
import { js } from "./index.ts";
import { callOf, DEVICE, type JsModule } from "./program.ts";

export type { JsModule } from "./program.ts";

/** How a runtime obtains the module of an artifact. */
export interface JsRuntimeOptions {
  /**
   * Imports an emitted module. By default its text is evaluated, or else imported from a `data:` URL. A
   * strict content security policy forbids both: then emit the file, serve it, and import it by its own URL.
   */
  readonly importModule?: (artifact: Artifact) => Promise<JsModule>;
  /**
   * True: `run` first checks by the reference that no two items write one slot (`scatter-conflict`), which
   * takes far longer than the run. Steps of recorders are not checked. Default: false.
   */
  readonly debug?: boolean;
  /** Other capabilities than those of the target, for tests. */
  readonly capabilities?: Capabilities;
}

const evaluated = (artifact: Artifact): Promise<JsModule> => moduleOf<JsModule>(artifact, ["kernel"]);

/** The cached state of a pipeline. */
interface Compiled {
  readonly plan: Plan;
  readonly manifest: Manifest;
  readonly module: JsModule;
}

/** The JavaScript engine that this code runs in. */
export function jsRuntime(options: JsRuntimeOptions = {}): Runtime {
  const capabilities = options.capabilities ?? js.capabilities;
  const host = new HostDevice(DEVICE);
  const compiled = new SharedCache<Compiled>(() => {});
  const compile = async (source: PipelineSource, wanted: CompileOptions): Promise<Compiled> => {
    const lowered = plan(source, js, { capabilities, ...wanted });
    const artifact = js.print(lowered, {});
    const module = await (options.importModule ?? evaluated)(artifact);
    return { plan: lowered, manifest: artifact.manifest, module };
  };
  return {
    device: { target: js.name, name: DEVICE, driver: engine() },
    capabilities,
    sliceAlignment: 1,
    array: (type, lengthOrValues) => host.array(type, lengthOrValues),
    record: () => host.record(),
    compile: (async (source, asked) => {
      host.check();
      const wanted = compileOptionsOf(asked);
      const shape = shapeOf(source);
      const key = contentKey(pipelineOf(source), wanted);
      const { value, release } = await compiled.acquire(key, () => compile(source, wanted));
      const program = new ArrayProgram({
        manifest: value.manifest,
        host,
        call: callOf(value.manifest, value.module),
        release,
      });
      const { manifest } = program;
      const inspect = inspectorOf(options.debug, value.plan, manifest);
      const executable: Executable = {
        plan: value.plan,
        manifest,
        run: async (values, runOptions) => {
          inspect(values, runOptions);
          return shape(program.runArrays(values, runOptions), manifest);
        },
        scratchBytes: (sides) => program.scratchBytes(checkedSides(manifest, sides)),
        dispose: () => program.dispose(),
      };
      return host.add(executable, program);
    }) as UntypedCompile as Runtime["compile"],
    dispose: () => host.dispose(),
  };
}

function engine(): string {
  const versions = (globalThis as { process?: { versions?: { node?: string; v8?: string } } }).process
    ?.versions;
  return versions?.node ? `Node ${versions.node}, V8 ${versions.v8}` : "this engine";
}

/**
 * Wraps an imported module as an executable with checked values: `load<typeof sums>(manifest, module)` has
 * the names and types of the pipeline.
 */
export function load<P = unknown>(manifest: Manifest, module: JsModule): LoadedProgram<P> {
  const program = new ArrayProgram({
    manifest,
    host: new HostDevice(DEVICE),
    call: callOf(manifest, module),
    release: () => {},
  });
  const loaded: LoadedProgram = {
    manifest,
    run: async (values, options) => program.runArrays(values, options),
    scratchBytes: (sides) => program.scratchBytes(checkedSides(manifest, sides)),
    dispose: () => program.dispose(),
  };
  return loaded as LoadedProgram<P>;
}
