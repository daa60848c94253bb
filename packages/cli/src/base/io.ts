import { fstatSync, writeSync } from "node:fs";
import { isatty } from "node:tty";
import { OutputFailure } from "./reasons.ts";

/** Where a run of the command line reads its surroundings and writes. */
export interface Io {
  /** Writes results to stdout. @throws OutputFailure if they cannot be written completely */
  out(text: string): void;
  /** Writes errors, notes and progress to stderr. */
  err(text: string): void;
  /** The folder that paths are relative to. */
  readonly cwd: string;
  /** Whether stderr is a terminal, which shows a line of progress. */
  readonly isTerminal: boolean;
  /** Whether stderr shows colours: a terminal, and neither NO_COLOR nor TERM=dumb. */
  readonly hasColours?: boolean;
  /** The same for stdout. */
  readonly hasOutColours?: boolean;
  /** Columns of the terminal; undefined if stdout is not a terminal. */
  readonly columns?: number | undefined;
}

const STDOUT = 1;

/**
 * The surroundings of this process.
 * @example
 * ```ts
 * import { processIo } from "@groupwise/cli";
 *
 * console.log(processIo().cwd === process.cwd()); // true
 * ```
 */
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

/** Writes to stderr. A failure is ignored, because the exit code still reports the error. */
function complain(text: string): void {
  try {
    process.stderr.write(text);
  } catch {
    // stderr is full
  }
}

/** Whether Node's own stream can be used: for files and devices it ignores partial writes. */
function isStream(fd: number): boolean {
  try {
    const stats = fstatSync(fd);
    return stats.isFIFO() || stats.isSocket() || isatty(fd);
  } catch {
    return true; // stdout is closed, and Node has replaced it
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

/** A line of progress on a terminal. */
export interface Progress {
  /** Replaces the text of the line. After one second the elapsed seconds follow it, unless `isTimed` is false. */
  show(text: string, isTimed?: boolean): void;
  /** The same for a part of work that takes many seconds. Where stderr is no terminal it has a line for each, so that a log shows what a command does. */
  step(text: string): void;
  /** Removes the line. */
  clear(): void;
}
