/** Cuts over ranks of the pipeline with a scan of each kind, and their expected results. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HostArray } from "@groupwise/core";
import { numbers } from "../data/random.ts";
import { withOneNan } from "./again.ts";
import { carried, inputsOf, outputBytes, raw } from "./carried.ts";
import type { Mpi } from "./libraries.ts";
import { picked, pickedBytes, pickedInputs } from "./picked.ts";
import { type Cut, type Layout, layoutOf, ranksMain, wordsOf } from "./program.ts";

/** The program of ranks for both pipelines. @param hasDevice of `--target opencl --mpi` */
export const carriedMain = (hasDevice: boolean): string =>
  ranksMain([layoutOf(carried.ir), layoutOf(picked.ir)], hasDevice);

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
  /** The number of the pipeline in the program, and the file of its inputs. */
  readonly pipeline: number;
  readonly input: string;
  readonly cuts: readonly Spread[];
  readonly want: Uint8Array;
  /** The outputs, if floats may be NaN, whose bits may differ. */
  readonly nans?: Layout;
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
  return { n, pipeline: 0, input: "in", cuts, want: Buffer.concat(outputBytes(await run(values))) };
}

/** Writes the inputs of a pipeline of compactions into a folder. @param selection of {@link pickedInputs} */
export function writePicked(
  { n, cuts }: Pick<Whole, "n" | "cuts">,
  selection: string,
  folder: string,
): Whole {
  const values = pickedInputs(selection, n);
  const input = `in-${selection}`;
  writeFileSync(join(folder, input), Buffer.concat(Object.values(values).map(raw)));
  const { outputs } = layoutOf(picked.ir);
  const bytes = pickedBytes(values).map((given, i) => {
    const { isAppended, bytes: each } = outputs[i] as (typeof outputs)[number];
    return isAppended ? Buffer.concat([given, Buffer.alloc(each * n - given.length)]) : given;
  });
  return { n, pipeline: 1, input, cuts, want: Buffer.concat(bytes) };
}

/** The error of a program if it failed, and the cuts under which its results differ; empty if there are none. All runs are one job. */
export async function problemsOf(
  wholes: readonly Whole[],
  mpi: Mpi,
  ranks: number,
  folder: string,
  env?: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const runs = wholes.flatMap(({ want, cuts, nans, ...rest }) =>
    cuts.map(([spread, chunk]) => ({ want, nans, cut: { ...rest, spread, chunk } })),
  );
  const words = wordsOf(
    "out",
    runs.map(({ cut }) => cut),
  );
  const { code, stderr } = await mpi.run(ranks, "./ranks", words, folder, env);
  if (code !== 0) return [`${ranks} ranks ended with ${code}: ${stderr}`];
  const got = readFileSync(join(folder, "out"));
  const size = runs.reduce((sum, { want }) => sum + want.length, 0);
  if (got.length !== size) return [`${ranks} ranks wrote ${got.length} bytes`];
  let at = 0;
  return runs.flatMap(({ want, nans, cut: { input, n, spread, chunk } }) => {
    at += want.length;
    const own = got.subarray(at - want.length, at);
    const isSame = Buffer.compare(nans ? withOneNan(own, nans, n) : own, want) === 0;
    return isSame ? [] : [`${ranks} ranks, ${input}, ${spread} ${chunk}`];
  });
}
