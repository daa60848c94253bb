// Measured throughput, from the reports of packages/bench: bars for the longest arrays, and tables for all.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { code, page, table } from "./markdown.mjs";

export const RESULTS = resolve(dirname(fileURLToPath(import.meta.url)), "../../../packages/bench/results");
const SUFFIX = "-throughput.json";

const power = (n) => (Number.isInteger(Math.log2(n)) ? `2^${Math.log2(n)}` : n.toLocaleString("en-US"));

/** The rows of a report for its longest arrays as bars, the copy first, each with its share of the fastest. */
export function barsOf({ rows }) {
  const most = Math.max(...rows.map(({ n }) => n));
  const longest = rows.filter(({ n }) => n === most);
  const fastest = Math.max(...longest.map(({ gigabytesPerSecond }) => gigabytesPerSecond));
  return longest.map(({ what, gigabytesPerSecond }) => ({
    label: what,
    text: `${Math.round(gigabytesPerSecond).toLocaleString("en-US")} GB/s`,
    share: gigabytesPerSecond / fastest,
  }));
}

/** What was measured, with which driver, and when. */
function section(report) {
  const { device, driver, surroundings, rows, submissions, stopRule, clock } = report;
  const sizes = [...new Set(rows.map(({ n }) => n))].sort((a, b) => a - b);
  const names = [...new Set(rows.map(({ what }) => what))];
  const at = (what, n) => rows.find((row) => row.what === what && row.n === n);
  const cells = names.map((what) => [
    what,
    ...sizes.map((n) => at(what, n)?.nsPerItem.toPrecision(3) ?? ""),
    at(what, sizes.at(-1))?.strategy || "",
  ]);
  const { date, commit, node } = surroundings;
  return [
    `## ${device}`,
    `Driver ${driver}; ${date}, commit ${code(commit)}, Node ${node}; the median of ${submissions ?? `${stopRule.leastRuns} to ${stopRule.mostRuns}`} submissions by the ${clock}'s clock. ` +
      `Every result was compared with the reference first. Bytes in and bytes out for each second, ${power(sizes.at(-1))} items:`,
    `\`\`\`bars\n${JSON.stringify(barsOf(report))}\n\`\`\``,
    "Nanoseconds for each item:",
    table(["", ...sizes.map(power), "strategy"], cells),
  ].join("\n\n");
}

export function benchmarksPage() {
  const reports = readdirSync(RESULTS)
    .filter((name) => name.endsWith(SUFFIX))
    .sort()
    .reverse()
    .map((name) => JSON.parse(readFileSync(join(RESULTS, name), "utf8")));
  return page(
    "Benchmarks",
    "`packages/bench/results/`",
    "Throughput on GPUs, beside copies on the same device in the same run. A copy by a kernel reads and writes each element once, as a scan in one pass " +
      "does, so it is the bound to compare with. Rows in the fixed order have the same bits on every device. " +
      "[How look-back was measured](./guide/docs/decisions/look-back.md), [primitives](./primitives.md#time). " +
      '[Plots of all results](/report/benchmarks.html){target="_self"}.',
    ...reports.map(section),
    `On your own device: ${code("npm run bench -- throughput --adapter NAME --sizes 26,28")}; reports of more kinds are beside these in ${code("packages/bench/results")}.`,
  );
}
