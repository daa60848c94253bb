import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runNodeOn } from "./opencl.ts";
import { type ProcessOptions, type ProcessResult, scratchDirectory } from "./process.ts";

export interface OclgrindFinding {
  /** Oclgrind's first line, for example `Read-write data race at local memory address 0x1000000000004`. */
  readonly message: string;
  readonly kernel: string | undefined;
  /** Line of the OpenCL C source, from 1. */
  readonly line: number | undefined;
  readonly text: string;
}

export interface OclgrindRun extends ProcessResult {
  readonly findings: readonly OclgrindFinding[];
}

export interface OclgrindOptions extends ProcessOptions {
  /** Also reports work-items that write the same value to the same address. Default: false. */
  readonly uniformWrites?: boolean;
  /** Also reports uses of uninitialised values. Default: false. */
  readonly uninitialized?: boolean;
  /** Findings after which Oclgrind stops reporting. Default: 20. */
  readonly maxFindings?: number;
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

/**
 * Runs a Node program on Oclgrind with race checking, and collects its findings: data races, accesses out of
 * bounds, diverging barriers. Findings do not change the program's exit code.
 */
export async function runNodeOnOclgrind(
  args: readonly string[],
  options: OclgrindOptions = {},
): Promise<OclgrindRun> {
  const { uniformWrites, uninitialized, maxFindings = 20, ...rest } = options;
  const directory = scratchDirectory();
  const log = join(directory, "oclgrind.log");
  const env = {
    OCLGRIND_DATA_RACES: "1",
    OCLGRIND_MAX_ERRORS: String(maxFindings),
    OCLGRIND_LOG: log,
    ...(uniformWrites ? { OCLGRIND_UNIFORM_WRITES: "1" } : {}),
    ...(uninitialized ? { OCLGRIND_UNINITIALIZED: "1" } : {}),
    ...options.env,
  };
  const result = await runNodeOn("oclgrind", args, { ...rest, env });
  const findings = existsSync(log) ? parseOclgrindLog(readFileSync(log, "utf8")) : [];
  rmSync(directory, { recursive: true, force: true });
  return { ...result, findings };
}
