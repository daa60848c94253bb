/** Results of sweeps across devices: read back from JSON, and as tables. */
import { existsSync, readFileSync } from "node:fs";
import { errorOf } from "@groupwise/core/target";
import { z } from "zod";
import { markdownTable, type TextTable, textTable } from "../print/tables.ts";
import type { Sweeps, SweepsRow } from "./across.ts";
import type { Hash } from "./place.ts";

const count = z.number().int().nonnegative();
const word = count.max(2 ** 32 - 1);
const text = z.string();
const ROW = z.object({
  name: text,
  items: count,
  seconds: z.number().nonnegative(),
  to: count,
  hashes: z.array(z.object({ sum: word, xor: word })),
  differing: z.array(z.object({ results: count, bits: count, examples: z.array(text) })),
});
const SWEEPS = z.object({
  surroundings: z.object({
    date: text,
    commit: text,
    node: text,
    platform: text,
    cpu: text,
    cores: count,
    memoryGiB: count,
  }),
  type: z.enum(["f16", "f32", "f64"]),
  kind: z.enum(["inputs", "pairs", "operands"]),
  items: count,
  stride: count,
  places: z.array(z.object({ place: text, target: text, name: text, driver: text })),
  rows: z.array(ROW),
  left: z.array(text),
});

/** An earlier result, or undefined if the file does not exist. @throws GroupwiseError `bad-usage` if the file is not a result */
export function readSweeps(path: string): Sweeps | undefined {
  if (!existsSync(path)) return undefined;
  const refuse = (why: string): never => {
    throw errorOf("bad-usage", { reason: `${path} is not a result of \`bench functions --device\`: ${why}` });
  };
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    return refuse((error as Error).message);
  }
  const parsed = SWEEPS.safeParse(json);
  return parsed.success ? parsed.data : refuse(z.prettifyError(parsed.error));
}

const digitsOf = (word: number): string => word.toString(16).padStart(8, "0");
const hashOf = (hash: Hash | undefined): string =>
  hash ? `${digitsOf(hash.sum)} ${digitsOf(hash.xor)}` : "";

/** The hash of all places, or of each if they differ. */
const hashesOf = ({ hashes }: SweepsRow): string => [...new Set(hashes.map(hashOf))].join(", ");
const totalOf = ({ differing }: SweepsRow, what: "results" | "bits"): string =>
  differing
    .slice(1)
    .map((one) => one[what])
    .join(", ");

/** @param isMarkdown tables of Markdown, and not of text */
export function printSweeps(sweeps: Sweeps, isMarkdown: boolean = false): string {
  const { surroundings: s, type, kind, items, stride, places, rows, left } = sweeps;
  const table = (body: TextTable): string => (isMarkdown ? markdownTable(body) : textTable(body));
  const body = rows.map((row) => [
    row.name,
    row.to === row.items ? String(row.to) : `${row.to} of ${row.items}`,
    hashesOf(row),
    totalOf(row, "results"),
    totalOf(row, "bits"),
    row.seconds.toFixed(1),
  ]);
  const examples = rows.flatMap(({ differing }) =>
    differing.flatMap((one, i) => one.examples.map((line) => `${places[i]?.place}: ${line}`)),
  );
  const every = kind === "inputs" && stride > 1 ? `, every ${stride}th bit pattern` : "";
  return [
    `${s.date}; commit ${s.commit}; Node ${s.node}; ${s.platform}; ${s.cores} × ${s.cpu}; ${s.memoryGiB} GiB`,
    `Functions of ${type} on ${items} ${kind}${every}; every other place is compared with the first one.`,
    "",
    table([
      ["place", "target", "device", "driver"],
      ...places.map(({ place, target, name, driver }) => [place, target, name, driver]),
    ]),
    "",
    table([["function", kind, "sum and xor", "results that differ", "bits that differ", "seconds"], ...body]),
    "",
    ...(examples.length > 0 ? [...examples, ""] : []),
    ...(left.length > 0 ? [`Left: ${left.join(", ")}`, ""] : []),
  ].join("\n");
}
