/** What runtimes share whose device is this host. */
import type {
  Capabilities,
  CompileOptions,
  DeviceInfo,
  Executable,
  Manifest,
  PipelineSource,
  Plan,
  Runtime,
} from "@groupwise/core";
import {
  ArrayProgram,
  type ArrayProgramParts,
  checkedSides,
  compileOptionsOf,
  contentKey,
  type HostDevice,
  inspectorOf,
  pipelineOf,
  SharedCache,
  shapeOf,
  type UntypedCompile,
} from "@groupwise/core/target";

/** The cached state of a pipeline. */
export interface Hosted extends Pick<ArrayProgramParts, "call" | "memory"> {
  readonly plan: Plan;
  readonly manifest: Manifest;
  /** Called when no executable uses it. */
  readonly free?: () => void;
}

/** What differs between these runtimes. */
export interface HostedParts {
  readonly device: DeviceInfo;
  readonly capabilities: Capabilities;
  readonly host: HostDevice;
  /** See `JsRuntimeOptions`. */
  readonly debug: boolean | undefined;
  make(source: PipelineSource, wanted: CompileOptions): Promise<Hosted>;
  /** Called when the runtime is disposed of. */
  readonly end?: () => void;
}

export function hostedRuntime({ device, capabilities, host, debug, make, end }: HostedParts): Runtime {
  const cache = new SharedCache<Hosted>((one) => one.free?.());
  const compile: UntypedCompile = async (source, asked) => {
    host.check();
    const wanted = compileOptionsOf(asked);
    const shape = shapeOf(source);
    const key = contentKey(pipelineOf(source), wanted);
    const { value, release } = await cache.acquire(key, () => make(source, wanted));
    const { plan, manifest, call, memory } = value;
    const program = new ArrayProgram({ manifest, host, call, release, ...(memory && { memory }) });
    const inspect = inspectorOf(debug, plan, manifest);
    const executable: Executable = {
      plan,
      manifest,
      run: async (values, options) => {
        inspect(values, options);
        return shape(await program.runArrays(values, options), manifest);
      },
      scratchBytes: (sides) => program.scratchBytes(checkedSides(manifest, sides)),
      dispose: () => program.dispose(),
    };
    return host.add(executable, program);
  };
  return {
    device,
    capabilities,
    sliceAlignment: 1,
    array: (type, lengthOrValues) => host.array(type, lengthOrValues),
    record: () => host.record(),
    compile: compile as Runtime["compile"],
    dispose: () => {
      host.dispose();
      end?.();
    },
  };
}

/** The engine that this code runs in. */
export function engine(): string {
  const versions = (globalThis as { process?: { versions?: { node?: string; v8?: string } } }).process
    ?.versions;
  return versions?.node ? `Node ${versions.node}, V8 ${versions.v8}` : "this engine";
}
