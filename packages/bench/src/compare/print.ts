import { markdownTable, textTable } from "../print/tables.ts";
import type { ChangeVerdict, Comparison, MeasuredChange } from "./compare.ts";

const MARKS: Readonly<Record<ChangeVerdict, string>> = {
  faster: "faster",
  slower: "SLOWER",
  noise: "",
  unknown: "no quartiles",
};

const cellsOf = ({ name, n, beforeMs, afterMs, ratio, verdict }: MeasuredChange): readonly string[] => [
  name,
  String(n),
  beforeMs.toPrecision(4),
  afterMs.toPrecision(4),
  ratio.toFixed(3),
  MARKS[verdict],
];

/** The comparison as text or Markdown. */
export function printComparison(result: Comparison, isMarkdown: boolean): string {
  const { before, after, changes, onlyBefore, onlyAfter } = result;
  const table = isMarkdown ? markdownTable : textTable;
  const place = ({ path, device, how, driver, commit }: Comparison["before"]): string =>
    `${path}: ${device}${how ? ` (${how})` : ""}, driver ${driver}, commit ${commit}`;
  const count = (verdict: ChangeVerdict): number => changes.filter((one) => one.verdict === verdict).length;
  const notes = [
    ...(before.device === after.device ? [] : ["- the devices differ"]),
    ...(before.driver === after.driver ? [] : ["- the drivers differ"]),
    ...onlyBefore.map((key) => `- only before: ${key}`),
    ...onlyAfter.map((key) => `- only after: ${key}`),
  ];
  return `${[
    `${isMarkdown ? "# " : ""}Changes of times`,
    `before: ${place(before)}\nafter: ${place(after)}`,
    table([
      ["what", "n", "before ms", "after ms", "after / before", "beyond noise"],
      ...changes.map(cellsOf),
    ]),
    notes.join("\n"),
    `${count("faster")} faster, ${count("slower")} slower, ${count("noise")} within noise, ${count("unknown")} without quartiles`,
  ]
    .filter(Boolean)
    .join("\n\n")}\n`;
}
