import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ArrayType, HostArray } from "@groupwise/core";
import { stringifyPipeline } from "@groupwise/core/schema";
import { f32, param, pipeline, u32 } from "@groupwise/dsl";
import { scratchDirectory } from "@groupwise/testkit/devices";
import { expect } from "vitest";
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

/** The same with words that are separated by spaces, and others after them. */
export const say = (cwd: string, line: string, ...more: string[]): Promise<Ran> =>
  cli(cwd, ...line.split(" "), ...more);

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

/** The bytes of the files in a folder, save hidden ones. */
export const bytesIn = (directory: string): Record<string, string> =>
  Object.fromEntries(
    listed(directory)
      .filter((name) => !name.startsWith("."))
      .map((name) => [name, readFileSync(join(directory, name)).toString("hex")]),
  );

/** What a stream reads: a truth value that is none ends it at that item. */
export interface Streamed {
  readonly at: string;
  /** `run`, the pipeline and its inputs. */
  readonly run: readonly string[];
  /** The truth values in `starts.raw`. */
  readonly starts: Uint8Array;
}
/** Chunks of each size write the files of one run, which are in the folder `whole`, and nothing else. */
export async function expectChunks(
  { at, run }: Omit<Streamed, "starts">,
  sizes: readonly number[],
): Promise<void> {
  expect((await cli(at, ...run, "--out", "whole")).code).toBe(0);
  for (const size of sizes.map(String)) {
    const ran = await cli(at, ...run, "--out", size, "--stream", size, "--json");
    expect(ran.json()).toMatchObject({ ok: true, from: 0 });
    expect(listed(join(at, size))).toEqual(listed(join(at, "whole")));
    expect(bytesIn(join(at, size))).toEqual(bytesIn(join(at, "whole")));
  }
}
/** A stream that ends at an item continues after the last chunk before it, as it writes the files of the folder `whole`. */
export async function expectResumed(
  { at, run, starts }: Streamed,
  item: number,
  from: number,
  look: () => void = () => {},
  ...more: readonly string[]
): Promise<void> {
  await cli(at, ...run, "--out", "whole");
  writeFileSync(join(at, "starts.raw"), starts.with(item, 2));
  const stream = [...run, "--out", "out", "--stream", "1000", "--json"];
  expect((await cli(at, ...stream)).json().error.code).toBe("bad-file");
  look();
  writeFileSync(join(at, "starts.raw"), starts);
  expect((await cli(at, ...stream, "--resume", ...more)).json()).toMatchObject({ ok: true, from });
  expect(listed(join(at, "out"))).toEqual(listed(join(at, "whole")));
  expect(bytesIn(join(at, "out"))).toEqual(bytesIn(join(at, "whole")));
}

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
