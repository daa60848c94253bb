/** Runtimes whose device is this host. */
import { requireArguments } from "@groupwise/ir/base/arguments.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import type { Plan } from "@groupwise/lower/lower.js";
import type {
  CompileOptions,
  DeviceInfo,
  Executable,
  RunOptions,
  Runtime,
  UntypedCompile,
} from "../api/runtime.ts";
import { type PipelineSource, pipelineOf } from "../api/target.ts";
import type { RunResults, RunValues } from "../api/typed.ts";
import { compileOptionsOf } from "../checks/arguments.ts";
import { contentKey } from "../checks/content-key.ts";
import { checkedSides } from "../checks/range.ts";
import type { Manifest } from "../plan/manifest.ts";
import { ArrayProgram, type ArrayProgramParts } from "./array-program.ts";
import { SharedCache } from "./cache.ts";
import { inspectorOf } from "./debug.ts";
import type { HostDevice } from "./host-device.ts";
import { shapeOf } from "./scalar-outputs.ts";

/** The cached state of a pipeline. */
export interface Hosted extends Pick<ArrayProgramParts, "call" | "memory" | "keepsShared"> {
  readonly plan: Plan;
  readonly manifest: Manifest;
  /** The results of a run that another runtime takes; undefined if this one does. */
  readonly instead?: (values: RunValues, options: RunOptions | undefined) => Promise<RunResults> | undefined;
  /** Called when no executable uses it, and it is kept for later ones. */
  readonly rest?: () => void;
  /** Called when it is not kept any more. */
  readonly free?: () => void;
}

/** The differences between these runtimes. */
export interface HostedParts {
  readonly device: DeviceInfo;
  readonly capabilities: Capabilities;
  readonly host: HostDevice;
  /** Whether `run` first checks that no two items write one slot; kernels check what `capabilities` say. */
  readonly debug: boolean | undefined;
  /** Compiles a pipeline that is not in the cache. */
  make(source: PipelineSource, wanted: CompileOptions): Promise<Hosted>;
  /** Called when the runtime is disposed of. */
  readonly end?: () => void;
}

/** For authors of targets: a runtime on arrays of this process. */
export function hostedRuntime({ device, capabilities, host, debug, make, end }: HostedParts): Runtime {
  const cache = new SharedCache<Hosted>({ free: (one) => one.free?.(), rest: (one) => one.rest?.() });
  const compile: UntypedCompile = async (source, asked) => {
    host.check();
    const { keep, ...wanted } = compileOptionsOf(asked);
    const shape = shapeOf(source);
    const key = contentKey(pipelineOf(source), wanted);
    const { value, release } = await cache.acquire(key, () => make(source, wanted), keep);
    const { plan, manifest, call, memory, keepsShared = false, instead } = value;
    const program = new ArrayProgram({
      manifest,
      host,
      call,
      release,
      keepsShared,
      ...(memory && { memory }),
    });
    const inspect = inspectorOf(debug, plan, manifest);
    const executable: Executable = {
      plan,
      manifest,
      run: async (values, options) => {
        const letGo = program.use();
        try {
          inspect(values, options);
          const other = instead?.(values, options);
          return other ? await other : shape(await program.runArrays(values, options), manifest);
        } finally {
          letGo();
        }
      },
      scratchBytes: (sides) => program.scratchBytes(checkedSides(manifest, sides)),
      dispose: () => program.owned.dispose(),
    };
    return host.add(executable, program);
  };
  return {
    device,
    capabilities,
    sliceAlignment: 1,
    array(type, lengthOrValues) {
      requireArguments(arguments, "array", ["type", "lengthOrValues"]);
      return host.array(type, lengthOrValues);
    },
    record() {
      requireArguments(arguments, "record", []);
      return host.record();
    },
    compile: compile as Runtime["compile"],
    stats: () => cache.stats(),
    dispose: () => {
      host.dispose();
      cache.close();
      end?.();
    },
  };
}
