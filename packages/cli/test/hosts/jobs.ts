/** Jobs as files that the drivers of hosts read: a line for each argument, and one for each run. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Manifest, Scalar } from "@groupwise/core";
import { numberToHalf, SCALARS, userParams } from "@groupwise/core/target";
import type { HostJob } from "./pipelines.ts";

/** A run of emitted files. */
export interface HostRun {
  readonly job: HostJob;
  readonly manifest: string;
  readonly source: string;
  readonly out: string;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);

/** The bits of a number as a whole number. */
function bitsOf(type: Scalar, value: number | bigint | boolean): bigint {
  const view = new DataView(new ArrayBuffer(8));
  if (type === "f64") view.setFloat64(0, value as number, true);
  else if (type === "f32") view.setFloat32(0, value as number, true);
  else if (type === "f16") view.setUint16(0, numberToHalf(value as number), true);
  else view.setBigUint64(0, BigInt.asUintN(SCALARS[type].bits, BigInt(value)), true);
  return view.getBigUint64(0, true);
}

/** The lines of a job and its runs. Arrays and results are files of the folder. */
function linesOf({ job, manifest, source, out }: HostRun, index: number, folder: string): string[] {
  const read: Manifest = JSON.parse(readFileSync(manifest, "utf8"));
  const types = new Map(read.bindings.map(({ name, type }) => [name, type]));
  const scalars = new Map(userParams(read).map(({ name, type }) => [name, type]));
  mkdirSync(out, { recursive: true });
  const values = Object.entries(job.values).map(([name, value]) => {
    if (!ArrayBuffer.isView(value))
      return `number ${name} ${scalars.get(name) ?? "u32"} ${bitsOf(scalars.get(name) ?? "u32", value as number)}`;
    const file = join(folder, `${index}-${name}.bin`);
    writeFileSync(file, bytesOf(value));
    return `array ${name} ${job.types?.[name] ?? types.get(name) ?? "u32"} ${file}`;
  });
  const { globalSize, globalOffset, n } = job.options ?? {};
  const size = globalSize ?? (n === undefined ? undefined : [n]);
  return [
    `job ${read.pipeline}`,
    ...values,
    ...(size ? [`size ${size.join(" ")}`] : []),
    ...(globalOffset ? [`offset ${globalOffset.join(" ")}`] : []),
    `run ${manifest} ${source} ${out}`,
  ];
}

/** Writes the file of jobs; its path. */
export function writeJobs(runs: readonly HostRun[], folder: string): string {
  const path = join(folder, "jobs");
  writeFileSync(path, `${runs.flatMap((run, i) => linesOf(run, i, folder)).join("\n")}\n`);
  return path;
}

/** What a run wrote: the bytes of each output, or the message of the error. */
export const writtenBy = ({ out }: Pick<HostRun, "out">): Readonly<Record<string, Uint8Array>> =>
  Object.fromEntries(readdirSync(out).map((name) => [name, new Uint8Array(readFileSync(join(out, name)))]));

/** The bytes of results in memory. */
export const bytesOfAll = (
  results: Readonly<Record<string, unknown>>,
): Readonly<Record<string, Uint8Array>> =>
  Object.fromEntries(
    Object.entries(results).map(([name, value]) => [
      name,
      Uint8Array.from(
        ArrayBuffer.isView(value) ? bytesOf(value) : Uint8Array.from([value as number], Number),
      ),
    ]),
  );
