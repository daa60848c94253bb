/** For runtimes without device arrays and without a cache. */
import { errorOf } from "@groupwise/ir/base/errors.js";
import type { Executable, Runtime, RuntimeStats } from "../api/runtime.ts";

/** Device arrays and recorders that are refused, with the reason. */
export function withoutArrays(
  reason: string,
): Pick<Runtime, "sliceAlignment" | "array" | "record" | "stats"> {
  const refuse = (): never => {
    throw errorOf("unsupported", { what: "an array on the device", reason });
  };
  return { sliceAlignment: 1, array: refuse, record: refuse, stats: () => NOTHING_COMPILED };
}

/** Of a runtime that counts and keeps nothing. */
export const NOTHING_COMPILED: RuntimeStats = { compiled: 0, reused: 0, inUse: 0, kept: 0 };

/** For an executable with internal scratch. */
export const OWN_SCRATCH: Pick<Executable, "scratchBytes"> = { scratchBytes: () => 0 };
