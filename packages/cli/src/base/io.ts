import { fstatSync, writeSync } from "node:fs";
import { isatty } from "node:tty";
import { OutputFailure } from "./reasons.ts";

/** Where a run of the command line reads its surroundings and writes. */
export interface Io {
  /** Writes results, to stdout. @throws OutputFailure where they cannot be written whole */
  out(text: string): void;
  /** Writes complaints, notes and progress, to stderr. */
  err(text: string): void;
  /** Paths are relative to it. */
  readonly cwd: string;
  /** Whether people watch stderr, so that a line of progress makes sense. */
  readonly isTerminal: boolean;
  /** Whether stderr shows colours: a terminal, and neither NO_COLOR nor TERM=dumb. */
  readonly hasColours?: boolean;
  /** The same of stdout. */
  readonly hasOutColours?: boolean;
  /** Columns of the terminal that stdout is; undefined if it is none. */
  readonly columns?: number | undefined;
}

const STDOUT = 1;

/** The surroundings of this process. */
export function processIo(): Io {
  return {
    out: isStream(STDOUT) ? (text) => process.stdout.write(text) : (text) => writeWhole(STDOUT, text),
    err: complain,
    cwd: process.cwd(),
    isTerminal: process.stderr.isTTY === true,
    hasColours: process.stderr.isTTY === true && process.stderr.hasColors(),
    hasOutColours: process.stdout.isTTY === true && process.stdout.hasColors(),
    columns: process.stdout.columns,
  };
}

/** A complaint that cannot be written is lost: the exit code still reports it. */
function complain(text: string): void {
  try {
    process.stderr.write(text);
  } catch {
    // stderr is full
  }
}

/** Node's own stream for files and devices takes a part that was written for the whole. */
function isStream(fd: number): boolean {
  try {
    const stats = fstatSync(fd);
    return stats.isFIFO() || stats.isSocket() || isatty(fd);
  } catch {
    return true; // it is closed: Node has put something in its place
  }
}

/** Writes all of a text, or throws. @throws OutputFailure */
export function writeWhole(
  fd: number,
  text: string,
  write: (fd: number, bytes: Uint8Array) => number = writeSync,
): void {
  const bytes = new TextEncoder().encode(text);
  try {
    for (let done = 0; done < bytes.length; ) done += write(fd, bytes.subarray(done));
  } catch (error) {
    throw new OutputFailure(error);
  }
}

/** A line that replaces itself, for interactive use. */
export interface Progress {
  /** Puts a text in place of the last one. */
  show(text: string): void;
  /** Takes the line away. */
  clear(): void;
}
