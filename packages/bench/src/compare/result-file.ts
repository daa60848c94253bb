/** Results of `bench throughput` and `bench primitives`, read back from their JSON. */
import { readFileSync } from "node:fs";
import { errorOf } from "@groupwise/core/target";
import { z } from "zod";
import { ofPeers, type PeerRatios } from "../peers/peer.ts";

const time = z.number().nonnegative();
const timing = {
  n: z.number().int().positive(),
  medianMs: time,
  // Files from before the stop rule have no quartiles.
  quartilesMs: z.tuple([time, time]).optional(),
};
const PEER_TIMES = z
  .array(z.object({ peer: z.string(), rows: z.array(z.object({ name: z.string(), ...timing })) }))
  .default([]);
const surroundings = z.object({ date: z.string(), commit: z.string() });
const KINDS = {
  throughput: z.object({
    surroundings,
    device: z.string(),
    driver: z.string(),
    clock: z.enum(["device", "host"]),
    rows: z.array(
      z.object({
        what: z.string(),
        gigabytesPerSecond: time,
        ofCopy: z.number().nullable(),
        strategy: z.string().optional(),
        ...timing,
      }),
    ),
  }),
  primitives: z.object({
    surroundings,
    device: z.object({ target: z.string().optional(), name: z.string(), driver: z.string() }),
    strategy: z.string().optional(),
    peers: PEER_TIMES,
    rows: z.array(
      z.object({
        primitive: z.string(),
        nsPerItem: time,
        // Earlier files have neither.
        bytes: z.number().positive().optional(),
        strategy: z.string().optional(),
        wrong: z.string().optional(),
        ...timing,
      }),
    ),
  }),
};

export type ResultKind = "throughput" | "primitives";

export interface TimedRow {
  readonly name: string;
  readonly n: number;
  readonly medianMs: number;
  /** First and third quartile. */
  readonly quartilesMs?: readonly [number, number] | undefined;
  readonly gigabytesPerSecond?: number;
  /** That over the rate of the fastest copy of the same size. */
  readonly ofCopy?: number | null;
  readonly strategy?: string | undefined;
  /** The time divided by that of each peer that has the job. */
  readonly ofPeers?: PeerRatios;
}

export interface ResultFile {
  readonly path: string;
  readonly kind: ResultKind;
  readonly device: string;
  readonly driver: string;
  readonly commit: string;
  /** UTC. */
  readonly date: string;
  readonly rows: readonly TimedRow[];
  /** Jobs of peers, as `CUB: copy`. */
  readonly peerRows?: readonly TimedRow[];
  /** The target and the strategy that was asked for, as far as the file says. */
  readonly how?: string;
}

const HINT = "pass JSON that `bench throughput` or `bench primitives` wrote with --save or --out";
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

/** @throws GroupwiseError `bad-file` if the text is not a result of a known kind, or contains a wrong result */
export function parseResult(path: string, text: string): ResultFile {
  const json = parsed(path, text);
  const throughput = KINDS.throughput.safeParse(json);
  if (throughput.success) {
    const { device, driver, surroundings: at, rows } = throughput.data;
    const timed = rows.map(({ what, ...row }) => ({ name: what, ...row }));
    return checked(path, { path, kind: "throughput", device, driver, ...at, rows: timed });
  }
  const primitives = KINDS.primitives.safeParse(json);
  if (!primitives.success)
    throw badFile(path, `it is no result of ${Object.keys(KINDS).join(" or ")} with times`);
  const { device, surroundings: at, rows, peers, strategy } = primitives.data;
  const wrong = rows.find((row) => row.wrong !== undefined);
  if (wrong) throw badFile(path, `${JSON.stringify(wrong.primitive)} of ${wrong.n} items has a wrong result`);
  const how = [device.target, strategy].filter(Boolean).join(", ");
  return checked(path, { path, kind: "primitives", ...namesOf(device), how, ...at, ...ratedOf(rows, peers) });
}

type Primitives = z.infer<typeof KINDS.primitives>;

/** Rows with rates. A peer's bytes are those of our job: it may need fewer, but the results are the same. */
function ratedOf(
  rows: Primitives["rows"],
  peers: Primitives["peers"],
): Pick<Required<ResultFile>, "rows" | "peerRows"> {
  const key = (name: string, n: number): string => JSON.stringify([name, n]);
  const bytes = new Map(rows.map((row) => [key(row.primitive, row.n), row.bytes]));
  const rated = <T extends Pick<TimedRow, "name" | "n" | "medianMs">>(row: T) => {
    const moved = bytes.get(key(row.name, row.n));
    return { ...row, ...(moved !== undefined && { gigabytesPerSecond: moved / row.medianMs / 1e6 }) };
  };
  const ours = rows.map(({ primitive, ...row }) => {
    const named = { name: primitive, ...row };
    return { ...rated(named), ofPeers: ofPeers(peers, named) };
  });
  const theirs = peers.flatMap(({ peer, rows: own }) => own.map((row) => ({ peer, row: rated(row) })));
  const copies = [...ours, ...theirs.map(({ row }) => row)].filter(({ name }) => name === "copy");
  const compared = <T extends TimedRow>(row: T): T => {
    const rates = copies.flatMap(({ n, gigabytesPerSecond: rate }) => (n === row.n && rate ? [rate] : []));
    const { gigabytesPerSecond: rate } = row;
    return rate === undefined || rates.length === 0 ? row : { ...row, ofCopy: rate / Math.max(...rates) };
  };
  return {
    rows: ours.map(compared),
    peerRows: theirs.map(({ peer, row }) => ({ ...compared(row), name: `${peer}: ${row.name}` })),
  };
}

const namesOf = ({ name, driver }: { name: string; driver: string }) => ({ device: name, driver });

/** @throws GroupwiseError `missing-file`, `bad-file` */
export const readResult = (path: string): ResultFile => parseResult(path, textOf(path));
