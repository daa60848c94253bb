/** Random cases on one device. Inputs and results are plain JSON, so that the device may be in another process or a browser. */
import { NotSupportedError, type Subject } from "../subject/subject.ts";
import { differenceOf } from "./compare.ts";
import type { FuzzOptions, FuzzReport } from "./fuzz.ts";
import type { RandomCase } from "./make/case.ts";
import type { Float } from "./make/constants.ts";
import { FUZZERS, type Fuzzer } from "./run.ts";
import { whyUnsound } from "./sound.ts";

/** The random inputs of a kind to run. */
export interface FuzzRequest {
  /** A key of `FUZZERS`. */
  readonly kind: string;
  /** Of expressions. */
  readonly type?: Float;
  readonly options: Omit<FuzzOptions, "say">;
}

/** A device that runs random cases. */
export interface Fuzzing {
  fuzz(request: FuzzRequest): Promise<FuzzReport>;
  /** The difference of a case; null if it does not differ, if the device does not support it, or if its result is not defined. */
  differs(one: RandomCase): Promise<string | null>;
}

/** Of a device of this process. */
export function fuzzingOf(subject: Subject): Fuzzing {
  return {
    fuzz: ({ kind, type, options }) => (FUZZERS[kind] as Fuzzer).run(subject, options, type),
    differs: async (one) => {
      try {
        if ((await whyUnsound(one)) !== undefined) return null;
        return (await differenceOf(subject, one)) ?? null;
      } catch (error) {
        if (error instanceof NotSupportedError) return null;
        throw error;
      }
    },
  };
}
