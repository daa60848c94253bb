/** A runtime on compiled libraries. */
import { type Artifact, type CompileOptions, type PipelineSource, plan, type Runtime } from "@groupwise/core";
import { debugging, HostDevice, hostedRuntime } from "@groupwise/core/target";
import { emitOpenMp } from "../files/openmp/files.ts";
import { c } from "../print/target.ts";
import type { LoadedLibrary } from "./library.ts";
import { callOf, DEVICE } from "./program.ts";

/** The functions by which a runtime makes and runs libraries. */
interface Making {
  /** The name of the compiler, for messages. */
  readonly driver: string;
  /** Makes the library of an artifact. */
  open(artifact: Artifact): Promise<LoadedLibrary>;
  /** The option of a runtime. */
  readonly debug: boolean | undefined;
  /** More than 1: parts of ranges are computed in parallel. */
  readonly threads: number;
}

export function runtimeOf({ driver, open, debug, threads }: Making): Runtime {
  const capabilities = debugging(c.capabilities, debug);
  const name = threads > 1 ? `${DEVICE}, ${threads} threads` : DEVICE;
  return hostedRuntime({
    device: { target: c.name, name, driver },
    capabilities,
    host: new HostDevice(DEVICE),
    debug,
    make: async (source, wanted) => {
      const lowered = plan(source, c, { ...wanted, capabilities });
      const artifact =
        (threads > 1 && !debug ? inThreads(source, wanted) : undefined) ?? c.print(lowered, {});
      const { manifest } = artifact;
      const library = await open(artifact);
      const call = callOf(manifest, library, threads);
      return { plan: lowered, manifest, call, free: () => library.close() };
    },
  });
}

/** The files of a function that uses several threads; undefined if it would use one. */
function inThreads(source: PipelineSource, { inPlace, carrying }: CompileOptions): Artifact | undefined {
  const artifact = emitOpenMp(source, { ...(inPlace && { inPlace }), ...(carrying && { carrying }) });
  return artifact.manifest.flags.division === undefined ? undefined : artifact;
}
