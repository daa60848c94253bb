/** Every kind of random input, by its name in the command `random`. */
import type { Subject } from "../subject/subject.ts";
import type { FuzzOptions, FuzzReport } from "./fuzz.ts";
import { FLOAT_TYPES, type Float } from "./make/constants.ts";
import { fuzzExpressions, fuzzPairs, fuzzPipelines, fuzzVectors } from "./run.ts";

/** A kind of random input. */
export interface Fuzzer {
  /** The subjects that it runs for, one after the other: float types, or a single unnamed one. */
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
  pairs: { types: [undefined], run: fuzzPairs },
  vectors: { types: [undefined], run: fuzzVectors },
};
