/** `groupwise run`: runs a pipeline on one device, or on several and compares. */
import { performance } from "node:perf_hooks";
import type {
  ArrayType,
  Checked,
  CompileOptions,
  RunOptions,
  RunOutputs,
  Runtime,
  RunValues,
} from "@groupwise/core";
import type { MissingPart, OpenOptions } from "@groupwise/core/target";
import { differenceOf } from "../base/compare.ts";
import type { Outcome, Surroundings } from "../base/outcome.ts";
import { badUsage, isGroupwiseError, problemOf } from "../base/problem.ts";
import { rangeOf } from "../base/range.ts";
import { targetsOf } from "../base/target-list.ts";
import { choose, type Device, survey, withThreads } from "../devices/index.ts";
import { type Keeping, keepingBy, withDevice } from "../devices/probed.ts";
import { flushes as flushesOn } from "../devices/subnormals.ts";
import type { RunFlags } from "../flags/tables.ts";
import { notesOnParts } from "../streams/threads.ts";
import { readValues } from "../values/arguments.ts";
import { bindInputs } from "../values/bind.ts";
import { splitSuffix } from "../values/input.ts";
import { meantBy } from "../values/meant.ts";
import { outputData, SHOWN } from "../values/show.ts";
import { type TableFile, tableFile } from "../values/table-file.ts";
import { readTuning } from "../values/tuning-file.ts";
import { loadPipeline } from "./pipeline-file.ts";
import {
  type DeviceResult,
  notesOnOrder,
  notesOnSubnormals,
  textOf,
  typesOf,
  writeResults,
} from "./run-report.ts";

/** Errors of pipelines that another target or device may accept. */
const REFUSALS: readonly string[] = ["unsupported", "work-group-too-large", "device-limit"];

export async function runCommand(path: string, flags: RunFlags, around: Surroundings): Promise<Outcome> {
  if (flags.resume) throw badUsage("--resume continues a stream", "pass --stream too");
  const targets = targetsOf(flags.target);
  const tuningOf = readTuning(flags.tuning, targets, around.cwd);
  const checked = await loadPipeline(path, around.cwd, flags.export);
  const options = rangeOf(flags);
  const bound = bindInputs(checked, flags.input, flags);
  const paths = bound.map(({ spec }) => splitSuffix(spec).path);
  const tableOut = await tableFile(flags.out, paths, around.cwd);
  const values = await readValues(checked, bound, flags, around.cwd, options);
  around.progress.show("looking for devices");
  const found = await survey(targets);
  const wish = flags.device ?? (flags.target.split(",").includes("all") ? "all" : undefined);
  const devices = withThreads(choose(found, targets, wish), flags.workers);
  const { results, errors, isByReference } = await runOn(devices, {
    checked,
    values,
    options,
    repeat: flags.repeat ?? 1,
    around,
    tuningOf,
    keeping: keepingBy(flags),
    ...(flags.subnormals && { subnormals: flags.subnormals }),
  });
  const [first] = results.filter(({ state }) => state === "ran");
  if (!first?.outputs) throw errors[0];
  return outcomeOf({
    checked,
    flags,
    cwd: around.cwd,
    results,
    outputs: first.outputs,
    tableOut,
    isByReference,
    missing: found.missing,
  });
}

interface Finished {
  readonly checked: Checked;
  readonly flags: RunFlags;
  readonly cwd: string;
  readonly results: readonly DeviceResult[];
  readonly outputs: RunOutputs;
  readonly tableOut: TableFile | undefined;
  /** Whether the devices are compared with the reference interpreter. */
  readonly isByReference: boolean;
  readonly missing: readonly MissingPart[];
}

/** Writes the outputs, and reports the result of every device. */
function outcomeOf(finished: Finished): Outcome {
  const { checked, flags, results, outputs, isByReference, missing } = finished;
  const types = typesOf(checked);
  const written = writeResults(finished, flags.out, finished.tableOut);
  const isFine = results.every((result) => result.state !== "failed" && result.equal !== false);
  const count = flags.show ?? SHOWN;
  const shown = Object.fromEntries(
    Object.entries(outputs).map(([name, array]) => [
      name,
      outputData(types[name] as ArrayType, array, count),
    ]),
  );
  const report = textOf(results, { types, outputs, written, count, isByReference });
  return {
    code: isFine ? 0 : 1,
    data: {
      pipeline: checked.pipeline.name,
      equal: results.every((result) => result.equal !== false && !result.flushesSubnormals),
      ...(results.length > 1 && { comparedWith: isByReference ? "reference" : "first device" }),
      devices: results.map(({ outputs: _, ...rest }) => rest),
      outputs: shown,
      files: written.files,
      ...(written.piped !== undefined && { csv: written.piped }),
      missing,
    },
    text: written.piped ?? report,
    notes: [
      ...(written.piped === undefined ? [] : [report.trimEnd()]),
      ...missing.map(({ what, reason, remedy }) => `${what} is missing: ${reason}; install: ${remedy}`),
      ...notesOnSubnormals(results),
      ...(flags.workers === undefined ? [] : notesOnParts(checked.pipeline)),
      ...(isFine ? [] : notesOnOrder(checked.pipeline)),
    ],
  };
}

