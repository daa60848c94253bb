/** Cuts over ranks of the pipeline with a scan of each kind, and their expected results. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HostArray } from "@groupwise/core";
import { carried, inputsOf, numbers, outputBytes, raw } from "./carried.ts";
import type { Mpi } from "./libraries.ts";
import { type Cut, layoutOf, ranksMain, wordsOf } from "./program.ts";

/** The program of ranks. @param hasDevice of `--target opencl --mpi` */
export const carriedMain = (hasDevice: boolean): string => ranksMain([layoutOf(carried.ir)], hasDevice);

type Spread = readonly [spread: Cut["spread"], chunk: number];
/** The distribution of items and the length of chunks. */
export const CUTS: readonly Spread[] = [
  ["unequal", 0],
  ["unequal", 1000],
  ["unequal", 1],
  ["last", 0],
  ["last", 77],
];
export const FULL_CUTS: readonly Spread[] = [...CUTS, ["unequal", 65536], ["last", 1]];
/** More items than a chunk of 2^20 + 7 has, so that parts of few ranks are several chunks. */
export const LONG: Pick<Whole, "n" | "cuts"> = {
  n: 2_200_013,
  cuts: [
    ["unequal", 0],
    ["unequal", 65536],
    ["unequal", 1048583],
  ],
};

/** All items, and the results of one run over them. */
export interface Whole {
  readonly n: number;
  readonly cuts: readonly Spread[];
  readonly want: Uint8Array;
}

/**
 * Writes the inputs of all items into a folder.
 * @param run one run over them
 */
export async function writeItems(
  { n, cuts }: Pick<Whole, "n" | "cuts">,
  folder: string,
  run: (values: Readonly<Record<string, HostArray>>) => Promise<object>,
): Promise<Whole> {
  const values = inputsOf(n, numbers(11));
  writeFileSync(join(folder, "in"), Buffer.concat(Object.values(values).map(raw)));
  return { n, cuts, want: Buffer.concat(outputBytes(await run(values))) };
}

/** The error of a program if it failed, and the cuts under which its results differ; empty if there are none. */
export async function problemsOf(
  { n, cuts, want }: Whole,
  mpi: Mpi,
  ranks: number,
  folder: string,
  env?: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const all = cuts.map(([spread, chunk]): Cut => ({ pipeline: 0, n, input: "in", spread, chunk }));
  const { code, stderr } = await mpi.run(ranks, "./ranks", wordsOf("out", all), folder, env);
  if (code !== 0) return [`${ranks} ranks ended with ${code}: ${stderr}`];
  const got = readFileSync(join(folder, "out"));
  if (got.length !== cuts.length * want.length) return [`${ranks} ranks wrote ${got.length} bytes`];
  const bytesAt = (i: number): Uint8Array => got.subarray(i * want.length, (i + 1) * want.length);
  return cuts
    .filter((_, i) => Buffer.compare(bytesAt(i), want) !== 0)
    .map((cut) => `${ranks} ranks, ${cut.join(" ")}`);
}
