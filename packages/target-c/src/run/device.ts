/** A runtime on compiled libraries. */
import { type Artifact, plan, type Runtime } from "@groupwise/core";
import { HostDevice, hostedRuntime } from "@groupwise/core/target";
import { c } from "../print/target.ts";
import type { Library } from "./library.ts";
import { callOf, DEVICE } from "./program.ts";

/** The functions by which a runtime makes and runs libraries. */
interface Making {
  /** The name of the compiler, for messages. */
  readonly driver: string;
  /** Makes the library of an artifact. */
  open(artifact: Artifact): Promise<Library>;
  /** Whether `run` first checks that no two items write one slot. */
  readonly debug: boolean | undefined;
}

export function runtimeOf({ driver, open, debug }: Making): Runtime {
  return hostedRuntime({
    device: { target: c.name, name: DEVICE, driver },
    capabilities: c.capabilities,
    host: new HostDevice(DEVICE),
    debug,
    make: async (source, wanted) => {
      const lowered = plan(source, c, wanted);
      const artifact = c.print(lowered, {});
      const { manifest } = artifact;
      const library = await open(artifact);
      return { plan: lowered, manifest, call: callOf(manifest, library), free: () => library.close() };
    },
  });
}
