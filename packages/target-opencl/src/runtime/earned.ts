/** The probe of a device. */
import type { DeviceInfo, ProbeReport } from "@groupwise/core";
import { Answers, Earned, type RunProbe } from "@groupwise/core/target";
import type { OpenClDevice } from "../device/device.ts";
import { capabilitiesOf } from "../print/capabilities.ts";
import { opencl } from "../print/target.ts";
import { build, type Session } from "./program.ts";
import { runProgram } from "./run.ts";
import { textOf } from "./text.ts";

/** What callers see of a device. */
export const deviceInfoOf = (info: OpenClDevice): DeviceInfo => ({
  ...{ target: opencl.name, name: info.name },
  ...{ driver: `${info.platform} ${info.driver}`, hardware: `${info.vendor}, ${info.name}` },
});

/** By device and driver. */
export const ANSWERS: Map<string, Answers> = new Map();
/**
 * What a device earned; the runtimes on it share the answers.
 * @param kept a report, for a device that nothing asked yet
 */
export function earnedOn(session: Session, kept?: ProbeReport): Earned {
  const { device, info } = session;
  const key = [device, info.platform, info.name, info.driver].join(", ");
  const answers = ANSWERS.get(key) ?? new Answers(kept, deviceInfoOf(info));
  ANSWERS.set(key, answers);
  const run: RunProbe = async (artifact, given) => {
    const { manifest } = artifact;
    const built = await build(session, manifest, textOf(artifact));
    try {
      const { found } = await runProgram(session, built, manifest, { given }, { n: 1 });
      return found as Uint32Array;
    } finally {
      built.pool.release();
    }
  };
  return new Earned(opencl, capabilitiesOf(info), run, answers);
}
