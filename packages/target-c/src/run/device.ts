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
  checkedSides,
  compileOptionsOf,
  contentKey,
  HostDevice,
  pipelineOf,
  SharedCache,
} from "@groupwise/core/target";
import { c } from "../print/target.ts";
import type { Library } from "./library.ts";
import { DEVICE, Program } from "./program.ts";

interface Compiled {
  readonly plan: Plan;
  readonly manifest: Manifest;
  readonly library: Library;
}

/** @param driver what makes the libraries, for people @param open makes the library of an artifact */
export function runtimeOf(driver: string, open: (artifact: Artifact) => Promise<Library>): Runtime {
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
    compile: async (source, asked) => {
      host.check();
      const wanted = compileOptionsOf(asked);
      const key = contentKey(pipelineOf(source), wanted);
      const { value, release } = await compiled.acquire(key, () => make(source, wanted));
      const program = new Program(value.manifest, value.library, host, release);
      const { manifest } = program;
      const executable: Executable = {
        plan: value.plan,
        manifest,
        run: async (values, options) => program.runArrays(values, options),
        scratchBytes: (sides) => {
          checkedSides(manifest, sides);
          return program.scratchBytes();
        },
        dispose: () => program.dispose(),
      };
      return host.add(executable, program);
    },
    dispose: () => host.dispose(),
  };
}
