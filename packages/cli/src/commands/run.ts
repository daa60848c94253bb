/** `groupwise run`: runs a pipeline on one device, or on several and compares. */
import { performance } from "node:perf_hooks";
import type { Checked, RunOptions, RunOutputs, Runtime, RunValues, Scalar } from "@groupwise/core";
import { type Difference, differenceOf } from "../compare.ts";
import { choose, type Device, survey } from "../devices/index.ts";
import { writeFiles } from "../files.ts";
import type { Outcome, Surroundings } from "../outcome.ts";
import { loadPipeline } from "../pipeline-file.ts";
import { isGroupwiseError, type Problem, problemOf } from "../problem.ts";
import { type RangeFlags, rangeOf } from "../range.ts";
import { table } from "../table.ts";
import { targetsOf } from "../targets.ts";
import { readValues } from "../values/arguments.ts";
import { writeNpy } from "../values/npy.ts";
import { outputData, SHOWN, showArray } from "../values/show.ts";

export interface RunFlags extends RangeFlags {
  readonly target: string;
  readonly input: readonly string[];
  readonly param: readonly string[];
  readonly device?: string;
  readonly out?: string;
  readonly export?: string;
  readonly show?: number;
  readonly repeat?: number;
}

/** What a device made of a run. */
export interface DeviceResult {
  readonly target: string;
  readonly device: string;
  readonly driver: string;
  /** `refused`: the target or the device cannot run this pipeline. `failed`: it should have been able to. */
  readonly state: "ran" | "refused" | "failed";
  /** The fastest run, copies included. */
  readonly milliseconds?: number;
  readonly outputs?: RunOutputs;
  /** Bit for bit equal to the first device that ran; absent for that one. */
  readonly equal?: boolean;
  readonly difference?: Difference;
  /** True where the pipeline computes f32 and the device makes zeros of subnormals; asked where devices are compared. */
  readonly flushesSubnormals?: boolean;
  readonly problem?: Problem;
}

/** What a target or a device may refuse, and another may not. */
const REFUSALS: readonly string[] = ["unsupported", "work-group-too-large", "device-limit"];

export async function runCommand(path: string, flags: RunFlags, around: Surroundings): Promise<Outcome> {
  const targets = targetsOf(flags.target);
  const checked = await loadPipeline(path, around.cwd, flags.export);
  const values = await readValues(checked, flags.input, flags.param, around.cwd);
  around.progress.show("looking for devices");
  const found = await survey(targets);
  const wish = flags.device ?? (flags.target.split(",").includes("all") ? "all" : undefined);
  const devices = choose(found, targets, wish);
  const options = rangeOf(flags);
  const { results, errors } = await runOn(devices, checked, values, options, flags.repeat ?? 1, around);
  const [first] = results.filter(({ state }) => state === "ran");
  if (!first?.outputs) throw errors[0];
  const types = typesOf(checked);
  const written = flags.out === undefined ? [] : writeOutputs(flags.out, types, first.outputs, around.cwd);
  const isFine = results.every((result) => result.state !== "failed" && result.equal !== false);
  const count = flags.show ?? SHOWN;
  const shown = Object.fromEntries(
    Object.entries(first.outputs).map(([name, array]) => [
      name,
      outputData(types[name] as Scalar, array, count),
    ]),
  );
  return {
    code: isFine ? 0 : 1,
    data: {
      pipeline: checked.pipeline.name,
      equal: results.every((result) => result.equal !== false),
      devices: results.map(({ outputs: _, ...rest }) => rest),
      outputs: shown,
      files: written,
      missing: found.missing,
    },
    text: textOf(results, types, first.outputs, written, count),
    notes: [
      ...found.missing.map(({ what, reason, remedy }) => `${what} is missing: ${reason}; get it: ${remedy}`),
      ...notesOnSubnormals(results),
      ...(isFine ? [] : notesOnOrder(checked.pipeline)),
    ],
  };
}

/** Why devices may differ, and yet be right. */
export function notesOnOrder({ nodes }: Checked["pipeline"]): string[] {
  const isOpen = nodes.some(
    (node) =>
      "order" in node &&
      node.order === "any" &&
      node.type.startsWith("f") &&
      (node.op === "add" || node.op === "mul"),
  );
  return isOpen
    ? ['the order of float sums or products is left open here (order: "any"), so their last bits may differ']
    : [];
}

function notesOnSubnormals(results: readonly DeviceResult[]): string[] {
  return results
    .filter((result) => result.flushesSubnormals)
    .map(
      ({ device }) =>
        `${device} flushes f32 subnormals to zero, as its language allows: results that hold or make them differ there`,
    );
}

