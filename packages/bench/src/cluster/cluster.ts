/** Computes the bytes, messages and time of many ranks from the rates of this machine. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { f32, pipeline } from "@groupwise/dsl";
import { emitMpi } from "@groupwise/target-c/mpi";
import { missing, runProcess } from "@groupwise/testkit/devices";
import { findMpi, LIBRARIES } from "@groupwise/testkit/mpi";
import type { Absent } from "../devices/candidate.ts";
import { type Surroundings, surroundings } from "../measure/surroundings.ts";
import { RATES } from "./rates-program.ts";

const sums = pipeline("sums", { x: f32 }, ({ x }) => ({
  sums: x.scanInclusive("add"),
  total: x.reduce("add"),
}));
const ITEM = 4;

export interface ClusterChoice {
  readonly ranks: number;
  readonly items: number;
  /** Items of a chunk of the emitted program. */
  readonly chunk: number;
  /** Assumptions: microseconds of a message between machines, its bytes per second, and bytes per second of all files. */
  readonly latencyUs: number;
  readonly networkRate: number;
  readonly fileRate: number;
  /** Items that are measured. */
  readonly n: number;
}

/** Nanoseconds an item of `copy`, `plain`, `step`, `long`, `short` and `part`; microseconds of `merge`, `exscan` and `agree`; `bytes` of a state. */
export type Rates = Readonly<Record<string, number>>;

export interface Cluster {
  readonly surroundings: Surroundings;
  readonly choice: ClusterChoice;
  readonly rates: readonly { readonly library: string; readonly rates: Rates }[];
  readonly plan: readonly (readonly [what: string, amount: string])[];
  readonly absent: readonly Absent[];
}

async function ratesOf(library: (typeof LIBRARIES)[number], n: number): Promise<Rates | string> {
  const mpi = await findMpi(library);
  if (!mpi.found) return mpi.reason;
  const folder = mkdtempSync(join(tmpdir(), "groupwise-rates-"));
  try {
    const files = [...emitMpi(sums).files, { path: "rates.c", text: RATES }];
    for (const { path, text } of files) writeFileSync(join(folder, path), text);
    const sources = files.map(({ path }) => path).filter((path) => /(?<!_main)\.c$/.test(path));
    const flags = ["-std=c11", "-O3", "-march=native", "-ffp-contract=off"];
    const made = await runProcess(mpi.value.compiler, [...flags, ...sources, "-o", "rates"], { cwd: folder });
    if (made.code !== 0) return missing(made.stderr.slice(0, 2000)).reason;
    // Loops run without a second rank, which would poll and use the same cores.
    const alone = await mpi.value.run(1, "./rates", [String(n), "alone"], folder);
    const both = await mpi.value.run(2, "./rates", ["1000"], folder);
    const lines = `${alone.stdout}${both.stdout}`.trim().split("\n");
    return Object.fromEntries(lines.map((line) => [line.split(" ")[0], Number(line.split(" ")[1])]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const number = (x: number): string =>
  x >= 1e5 || x < 0.01 ? x.toExponential(1) : String(Number(x.toPrecision(3)));

/** The table of a plan. */
export function planOf(choice: ClusterChoice, rates: Rates): Cluster["plan"] {
  const { ranks, items, chunk, latencyUs, networkRate, fileRate } = choice;
  const { long = 0, part = 0, merge = 0, bytes = 0 } = rates;
  const rounds = Math.ceil(Math.log2(ranks));
  const own = items / ranks;
  const message = latencyUs * 1e-6 + bytes / networkRate;
  const agreement = rounds * latencyUs * 1e-6;
  const turns = 2 * Math.ceil(own / chunk);
  const merging = rounds * 2 * merge * 1e-6;
  const loops = own * (part + long) * 1e-9;
  return [
    ["items of a rank", number(own)],
    ["bytes that a rank reads twice, and writes", number(own * ITEM)],
    ["seconds of its loops", number(loops)],
    ["bytes of a state", number(bytes)],
    ["messages of a rank for states (recursive doubling)", number(rounds)],
    ["bytes of all states that are sent", number(rounds * ranks * bytes)],
    ["seconds of `MPI_Exscan`: messages", number(rounds * message)],
    ["seconds of `MPI_Exscan`: merges", number(merging)],
    ["seconds of a linear `MPI_Exscan`", number(ranks * (message + merge * 1e-6))],
    ["chunks of a rank in both passes", number(turns)],
    ["seconds in which ranks agree that all is well, once for each chunk", number(turns * agreement)],
    ["bytes of all files that are read and written", number(3 * items * ITEM)],
    ["seconds for them", number((3 * items * ITEM) / fileRate)],
  ];
}

/** Measures this machine, and computes the plan. */
export async function cluster(choice: ClusterChoice): Promise<Cluster> {
  const rates: Cluster["rates"][number][] = [];
  const absent: Absent[] = [];
  for (const library of LIBRARIES) {
    const found = await ratesOf(library, choice.n);
    if (typeof found === "string") absent.push({ name: library.name, reason: found });
    else rates.push({ library: library.name, rates: found });
  }
  const least = (name: string): number =>
    Math.min(...rates.map((one) => one.rates[name] ?? Number.POSITIVE_INFINITY));
  const names = Object.keys(rates[0]?.rates ?? {});
  const plan = planOf(choice, Object.fromEntries(names.map((name) => [name, least(name)])));
  return { surroundings: surroundings(), choice, rates, plan, absent };
}

export function printCluster(
  { choice, rates, plan, absent }: Cluster,
  table: (rows: string[][]) => string,
): string {
  const names = Object.keys(rates[0]?.rates ?? {});
  return `${[
    table([
      ["library", ...names],
      ...rates.map(({ library, rates: all }) => [
        library,
        ...names.map((name) => number(all[name] ?? Number.NaN)),
      ]),
    ]),
    "",
    table([
      ["", `${number(choice.items)} f32 on ${number(choice.ranks)} ranks`],
      ...plan.map(([what, amount]) => [what, amount]),
    ]),
    ...absent.map(({ name, reason }) => `${name}: ${reason}`),
  ].join("\n")}\n`;
}
