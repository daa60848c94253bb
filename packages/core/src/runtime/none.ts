/** For runtimes that run from host arrays to host arrays only. */
import { errorOf } from "../errors.ts";
import type { Executable, Runtime } from "../runtime.ts";

/** Device arrays and recorders that are refused, with the reason. */
export function withoutArrays(reason: string): Pick<Runtime, "sliceAlignment" | "array" | "record"> {
  const refuse = (): never => {
    throw errorOf("unsupported", { what: "an array on the device", reason });
  };
  return { sliceAlignment: 1, array: refuse, record: refuse };
}

/** Of an executable that keeps its scratch to itself. */
export const OWN_SCRATCH: Pick<Executable, "scratchBytes"> = { scratchBytes: () => 0 };
