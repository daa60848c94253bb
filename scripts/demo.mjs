// Builds the line index of a text file on every device found, and shows that all results are equal:
// `npm run demo -- FILE` (default: the README). Emitted files are written to out/.
import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { main } from "../packages/cli/dist/index.js";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const PIPELINE = "examples/line-index.ts";
const LINES = 5;

/** Runs the command line in this process; returns its result as data. */
async function groupwise(...argv) {
  let text = "";
  const io = { out: (part) => (text += part), err: (part) => process.stderr.write(part), cwd: ROOT };
  const code = await main([...argv, "--json"], { ...io, isTerminal: false });
  return { code, ...JSON.parse(text) };
}

function fail({ error }) {
  console.error(`${shown(`${error.where ? `${error.where}: ` : ""}${error.what}`)}\n  ${shown(error.hint)}`);
  return 2;
}

async function demo([name = "README.md", ...more]) {
  if (more.length > 0) return fail({ error: { what: "one file at a time", hint: "npm run demo -- FILE" } });
  // npm starts scripts in the repository; the file name is relative to the user's folder.
  const file =
    [process.env.INIT_CWD ?? ".", ROOT].map((base) => resolve(base, name)).find(existsSync) ?? name;

  if (!existsSync(file))
    return fail({ error: { what: `there is no file ${name}`, hint: "npm run demo -- FILE" } });

  console.log(`\nEmitting ${PIPELINE} for every target that takes it:`);
  const emitted = await groupwise("emit", PIPELINE, "--target", "all", "--out", "out");
  if (emitted.error) return fail(emitted);
  for (const path of emitted.targets.flatMap(({ files }) => files)) console.log(`  ${path}`);
  for (const { target, problem } of emitted.refused) console.log(`  (${target}: ${problem.what})`);

  console.log(`\nBuilding the line index of ${shown(name)} on every device found:`);
  const run = await groupwise(
    ...["run", PIPELINE, "--target", "all", "--input", `text=${file}:text`],
    ...["--repeat", "3", "--show", String(LINES), "--out", "out"],
  );
  if (run.error) return fail(run);
  const { starts, lines } = run.outputs;
  const bytes = readFileSync(file);
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const text = bytes.subarray(hasMark ? 3 : 0);
  const begins = [0, ...starts.first].slice(0, Math.min(LINES, lines.first[0] + 1));
  console.log(
    `  ${text.length} bytes, ${lines.first[0]} line breaks; the first lines, found through the index:`,
  );
  for (const [i, begin] of begins.entries()) {
    const end = i < lines.first[0] ? starts.first[i] - 1 : text.length;
    console.log(
      `  ${String(i + 1).padStart(3)} at ${String(begin).padStart(5)}: ${printable([...text.toString("utf8", begin, end)])}`,
    );
  }

  console.log("");
  const rows = run.devices.map(({ target, device, state, milliseconds, equal, problem }) => ({
    target,
    device,
    "fastest of 3": milliseconds === undefined ? state : `${milliseconds.toFixed(2)} ms`,
    result:
      problem?.what ??
      (equal === undefined ? "the others are compared with it" : equal ? "equal" : "DIFFERS"),
  }));
  printTable(rows);
  for (const { what, reason, remedy } of run.missing)
    console.log(`${what} is missing: ${reason}; install: ${remedy}`);
  const ran = run.devices.filter(({ state }) => state === "ran").length;
  if (run.code !== 0) console.log("\nNot all is well: see the table.");
  else
    console.log(
      ran > 1
        ? `\nAll ${ran} results are equal, bit for bit.`
        : "\nOne device ran; there was none to compare with.",
    );
  return run.code;
}

const printable = (characters) =>
  shown(
    characters
      .slice(0, 80)
      .join("")
      .replaceAll(/\p{Cc}/gu, " "),
  );
/** Control and invisible characters as a replacement character. */
const shown = (text) => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, "\ufffd");

function printTable(rows) {
  const keys = Object.keys(rows[0]);
  const lines = [keys, ...rows.map((row) => keys.map((key) => row[key]))];
  const widths = keys.map((_, i) => Math.max(...lines.map((line) => line[i].length)));
  for (const line of lines)
    console.log(
      `  ${line
        .map((cell, i) => cell.padEnd(widths[i]))
        .join("  ")
        .trimEnd()}`,
    );
}

// The process exits explicitly, because drivers keep threads running.
process.exit(await demo(process.argv.slice(2)));
