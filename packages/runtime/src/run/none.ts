/** For runtimes without device arrays. */
import { errorOf } from "@groupwise/ir/base/errors.js";
import type { Executable, Runtime } from "../api/runtime.ts";

/** Device arrays and recorders that are refused, with the reason. */
export function withoutArrays(reason: string): Pick<Runtime, "sliceAlignment" | "array" | "record"> {
  const refuse = (): never => {
    throw errorOf("unsupported", { what: "an array on the device", reason });
  };
  return { sliceAlignment: 1, array: refuse, record: refuse };
}

/** For an executable with internal scratch. */
export const OWN_SCRATCH: Pick<Executable, "scratchBytes"> = { scratchBytes: () => 0 };
