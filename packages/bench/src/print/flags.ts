/** Output of the results of commands. */
import type { Command } from "commander";

export interface OutputFlags {
  readonly json?: boolean;
  readonly markdown?: boolean;
  readonly save?: boolean;
  readonly out?: string;
}

/** The options of {@link OutputFlags}. @param out what the files are */
export const withOutput = (
  command: Command,
  out: string = "write JSON there, and Markdown beside it",
): Command =>
  command
    .option("--json", "the result as JSON")
    .option("--markdown", "the result as Markdown")
    .option("--save", "write JSON and Markdown to packages/bench/results too")
    .option("--out <file>", out);

/** Prints a result, and writes it to files if the flags say so. */
export type Give = <T>(
  name: string,
  result: T,
  print: (result: T, isMarkdown: boolean) => string,
  flags: OutputFlags,
) => void;

/** Reads 1000, 2^28, or 10^15. */
export type ItemsIn = (text: string) => number;
