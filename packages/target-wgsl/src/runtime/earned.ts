/** The probe of a GPUDevice. */
import type { Capabilities } from "@groupwise/core";
import { Earned, withHalfConversions } from "@groupwise/core/target";
import type { Gpu } from "../device/device.ts";
import { wgsl } from "../index.ts";
import { capabilitiesOf } from "../print/capabilities.ts";
import { Program } from "./program.ts";

/** Capabilities whose kernels take the least time; tests of the device show what it lacks of them. */
export const untested = (device: GPUDevice): Capabilities => ({
  ...withHalfConversions(capabilitiesOf(device), "exact"),
  subnormals: "kept",
});

const known = new WeakMap<GPUDevice, Earned>();
/** What a device earned, for all runtimes on it. */
export function earnedOn(gpu: Gpu): Earned {
  const { device } = gpu;
  const earned =
    known.get(device) ??
    new Earned(wgsl, untested(device), async (artifact, given) => {
      const program = await new Program(gpu, artifact).compile();
      try {
        const { found } = await program.run({ given }, { n: 1 });
        return found as Uint32Array;
      } finally {
        program.dispose();
      }
    });
  known.set(device, earned);
  return earned;
}
