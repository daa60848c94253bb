// Time an item by number of items, and where it rises.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { RISE, risesOf } from "@groupwise/bench/growth";
import { growthCurves } from "@groupwise/bench/plots";
import { RESULTS } from "./benchmarks.mjs";
import { code, page, table } from "./markdown.mjs";

const SUFFIX = "-growth.json";
const power = (n) => (Number.isInteger(Math.log2(n)) ? `2^${Math.log2(n)}` : n.toLocaleString("en-US"));
const read = (name) => JSON.parse(readFileSync(join(RESULTS, name), "utf8"));

const reports = () =>
  readdirSync(RESULTS)
    .filter((name) => name.endsWith(SUFFIX))
    .sort()
    .map((name) => ({ file: name.slice(0, -SUFFIX.length), growth: read(name) }));

const chartOf = (file) => `growth-${file}.svg`;

/** A plot of each device, by file. */
export const growthCharts = () =>
  Object.fromEntries(reports().map(({ file, growth }) => [chartOf(file), growthCurves(growth.lines)]));

function section({ file, growth: { device, clock, surroundings, lines } }) {
  const rises = risesOf(lines);
  const { date, commit, cpu, cores } = surroundings;
  const rows = rises.map(({ name, n, least, ratio }) => [
    name,
    power(n),
    `${ratio.toFixed(2)} of that at ${power(least)}`,
  ]);
  return [
    `## ${device.name}, ${code(device.target)}`,
    `Driver ${device.driver}; ${cores} × ${cpu}; ${date}, commit ${code(commit.slice(0, 8))}; by the ${clock}'s clock.`,
    `![nanoseconds an item by number of items; the table below has the rises](/charts/${chartOf(file)})`,
    rises.length > 0
      ? table(["", "items", "time an item"], rows)
      : "No item takes longer than at a shorter length.",
  ].join("\n\n");
}

export function growthPage() {
  return page(
    "Time by length",
    "`packages/bench/results/*-growth.json`",
    `Nanoseconds an item of arrays that stay on the device, by number of items: the least of at least nine samples. Short arrays wait for launches, so an item gets cheaper with n. A red dot marks a length at which an item takes more than ${RISE} times ` +
      "its least time at a shorter length. [Causes](./guide/docs/decisions/growth.md).",
    `On your own device: ${code("npm run bench -- growth --target opencl --adapter NAME")}; it ends where the device has no memory, or with ${code("--n 2^28")}.`,
    ...reports().map(section),
  );
}
