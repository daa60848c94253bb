import type { Progress } from "./io.ts";

/** 0: fine. 1: the answer is no. 2: bad use or bad input. */
export type ExitCode = 0 | 1 | 2;

/** The result of a command: as data, and as text. */
export interface Outcome {
  readonly code: ExitCode;
  /** Printed with --json, beside `ok` and `command`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Printed without --json. */
  readonly text: string;
  /** Remarks for people, to stderr. */
  readonly notes?: readonly string[];
}

/** The arguments of commands beside their own options. */
export interface Surroundings {
  readonly cwd: string;
  readonly progress: Progress;
  /** Does a piece of work and prints its outcome or its error, for commands that go on. */
  readonly again: (work: (around: Surroundings) => Promise<Outcome>) => Promise<ExitCode>;
}
