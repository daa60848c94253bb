/** Every kind of random input, by the name that the command `random` has for it. */
import type { Subject } from "../subject/subject.ts";
import type { FuzzOptions, FuzzReport } from "./fuzz.ts";
import { FLOAT_TYPES, type Float } from "./make/constants.ts";
import { fuzzExpressions, fuzzPipelines } from "./run.ts";

/** A kind of random input. */
export interface Fuzzer {
  /** What it is run for one after the other: float types, or nothing in particular. */
  readonly types: readonly (Float | undefined)[];
  run(subject: Subject, options: FuzzOptions, type: Float | undefined): Promise<FuzzReport>;
}

/** A row for each kind; one that needs no device takes the subject and ignores it (`fuzzDocuments`). */
export const FUZZERS: Readonly<Record<string, Fuzzer>> = {
  expressions: {
    types: FLOAT_TYPES,
    run: (subject, options, type = "f32") => fuzzExpressions(subject, type, options),
  },
  pipelines: { types: [undefined], run: fuzzPipelines },
};
