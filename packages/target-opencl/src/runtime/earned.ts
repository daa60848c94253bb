/** The probe of a device. */
import { Answers, Earned, type RunProbe } from "@groupwise/core/target";
import { capabilitiesOf } from "../print/capabilities.ts";
import { opencl } from "../print/target.ts";
import { build, type Session } from "./program.ts";
import { runProgram } from "./run.ts";
import { textOf } from "./text.ts";

/** By device and driver. */
export const ANSWERS: Map<string, Answers> = new Map();
/** What a device earned; the runtimes on it share the answers. */
export function earnedOn(session: Session): Earned {
  const { device, info } = session;
  const key = [device, info.platform, info.name, info.driver].join(", ");
  const answers = ANSWERS.get(key) ?? new Answers();
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