/** By output name. */
export function typesOf(checked: Checked): Record<string, Scalar> {
  return Object.fromEntries(checked.sinks.map(({ name, id }) => [name, checked.types[id] as Scalar]));
}

/** Runs on one device after the other. The errors are those of `results`, in their order. */
export async function runOn(
  devices: readonly Device[],
  checked: Checked,
  values: RunValues,
  options: RunOptions,
  repeat: number,
  { progress }: Pick<Surroundings, "progress">,
): Promise<{ results: DeviceResult[]; errors: unknown[] }> {
  const types = typesOf(checked);
  const results: DeviceResult[] = [];
  const errors: unknown[] = [];
  const asksOfSubnormals = devices.length > 1 && checked.types.includes("f32");
  for (const device of devices) {
    progress.show(`running on ${device.name} (${results.length + 1} of ${devices.length})`);
    const about = { target: device.target, device: device.name, driver: device.driver };
    try {
      const { outputs, milliseconds, flushes } = await withRuntime(device, async (runtime) => ({
        ...(await runOnce(runtime, checked, values, options, repeat)),
        flushes: asksOfSubnormals && (await device.flushes?.(runtime)) === true,
      }));
      const want = results.find((result) => result.outputs)?.outputs;
      const difference = want && differenceOf(types, want, outputs);
      results.push({
        ...about,
        state: "ran",
        milliseconds,
        outputs,
        ...(want && { equal: difference === undefined }),
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
  return { results, errors };
}

async function withRuntime<T>(device: Device, work: (runtime: Runtime) => Promise<T>): Promise<T> {
  const runtime = await device.open();
  try {
    return await work(runtime);
  } finally {
    runtime.dispose();
  }
}

async function runOnce(
  runtime: Runtime,
  checked: Checked,
  values: RunValues,
  options: RunOptions,
  repeat: number,
): Promise<{ outputs: RunOutputs; milliseconds: number }> {
  const executable = await runtime.compile(checked.pipeline);
  try {
    let milliseconds = Number.POSITIVE_INFINITY;
    let outputs: RunOutputs = {};
    for (let i = 0; i < repeat; i++) {
      const start = performance.now();
      outputs = await executable.run(values, options);
      milliseconds = Math.min(milliseconds, performance.now() - start);
    }
    return { outputs, milliseconds };
  } finally {
    executable.dispose();
  }
}

/** One row a device. */
export function deviceTable(results: readonly DeviceResult[]): string {
  const rows = results.map((result) => {
    const { target, device, state, milliseconds, flushesSubnormals } = result;
    const time = milliseconds === undefined ? state : `${milliseconds.toFixed(2)} ms`;
    const verdict = verdictOf(result);
    return [target, device, time, flushesSubnormals ? `${verdict}; flushes f32 subnormals` : verdict];
  });
  return table([["target", "device", "time", "result"], ...rows]);
}

function verdictOf({ problem, difference, equal }: DeviceResult): string {
  if (problem) return problem.what;
  if (!difference) return equal === undefined ? "(the others are compared with it)" : "equal";
  const { output, index, what } = difference;
  return `differs: ${output}${index === undefined ? "" : `[${index}]`}: ${what}`;
}

function writeOutputs(
  directory: string,
  types: Readonly<Record<string, Scalar>>,
  outputs: RunOutputs,
  cwd: string,
): string[] {
  const files = Object.entries(outputs).map(([name, array]) => ({
    path: `${name}.npy`,
    data: writeNpy(types[name] as Scalar, array),
  }));
  return writeFiles(directory, files, cwd);
}

function textOf(
  results: readonly DeviceResult[],
  types: Readonly<Record<string, Scalar>>,
  outputs: RunOutputs,
  written: readonly string[],
  count: number,
): string {
  const shown = written.length
    ? written
    : Object.entries(outputs).map(([name, array]) => showArray(name, types[name] as Scalar, array, count));
  const lines = shown.map((line) => `${line}\n`).join("");
  const [only] = results;
  if (results.length === 1 && only) return `${lines}${only.device}: ${only.milliseconds?.toFixed(2)} ms\n`;
  const ran = results.filter(({ state }) => state === "ran");
  const differing = ran.filter(({ equal }) => equal === false).length;
  const verdict = differing
    ? `${differing} of ${ran.length} devices differ`
    : ran.length > 1
      ? `all ${ran.length} results are equal, bit for bit`
      : "only one device ran: nothing was compared";
  return `${lines}\n${deviceTable(results)}${verdict}\n`;
}
