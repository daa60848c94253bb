/** The file that the matrix writes: a row for each implementation. */
import type { Effort } from "@groupwise/testkit";
import type { Took } from "@groupwise/testkit/remote";
import type { MeasuredOn } from "../measure/surroundings.ts";

/** What ran of one kind of input. */
export interface MatrixPart {
  readonly passed: number;
  readonly failed: number;
  /** Refused by the library, with the reason. */
  readonly refused: number;
  /** Not run: the time of the row was over. */
  readonly left: number;
  /** Processes that ended or did not answer; what they ran was run again in others. */
  readonly ended?: number;
  readonly seconds: number;
  /** The first failures. */
  readonly failures: readonly string[];
  /** How many times each reason for refusing was given. */
  readonly reasons: Readonly<Record<string, number>>;
  /** Of what is timed, by name. */
  readonly times?: Readonly<Record<string, Took>>;
}

export const PARTS = [
  "suite",
  "primitives",
  "trees",
  "pipelines",
  "OpenCL C texts",
  "C texts",
  "compile times",
] as const;
export type PartName = (typeof PARTS)[number];

/** An implementation that ran. */
export interface Ran {
  readonly name: string;
  readonly group: string;
  /** Of the engine or the browser. */
  readonly version?: string;
  /** As the device gives them. */
  readonly device: string;
  readonly driver: string;
  /** Of the checks of the suite, where it is not `normal`. */
  readonly effort?: Effort;
  /** Until a first pipeline has run, in two processes: the second one has what the first one's probe showed, and is absent where nothing is probed. */
  readonly opening?: { readonly cold: Took; readonly kept?: Took };
  /** The processor of the times. */
  readonly cpu?: string;
  /** What tests of the device changed in its capabilities. */
  readonly switchedOn: readonly string[];
  readonly parts: Readonly<Partial<Record<PartName, MatrixPart>>>;
  /** UTC. */
  readonly date: string;
  readonly commit: string;
  readonly seconds: number;
}

/** An implementation that is not installed, or that is and did not start. */
export interface NotStarted {
  readonly name: string;
  readonly group: string;
  readonly reason: string;
  /** The command that installs it; absent if it is installed. */
  readonly install?: string;
}

export type MatrixRow = Ran | NotStarted;

export interface Matrix {
  /** Of the newest rows: the others have a date and a commit of their own. */
  readonly surroundings: MeasuredOn;
  readonly rows: readonly MatrixRow[];
}

export const isMissing = (row: MatrixRow): row is NotStarted => "reason" in row;

/** True if something ran and nothing failed, the start of what is installed included. */
export const isRight = ({ rows }: Pick<Matrix, "rows">): boolean => {
  const parts = rows.flatMap((row) => (isMissing(row) ? [] : Object.values(row.parts)));
  const started = rows.every((row) => !isMissing(row) || row.install !== undefined);
  return started && parts.some(({ passed }) => passed > 0) && parts.every(({ failed }) => failed === 0);
};

/** Two digits of a time; of processors where an engine tells. @param perUnit milliseconds */
export const timeText = ({ ms, processorMs }: Took, perUnit: number): string =>
  `${Number(((processorMs ?? ms) / perUnit).toPrecision(2))}${processorMs === undefined ? " (clock)" : ""}`;
