/**
 * One hash of all result bits for each pipeline and length, computed in every way: by ranks of MPI, runs, and streams of
 * files.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Found, found } from "@groupwise/testkit/devices";
import { surroundings } from "../measure/surroundings.ts";
import { type Device, filesOf, hashOfRun, writeFiles } from "./command-line.ts";
import type { Hashed } from "./pipelines.ts";
import {
  type Cell,
  type DevicePlace,
  type HashesChoice,
  jobsOf,
  nameOf,
  type PlannedJob,
  pipelinesOf,
  type RanksPlace,
} from "./plan.ts";
import { hashesOf, programOf } from "./ranks.ts";
import { checkSame, type Hashes, hasCell, type Job, type Result, withHashes } from "./result.ts";
import { versions } from "./versions.ts";

export interface Continuation {
  /** A result of the same commit, whose cells are not computed again. */
  readonly earlier?: Hashes | undefined;
  /** Takes the result after each job. */
  readonly save?: (result: Hashes) => void;
  readonly versionsOf?: typeof versions;
}

type Compute = (cells: readonly Cell[]) => Promise<readonly string[]>;

/** Computes cells of a place, with files in one folder. */
class Places {
  private readonly written = new Set<string>();
  private readonly environments = new Map<Device, ReturnType<Device["environment"]>>();
  private readonly pipelines: readonly Hashed[];
  private readonly root: string;

  constructor(pipelines: readonly Hashed[], root: string) {
    this.pipelines = pipelines;
    this.root = root;
  }

  async open(place: PlannedJob["place"]): Promise<Found<Compute>> {
    const compute = await (place.kind === "device" ? this.device(place) : this.ranks(place));
    if (!compute.found) return compute;
    return found((cells) => {
      this.write(cells);
      return compute.value(cells);
    });
  }

  private write(cells: readonly Cell[]): void {
    for (const { hashed, n } of cells) {
      const name = filesOf(hashed, n);
      if (!this.written.has(name)) writeFiles(hashed, n, this.root);
      this.written.add(name);
    }
  }

  private async device({ device }: DevicePlace): Promise<Found<Compute>> {
    const environment = this.environments.get(device) ?? device.environment();
    this.environments.set(device, environment);
    const env = await environment;
    if (!env.found) return env;
    return found(async (cells) => {
      const hashes: string[] = [];
      for (const cell of cells) hashes.push(await hashOfRun(device, env.value, { ...cell, root: this.root }));
      return hashes;
    });
  }

  private async ranks({ target, library, ranks }: RanksPlace): Promise<Found<Compute>> {
    const { pipelines, root } = this;
    const program = await programOf(target, library, pipelines, root);
    if (!program.found) return program;
    return found((cells) => {
      const cuts = cells.map(({ hashed, n, chunk, spread }) => {
        const input = join(root, filesOf(hashed, n));
        return { pipeline: pipelines.indexOf(hashed), n, chunk, spread, input };
      });
      return hashesOf(program.value, ranks, pipelines, cuts);
    });
  }
}

/** Computes a part of the matrix. @throws GroupwiseError `bad-usage` if the earlier result is of another commit */
export async function hashes(choice: HashesChoice, continuation: Continuation = {}): Promise<Hashes> {
  const { earlier, save = () => {}, versionsOf = versions } = continuation;
  const { minutes, say = () => {} } = choice;
  const about = { surroundings: surroundings(), versions: await versionsOf() };
  if (earlier) checkSame(earlier, about);
  let results: readonly Result[] = earlier?.results ?? [];
  const jobs: Job[] = [...(earlier?.jobs ?? [])];
  const absent = new Map((earlier?.absent ?? []).map(({ name, reason }) => [name, reason]));
  const result = (): Hashes => ({
    ...(earlier ? { surroundings: earlier.surroundings, versions: earlier.versions } : about),
    results,
    jobs,
    absent: [...absent].map(([name, reason]) => ({ name, reason })),
  });
  const root = mkdtempSync(join(tmpdir(), "groupwise-hashes-"));
  const places = new Places(pipelinesOf(choice), root);
  const until = performance.now() + minutes * 60_000;
  try {
    for (const job of jobsOf(choice)) {
      const what = nameOf(job);
      const isDone = hasCell(results);
      const cells = job.cells.filter((cell) => !isDone(cell));
      if (cells.length === 0) continue;
      if (performance.now() > until) {
        absent.set(what, `not begun after ${minutes} minutes`);
        continue;
      }
      const compute = await places.open(job.place);
      if (!compute.found) {
        absent.set(job.by, compute.reason);
        continue;
      }
      for (const name of [what, job.by]) absent.delete(name);
      const [start, begun] = [performance.now(), new Date().toISOString().slice(0, 19).replace("T", " ")];
      results = withHashes(results, cells, await compute.value(cells));
      const seconds = Math.round((performance.now() - start) / 100) / 10;
      jobs.push({ what, results: cells.length, seconds, begun });
      save(result());
      say(`${what}: ${cells.length} results in ${seconds} s`);
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  return result();
}
