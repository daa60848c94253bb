/**
 * Oclgrind watches every access. A process sees either PoCL or Oclgrind, and this sets its environment: files of
 * tests that use it open nothing else.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Artifact, Pipeline, RunOptions, RunOutputs, RunValues } from "@groupwise/core";
import { itemsIn } from "@groupwise/core/target";
import { outcomeOf, type Results, type RunOutcome, resultsOf } from "@groupwise/testkit";
import { sharedBy } from "@groupwise/testkit/conformance";
import {
  type Found,
  findOpenCl,
  found,
  type OclgrindFinding,
  parseOclgrindLog,
  scratchDirectory,
} from "@groupwise/testkit/devices";
import type { OpenClRuntime } from "../src/runtime.ts";

/** What Oclgrind has found since the last time. */
export type Findings = () => OclgrindFinding[];

export interface Watched<T> {
  readonly device: T;
  readonly findings: Findings;
  /** What Oclgrind said of kernels before. */
  readonly kept: Results;
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
      // Further findings are not reported.
      OCLGRIND_MAX_ERRORS: "1000000000",
      OCLGRIND_LOG: log,
    });
    const kept = resultsOf("oclgrind", versionOf(platform.value.env.OCL_ICD_VENDORS as string));
    return found({ device: await open(), findings: findingsIn(log), kept });
  };
  return sharedBy(start, ({ device }) => close(device));
}

/** Identifies an installation of Oclgrind. */
function versionOf(vendors: string): string {
  const library = readFileSync(join(vendors, "oclgrind.icd"), "utf8").trim();
  const { size, mtimeMs } = statSync(library);
  return createHash("sha256").update(`${library} ${size} ${mtimeMs}`).digest("hex");
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

/** A run on Oclgrind: its outputs or its error, and what Oclgrind found. */
export interface Observed {
  readonly outcome: RunOutcome;
  readonly findings: readonly OclgrindFinding[];
}

/** Runs an artifact; the same kernels over the same values are run once. */
export async function observe(
  { device, findings, kept }: Watched<OpenClRuntime>,
  artifact: Artifact,
  values: RunValues,
  options: RunOptions = {},
): Promise<Observed> {
  const key = [artifact.files, artifact.manifest, values, options];
  const known = kept.get(key) as Observed | undefined;
  if (known) return known;
  const outcome = await outcomeOf(() => execute(device, artifact, values, options));
  const observed = { outcome, findings: findings() };
  kept.put(key, observed);
  return observed;
}

async function execute(
  runtime: OpenClRuntime,
  artifact: Artifact,
  values: RunValues,
  options: RunOptions,
): Promise<RunOutputs> {
  return (await loadedOn(runtime, artifact)).run(values, options);
}

type Program = Awaited<ReturnType<OpenClRuntime["load"]>>;
/** The last artifact that was built, which may run over several ranges. */
let last: { readonly runtime: OpenClRuntime; readonly key: string; readonly program: Program } | undefined;

async function loadedOn(runtime: OpenClRuntime, artifact: Artifact): Promise<Program> {
  const key = JSON.stringify([artifact.files, artifact.manifest]);
  if (last?.runtime === runtime && last.key === key) return last.program;
  last?.program.dispose();
  last = undefined;
  const program = await runtime.load(artifact);
  last = { runtime, key, program };
  return program;
}

/** Sides of two work-groups and a bit in all dimensions but the last, which holds about n items. */
export function rangeOf({ workGroupSize }: Pipeline, n: number): { globalSize: number[] } {
  const sides = workGroupSize.slice(0, -1).map((side) => 2 * side + 1);
  return { globalSize: [...sides, Math.ceil(n / itemsIn(sides))] };
}
