/**
 * One hash of all result bits for each pipeline and length, computed in every way: by ranks of MPI, runs, and streams of
 * files.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Cut } from "@groupwise/testkit/mpi";
import type { Absent } from "../devices/candidate.ts";
import { type Surroundings, surroundings } from "../measure/surroundings.ts";
import { isChosenInAnyCase } from "../print/only.ts";
import { DEVICES, type Device, filesOf, hashOfRun, writeFiles } from "./command-line.ts";
import { type Hashed, PIPELINES } from "./pipelines.ts";
import { hashesOf, librariesOf, programOf, WAYS } from "./ranks.ts";
import { versions } from "./versions.ts";

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

/** One result. */
export interface Run {
  readonly pipeline: string;
  readonly n: number;
  /** How it was computed: `C, MPICH, 3 ranks, chunks of 1000`. */
  readonly how: string;
  readonly hash: string;
}

/** The results of one job, and its time in seconds. */
export interface Job {
  readonly what: string;
  readonly runs: number;
  readonly seconds: number;
}

export interface Hashes {
  readonly surroundings: Surroundings;
  /** The first line that each compiler, library and device gives about itself. */
  readonly versions: Readonly<Record<string, string>>;
  readonly runs: readonly Run[];
  readonly jobs: readonly Job[];
  readonly absent: readonly Absent[];
}

/** Collects results, with the time of each job. */
class Collected {
  readonly runs: Run[] = [];
  readonly jobs: Job[] = [];
  readonly absent: Absent[] = [];
  private readonly begun = performance.now();
  private readonly minutes: number;

  constructor(minutes: number) {
    this.minutes = minutes;
  }

  async job(what: string, say: (line: string) => void, make: () => Promise<readonly Run[]>): Promise<void> {
    const start = performance.now();
    if (start - this.begun > this.minutes * 60_000) {
      this.absent.push({ name: what, reason: `not begun after ${this.minutes} minutes` });
      return;
    }
    const runs = await make();
    const seconds = Math.round((performance.now() - start) / 100) / 10;
    this.runs.push(...runs);
    this.jobs.push({ what, runs: runs.length, seconds });
    say(`${what}: ${runs.length} results in ${seconds} s`);
  }
}

/** Computes a part of the matrix. */
export async function hashes(choice: HashesChoice): Promise<Hashes> {
  const pipelines = PIPELINES.filter(({ name }) => isChosenInAnyCase(name, choice.only));
  const root = mkdtempSync(join(tmpdir(), "groupwise-hashes-"));
  const all = new Collected(choice.minutes);
  try {
    for (const n of [...lengthsOf(choice), choice.great])
      for (const hashed of pipelines) if (hasLength(choice, hashed, n)) writeFiles(hashed, n, root);
    await runsAndStreams(choice, pipelines, root, all);
    await jobsOfRanks(choice, pipelines, root, all);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  const { runs, jobs, absent } = all;
  return { surroundings: surroundings(), versions: await versions(), runs, jobs, absent };
}

/** Whether a pipeline has files of a length: great ones are of few pipelines. */
const hasLength = ({ great, greatOnly }: HashesChoice, { name }: Hashed, n: number): boolean =>
  n > 0 && (n !== great || greatOnly.includes(name));

const lengthsOf = ({ n, long, short }: HashesChoice): readonly number[] =>
  [short, n, long].filter((items) => items > 0);

/** The lengths of runs, or of streams. Chunks of 1000 items of millions are thousands of launches. */
function lengthsIn(choice: HashesChoice, chunk: number, { shortest, isFast }: Device): readonly number[] {
  const { n, short, great } = choice;
  const lengths = [...lengthsOf(choice), ...(isFast && great > 0 ? [great] : [])];
  if (chunk === 0) return lengths;
  return lengths.filter((items) =>
    items === short ? chunk <= short : chunk >= shortest && (items === n || items / chunk < 100),
  );
}

async function runsAndStreams(
  choice: HashesChoice,
  pipelines: readonly Hashed[],
  root: string,
  all: Collected,
): Promise<void> {
  const { say = () => {} } = choice;
  for (const device of DEVICES.filter(({ name }) => isChosenInAnyCase(name, choice.devices))) {
    const environment = await device.environment();
    if (!environment.found) {
      all.absent.push({ name: device.name, reason: environment.reason });
      continue;
    }
    for (const chunk of [0, ...choice.chunks]) {
      const lengths = lengthsIn(choice, chunk, device);
      if (lengths.length === 0) continue;
      const how = chunk === 0 ? "one run" : `stream, chunks of ${chunk}`;
      await all.job(`${device.name}, ${how}`, say, async () => {
        const runs: Run[] = [];
        for (const n of lengths)
          for (const hashed of pipelines.filter((one) => hasLength(choice, one, n))) {
            const hash = await hashOfRun(device, environment.value, { hashed, n, chunk, root });
            const by = chunk === 0 ? "run" : `chunks of ${chunk}`;
            runs.push({ pipeline: hashed.name, n, how: `${device.name}, ${by}`, hash });
          }
        return runs;
      });
    }
  }
}

async function jobsOfRanks(
  choice: HashesChoice,
  pipelines: readonly Hashed[],
  root: string,
  all: Collected,
): Promise<void> {
  const { say = () => {} } = choice;
  for (const target of targetsOf(choice))
    for (const ranks of choice.ranks)
      for (const library of librariesOf(choice.libraries)) {
        const program = await programOf(target, library, pipelines, root);
        const what = `${target === "c" ? "C" : "OpenCL on PoCL"}, ${library.name}`;
        if (!program.found) {
          if (ranks === choice.ranks[0]) all.absent.push({ name: what, reason: program.reason });
          continue;
        }
        const cuts = cutsOf(choice, pipelines, target, ranks, root);
        await all.job(`${what}, ${ranks} ranks`, say, async () => {
          const found = await hashesOf(program.value, ranks, pipelines, cuts);
          return cuts.map(({ pipeline, n, chunk }, i) => ({
            pipeline: (pipelines[pipeline] as Hashed).name,
            n,
            how: `${what}, ${ranks} ranks, chunks of ${chunk}`,
            hash: found[i] as string,
          }));
        });
      }
}

/** `c` is a part of `opencl`, so that their names are compared as a whole. */
const targetsOf = ({ targets }: HashesChoice): readonly string[] =>
  Object.keys(WAYS).filter((name) => targets.length === 0 || targets.includes(name));

/** All pipelines and chunks: parts of unequal lengths, one of them empty, and parts that are longer than the chunks. */
function cutsOf(
  choice: HashesChoice,
  pipelines: readonly Hashed[],
  target: string,
  ranks: number,
  root: string,
): readonly Cut[] {
  const { chunks, n, long, great, fewRanks } = choice;
  const longest = Math.max(...chunks);
  const [isFew, isC] = [ranks <= fewRanks, target === "c"];
  // With equal parts the most ranks have several of the longest chunks.
  const further = isFew ? long : isC ? great : 0;
  const most = isFew ? 100 : 1000;
  return pipelines.flatMap((hashed, pipeline) =>
    [
      ...chunks.map((chunk) => ({ n, chunk, spread: "unequal" as const })),
      ...chunks
        .filter((chunk) => hasLength(choice, hashed, further) && further / chunk < most)
        .map((chunk) => ({
          n: further,
          chunk,
          spread: chunk === longest ? ("equal" as const) : ("unequal" as const),
        })),
    ].map((cut) => ({ ...cut, pipeline, input: join(root, filesOf(hashed, cut.n)) })),
  );
}
