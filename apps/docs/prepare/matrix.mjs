// What each implementation of WebGPU, OpenCL and C gave, from the file that `npm run matrix` wrote.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { timeText } from "@groupwise/bench/matrix";
import { RESULTS } from "./benchmarks.mjs";
import { code, page, table } from "./markdown.mjs";

const HEAD = [
  "",
  "version",
  "suite",
  "primitives",
  "random trees",
  "random pipelines",
  "opening, ms",
  "switched on",
  "ran",
];
const TEXTS = ["OpenCL C texts", "C texts"];

/** 4 passed, 1 failed of 6: counts that are 0 are left out, save the first. */
export function counts({ passed, failed, refused, left, ended = 0 }) {
  const others = Object.entries({ failed, refused, "not run": left, "ended processes": ended }).filter(
    ([, count]) => count > 0,
  );
  return [`${passed} passed`, ...others.map(([what, count]) => `${count} ${what}`)].join(", ");
}

const cell = (part) => (part ? counts(part) : "");

/** A row of the table. */
export function cellsOf({ name, version, driver, effort, parts, opening = {}, switchedOn, date, install }) {
  if (parts === undefined)
    return [name, install ? "not installed" : "did not start", ...HEAD.slice(2).map(() => "")];
  return [
    name,
    [version, driver].filter(Boolean).join("; "),
    parts.suite ? [cell(parts.suite), effort].filter(Boolean).join(", ") : "",
    cell(parts.primitives),
    cell(parts.trees),
    cell(parts.pipelines),
    [opening.cold, opening.kept].flatMap((took) => (took ? [timeText(took, 1)] : [])).join(", "),
    switchedOn.join("; "),
    date,
  ];
}

/** What rows of a group compiled, in seconds. */
function compileTimes(rows) {
  const timed = rows.flatMap(({ name, cpu, parts }) => {
    const times = parts?.["compile times"]?.times;
    return times ? [{ name, cpu, times }] : [];
  });
  const names = [...new Set(timed.flatMap(({ times }) => Object.keys(times)))];
  const cells = ({ name, cpu, times }) => [
    name,
    ...names.map((one) => (times[one] ? timeText(times[one], 1000) : "")),
    cpu,
  ];
  return (
    names.length > 0 &&
    `Compile times, seconds:\n\n${table(["", ...names, "processor of the times"], timed.map(cells))}`
  );
}

/** A section of its rows. */
function section(group, rows) {
  const texts = rows.filter(({ parts }) => TEXTS.some((name) => parts?.[name]));
  return [
    `## ${group}`,
    table(HEAD, rows.map(cellsOf)),
    compileTimes(rows),
    texts.length > 0 &&
      "Emitted texts that each compiler reads, all warnings being errors:\n\n" +
        table(
          ["", ...TEXTS],
          texts.map(({ name, parts }) => [name, ...TEXTS.map((text) => cell(parts[text]))]),
        ),
  ]
    .filter(Boolean)
    .join("\n\n");
}

/** What failed and what was refused, and the commands that install what is missing. */
function notes(rows) {
  const lines = rows.flatMap(({ name, parts = {}, reason, install }) => [
    ...(reason === undefined ? [] : [`- ${name}: ${[reason, install].filter(Boolean).join("; ")}`]),
    ...Object.entries(parts).flatMap(([part, { failures, reasons }]) => [
      ...failures.map((text) => `- ${name}, ${part}, failed: ${code(text.replaceAll("`", "'"))}`),
      ...Object.entries(reasons).map(([text, count]) => `- ${name}, ${part}, ${count} refused: ${text}`),
    ]),
  ]);
  return lines.length > 0 && `## What failed, and what was refused\n\n${lines.join("\n")}`;
}

export function matrixOf({ surroundings, rows }) {
  const { cpu, cores, platform } = surroundings;
  return page(
    "Implementations",
    "`packages/bench/results/matrix.json`",
    "The suite, primitives and random cases on each implementation that was installed, each in a process of its own: every result is compared with the " +
      "[reference](./guide/ARCHITECTURE.md) bit for bit, that of a primitive with a plain loop. *Refused* is what an implementation lacks, by name. *Not run* is what its time did not allow. " +
      "*Ended processes* are those that a signal ended; what they ran was run once more in another one. " +
      "*Quick* is a suite of fewer checks, lengths and values, for slow implementations. " +
      "*Switched on* is what [probes](./guide/docs/decisions/probe.md) of the device changed.",
    "Times are of processors, or *(clock)* where the implementation computes in processes of its own, and each begins without what the driver kept. " +
      "*Opening* is that until a first pipeline has run, in two processes: one that knows nothing of the device, and one that has what the probe showed in the first, as the command keeps it; " +
      "a single time is that of an implementation which is not probed. " +
      "*Compile times* end with the first result, which is right: `bins` is a case of the suite with six scatters into up to 2,000 slots, *calls* are collectives of the " +
      "[header](./native.md) in one kernel, which includes the whole header. Rows without times have not run since these are measured: their next run fills them in.",
    `The newest rows ran on ${cores} cores of ${cpu}, ${platform}.`,
    ...[...new Set(rows.map(({ group }) => group))].map((group) =>
      section(
        group,
        rows.filter((row) => row.group === group),
      ),
    ),
    ...[notes(rows)].filter(Boolean),
    `On your machine: ${code("sudo node scripts/setup-devices.mjs --matrix")} installs them on Debian, and ${code("npm run matrix -- --help")} says how to run some or all.`,
  );
}

export const matrixPage = () => matrixOf(JSON.parse(readFileSync(join(RESULTS, "matrix.json"), "utf8")));
