/** Streams of files beside programs that only read, or read and write, the same file, in turns. */
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stringifyPipeline } from "@groupwise/core/schema";
import { f32, pipeline } from "@groupwise/dsl";
import { runProcess } from "@groupwise/testkit/devices";
import { ratioOf } from "../loops/loops.ts";
import { type Surroundings, surroundings } from "../measure/surroundings.ts";

const COMMAND = fileURLToPath(new URL("../../../cli/dist/bin.js", import.meta.url));

/** What is measured. */
export interface StreamsChoice {
  /** Items of the file. */
  readonly n: number;
  readonly targets: readonly string[];
  /** Items of a chunk; 0: the default. */
  readonly chunks: readonly number[];
  /** Threads of each target; 0: its own runtime without threads. */
  readonly workers: readonly number[];
  readonly rounds: number;
  /** Names of pipelines; none: all. */
  readonly only: readonly string[];
  /** A file of zeros that takes no room on the disk. */
  readonly isSparse: boolean;
  /** The folder for the files. */
  readonly directory?: string | undefined;
  readonly say: (line: string) => void;
}

/** One way to process the file. */
export interface StreamsRow {
  readonly pipeline: string;
  /** The target, or the program. */
  readonly by: string;
  /** Items of a chunk; absent for programs. */
  readonly chunk?: number;
  /** Threads; absent for programs and for a runtime without threads. */
  readonly workers?: number;
  /** Of the round with the median time: the milliseconds that the stream waited for each of its parts. Absent for programs. */
  readonly spent?: Readonly<Record<string, number>>;
  /** Milliseconds of each round, until the bytes are on the disk. */
  readonly times: readonly number[];
  /** The same for a file of one item: what the compiler and the first chunk take. Absent for programs. */
  readonly starts?: readonly number[];
  /** The median over the rounds of the program's time over this one: the share of its rate. */
  readonly share: number;
  /** The same without the time of the start: the share that longer files approach. */
  readonly shareLater: number;
}

/** The result of a benchmark of streams. */
export interface StreamsResult {
  readonly surroundings: Surroundings;
  readonly n: number;
  readonly rows: readonly StreamsRow[];
}

/** A pipeline, and the program that moves as many bytes. */
const JOBS = [
  {
    // Its totals are all that is written.
    ...pipeline("totals", { x: f32 }, ({ x }) => ({ total: x.reduce("add"), high: x.reduce("max") })),
    program: "cat",
    shell: (file: string) => `cat '${file}' > /dev/null`,
    bounds: [],
    outputs: ["total.npy", "high.npy"],
  },
  {
    ...pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") })),
    program: "cp and sync",
    shell: (file: string) => `cp '${file}' '${file}.copy' && sync '${file}.copy'`,
    bounds: [
      {
        by: "dd and sync, writes only",
        shell: (file: string, bytes: number) =>
          `dd if=/dev/zero of='${file}.copy' bs=1M count=${bytes} iflag=count_bytes status=none && sync '${file}.copy'`,
      },
    ],
    outputs: ["y.npy"],
  },
];
type Job = (typeof JOBS)[number];

/** Writes a block of pseudo-random floats as often as needed, or a sparse file. */
function writeItems(path: string, n: number, isSparse: boolean): void {
  if (isSparse) {
    writeFileSync(path, "");
    truncateSync(path, 4 * n);
    return;
  }
  const file = openSync(path, "w");
  let bits = 1;
  const block = Float32Array.from({ length: Math.min(2 ** 20, n) }, () => {
    bits = (Math.imul(bits, 1664525) + 1013904223) >>> 0;
    return bits / 2 ** 31 - 1;
  });
  for (let at = 0; at < n; at += block.length)
    writeSync(file, new Uint8Array(block.buffer, 0, 4 * Math.min(block.length, n - at)));
  closeSync(file);
}

/** A run of a job: without a number of items of a chunk it is no stream. */
interface Command {
  readonly target: string;
  readonly file: string;
  readonly out: string;
  readonly chunk?: number;
  readonly workers?: number;
}

/** What `run --stream --json` prints of a stream. */
interface Ran {
  readonly milliseconds: number;
  readonly chunk: number;
  readonly spent: Readonly<Record<string, number>>;
}

async function command(
  cwd: string,
  job: Job,
  { target, file, out, chunk, workers = 0 }: Command,
): Promise<Ran> {
  const stream = chunk === undefined ? [] : ["--stream", ...(chunk === 0 ? [] : [String(chunk)])];
  const inputs = ["--input", `x=${file}:f32`, "--target", target, "--out", out];
  const threads = workers > 0 ? ["--workers", String(workers)] : [];
  const args = [COMMAND, "run", `${job.ir.name}.json`, ...inputs, ...threads, ...stream, "--json"];
  const { code, stdout, stderr } = await runProcess(process.execPath, args, { cwd });
  if (code !== 0) throw new Error(`groupwise ${args.slice(1).join(" ")}: ${stdout}${stderr}`);
  return JSON.parse(stdout);
}

