// What each implementation of WebGPU, OpenCL and C gave, from the file that `npm run matrix` wrote.
import { readFileSync } from "node:fs";
import { join } from "node:path";
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
const total = ({ open, first }) => Math.round(open + first);

/** A row of the table; `openings` are those of a process that finds nothing kept, and the next one of that process. */
export function cellsOf({ name, version, driver, parts, openings, switchedOn, date, install }) {
  if (parts === undefined)
    return [name, install ? "not installed" : "did not start", ...HEAD.slice(2).map(() => "")];
  return [
    name,
    [version, driver].filter(Boolean).join("; "),
    cell(parts.suite),
    cell(parts.primitives),
    cell(parts.trees),
    cell(parts.pipelines),
    openings ? `${total(openings.cold)}, ${total(openings.again)}` : "",
    switchedOn.join("; "),
    date,
  ];
}

/** A section of its rows. */
function section(group, rows) {
  const texts = rows.filter(({ parts }) => TEXTS.some((name) => parts?.[name]));
  return [
    `## ${group}`,
    table(HEAD, rows.map(cellsOf)),
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
      "*Opening* is the time until a first pipeline has run, with the tests of the device: in a new process without anything kept, and once more in that process. " +
      "*Switched on* is what those tests changed.",
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
