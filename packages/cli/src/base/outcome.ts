import type { Progress } from "./io.ts";

/** 0: success. 1: negative result. 2: incorrect usage or input. */
export type ExitCode = 0 | 1 | 2;

/** The result of a command: as data, and as text. */
export interface Outcome {
  readonly code: ExitCode;
  /** Printed with --json, beside `ok` and `command`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Printed without --json. */
  readonly text: string;
  /** Notes, printed on stderr. */
  readonly notes?: readonly string[];
}

/** The arguments that all commands take in addition to their own options. */
export interface Surroundings {
  readonly cwd: string;
  readonly progress: Progress;
  /** Runs `work` and prints its outcome or its error, for commands that continue afterwards. */
  readonly again: (work: (around: Surroundings) => Promise<Outcome>) => Promise<ExitCode>;
}
