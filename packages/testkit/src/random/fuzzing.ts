/** Random cases on one device. Inputs and results are plain JSON, so that the device may be in another process or a browser. */
import { NotSupportedError, type Subject } from "../subject/subject.ts";
import { differenceOf, flushedBy } from "./compare.ts";
import type { FuzzOptions, FuzzReport } from "./fuzz.ts";
import { FUZZERS, type Fuzzer } from "./fuzzers.ts";
import type { RandomCase } from "./make/case.ts";
import type { Float } from "./make/constants.ts";
import { whyUnsound } from "./sound.ts";

/** What is run of a kind of random input. */
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
  /** How a case differs; null where it does not, where the device does not take it, and where nothing is promised. */
  differs(one: RandomCase): Promise<string | null>;
}

/** Of a device of this process. */
export function fuzzingOf(subject: Subject): Fuzzing {
  return {
    fuzz: ({ kind, type, options }) => (FUZZERS[kind] as Fuzzer).run(subject, options, type),
    differs: async (one) => {
      try {
        if ((await whyUnsound(one, await flushedBy(subject))) !== undefined) return null;
        return (await differenceOf(subject, one)) ?? null;
      } catch (error) {
        if (error instanceof NotSupportedError) return null;
        throw error;
      }
    },
  };
}
