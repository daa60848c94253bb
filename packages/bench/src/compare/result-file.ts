/** Results of `bench primitives`, read back from their JSON. */
import { readFileSync } from "node:fs";
import { errorOf } from "@groupwise/core/target";
import { z } from "zod";

const time = z.number().nonnegative();
const timing = {
  n: z.number().int().positive(),
  medianMs: time,
  // Files from before the stop rule have no quartiles.
  quartilesMs: z.tuple([time, time]).optional(),
};
const surroundings = z.object({ date: z.string(), commit: z.string() });
const RESULT = z.object({
  surroundings,
  device: z.object({ target: z.string().optional(), name: z.string(), driver: z.string() }),
  strategy: z.string().optional(),
  rows: z.array(
    z.object({
      primitive: z.string(),
      nsPerItem: time,
      wrong: z.string().optional(),
      ...timing,
    }),
  ),
});

export interface TimedRow {
  readonly name: string;
  readonly n: number;
  readonly medianMs: number;
  /** First and third quartile. */
  readonly quartilesMs?: readonly [number, number] | undefined;
}

export interface ResultFile {
  readonly path: string;
  readonly device: string;
  readonly driver: string;
  readonly commit: string;
  /** UTC. */
  readonly date: string;
  readonly rows: readonly TimedRow[];
  /** The target and the strategy that was asked for, as far as the file says. */
  readonly how?: string;
}

const HINT = "pass JSON that `bench primitives` wrote with --save or --out";
const badFile = (path: string, reason: string, cause?: unknown): Error =>
  errorOf("bad-file", { path, reason, hint: HINT }, path, cause);
const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw errorOf("missing-file", { path, reason: reasonOf(error) }, path, error);
  }
}

function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badFile(path, reasonOf(error), error);
  }
}

function checked(path: string, file: ResultFile): ResultFile {
  const seen = new Set<string>();
  for (const { name, n } of file.rows) {
    const key = JSON.stringify([name, n]);
    if (seen.has(key)) throw badFile(path, `it has two rows of ${JSON.stringify(name)} of ${n} items`);
    seen.add(key);
  }
  if (file.rows.length === 0) throw badFile(path, "it has no rows");
  return file;
}

/** @throws GroupwiseError `bad-file` if the text is not a result, or contains a wrong result */
export function parseResult(path: string, text: string): ResultFile {
  const json = parsed(path, text);
  const result = RESULT.safeParse(json);
  if (!result.success) throw badFile(path, "it is no result of primitives with times");
  const { device, surroundings: at, rows, strategy } = result.data;
  const wrong = rows.find((row) => row.wrong !== undefined);
  if (wrong) throw badFile(path, `${JSON.stringify(wrong.primitive)} of ${wrong.n} items has a wrong result`);
  const how = [device.target, strategy].filter(Boolean).join(", ");
  const timed = rows.map(({ primitive, ...row }) => ({ name: primitive, ...row }));
  return checked(path, { path, device: device.name, driver: device.driver, how, ...at, rows: timed });
}

/** @throws GroupwiseError `missing-file`, `bad-file` */
export const readResult = (path: string): ResultFile => parseResult(path, textOf(path));
