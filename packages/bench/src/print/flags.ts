/** Output of the results of commands. */
export interface OutputFlags {
  readonly json?: boolean;
  readonly markdown?: boolean;
  readonly save?: boolean;
  readonly out?: string;
}

/** Prints a result, and writes it to files if the flags say so. */
export type Give = <T>(
  name: string,
  result: T,
  print: (result: T, isMarkdown: boolean) => string,
  flags: OutputFlags,
) => void;

/** Reads 1000, 2^28, or 10^15. */
export type ItemsIn = (text: string) => number;
