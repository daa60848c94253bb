/** The first run of a process: with nothing kept, and in later processes with what commands and runtimes keep. */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { scratchDirectory } from "@groupwise/testkit/devices";
import { coldCaches } from "../measure/caches.ts";
import { type MeasuredOn, place, surroundings } from "../measure/surroundings.ts";
import { itemsText, markdownTable, textTable } from "../print/tables.ts";
import type { Answer, Asked, Left, SmallTimes } from "./answer.ts";
import { FIRST, type FirstName, type FirstTarget } from "./pipelines.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/first/program.js", import.meta.url));
const run = promisify(execFile);

interface FirstRow {
  readonly target: FirstTarget;
  readonly pipeline: FirstName;
  readonly device: string;
  readonly driver: string;
  /** Nothing is kept. */
  readonly cold: Answer;
  /** With the caches of the driver, and the probe's report, as commands keep them. */
  readonly kept: Answer;
  /** With the option `cache`, and files that are loaded, too. */
  readonly loaded: Answer;
}

export interface FirstRuns {
  readonly surroundings: MeasuredOn;
  readonly n: number;
  readonly rows: readonly FirstRow[];
  readonly small?: SmallTimes;
  readonly absent: readonly { readonly target: FirstTarget; readonly reason: string }[];
}

export interface FirstChoice {
  readonly targets: readonly FirstTarget[];
  readonly adapter?: string;
  readonly n: number;
  readonly say: (line: string) => void;
}

/** Asks a process that ends with its answer. @throws Error what the process says */
async function answerOf(asked: Asked, env: Readonly<Record<string, string>>): Promise<Answer> {
  const folder = scratchDirectory();
  const [question, answer] = [join(folder, "asked.json"), join(folder, "answer.json")];
  writeFileSync(question, JSON.stringify(asked));
  await run(process.execPath, [PROGRAM, question, answer], { env: { ...process.env, ...env } });
  const found = JSON.parse(readFileSync(answer, "utf8")) as Answer | { readonly error: string };
  if ("error" in found) throw new Error(found.error);
  return found;
}

async function rowOf(asked: Asked): Promise<FirstRow> {
  const env = coldCaches();
  const cache = scratchDirectory();
  const { left = {}, ...cold } = await answerOf({ ...asked, cache, then: "leave" }, env);
  const { artifact, ...probed }: Left = left;
  const kept = await answerOf({ ...asked, ...probed }, env);
  const loaded = await answerOf({ ...asked, ...left, cache, then: "small" }, env);
  const { target, pipeline } = asked;
  return { target, pipeline, device: cold.device, driver: cold.driver, cold, kept, loaded };
}

/** Of each target and pipeline, in processes one after the other. */
export async function firstRuns({ targets, adapter, n, say }: FirstChoice): Promise<FirstRuns> {
  const rows: FirstRow[] = [];
  const absent: { target: FirstTarget; reason: string }[] = [];
  for (const target of targets)
    for (const pipeline of Object.keys(FIRST) as FirstName[]) {
      if (absent.some((one) => one.target === target)) continue;
      say(`${target}: ${pipeline}`);
      const asked = { target, pipeline, n, ...(adapter !== undefined && { adapter }) };
      await rowOf(asked).then(
        (row) => rows.push(row),
        (error: Error) => absent.push({ target, reason: error.message }),
      );
    }
  const small = rows.find(({ loaded }) => loaded.small)?.loaded.small;
  return { surroundings: surroundings(), n, rows, ...(small && { small }), absent };
}

const answersOf = ({ cold, kept, loaded }: FirstRow): readonly Answer[] => [cold, kept, loaded];
export const isRight = ({ rows }: FirstRuns): boolean =>
  rows.length > 0 && rows.every((row) => answersOf(row).every(({ wrong }) => wrong === undefined));

const ms = (time: number): string => String(Number(time.toPrecision(3)));
const cell = ({ openingMs, firstMs, wrong }: Answer): string => wrong ?? `${ms(firstMs)} (${ms(openingMs)})`;

export function printFirstRuns(
  { n, rows, small, absent, ...result }: FirstRuns,
  isMarkdown: boolean,
): string {
  const head = ["", "device", "", "nothing kept", "as commands keep it", "with `cache` and `load`"];
  const lines = rows.map((row) => [row.target, row.device, row.pipeline, ...answersOf(row).map(cell)]);
  const parts = [
    `${isMarkdown ? "# " : ""}First runs`,
    `Milliseconds of a process from \`compile\` (\`load\`) to the first result, of ${itemsText(n)} items; in parentheses those of opening the device before. Each result was checked.\n${place(result.surroundings)}`,
    (isMarkdown ? markdownTable : textTable)([head, ...lines]),
    ...(small
      ? [
          `\`run\` of ${small.n} items in WebGPU: ${ms(small.runMs)} ms, ${(small.runMs / small.bareMs).toFixed(2)} of bare calls that write, copy and read its bytes (${ms(small.bareMs)} ms), medians in turns.`,
        ]
      : []),
    ...absent.map(({ target, reason }) => `Not here: ${target}: ${reason}`),
  ];
  return `${parts.join("\n\n")}\n`;
}
