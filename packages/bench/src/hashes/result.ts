/** The result of a part of the matrix: read back from JSON, continued, and compared with the whole matrix. */
import { existsSync, readFileSync } from "node:fs";
import { errorOf } from "@groupwise/core/target";
import { z } from "zod";
import type { Surroundings } from "../measure/surroundings.ts";
import { type Cell, nameOf, type PlannedJob } from "./plan.ts";

/** One hash of a pipeline and length, and everything that gave it. */
export interface Result {
  readonly pipeline: string;
  readonly n: number;
  readonly hash: string;
  readonly how: readonly string[];
}

/** A part of the matrix that was computed at once; begun in UTC. */
export interface Job {
  readonly what: string;
  readonly results: number;
  readonly seconds: number;
  readonly begun: string;
}

export interface Hashes {
  readonly surroundings: Surroundings;
  /** What each compiler, library and device says about itself. */
  readonly versions: Readonly<Record<string, string>>;
  readonly results: readonly Result[];
  readonly jobs: readonly Job[];
  readonly absent: readonly { readonly name: string; readonly reason: string }[];
}

const text = z.string();
const count = z.number().int().nonnegative();
const HASHES = z.object({
  surroundings: z.object({
    ...{ date: text, commit: text, node: text, platform: text, cpu: text },
    ...{ cores: count, memoryGiB: count },
  }),
  versions: z.record(text, text),
  results: z.array(z.object({ pipeline: text, n: count, hash: text, how: z.array(text) })),
  jobs: z.array(z.object({ what: text, results: count, seconds: z.number().nonnegative(), begun: text })),
  absent: z.array(z.object({ name: text, reason: text })),
});

/** An earlier result, or undefined if the file does not exist. @throws GroupwiseError `bad-usage` if the file is not a result */
export function readHashes(path: string): Hashes | undefined {
  if (!existsSync(path)) return undefined;
  const refuse = (why: string): never => {
    throw errorOf("bad-usage", { reason: `${path} is not a result of \`bench hashes\`: ${why}` });
  };
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    return refuse((error as Error).message);
  }
  const parsed = HASHES.safeParse(json);
  return parsed.success ? parsed.data : refuse(z.prettifyError(parsed.error));
}

type About = Pick<Hashes, "surroundings" | "versions">;

/** Results of one file are of one commit without changes, on one machine. @throws GroupwiseError `bad-usage` */
export function checkSame(earlier: About, now: About): void {
  const textOf = ({ surroundings: { commit, node, platform, cpu }, versions }: About): string =>
    JSON.stringify([commit, node, platform, cpu, versions]);
  const hint = "name another file with --out";
  if (earlier.surroundings.commit.endsWith("changes"))
    throw errorOf("bad-usage", { reason: "the result to continue is of a commit with changes", hint });
  const [was, is] = [textOf(earlier), textOf(now)];
  if (was !== is)
    throw errorOf("bad-usage", { reason: `the result to continue is of ${was}, and this is ${is}`, hint });
}

const keyOf = (pipeline: string, n: number, how: string): string => JSON.stringify([pipeline, n, how]);

/** Whether there is a result of a cell. */
export function hasCell(results: readonly Result[]): (cell: Cell) => boolean {
  const keys = new Set(results.flatMap(({ pipeline, n, how }) => how.map((one) => keyOf(pipeline, n, one))));
  return ({ hashed, n, how }) => keys.has(keyOf(hashed.name, n, how));
}

/** Results with those of further cells. */
export function withHashes(
  results: readonly Result[],
  cells: readonly Cell[],
  hashes: readonly string[],
): readonly Result[] {
  const all = new Map(results.map((one) => [keyOf(one.pipeline, one.n, one.hash), one]));
  for (const [i, { hashed, n, how }] of cells.entries()) {
    const hash = hashes[i] as string;
    const key = keyOf(hashed.name, n, hash);
    const before = all.get(key) ?? { pipeline: hashed.name, n, hash, how: [] };
    all.set(key, { ...before, how: [...before.how, how] });
  }
  return [...all.values()];
}

/** The cells of a job that have results, and those that have none. */
export interface Covered {
  readonly job: PlannedJob;
  readonly done: number;
  readonly left: readonly Cell[];
}

export function coverageOf(jobs: readonly PlannedJob[], results: readonly Result[]): readonly Covered[] {
  const isDone = hasCell(results);
  return jobs.map((job) => {
    const left = job.cells.filter((cell) => !isDone(cell));
    return { job, done: job.cells.length - left.length, left };
  });
}

/** What is left, a line for each job without results, and for each length and chunk of the others. */
export function leftOf(covered: readonly Covered[]): readonly string[] {
  return covered.flatMap(({ job, done, left }) => {
    if (left.length === 0) return [];
    if (done === 0) return [`${nameOf(job)}: all ${left.length}`];
    const groups = new Map<string, string[]>();
    for (const { hashed, n, how } of left) {
      const key = `${how}, ${n} items`;
      groups.set(key, [...(groups.get(key) ?? []), hashed.name]);
    }
    return [...groups].map(([key, names]) => `${key}: ${names.join(", ")}`);
  });
}
