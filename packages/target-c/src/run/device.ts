/** A runtime on libraries, however they are made. */
import {
  type Artifact,
  type CompileOptions,
  type Executable,
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
import { c } from "../print/target.ts";
import type { Library } from "./library.ts";
import { callOf, DEVICE } from "./program.ts";

interface Compiled {
  readonly plan: Plan;
  readonly manifest: Manifest;
  readonly library: Library;
}

/** How a runtime makes libraries, and how it runs them. */
interface Making {
  /** What makes the libraries, for people. */
  readonly driver: string;
  /** Makes the library of an artifact. */
  open(artifact: Artifact): Promise<Library>;
  /** Whether `run` first checks that no two items write one slot. */
  readonly debug: boolean | undefined;
}

export function runtimeOf({ driver, open, debug }: Making): Runtime {
  const host = new HostDevice(DEVICE);
  const compiled = new SharedCache<Compiled>(({ library }) => library.close());
  const make = async (source: PipelineSource, wanted: CompileOptions): Promise<Compiled> => {
    const lowered = plan(source, c, wanted);
    const artifact = c.print(lowered, {});
    return { plan: lowered, manifest: artifact.manifest, library: await open(artifact) };
  };
  return {
    device: { target: c.name, name: DEVICE, driver },
    capabilities: c.capabilities,
    sliceAlignment: 1,
    array: (type, lengthOrValues) => host.array(type, lengthOrValues),
    record: () => host.record(),
    compile: (async (source, asked) => {
      host.check();
      const wanted = compileOptionsOf(asked);
      const shape = shapeOf(source);
      const key = contentKey(pipelineOf(source), wanted);
      const { value, release } = await compiled.acquire(key, () => make(source, wanted));
      const program = new ArrayProgram({
        manifest: value.manifest,
        host,
        call: callOf(value.manifest, value.library),
        release,
      });
      const { manifest } = program;
      const inspect = inspectorOf(debug, value.plan, manifest);
      const executable: Executable = {
        plan: value.plan,
        manifest,
        run: async (values, options) => {
          inspect(values, options);
          return shape(await program.runArrays(values, options), manifest);
        },
        scratchBytes: (sides) => program.scratchBytes(checkedSides(manifest, sides)),
        dispose: () => program.dispose(),
      };
      return host.add(executable, program);
    }) as UntypedCompile as Runtime["compile"],
    dispose: () => host.dispose(),
  };
}
