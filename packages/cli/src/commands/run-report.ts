/** Printed and written results of runs. */
import { basename, dirname } from "node:path";
import type { ArrayType, Checked, RunOutputs } from "@groupwise/core";
import { fastUseOf, typeOfSink } from "@groupwise/core/target";
import type { OutputDifference } from "../base/compare.ts";
import { writeFiles } from "../base/files.ts";
import type { Problem } from "../base/problem.ts";
import { table } from "../base/table.ts";
import { writeNpy } from "../values/npy.ts";
import { showArray } from "../values/show.ts";
import { columnsOf, type TableFile } from "../values/table-file.ts";

/** The result of a run on one device. */
export interface DeviceResult {
  readonly target: string;
  readonly device: string;
  readonly driver: string;
  /** `refused`: the target or the device does not support this pipeline. `failed`: the run ended with another error. */
  readonly state: "ran" | "refused" | "failed";
  /** The fastest run after the first, copies included. */
  readonly milliseconds?: number;
  /** Compilation and the first run. */
  readonly coldMilliseconds?: number;
  readonly outputs?: RunOutputs;
  /** Bit for bit equal to the reference, or to the first device that ran; absent for what is compared with itself, and if subnormal numbers may be flushed. */
  readonly equal?: boolean;
  readonly difference?: OutputDifference;
  /** True with the option `subnormals: "flush"`, if the pipeline computes f32 and the device flushes subnormal numbers: the result is not compared. */
  readonly flushesSubnormals?: boolean;
  readonly problem?: Problem;
}

/** Reasons why the results of devices may legitimately differ. */
export function notesOnOrder(pipeline: Checked["pipeline"]): string[] {
  const { nodes } = pipeline;
  const { functions, outputs } = fastUseOf(pipeline);
  const isOpen = nodes.some(
    (node) =>
      "order" in node &&
      node.order === "any" &&
      node.type.startsWith("f") &&
      (node.op === "add" || node.op === "mul"),
  );
  const fast = functions.length
    ? [
        `${functions.join(", ")} may be the language's own (fast: true), so bits may differ in: ${outputs.join(", ")}`,
      ]
    : [];
  return isOpen
    ? [
        ...fast,
        'the pipeline leaves the order of float sums or products open (order: "any"), so their last bits may differ',
      ]
    : fast;
}

export function notesOnSubnormals(results: readonly DeviceResult[]): string[] {
  return results
    .filter((result) => result.flushesSubnormals)
    .map(
      ({ device }) =>
        `${device} flushes subnormal f32, which --subnormals flush allows: its results are not compared`,
    );
}

/** By output name. */
export function typesOf(checked: Checked): Record<string, ArrayType> {
  return Object.fromEntries(checked.sinks.map((sink) => [sink.name, typeOfSink(checked, sink)]));
}

/** The time of a run, and that of the first one with compilation. */
const timesOf = ({ milliseconds = 0, coldMilliseconds = 0 }: DeviceResult): string =>
  `${milliseconds.toFixed(2)} ms (cold, with compilation: ${coldMilliseconds.toFixed(2)} ms)`;

/** One row a device. */
export function deviceTable(results: readonly DeviceResult[]): string {
  const rows = results.map((result) => {
    const { target, device, state } = result;
    const time = result.milliseconds === undefined ? state : timesOf(result);
    return [target, device, time, verdictOf(result)];
  });
  return table([["target", "device", "time", "result"], ...rows]);
}

function verdictOf({ problem, difference, equal, flushesSubnormals }: DeviceResult): string {
  if (problem) return problem.what;
  if (flushesSubnormals) return "not compared: it flushes subnormal f32";
  if (!difference) return equal === undefined ? "(reference for the others)" : "equal";
  const { output, index, what } = difference;
  return `differs: ${output}${index === undefined ? "" : `[${index}]`}: ${what}`;
}

export function writeOutputs(
  directory: string,
  types: Readonly<Record<string, ArrayType>>,
  outputs: RunOutputs,
  cwd: string,
): string[] {
  const files = Object.entries(outputs).map(([name, array]) => ({
    path: `${name}.npy`,
    data: writeNpy(types[name] as ArrayType, array),
  }));
  return writeFiles(directory, files, cwd);
}

/** The results of a run outside of the command. */
interface Written {
  /** Paths of the files. */
  readonly files: readonly string[];
  /** The outputs in them. */
  readonly names: readonly string[];
  /** What goes to stdout in place of the report. */
  readonly piped?: string;
}

/** Writes the outputs to a folder, or those of a table to its file. @throws GroupwiseError `bad-usage`, `bad-file` */
export function writeResults(
  { checked, outputs, cwd }: { checked: Checked; outputs: RunOutputs; cwd: string },
  out: string | undefined,
  table: TableFile | undefined,
): Written {
  if (out === undefined) return { files: [], names: [] };
  if (!table)
    return { files: writeOutputs(out, typesOf(checked), outputs, cwd), names: Object.keys(outputs) };
  const columns = columnsOf(checked, outputs);
  const names = columns.map(({ name }) => name);
  const data = table.write(columns);
  if (table.path === undefined) return { files: [], names, piped: new TextDecoder().decode(data) };
  const file = { path: basename(table.path), data };
  return { files: writeFiles(dirname(table.path), [file], cwd), names };
}

/** What a run printed or wrote, and how it was compared. */
export interface Shown {
  readonly types: Readonly<Record<string, ArrayType>>;
  readonly outputs: RunOutputs;
  readonly written: Written;
  /** Elements of each output. */
  readonly count: number;
  readonly isByReference: boolean;
}

export function textOf(
  results: readonly DeviceResult[],
  { types, outputs, written, count, isByReference }: Shown,
): string {
  const others = Object.entries(outputs).filter(([name]) => !written.names.includes(name));
  const shown = others.map(([name, array]) => showArray(name, types[name] as ArrayType, array, count));
  const lines = [...written.files, ...shown].map((line) => `${line}\n`).join("");
  const [only] = results;
  if (results.length === 1 && only) return `${lines}${only.device}: ${timesOf(only)}\n`;
  return `${lines}\n${deviceTable(results)}${comparison(results, isByReference)}\n`;
}

function comparison(results: readonly DeviceResult[], isByReference: boolean): string {
  const ran = results.filter(({ state, flushesSubnormals }) => state === "ran" && !flushesSubnormals);
  const differing = ran.filter(({ equal }) => equal === false).length;
  const [first] = ran;
  if (ran.length < 2 && !(isByReference && first)) return "nothing was compared";
  const by = isByReference ? "the reference interpreter" : (first?.device ?? "");
  return differing
    ? `${differing} of ${ran.length} devices differ from ${by}`
    : `all ${ran.length} results are equal, bit for bit, compared with ${by}`;
}
