// Measured times and throughput, from the reports of packages/bench: beside other libraries, and of arrays of all lengths.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { NOISY, ofPeers, ratioText } from "@groupwise/bench/peers";
import { code, page, table } from "./markdown.mjs";

export const RESULTS = resolve(dirname(fileURLToPath(import.meta.url)), "../../../packages/bench/results");
const SUFFIX = "-throughput.json";
const TITLES = { wgsl: "WGSL", opencl: "OpenCL C" };

const power = (n) => (Number.isInteger(Math.log2(n)) ? `2^${Math.log2(n)}` : n.toLocaleString("en-US"));

const sizesOf = ({ rows }) => [...new Set(rows.map(({ n }) => n))].sort((a, b) => a - b);

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

/** A sentence, and the bars below it. */
const throughput = (report) => [
  `Bytes in and bytes out for each second, ${power(sizesOf(report).at(-1))} items:`,
  `\`\`\`bars\n${JSON.stringify(barsOf(report))}\n\`\`\``,
];

/** What was measured, with which driver, and when. */
function section(report) {
  const { device, driver, surroundings, rows, submissions, stopRule, clock } = report;
  const sizes = sizesOf(report);
  const names = [...new Set(rows.map(({ what }) => what))];
  const at = (what, n) => rows.find((row) => row.what === what && row.n === n);
  const cells = names.map((what) => [
    what,
    ...sizes.map((n) => at(what, n)?.nsPerItem.toPrecision(3) ?? ""),
    at(what, sizes.at(-1))?.strategy || "",
  ]);
  const { date, commit, node } = surroundings;
  return [
    `### ${device}`,
    `Driver ${driver}; ${date}, commit ${code(commit)}, Node ${node}; the median of ${submissions ?? `${stopRule.leastRuns} to ${stopRule.mostRuns}`} submissions by the ${clock}'s clock. ` +
      "Every result was compared with the reference first.",
    ...throughput(report),
    "Nanoseconds for each item:",
    table(["", ...sizes.map(power), "strategy"], cells),
  ].join("\n\n");
}

/** The kernel that all reports have, to compare with. */
const COPY = "copy";

/**
 * Reports with a peer, each with the rows that no later report of its language has; those in WGSL come first, then those with more rows. Every report
 * keeps its own copy.
 */
export function newestBesides(reports) {
  const seen = new Set();
  const byDate = (a, b) => (a.surroundings.date < b.surroundings.date ? 1 : -1);
  const found = reports
    .filter(({ peers }) => peers?.length > 0)
    .sort(byDate)
    .map((report) => {
      const key = ({ n, primitive }) => `${report.device.target} ${n} ${primitive}`;
      const rows = report.rows.filter((row) => row.primitive === COPY || !seen.has(key(row)));
      for (const row of rows) seen.add(key(row));
      return { report, rows };
    });
  return found
    .filter(({ rows }) => rows.some(({ primitive }) => primitive !== COPY))
    .sort(
      (a, b) => b.report.device.target.localeCompare(a.report.device.target) || b.rows.length - a.rows.length,
    );
}

/** Primitives that a heading names, at most. */
const FEW = 2;

/** Throughput as bars; earlier reports do not state the bytes of their rows. */
function ratesOf(rows) {
  if (rows.some(({ bytes }) => bytes === undefined)) return [];
  const rated = rows.map(({ primitive, n, bytes, medianMs }) => ({
    what: primitive,
    n,
    gigabytesPerSecond: bytes / medianMs / 1e6,
  }));
  return throughput({ rows: rated });
}

/** Times, and what they are of the peer's. */
function beside({ report, rows: own }) {
  const { surroundings, device, clock, stopRule, peers } = report;
  const [{ peer, version, device: card, driver }] = peers;
  const { date, commit, node } = surroundings;
  const sizes = sizesOf({ rows: own });
  const names = [...new Set(own.map(({ primitive }) => primitive))];
  const measured = names.filter((name) => name !== COPY);
  const what = measured.length > FEW ? "" : `: ${measured.join(", ")}`;
  const cells = names.map((name) => [
    name,
    ...sizes.flatMap((n) => {
      const ours = own.find((row) => row.primitive === name && row.n === n);
      if (!ours) return ["", ""];
      const { [peer]: ratio } = ofPeers(peers, { name, ...ours });
      return [ours.nsPerItem.toPrecision(3), ratio ? ratioText(ratio) : ""];
    }),
  ]);
  return [
    `## ${TITLES[device.target]} beside ${peer}, ${sizes.map(power).join(" and ")} items${what}`,
    `${card}: ours in ${TITLES[device.target]}, ${device.name}, Node ${node}; ${peer} ${version}, ${driver}, measured after ours. ${date}, commit ${code(commit.slice(0, 8))}; the median of ` +
      `${stopRule.leastRuns} to ${stopRule.mostRuns} submissions by the ${clock}'s clock. Every result was compared with a loop on the host first.`,
    ...ratesOf(own),
    `Nanoseconds for each item, and our time over that of ${peer}: below 1, ours is shorter.` +
      (cells.flat().some((text) => text.includes("spread"))
        ? ` The spread is the interquartile range of ${peer} over its median, where it is above ${100 * NOISY} %.`
        : ""),
    table(["", ...sizes.flatMap((n) => [power(n), `/ ${peer}`])], cells),
  ].join("\n\n");
}

export function benchmarksPage() {
  const reports = readdirSync(RESULTS)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .reverse()
    .map((name) => ({ name, report: JSON.parse(readFileSync(join(RESULTS, name), "utf8")) }));
  return page(
    "Benchmarks",
    "`packages/bench/results/`",
    "Times on GPUs, of arrays that stay there. A copy by a kernel reads and writes each element once, as a scan in one pass " +
      "does, so it is the bound to compare with. Floats are added in one [fixed order](./how-scans-run.md), so these rows have the same bits on every device, which CUB does not promise. " +
      "[Each goal, and what is short of it](./guide/docs/decisions/measuring.md#the-goals), [how look-back was measured](./guide/docs/decisions/look-back.md), [primitives](./primitives.md#time). " +
      '[Plots of all results](/report/benchmarks.html){target="_self"}.',
    ...newestBesides(reports.map(({ report }) => report)).map(beside),
    "## Arrays of all lengths\n\nThese reports are older than those above: each has its commit.",
    ...reports.filter(({ name }) => name.endsWith(SUFFIX)).map(({ report }) => section(report)),
    `On your own device: ${code("npm run bench -- throughput --adapter NAME --sizes 26,28")}, and ${code("npm run bench -- primitives --help")}; reports of more kinds are beside these in ${code("packages/bench/results")}.`,
  );
}
