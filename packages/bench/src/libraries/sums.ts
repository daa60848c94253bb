/** Sums and running sums of libraries on one thread: each result is compared with a loop, and then all are timed in turns. */
import { quantileOf } from "../measure/samples.ts";
import { type MeasuredOn, surroundings } from "../measure/surroundings.ts";
import { hash } from "../primitives/job.ts";
import { itemsText, markdownTable, textTable } from "../print/tables.ts";
import { LIBRARIES } from "./libraries.ts";

export type SumArray = Float32Array | Float64Array | Int32Array | BigInt64Array;
export type SumType = "f32" | "f64" | "i32" | "i64";
export type SumForm = "scan" | "reduce";

/** A job on its input, which lies where the library keeps arrays if it has such a place. */
export interface Timed {
  /** Computes the result, and leaves it where the library puts it. */
  run(): Promise<void> | void;
  /** The result of the last run. */
  read(): Promise<SumArray> | SumArray;
  dispose?(): Promise<void> | void;
}

/** A library that is ready. */
export interface SumLibrary {
  readonly version?: string;
  /** The inclusive scan or the reduce of an array by sums; undefined: the library has none. */
  make(form: SumForm, type: SumType, x: SumArray): Promise<Timed> | Timed | undefined;
  dispose?(): Promise<void> | void;
}

interface Cell {
  readonly medianMs: number;
  /** Of the greatest difference from a sum in 64 bits, over that sum; of integers 1 if a result differs. */
  readonly error: number;
}

interface Row {
  readonly form: SumForm;
  readonly type: SumType;
  readonly n: number;
  /** By the name of the library. */
  readonly cells: Readonly<Record<string, Cell>>;
}

export interface LibraryTimes {
  readonly surroundings: MeasuredOn;
  readonly versions: Readonly<Record<string, string | undefined>>;
  readonly rounds: number;
  readonly rows: readonly Row[];
}

/** Floats from 0 to 1, and integers whose sums do not wrap. */
function operands(type: SumType, n: number): SumArray {
  const whole = (i: number): number => (hash(i) & 127) - 64;
  if (type === "i64") return BigInt64Array.from({ length: n }, (_, i) => BigInt(whole(i)));
  if (type === "i32") return Int32Array.from({ length: n }, (_, i) => whole(i));
  const values = type === "f32" ? new Float32Array(n) : new Float64Array(n);
  for (let i = 0; i < n; i++) values[i] = hash(i) / 2 ** 32;
  return values;
}

/** The greatest error of a result. The sum is compensated. Source: Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen" (1974), IV. */
export function errorOfSums(form: SumForm, x: SumArray, got: SumArray): number {
  const isFloat = x instanceof Float32Array || x instanceof Float64Array;
  let [rounded, lost, worst] = [0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    const value = Number(x[i]);
    const next = rounded + value;
    lost += Math.abs(rounded) >= Math.abs(value) ? rounded - next + value : value - next + rounded;
    rounded = next;
    if (form === "reduce" && i < x.length - 1) continue;
    const sum = rounded + lost;
    const difference = Math.abs(Number(got[form === "scan" ? i : 0]) - sum);
    if (difference > 0) worst = Math.max(worst, isFloat ? difference / Math.abs(sum) : 1);
  }
  return worst;
}

const TYPES: readonly SumType[] = ["f32", "f64", "i32", "i64"];
const FORMS: readonly SumForm[] = ["scan", "reduce"];
/** Rounds before the first that counts: engines compile what ran often. */
const WARM_UPS = 3;
/** Items that one sample computes at least. */
const PER_SAMPLE = 2 ** 18;

async function rowOf(
  libraries: ReadonlyMap<string, SumLibrary>,
  { form, type, n }: Omit<Row, "cells">,
  rounds: number,
): Promise<Row> {
  const x = operands(type, n);
  const all: { name: string; made: Timed; error: number; times: number[] }[] = [];
  for (const [name, library] of libraries) {
    const made = await library.make(form, type, x);
    if (!made) continue;
    await made.run();
    all.push({ name, made, error: errorOfSums(form, x, await made.read()), times: [] });
  }
  const runs = Math.ceil(PER_SAMPLE / n);
  for (let round = -WARM_UPS; round < rounds; round++)
    for (const { made, times } of all) {
      const begun = performance.now();
      for (let i = 0; i < runs; i++) await made.run();
      if (round >= 0) times.push((performance.now() - begun) / runs);
    }
  for (const { made } of all) await made.dispose?.();
  const cells = all.map(({ name, times, error }) => {
    const sorted = times.sort((a, b) => a - b);
    return [name, { medianMs: quantileOf(sorted, 0.5), error }] as const;
  });
  return { form, type, n, cells: Object.fromEntries(cells) };
}

/** Measures all libraries in this process. @throws GroupwiseError `device-missing` if one cannot be fetched */
export async function librarySums(choice: {
  readonly sizes: readonly number[];
  readonly rounds: number;
  readonly say: (line: string) => void;
}): Promise<LibraryTimes> {
  const libraries = new Map<string, SumLibrary>();
  for (const [name, open] of Object.entries(LIBRARIES)) libraries.set(name, await open());
  const rows: Row[] = [];
  for (const form of FORMS)
    for (const type of TYPES)
      for (const n of choice.sizes) {
        choice.say(`${form} add ${type} of ${itemsText(n)}`);
        rows.push(await rowOf(libraries, { form, type, n }, choice.rounds));
      }
  for (const library of libraries.values()) await library.dispose?.();
  const versions = Object.fromEntries([...libraries].map(([name, { version }]) => [name, version]));
  return { surroundings: surroundings(), versions, rounds: choice.rounds, rows };
}

/** A row for each job, a column for each library. */
export function printLibraries(
  { surroundings: { date, node, cpu }, versions, rounds, rows }: LibraryTimes,
  isMarkdown: boolean,
): string {
  const table = isMarkdown ? markdownTable : textTable;
  const names = Object.keys(versions);
  const heads = names.map((name) => [name, versions[name]].filter(Boolean).join(" "));
  const tableOf = (what: string, cell: (one: Cell, n: number) => string): string =>
    table([
      [what, ...heads],
      ...rows.map(({ form, type, n, cells }) => [
        `${form} add ${type}, ${itemsText(n)}`,
        ...names.map((name) => (cells[name] ? cell(cells[name], n) : "-")),
      ]),
    ]);
  return `${[
    `Sums and running sums on one thread, in turns, medians of ${rounds} (${date.slice(0, 10)}, Node ${node}, ${cpu}).`,
    tableOf("ns an item", ({ medianMs }, n) => ((medianMs * 1e6) / n).toPrecision(3)),
    tableOf("greatest relative error", ({ error }) => (error === 0 ? "0" : error.toExponential(0))),
  ].join("\n\n")}\n`;
}