/** The run that each device repeats. */
export interface RunOfPipeline {
  readonly checked: Checked;
  readonly values: RunValues;
  readonly options: RunOptions;
  readonly repeat: number;
  /** Default: nowhere. */
  readonly keeping?: Keeping;
  readonly around: Pick<Surroundings, "progress">;
  /** The tuning for devices of a target. */
  readonly tuningOf?: (target: string) => OpenOptions;
  /** As the option of `compile`. */
  readonly subnormals?: "flush";
}

/**
 * Runs on one device after the other. The results of several are compared with the reference where that is quick, or else with the first
 * one that ran. The errors are those of `results`, in their order.
 */
export async function runOn(
  devices: readonly Device[],
  {
    checked,
    values,
    options,
    repeat,
    keeping = "nowhere",
    around: { progress },
    tuningOf = () => ({}),
    subnormals,
  }: RunOfPipeline,
): Promise<{ results: DeviceResult[]; errors: unknown[]; isByReference: boolean }> {
  const types = typesOf(checked);
  const results: DeviceResult[] = [];
  const errors: unknown[] = [];
  let meant: RunOutputs | undefined;
  const mayFlush = subnormals === "flush" && checked.types.includes("f32");
  for (const device of devices) {
    const where = `${device.name} (${results.length + 1} of ${devices.length})`;
    progress.show(`compiling for ${where}`);
    const about = { target: device.target, device: device.name, driver: device.driver };
    try {
      const tuning = tuningOf(device.target);
      const wanted = {
        ...(tuning.tuning && { items: itemsOf(checked, values, options) }),
        ...(subnormals && { subnormals }),
      };
      const { outputs, milliseconds, coldMilliseconds, flushes } = await withDevice(
        device,
        tuning,
        keeping,
        async (runtime) => ({
          ...(await runOnce(runtime, checked, {
            ...{ values, options, repeat, wanted },
            onFirst: () => progress.show(`running on ${where}`),
          })),
          flushes: mayFlush && (await flushesOn(device, runtime)),
        }),
      );
      const before = results.find((result) => result.outputs && !result.flushesSubnormals)?.outputs;
      // A device has checked the values.
      if (devices.length > 1 && !before) meant = meantBy(checked, values, options);
      const want = meant ?? before;
      const isCompared = want !== undefined && !flushes;
      const difference = isCompared ? differenceOf(types, want, outputs) : undefined;
      results.push({
        ...about,
        state: "ran",
        milliseconds,
        coldMilliseconds,
        outputs,
        ...(isCompared && { equal: difference === undefined }),
        ...(difference && { difference }),
        ...(flushes && { flushesSubnormals: true }),
      });
    } catch (error) {
      errors.push(error);
      const isRefusal = isGroupwiseError(error) && REFUSALS.includes(error.code);
      results.push({ ...about, state: isRefusal ? "refused" : "failed", problem: problemOf(error) });
    }
  }
  progress.clear();
  return { results, errors, isByReference: meant !== undefined };
}

/** The number of items of a run, if its options and inputs determine it. */
function itemsOf({ inputs }: Checked, values: RunValues, { n, globalSize }: RunOptions): number {
  const [first] = inputs;
  const given = first && values[first.name];
  return (
    n ?? globalSize?.reduce((a, b) => a * b, 1) ?? (given as { length?: number } | undefined)?.length ?? 0
  );
}

interface Repeated extends Pick<RunOfPipeline, "values" | "options" | "repeat"> {
  /** The options of `compile`. */
  readonly wanted: Pick<CompileOptions, "items" | "subnormals">;
  /** Called after the first run, during which drivers compile. */
  readonly onFirst: () => void;
}

async function runOnce(
  runtime: Runtime,
  checked: Checked,
  { values, options, repeat, wanted, onFirst }: Repeated,
): Promise<{ outputs: RunOutputs; milliseconds: number; coldMilliseconds: number }> {
  const begin = performance.now();
  const executable = await runtime.compile(checked.pipeline, wanted);
  try {
    // Drivers compile during the first run, so its time is reported separately.
    let outputs = await executable.run(values, options);
    const coldMilliseconds = performance.now() - begin;
    onFirst();
    if (repeat > 0) await executable.settled;
    let milliseconds = Number.POSITIVE_INFINITY;
    for (let i = 0; i < repeat; i++) {
      const start = performance.now();
      outputs = await executable.run(values, options);
      milliseconds = Math.min(milliseconds, performance.now() - start);
    }
    return { outputs, milliseconds, coldMilliseconds };
  } finally {
    executable.dispose();
  }
}
