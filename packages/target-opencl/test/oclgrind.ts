/**
 * Oclgrind watches every access. A process sees either PoCL or Oclgrind, and this sets its environment: files of
 * tests that use it open nothing else.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Artifact, Pipeline, RunOptions, RunOutputs, RunValues } from "@groupwise/core";
import { itemsIn } from "@groupwise/core/target";
import {
  type Found,
  findOpenCl,
  found,
  type OclgrindFinding,
  parseOclgrindLog,
  scratchDirectory,
} from "@groupwise/testkit/devices";
import { afterAll } from "vitest";
import type { OpenClRuntime } from "../src/runtime.ts";

/** What Oclgrind has found since the last time. */
export type Findings = () => OclgrindFinding[];

export interface Watched<T> {
  readonly device: T;
  readonly findings: Findings;
}

/**
 * Opens on Oclgrind, once for a file of tests, what is closed after all of them. Programs stay as clang writes them: LLVM's
 * optimiser makes intrinsics, and integers of odd widths, that Oclgrind does not simulate, and it may remove an access that is
 * to be watched.
 */
export function watched<T>(
  open: () => Promise<T>,
  close: (device: T) => void = () => {},
): () => Promise<Found<Watched<T>>> {
  const start = async (): Promise<Found<Watched<T>>> => {
    const platform = findOpenCl("oclgrind");
    if (!platform.found) return platform;
    const log = join(scratchDirectory(), "log");
    Object.assign(process.env, platform.value.env, {
      OCLGRIND_BUILD_OPTIONS: "-cl-opt-disable",
      OCLGRIND_DATA_RACES: "1",
      // Beyond, findings are not told.
      OCLGRIND_MAX_ERRORS: "1000000000",
      OCLGRIND_LOG: log,
    });
    return found({ device: await open(), findings: findingsIn(log) });
  };
  let opened: Promise<Found<Watched<T>>> | undefined;
  afterAll(async () => {
    const it = await opened;
    if (it?.found) close(it.value.device);
  });
  return () => (opened ??= start());
}

function findingsIn(log: string): Findings {
  let read = 0;
  return () => {
    const text = existsSync(log) ? readFileSync(log, "utf8") : "";
    const fresh = text.slice(read);
    read = text.length;
    return parseOclgrindLog(fresh);
  };
}

/** Builds an artifact, runs it once, and releases it. */
export async function execute(
  runtime: OpenClRuntime,
  artifact: Artifact,
  values: RunValues,
  options: RunOptions = {},
): Promise<RunOutputs> {
  const program = await runtime.load(artifact);
  try {
    return await program.run(values, options);
  } finally {
    program.dispose();
  }
}

/** Sides of two work-groups and a bit in all dimensions but the last, which holds about n items. */
export function rangeOf({ workGroupSize }: Pipeline, n: number): { globalSize: number[] } {
  const sides = workGroupSize.slice(0, -1).map((side) => 2 * side + 1);
  return { globalSize: [...sides, Math.ceil(n / itemsIn(sides))] };
}