/** Compares a stream with one run. @throws Error if a bit differs */
async function check(cwd: string, job: Job, target: string): Promise<void> {
  await command(cwd, job, { target, file: "check.raw", out: "whole" });
  await command(cwd, job, { target, file: "check.raw", out: "check", chunk: 2 ** 16 });
  for (const name of job.outputs) {
    const [want, got] = ["whole", "check"].map((out) => readFileSync(join(cwd, out, name)));
    if (!want?.equals(got as Buffer))
      throw new Error(`${job.ir.name} on ${target}: ${name} differs from that of one run`);
  }
}

async function shell(cwd: string, text: string): Promise<number> {
  const begin = performance.now();
  const { code, stderr } = await runProcess("sh", ["-c", text], { cwd });
  if (code !== 0) throw new Error(`${text}: ${stderr}`);
  return performance.now() - begin;
}

/** Each round runs the program, then every target with every chunk. */
async function rowsOf(cwd: string, job: Job, choice: StreamsChoice): Promise<StreamsRow[]> {
  const ways = choice.targets.flatMap((target) =>
    choice.workers.flatMap((workers) =>
      choice.chunks.map((chunk) => ({ target, workers, chunk, runs: [] as Ran[], starts: [] as number[] })),
    ),
  );
  const program: number[] = [];
  const bounds = job.bounds.map((bound) => ({ ...bound, times: [] as number[] }));
  for (let round = 0; round < choice.rounds; round++) {
    choice.say(`${job.ir.name}: round ${round + 1} of ${choice.rounds}`);
    program.push(await shell(cwd, job.shell("x.raw")));
    rmSync(join(cwd, "x.raw.copy"), { force: true });
    for (const bound of bounds) {
      bound.times.push(await shell(cwd, bound.shell("x.raw", 4 * choice.n)));
      rmSync(join(cwd, "x.raw.copy"), { force: true });
    }
    for (const way of ways) {
      const started = await command(cwd, job, { ...way, file: "one.raw", out: "out" });
      rmSync(join(cwd, "out"), { recursive: true });
      const ran = await command(cwd, job, { ...way, file: "x.raw", out: "out" });
      rmSync(join(cwd, "out"), { recursive: true });
      way.starts.push(started.milliseconds);
      way.runs.push(ran);
    }
  }
  const { name } = job.ir;
  return [
    { pipeline: name, by: job.program, times: program, share: 1, shareLater: 1 },
    ...bounds.map(({ by, times }) => {
      const share = ratioOf(program, times);
      return { pipeline: name, by, times, share, shareLater: share };
    }),
    ...ways.map(({ target, workers, runs, starts }) => {
      const times = runs.map(({ milliseconds }) => milliseconds);
      const { chunk, spent } = medianRun(runs);
      return {
        pipeline: name,
        by: target,
        chunk,
        ...(workers > 0 && { workers }),
        spent,
        times,
        starts,
        share: ratioOf(program, times),
        shareLater: ratioOf(
          program,
          times.map((time, i) => time - (starts[i] as number)),
        ),
      };
    }),
  ];
}

/** @param runs at least one */
function medianRun(runs: readonly Ran[]): Ran {
  const sorted = [...runs].sort((a, b) => a.milliseconds - b.milliseconds);
  return sorted[Math.floor(runs.length / 2)] as Ran;
}

/** @throws Error if a result differs from that of one run, or a program fails */
export async function streams(choice: StreamsChoice): Promise<StreamsResult> {
  const cwd = mkdtempSync(join(choice.directory ?? tmpdir(), "groupwise-streams-"));
  try {
    writeItems(join(cwd, "check.raw"), Math.min(choice.n, 2 ** 20 + 7), false);
    writeItems(join(cwd, "one.raw"), 1, false);
    writeItems(join(cwd, "x.raw"), choice.n, choice.isSparse);
    const rows: StreamsRow[] = [];
    for (const job of JOBS) {
      if (choice.only.length > 0 && !choice.only.includes(job.ir.name)) continue;
      writeFileSync(join(cwd, `${job.ir.name}.json`), stringifyPipeline(job.ir));
      for (const target of choice.targets) await check(cwd, job, target);
      rows.push(...(await rowsOf(cwd, job, choice)));
    }
    return { surroundings: surroundings(), n: choice.n, rows };
  } finally {
    rmSync(cwd, { recursive: true });
  }
}
