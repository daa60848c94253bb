// Measured times beside other libraries, from the reports of packages/bench.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { NOISY, ofPeers } from "@groupwise/bench/peers";
import { barsOf } from "@groupwise/bench/plots";
import { code, page, table } from "./markdown.mjs";

export const RESULTS = resolve(dirname(fileURLToPath(import.meta.url)), "../../../packages/bench/results");
const TITLES = { wgsl: "WGSL", opencl: "OpenCL C" };

const power = (n) => (Number.isInteger(Math.log2(n)) ? `2^${Math.log2(n)}` : n.toLocaleString("en-US"));

const sizesOf = ({ rows }) => [...new Set(rows.map(({ n }) => n))].sort((a, b) => a - b);

/** By target, WGSL first: each job and size once, from the newest report that has it and a peer. */
export function newestRows(reports) {
  const targets = new Map();
  const byDate = (a, b) => (a.surroundings.date < b.surroundings.date ? 1 : -1);
  for (const report of reports.filter(({ peers }) => peers?.length > 0).sort(byDate)) {
    const { target } = report.device;
    const found = targets.get(target) ?? new Map();
    targets.set(target, found);
    for (const row of report.rows) {
      const key = `${row.primitive} ${row.n}`;
      if (!found.has(key)) found.set(key, { ...row, report });
    }
  }
  const byName = (a, b) => (a.primitive < b.primitive ? -1 : 1);
  return [...targets]
    .map(([target, found]) => ({ target, rows: [...found.values()].sort(byName) }))
    .sort((a, b) => b.target.localeCompare(a.target));
}

const OURS = "groupwise";
const peerRow = ({ primitive, n, report }) =>
  report.peers[0].rows.find((row) => row.name === primitive && row.n === n);

/** The rows of a size as bars, ours above the peer's: bytes in and bytes out for each second. */
function chartOf(rows, n) {
  const bars = rows.flatMap((row) => {
    const theirs = peerRow(row);
    if (row.n !== n || !theirs || row.bytes === undefined) return [];
    const bar = (who, { medianMs }) => ({ name: row.primitive, who, rate: row.bytes / medianMs / 1e6 });
    return [bar(OURS, row), bar(row.report.peers[0].peer, theirs)];
  });
  return barsOf(bars, OURS);
}

/** The size of most rows that have a peer. */
function sizeOfBars(rows) {
  const sizes = rows.filter(peerRow).map(({ n }) => n);
  const countOf = (n) => sizes.filter((one) => one === n).length;
  return sizes.sort((a, b) => countOf(b) - countOf(a) || b - a)[0];
}

/** What was measured where: a line for each report. */
const sourceOf = ({
  surroundings,
  device,
  clock,
  stopRule,
  peers: [{ peer, version, device: card, driver }],
}) =>
  `${card}: ours in ${TITLES[device.target]}, ${device.name}, Node ${surroundings.node}; ${peer} ${version}, ${driver}, measured after ours. ` +
  `${surroundings.date}, commit ${code(surroundings.commit.slice(0, 8))}; the median of ${stopRule.leastRuns} to ${stopRule.mostRuns} submissions by the ${clock}'s clock.`;

const fileOf = (target) => `benchmarks-${target}.svg`;

/** Bars, and times with what they are of the peer's. */
function beside({ target, rows }) {
  const n = sizeOfBars(rows);
  const sizes = sizesOf({ rows });
  const reports = [...new Set(rows.map(({ report }) => report))];
  const { peer } = reports[0].peers[0];
  const names = [...new Set(rows.map(({ primitive }) => primitive))];
  const cells = names.map((name) => [
    name,
    ...sizes.flatMap((size) => {
      const ours = rows.find((row) => row.primitive === name && row.n === size);
      if (!ours) return ["", ""];
      const { [peer]: ratio } = ofPeers(ours.report.peers, { name, ...ours });
      const mark = (ratio?.spread ?? 0) > NOISY ? "\u00a0~" : "";
      return [ours.nsPerItem.toPrecision(3), ratio ? ratio.ratio.toFixed(2) + mark : ""];
    }),
  ]);
  return [
    `## ${TITLES[target]} beside ${peer}`,
    `Bytes in and bytes out for each second, in GB, of ${power(n)} items. Longer bars are better.`,
    `![${TITLES[target]} and ${peer}: the table below has the same numbers](/charts/${fileOf(target)})`,
    `Nanoseconds for each item, and our time over that of ${peer}: below 1, ours is shorter.` +
      (cells.flat().some((text) => text.endsWith("~"))
        ? ` ~ marks times of ${peer} whose interquartile range is above ${100 * NOISY} % of their median.`
        : ""),
    table(["", ...sizes.flatMap((size) => [power(size), `/\u00a0${peer}`])], cells),
    "Every result was compared with a loop on the host first. The rows are from these runs:",
    reports.map((report) => `- ${sourceOf(report)}`).join("\n"),
  ].join("\n\n");
}

const reportsIn = () =>
  readdirSync(RESULTS)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .reverse()
    .map((name) => JSON.parse(readFileSync(join(RESULTS, name), "utf8")));

/** The bars of each target, by file. */
export const benchmarkCharts = () =>
  Object.fromEntries(
    newestRows(reportsIn()).map(({ target, rows }) => [fileOf(target), chartOf(rows, sizeOfBars(rows))]),
  );

export function benchmarksPage() {
  return page(
    "Benchmarks",
    "`packages/bench/results/`",
    "Times on GPUs, of arrays that stay there. A copy by a kernel reads and writes each element once, as a scan in one pass " +
      "does, so it is the bound to compare with. Floats are added in one [fixed order](./how-scans-run.md), so these rows have the same bits on every device, which CUB does not promise. " +
      "[Each goal, and what is short of it](./guide/docs/decisions/measuring.md#the-goals), [how look-back was measured](./guide/docs/decisions/look-back.md), [primitives](./primitives.md#time).",
    ...newestRows(reportsIn()).map(beside),
    `On your own device: ${code("npm run bench -- primitives --adapter NAME --sizes 2^26,2^28")}; [arrays of all lengths](./growth.md); reports of more kinds are beside these in ${code("packages/bench/results")}.`,
  );
}
