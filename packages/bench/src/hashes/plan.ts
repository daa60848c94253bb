/** Which results the matrix has: jobs, and the cells of each. */
import { LIBRARIES } from "@groupwise/testkit/mpi";
import { isChosen, isChosenInAnyCase } from "../print/only.ts";
import { DEVICES, type Device } from "./command-line.ts";
import { type Hashed, PIPELINES } from "./pipelines.ts";
import { WAYS } from "./ranks.ts";

export interface HashesChoice {
  /** Only pipelines, libraries, targets of ranks, and devices of runs with one of the words in their names. */
  readonly only: readonly string[];
  readonly libraries: readonly string[];
  readonly targets: readonly string[];
  readonly devices: readonly string[];
  readonly ranks: readonly number[];
  readonly chunks: readonly number[];
  /** Items of all ranks and chunks. */
  readonly n: number;
  /** Items of jobs of at most `fewRanks` ranks, whose parts are longer than the longest chunk; 0: none. */
  readonly long: number;
  readonly fewRanks: number;
  /**
   * Items of jobs of more ranks in C, and of runs on JavaScript, of the pipelines `greatOnly`: parts of 8 ranks are
   * longer than the longest chunk; 0: none.
   */
  readonly great: number;
  readonly greatOnly: readonly string[];
  /** Items of runs and streams in chunks of any length: a device launches kernels for each chunk; 0: none. */
  readonly short: number;
  /** No job starts later; the result lists those that did not. */
  readonly minutes: number;
  readonly say?: (line: string) => void;
}

export const DEFAULTS: HashesChoice = {
  only: [],
  libraries: [],
  targets: [],
  devices: [],
  ranks: [1, 2, 3, 5, 8, 13, 16, 64],
  chunks: [1, 1000, 2 ** 16, 2 ** 20 + 7],
  n: 70_001,
  long: 3_300_001,
  fewRanks: 3,
  great: 2 ** 24 + 70_001,
  greatOnly: ["add-f32", "affine-f32", "segmented-max"],
  short: 521,
  minutes: Number.POSITIVE_INFINITY,
};

/** One result of the matrix. */
export interface Cell {
  readonly hashed: Hashed;
  readonly n: number;
  /** Items of a chunk; 0: one run. */
  readonly chunk: number;
  /** How items are distributed over ranks. */
  readonly spread: "unequal" | "equal";
  /** How it is computed: `C, MPICH, 3 ranks, chunks of 1000`. */
  readonly how: string;
}

export interface DevicePlace {
  readonly kind: "device";
  readonly device: Device;
}

export interface RanksPlace {
  readonly kind: "ranks";
  readonly target: string;
  readonly library: (typeof LIBRARIES)[number];
  readonly ranks: number;
}

/** Cells that one program computes, or one device. */
export interface PlannedJob {
  readonly place: DevicePlace | RanksPlace;
  /** Row and column of the table of jobs: `C, MPICH` and `3 ranks`. */
  readonly by: string;
  readonly column: string;
  readonly cells: readonly Cell[];
}

export const nameOf = ({ by, column }: Pick<PlannedJob, "by" | "column">): string => `${by}, ${column}`;

/** Whether a pipeline has a length: great ones are of few pipelines. */
const hasLength = ({ great, greatOnly }: HashesChoice, { name }: Hashed, n: number): boolean =>
  n > 0 && (n !== great || greatOnly.includes(name));

const chunkText = (chunk: number): string => (chunk === 0 ? "one run" : `chunks of ${chunk}`);

/** The lengths of runs, or of streams. Chunks of 1000 items of millions are thousands of launches. */
function lengthsIn(choice: HashesChoice, chunk: number, { shortest, isFast }: Device): readonly number[] {
  const { n, long, short, great } = choice;
  const lengths = [short, n, long, isFast ? great : 0].filter((items) => items > 0);
  if (chunk === 0) return lengths;
  return lengths.filter((items) =>
    items === short ? chunk <= short : chunk >= shortest && (items === n || items / chunk < 100),
  );
}

function jobOfDevice(choice: HashesChoice, pipelines: readonly Hashed[], device: Device, chunk: number) {
  const named = { by: device.name, column: chunkText(chunk) };
  const cells = lengthsIn(choice, chunk, device).flatMap((n) =>
    pipelines
      .filter((hashed) => hasLength(choice, hashed, n))
      .map((hashed) => ({ hashed, n, chunk, spread: "equal" as const, how: nameOf(named) })),
  );
  return { place: { kind: "device" as const, device }, ...named, cells };
}

/** All pipelines and chunks: parts of unequal lengths, one of them empty, and parts that are longer than the chunks. */
function jobOfRanks(choice: HashesChoice, pipelines: readonly Hashed[], place: RanksPlace): PlannedJob {
  const { chunks, n, long, great, fewRanks } = choice;
  const { target, library, ranks } = place;
  const named = {
    by: `${target === "c" ? "C" : "OpenCL on PoCL"}, ${library.name}`,
    column: ranks === 1 ? "1 rank" : `${ranks} ranks`,
  };
  const longest = Math.max(...chunks);
  const isFew = ranks <= fewRanks;
  // With equal parts the most ranks have several of the longest chunks.
  const further = isFew ? long : target === "c" ? great : 0;
  const most = isFew ? 100 : 1000;
  const cells = pipelines.flatMap((hashed) =>
    [
      ...chunks.map((chunk) => ({ n, chunk, spread: "unequal" as const })),
      ...chunks
        .filter((chunk) => hasLength(choice, hashed, further) && further / chunk < most)
        .map((chunk) => ({
          n: further,
          chunk,
          spread: chunk === longest ? ("equal" as const) : ("unequal" as const),
        })),
    ].map((cell) => ({ ...cell, hashed, how: `${nameOf(named)}, ${chunkText(cell.chunk)}` })),
  );
  return { place, ...named, cells };
}

/** The pipelines of a choice. */
export const pipelinesOf = ({ only }: HashesChoice): readonly Hashed[] =>
  PIPELINES.filter(({ name }) => isChosenInAnyCase(name, only));

/** `c` is a part of `opencl`, so that their names are compared as a whole. */
const targetsOf = ({ targets }: HashesChoice): readonly string[] =>
  Object.keys(WAYS).filter((name) => targets.length === 0 || targets.includes(name));

/** Runs and streams of files on every device, then ranks. */
export function jobsOf(choice: HashesChoice): readonly PlannedJob[] {
  const pipelines = pipelinesOf(choice);
  const libraries = LIBRARIES.filter(({ name }) => isChosen(name.toLowerCase(), choice.libraries));
  const devices = DEVICES.filter(({ name }) => isChosenInAnyCase(name, choice.devices)).flatMap((device) =>
    [0, ...choice.chunks].map((chunk) => jobOfDevice(choice, pipelines, device, chunk)),
  );
  const ranks = targetsOf(choice).flatMap((target) =>
    choice.ranks.flatMap((count) =>
      libraries.map((library) =>
        jobOfRanks(choice, pipelines, { kind: "ranks", target, library, ranks: count }),
      ),
    ),
  );
  return [...devices, ...ranks].filter(({ cells }) => cells.length > 0);
}
