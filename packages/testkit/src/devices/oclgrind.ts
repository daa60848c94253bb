export interface OclgrindFinding {
  /** Oclgrind's first line, for example `Read-write data race at local memory address 0x1000000000004`. */
  readonly message: string;
  readonly kernel: string | undefined;
  /** Line of the OpenCL C source, from 1. */
  readonly line: number | undefined;
  readonly text: string;
}

/** Findings start at the left margin; their details are indented. */
export function parseOclgrindLog(log: string): OclgrindFinding[] {
  return log
    .split(/\n(?=\S)/)
    .map((text) => text.trim())
    .filter((text) => text !== "" && !/^Oclgrind: \d+ errors generated/.test(text))
    .map((text) => ({
      message: text.split("\n")[0] as string,
      kernel: /^\s*Kernel: (\S+)/m.exec(text)?.[1],
      line: Number(/^\s*At line (\d+)/m.exec(text)?.[1]) || undefined,
      text,
    }));
}
