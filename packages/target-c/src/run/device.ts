/** A runtime on libraries, however they are made. */
import { type Artifact, plan, type Runtime } from "@groupwise/core";
import { HostDevice, hostedRuntime } from "@groupwise/core/target";
import { c } from "../print/target.ts";
import type { Library } from "./library.ts";
import { callOf, DEVICE } from "./program.ts";

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
