/** The probe of a GPUDevice. */
import type { Capabilities, ProbeReport } from "@groupwise/core";
import { Answers, Earned, type RunProbe, withHalfConversions } from "@groupwise/core/target";
import { Gpu } from "../device/device.ts";
import { wgsl } from "../index.ts";
import { capabilitiesOf } from "../print/capabilities.ts";
import { GpuProgram } from "./program.ts";

/** Capabilities whose kernels take the least time; tests of the device show what it lacks of them. */
export const untested = (device: GPUDevice): Capabilities => ({
  ...withHalfConversions(capabilitiesOf(device), "exact"),
  subnormals: "kept",
});

const known = new WeakMap<GPUDevice, Earned>();
/**
 * What a device earned, for all runtimes on it.
 * @param kept a report, for a device that nothing asked yet
 */
export function earnedOn({ device, info }: Pick<Gpu, "device" | "info">, kept?: ProbeReport): Earned {
  const answers = new Answers(info.hardware === undefined ? undefined : kept, info);
  const earned = known.get(device) ?? new Earned(wgsl, untested(device), runOn(device, info.name), answers);
  known.set(device, earned);
  return earned;
}

/** Neither smaller limits nor calls back of a runtime are for a probe. */
const runOn =
  (device: GPUDevice, name: string): RunProbe =>
  async (artifact, given) => {
    const gpu = new Gpu(device, { name });
    const program = await new GpuProgram(gpu, artifact).compile();
    try {
      const { found } = await program.run({ given }, { n: 1 });
      return found as Uint32Array;
    } finally {
      program.dispose();
      gpu.close();
    }
  };
