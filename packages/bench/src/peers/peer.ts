/** Other implementations of the measured jobs, timed in the same run on the same card. */
import { z } from "zod";
import { type Samples, samplesOf } from "../measure/samples.ts";

/** A job of a peer, by the name that it has here. Times are of one launch. */
export interface PeerRow extends Samples {
  readonly name: string;
  readonly n: number;
  readonly recordings: number;
}

export interface Peer {
  readonly peer: string;
  readonly version: string;
  readonly device: string;
  readonly driver: string;
  readonly rows: readonly PeerRow[];
}

/** A size, and the number of launches of a sample. */
export interface PeerSize {
  readonly n: number;
  readonly recordings: number;
}

const HEAD = z.object({ peer: z.string(), version: z.string(), device: z.string(), driver: z.string() });
const ROW = z.object({
  name: z.string(),
  n: z.number().int().positive(),
  recordings: z.number().int().positive(),
  timesMs: z.array(z.number().positive()).min(1),
  stopped: z.enum(["spread", "runs", "time"]),
});

/** The lines that a peer's program prints: one for its device, and one for each job. @throws ZodError, SyntaxError */
export function peerOf(output: string): Peer {
  const [head, ...rows] = output.trim().split("\n");
  return {
    ...HEAD.parse(JSON.parse(head ?? "")),
    rows: rows.map((line) => {
      const { timesMs, stopped, ...row } = ROW.parse(JSON.parse(line));
      return { ...row, ...samplesOf(timesMs, stopped) };
    }),
  };
}

interface Timed {
  readonly name: string;
  readonly n: number;
  readonly medianMs: number;
  readonly quartilesMs?: readonly [number, number] | undefined;
}

/** Our time divided by a peer's. */
interface Ratio {
  readonly ratio: number;
  /** Interquartile range over median of the peer's times; absent in files without quartiles. */
  readonly spread?: number;
}

/** For each peer that has the job. */
export type PeerRatios = Readonly<Record<string, Ratio>>;

function ratioOf(ours: Timed, { medianMs, quartilesMs }: Timed): Ratio {
  const ratio = ours.medianMs / medianMs;
  return quartilesMs ? { ratio, spread: (quartilesMs[1] - quartilesMs[0]) / medianMs } : { ratio };
}

/** Our time divided by a peer's, for each peer that has the job. */
export function ofPeers(
  peers: readonly { readonly peer: string; readonly rows: readonly Timed[] }[],
  row: Timed,
): PeerRatios {
  return Object.fromEntries(
    peers.flatMap(({ peer, rows }) => {
      const other = rows.find(({ name, n }) => name === row.name && n === row.n);
      return other ? [[peer, ratioOf(row, other)]] : [];
    }),
  );
}

/** A ratio to a peer whose own times vary by more than this share is printed with it. */
export const NOISY = 0.05;

/** `1.81`, or `1.81 (spread 55 %)` if the peer's times vary. */
export const ratioText = ({ ratio, spread = 0 }: Ratio): string =>
  `${ratio.toFixed(2)}${spread > NOISY ? ` (spread ${Math.round(100 * spread)} %)` : ""}`;
