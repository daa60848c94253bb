/** Documents of pairs in several processes: each runs the documents of a part of the numbers. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { argumentsOf, type RandomChoice, type RandomResult, type RandomRow } from "./random.ts";

const MAIN = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
/** Ranges begin at multiples of it. */
const BLOCK = 16;

interface Division {
  /** Processes at a time. */
  readonly processes: number;
  /** The most documents of one process: drivers that keep what they compiled need new processes. Default: an equal share. */
  readonly part?: number;
}

/** The results of all processes, as one. */
export async function randomInProcesses(
  choice: RandomChoice,
  { processes, part: most }: Division,
): Promise<RandomResult> {
  const { count, from = 0, only } = choice;
  const part = Math.ceil(Math.min(most ?? count, count / processes) / BLOCK) * BLOCK;
  const starts = Array.from({ length: Math.ceil(count / part) }, (_, i) => i * part);
  const results: RandomResult[] = [];
  const work = async (): Promise<void> => {
    for (let start = starts.shift(); start !== undefined; start = starts.shift()) {
      const own = { ...choice, from: from + start, count: Math.min(part, count - start) };
      const devices = only.length > 0 ? ["--device", ...only] : [];
      const line = [MAIN, ...argumentsOf(own), "--json", ...devices, ...(choice.isAlone ? ["--alone"] : [])];
      const text = await outputOf(line);
      results.push(JSON.parse(text.slice(text.indexOf("{\n"))) as RandomResult);
    }
  };
  await Promise.all(Array.from({ length: processes }, work));
  const rows = new Map<string, RandomRow[]>();
  for (const row of results.flatMap((result) => result.rows))
    rows.set(row.label, [...(rows.get(row.label) ?? []), row]);
  return { ...(results[0] as RandomResult), count, rows: [...rows.values()].map(summed) };
}

/** What a process of Node prints; its progress is that of this process. Rejects if it cannot be started or prints no result. */
function outputOf(line: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, line, { stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    child.on("error", reject);
    child.on("close", (code, signal) =>
      text.includes("{\n") ? resolve(text) : reject(new Error(`a process ended by ${signal ?? code}`)),
    );
  });
}

/** Rows of one device as one. */
function summed(rows: readonly RandomRow[]): RandomRow {
  const [first] = rows as [RandomRow];
  const total = (value: (row: RandomRow) => number): number => rows.reduce((sum, row) => sum + value(row), 0);
  const pairs: Record<string, number> = {};
  for (const row of rows)
    for (const [pair, times] of Object.entries(row.pairs ?? {})) pairs[pair] = (pairs[pair] ?? 0) + times;
  return {
    ...first,
    ran: total(({ ran }) => ran),
    unsupported: total(({ unsupported }) => unsupported),
    differing: total(({ differing }) => differing),
    findings: rows.flatMap(({ findings }) => findings),
    seconds: Math.max(...rows.map(({ seconds }) => seconds)),
    pairs,
  };
}
