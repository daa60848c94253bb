import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ArrayType, HostArray } from "@groupwise/core";
import { stringifyPipeline } from "@groupwise/core/schema";
import { f32, param, pipeline, u32 } from "@groupwise/dsl";
import { scratchDirectory } from "@groupwise/testkit/devices";
import { main } from "../src/main.ts";
import { readColumns } from "../src/values/csv.ts";

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** stdout as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the test looks at
  json(): any;
}

/** Runs the command line in this process. */
export async function cli(cwd: string, ...argv: string[]): Promise<Ran> {
  let [out, err] = ["", ""];
  const io = {
    out: (text: string) => {
      out += text;
    },
    err: (text: string) => {
      err += text;
    },
    cwd,
    isTerminal: false,
  };
  const code = await main(argv, io);
  return { code, out, err, json: () => JSON.parse(out) };
}

/** One column of a .csv or .tsv file, for an input that is named `x`. */
export async function readCsv(
  path: string,
  cwd: string,
  type: ArrayType,
  column?: string,
  absent?: string,
): Promise<HostArray> {
  const table = { path, cwd, isTsv: path.endsWith(".tsv"), null: absent };
  const [values] = await readColumns(table, [{ name: "x", type, column }]);
  return values as HostArray;
}

/** A folder with these files, gone after the tests. */
export function folder(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const directory = scratchDirectory();
  for (const [name, data] of Object.entries(files)) writeFileSync(join(directory, name), data);
  return directory;
}

export const listed = (directory: string): string[] => readdirSync(directory).sort();

const LINES = pipeline("lines", { text: u32 }, ({ text }, { index }) => {
  const isBreak = text.eq(10);
  const line = isBreak.toU32().scanExclusive("add");
  return {
    line,
    starts: index().add(1).scatter({ to: line, where: isBreak }),
    lines: isBreak.toU32().reduce("add"),
  };
});
const AXPY = pipeline("axpy", { x: f32, y: f32, a: param(f32) }, ({ x, y, a }) => ({
  z: x.mul(a).add(y),
  total: x.mul(a).add(y).reduce("add"),
}));

/** Documents that the tests run. */
export const LINES_JSON: string = stringifyPipeline(LINES.ir);
export const AXPY_JSON: string = stringifyPipeline(AXPY.ir);

/** A module as an author writes it. */
export const LINES_TS = `import { pipeline, u32, type PipelineOptions } from "@groupwise/dsl";
const options: PipelineOptions = { workGroupSize: 64 };
export const breaks = pipeline("breaks", { text: u32 }, ({ text }) => ({ any: text.eq(10).any() }), options);
export default pipeline("lines", { text: u32 }, ({ text }) => ({
  lines: text.eq(10).toU32().reduce("add"),
}));
`;
