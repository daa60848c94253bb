/** The probe of a device. */
import type { ProbeReport } from "../api/runtime.ts";
import { Answers, Earned, type RunProbe } from "../probe/earned.ts";
import { build, type Session } from "./program.ts";
import { runProgram } from "./run.ts";

/** By target, device and driver. */
export const ANSWERS: Map<string, Answers> = new Map();

/**
 * What a device earned; the runtimes on it share the answers.
 * @param kept a report, for a device that nothing asked yet
 */
export function earnedOn(session: Session, kept?: ProbeReport): Earned {
  const { target, key, device, capabilities } = session.backend;
  const place = `${target.name} ${key}`;
  const answers = ANSWERS.get(place) ?? new Answers(kept, device);
  ANSWERS.set(place, answers);
  const run: RunProbe = async (artifact, given) => {
    const built = await build(session, artifact);
    try {
      const { found } = await runProgram(session, built, artifact.manifest, { given }, { n: 1 });
      return found as Uint32Array;
    } finally {
      built.pool.release();
    }
  };
  return new Earned(target, capabilities, run, answers);
}
