/** Where a run of the command line reads its surroundings and writes. */
export interface Io {
  /** Writes results, to stdout. */
  out(text: string): void;
  /** Writes complaints, notes and progress, to stderr. */
  err(text: string): void;
  /** Paths are relative to it. */
  readonly cwd: string;
  /** Whether people watch stderr, so that a line of progress makes sense. */
  readonly isTerminal: boolean;
}

/** The surroundings of this process. */
export function processIo(): Io {
  return {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    cwd: process.cwd(),
    isTerminal: process.stderr.isTTY === true,
  };
}

/** A line that replaces itself, for people who wait. */
export interface Progress {
  /** Puts a text in place of the last one. */
  show(text: string): void;
  /** Takes the line away. */
  clear(): void;
}

const NEVER: Progress = { show: () => {}, clear: () => {} };

/** Shows nothing where nobody watches. */
export function progressOn(io: Io, quiet: boolean): Progress {
  if (quiet || !io.isTerminal) return NEVER;
  return {
    show: (text) => io.err(`\r\u001b[K${text.slice(0, 100)}`),
    clear: () => io.err("\r\u001b[K"),
  };
}
