/** One HTML file with plots and tables of every result, which loads nothing else. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseResult, type ResultFile, type TimedRow } from "../compare/result-file.ts";
import { ratioText } from "../peers/peer.ts";
import { linesOf, type Quantity } from "./plots.ts";

const perItem = ({ medianMs, n }: TimedRow): number => (medianMs * 1e6) / n;
const COST: Quantity = {
  title: "Growth of cost",
  unit: "ns an item",
  of: perItem,
  isLogarithmic: true,
};
const QUANTITIES: readonly Quantity[] = [
  {
    title: "Throughput",
    unit: "GB/s",
    of: ({ gigabytesPerSecond }) => gigabytesPerSecond,
    isLogarithmic: false,
  },
  { title: "Share of the copy", unit: "of copy", of: ({ ofCopy }) => ofCopy, isLogarithmic: false },
  COST,
];

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? "");

const rowOf = (row: TimedRow): string => {
  const quartiles = row.quartilesMs?.map((time) => time.toPrecision(4)).join(" – ") ?? "";
  const rate = row.gigabytesPerSecond?.toFixed(1) ?? "";
  const cells = [row.name, String(row.n), row.medianMs.toPrecision(4), quartiles];
  const beside = Object.entries(row.ofPeers ?? {}).map(([peer, ratio]) => `${ratioText(ratio)} of ${peer}`);
  return `<tr>${[
    ...cells,
    perItem(row).toPrecision(3),
    rate,
    row.ofCopy?.toFixed(2) ?? "",
    row.strategy ?? "",
    beside.join(", "),
  ]
    .map((cell) => `<td>${escaped(cell)}</td>`)
    .join("")}</tr>`;
};
const HEAD = [
  "what",
  "items",
  "median ms",
  "quartiles ms",
  "ns an item",
  "GB/s",
  "of copy",
  "strategy",
  "time over a peer's",
];
const tableOf = (rows: readonly TimedRow[]): string =>
  `<details><summary>${rows.length} rows</summary><table><tr>${HEAD.map((cell) => `<th>${cell}</th>`).join("")}</tr>${rows.map(rowOf).join("\n")}</table></details>`;

/** For each peer of a result: our time over its own. */
const besidePeers = ({ rows }: ResultFile): readonly Quantity[] =>
  [...new Set(rows.flatMap(({ ofPeers = {} }) => Object.keys(ofPeers)))].map((peer) => ({
    title: `Time over that of ${escaped(peer)}`,
    unit: `of ${peer}`,
    of: ({ ofPeers }) => ofPeers?.[peer]?.ratio,
    isLogarithmic: false,
  }));

function timesSection(file: ResultFile): string {
  const { device, kind, how, driver, date, commit, rows, peerRows = [] } = file;
  const all = [...rows, ...peerRows];
  const has = ({ of }: Quantity): boolean => all.some((row) => typeof of(row) === "number");
  const plots = [...QUANTITIES.filter(has), ...besidePeers(file)].map(
    (quantity) => `<h3>${quantity.title}</h3>${linesOf(all, quantity)}`,
  );
  const title = `${device}: ${kind}${how ? ` (${how})` : ""}`;
  const place = `${driver}; ${date}, commit ${commit}`;
  return `<section><h2>${escaped(title)}</h2><p>${escaped(place)}</p>${plots.join("")}${tableOf(all)}</section>`;
}

const STYLE = `:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:960px;margin:2em auto;padding:0 1em}
table{border-collapse:collapse}td,th{padding:.1em .8em;text-align:right}td:first-child,th:first-child{text-align:left}svg{overflow:visible}`;

/** The page of a folder's results of throughput and primitives. @throws GroupwiseError `bad-file` */
export function htmlOf(folder: string): string {
  const names = readdirSync(folder).filter((name) => /(throughput|primitives).*\.json$/.test(name));
  const sections = names
    .sort()
    .map((name) => timesSection(parseResult(name, readFileSync(join(folder, name), "utf8"))));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Benchmarks of groupwise</title><link rel="icon" href="data:,"><style>${STYLE}</style></head>
<body><main><h1>Benchmarks of groupwise</h1>
${sections.join("\n")}
</main></body></html>
`;
}
