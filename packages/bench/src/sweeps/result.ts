/** Results of sweeps across devices as tables. */
import { markdownTable, type TextTable, textTable } from "../print/tables.ts";
import type { Sweeps, SweepsRow } from "./across.ts";
import type { Hash } from "./place.ts";

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
  const { surroundings: s, type, items, stride, places, rows } = sweeps;
  const table = (body: TextTable): string => (isMarkdown ? markdownTable(body) : textTable(body));
  const body = rows.map((row) => [
    row.name,
    String(row.items),
    hashesOf(row),
    totalOf(row, "results"),
    totalOf(row, "bits"),
    row.seconds.toFixed(1),
  ]);
  const examples = rows.flatMap(({ differing }) =>
    differing.flatMap((one, i) => one.examples.map((line) => `${places[i]?.place}: ${line}`)),
  );
  const every = stride > 1 ? `, every ${stride}th bit pattern` : "";
  return [
    `${s.date}; commit ${s.commit}; Node ${s.node}; ${s.platform}; ${s.cores} × ${s.cpu}; ${s.memoryGiB} GiB`,
    `Functions of ${type} on ${items} inputs${every}; every other place is compared with the first one.`,
    "",
    table([
      ["place", "target", "device", "driver"],
      ...places.map(({ place, target, name, driver }) => [place, target, name, driver]),
    ]),
    "",
    table([
      ["function", "inputs", "sum and xor", "results that differ", "bits that differ", "seconds"],
      ...body,
    ]),
    "",
    ...(examples.length > 0 ? [...examples, ""] : []),
  ].join("\n");
}
