/** Outputs as one table: a .csv or .arrow file, which has a column for each. */
import { extname, resolve } from "node:path";
import type { ArrayType, Checked, HostArray, RunOutputs } from "@groupwise/core";
import { loadFailure, typeOfSink } from "@groupwise/core/target";
import { badUsage } from "../base/problem.ts";
import { literals } from "./show.ts";

/** An output of the table. */
interface Column {
  readonly name: string;
  readonly type: ArrayType;
  readonly values: HostArray;
}

type Write = (columns: readonly Column[]) => Uint8Array;

/** Where the CSV of `--out` is stdout. */
const PIPED = "-:csv";

/** The writers by extension. Loading one finds out whether it can write. */
const WRITERS: Readonly<Record<string, () => Promise<Write>>> = {
  ".csv": async () => csvOf,
  ".arrow": arrowWriter,
};

const writerOf = (out: string): (() => Promise<Write>) | undefined =>
  new Map(Object.entries(WRITERS)).get(out === PIPED ? ".csv" : extname(out).toLowerCase());

/** Whether `--out` names a table. */
export const isTableFile = (out: string): boolean => writerOf(out) !== undefined;

/** Where a table goes, and its writer. */
export interface TableFile {
  /** Undefined for stdout. */
  readonly path: string | undefined;
  readonly write: Write;
}

/**
 * The table that `--out` names; undefined if it names a folder.
 * @param inputs the files that are read
 * @throws GroupwiseError `bad-usage` for a table that cannot be written, or that would replace an input
 */
export async function tableFile(
  out: string | undefined,
  inputs: readonly string[],
  cwd: string,
): Promise<TableFile | undefined> {
  const load = out === undefined ? undefined : writerOf(out);
  if (out === undefined || !load) return undefined;
  const isPiped = out === PIPED;
  if (!isPiped && inputs.some((path) => resolve(cwd, path) === resolve(cwd, out)))
    throw badUsage(`--out ${out} would replace an input`, "pass another name", out);
  return { path: isPiped ? undefined : out, write: await load() };
}

/**
 * The columns of the table: the outputs that have a value for each item, or elements of their own; if there are none, those of one value.
 * @throws GroupwiseError `bad-usage` if their lengths differ
 */
export function columnsOf(checked: Checked, outputs: RunOutputs): readonly Column[] {
  const { sinks, uniformities, pipeline } = checked;
  const listed = sinks.filter(({ id, kind }) => kind === "scatter" || uniformities[id] !== "uniform");
  const columns = (listed.length > 0 ? listed : sinks).map((sink) => ({
    name: sink.name,
    type: typeOfSink(checked, sink),
    values: outputs[sink.name] as HostArray,
  }));
  if (columns.every(({ values }) => values.length === columns[0]?.values.length)) return columns;
  const lengths = columns.map(({ name, values }) => `${name} ${values.length}`).join(", ");
  throw badUsage(
    `the outputs have several lengths (${lengths}), and the columns of a table have one`,
    "pass a folder to --out: each output is then an .npy file",
    pipeline.name,
  );
}

/** Rows whose text is made at once, because all of it may be longer than an engine's longest string. */
const ROWS = 2 ** 14;

/** Headings, then the exact values: `nan`, `inf`, `-inf`, `true` and `false` are words. */
function csvOf(columns: readonly Column[]): Uint8Array {
  const pieces = [Buffer.from(`${columns.map(({ name }) => cellOf(name)).join(",")}\n`)];
  const length = columns[0]?.values.length ?? 0;
  for (let from = 0; from < length; from += ROWS) {
    const texts = columns.map(({ type, values }) => literals(type, values, from, from + ROWS));
    const rows = texts[0]?.map((_, i) => `${texts.map((column) => column[i]).join(",")}\n`) ?? [];
    pieces.push(Buffer.from(rows.join("")));
  }
  return Buffer.concat(pieces);
}

const cellOf = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** @throws GroupwiseError `bad-usage` without apache-arrow */
async function arrowWriter(): Promise<Write> {
  let arrow: typeof import("apache-arrow");
  try {
    arrow = await import("apache-arrow");
  } catch (error) {
    throw badUsage(
      `Arrow files cannot be written: ${loadFailure("apache-arrow", error)}`,
      "npm install apache-arrow; only `run --out FILE.arrow` needs it",
    );
  }
  const { Bool, Float16, makeData, makeVector, Table, tableToIPC, Vector, vectorFromArray } = arrow;
  // A typed array is a column of its own type; a bf16 is its 16 bits, as Arrow has no such type.
  const vectorOf = ({ type, values }: Column): import("apache-arrow").Vector => {
    if (type === "bool") return vectorFromArray(Array.from(values, Boolean), new Bool());
    if (type !== "f16") return makeVector(values as Float32Array);
    return new Vector([makeData({ type: new Float16(), data: values as Uint16Array })]);
  };
  return (columns) =>
    tableToIPC(
      new Table(Object.fromEntries(columns.map((column) => [column.name, vectorOf(column)]))),
      "file",
    );
}
