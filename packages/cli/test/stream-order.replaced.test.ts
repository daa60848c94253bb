/** `run --stream`: the order of reads, steps, writes and states, and processes that end at any point. */
import fs from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { check } from "@groupwise/core";
import { stringifyPipeline } from "@groupwise/core/schema";
import { type State, type Stepper, stepper } from "@groupwise/core/state";
import { f32, pipeline, u8, u16 } from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { logged } from "@groupwise/testkit";
import { isFullRun } from "@groupwise/testkit/conformance";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { decodeSaved, encodeSaved } from "../src/streams/checkpoint.ts";
import { streamChunks } from "../src/streams/loop.ts";
import { type OriginOf, RunOrigin } from "../src/streams/origin.ts";
import { Sink } from "../src/streams/sink.ts";
import { openSources } from "../src/streams/sources/open.ts";
import type { SourceArrays } from "../src/streams/sources/source.ts";
import { Spent } from "../src/streams/spent.ts";
import { writeNpy } from "../src/values/npy.ts";
import { cli, folder, listed } from "./support.ts";

/** Called before each operation that changes a file, and with the end of a write or a flush. */
let hook: (what: string, file: string) => void = () => {};
const names = new Map<number, string>();
const nameOf = (path: unknown): string => String(path).split("/").at(-1) as string;

vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>();
  return {
    ...real,
    open: async (path: string, ...rest: [string]) => {
      const file = await real.open(path, ...rest);
      names.set(file.fd, nameOf(path));
      return file;
    },
    rename: async (from: string, to: string) => {
      hook("rename", nameOf(to));
      return real.rename(from, to);
    },
  };
});
vi.mock("node:fs", async (original) => {
  const real = await original<typeof import("node:fs")>();
  const hooked = (name: "renameSync" | "rmSync" | "writeFileSync", at: number) => [
    name,
    (...given: unknown[]) => {
      hook(name, nameOf(given[at]));
      return (real[name] as (...all: unknown[]) => unknown)(...given);
    },
  ];
  const all = [hooked("renameSync", 1), hooked("rmSync", 0), hooked("writeFileSync", 0)];
  return { ...real, ...Object.fromEntries(all) };
});

const { ir } = pipeline("sums", { x: f32 }, ({ x }) => ({
  y: x.scanInclusive("add"),
  z: x.scanExclusive("max"),
  total: x.reduce("add"),
}));
const N = 70;
const SIZE = 16;
const X = Float32Array.from({ length: N }, (_, i) => Math.sin(i) * 1000);
const data = (of = ir, x = X): string =>
  folder({ "sums.json": stringifyPipeline(of), "x.npy": writeNpy("f32", x) });
const FILES = ["total.npy", "y.npy", "z.npy"];
/** Two outputs whose elements are appended, one of two bytes for each item that is kept. */
const { ir: kept } = pipeline("sums", { x: f32 }, ({ x }, { index }) => {
  const where = x.gt(300);
  const to = where.toU32().scanExclusive("add");
  const length = where.toU32().reduce("add");
  return {
    y: x.scanInclusive("add"),
    kept: x.scatter({ to, where, length }),
    places: u16(index()).scatter({ to, where, length }),
    length,
  };
});
const bytesIn = (at: string, of: readonly string[] = FILES): string[] =>
  of.map((name) => fs.readFileSync(join(at, name)).toString("hex"));

type Method = (this: { readonly fd: number }, ...given: unknown[]) => Promise<unknown>;
const METHODS = ["read", "write", "truncate", "datasync", "sync", "writeFile"] as const;
let handles: Record<(typeof METHODS)[number], Method>;
const real: Partial<typeof handles> = {};
beforeEach(async () => {
  const file = await open(import.meta.filename);
  handles = Object.getPrototypeOf(file);
  await file.close();
  for (const name of METHODS) {
    const method = handles[name];
    real[name] = method;
    handles[name] = async function (...given) {
      const file = names.get(this.fd) ?? "";
      hook(name, file);
      const result = await method.apply(this, given);
      hook(`${name} ends`, file);
      return result;
    };
  }
});
afterEach(() => {
  hook = () => {};
  Object.assign(handles, real);
  vi.restoreAllMocks();
});

const ORIGIN: OriginOf = { of: async (items) => ({ pipeline: "", values: {}, items, inputs: {} }) };

function sinkAt(cwd: string, interval: number): Sink {
  const types = { y: "f32", z: "f32" } as const;
  const plan = { directory: "o", cwd, pipeline: "sums", origin: ORIGIN, types, length: N, interval };
  return new Sink(plan, false);
}

/** Streams the file in chunks, from its first item on. */
async function chunksOf(
  at: string,
  sink: Sink,
  steps: Pick<Stepper, "start" | "step">,
  onProgress: (items: number) => void = () => {},
): ReturnType<typeof streamChunks> {
  const sources = await openSources([{ name: "x", type: "f32", spec: "x.npy" }], { cwd: at });
  const from = { values: {}, perItem: ["y", "z"], state: steps.start, chunk: SIZE, spent: new Spent() };
  const done = await streamChunks({ ...from, sources, steps, sink, onProgress });
  for (const source of sources) await source.close();
  return done;
}

async function streamed(at: string, log: string[], interval: number): Promise<number[]> {
  const progress: number[] = [];
  const sink = sinkAt(at, interval);
  const steps = await stepper(logged(jsRuntime(), log), ir);
  await chunksOf(at, sink, steps, (items) => void progress.push(items));
  await sink.finish(N);
  return progress;
}

test("a chunk is computed after the reads of the next three and the writes of the one before have begun", async () => {
  const at = data();
  const log: string[] = [];
  hook = (what, file) => {
    if (/^(read|write)/.test(what) && file !== ".sums.state.new") log.push(`${what} ${file}`);
  };
  expect(await streamed(at, log, 1e9)).toEqual([16, 32, 48, 64, 70]);
  const begun = (what: string): number[] => log.flatMap((line, i) => (line === what ? [i] : []));
  const [runs, reads] = [begun("run"), begun("read x.npy").slice(1)]; // the first read is that of the header
  const ends = ["y", "z"].map((name) => begun(`write ends .${name}.npy.part`).slice(1));
  const writes = ["y", "z"].map((name) => begun(`write .${name}.npy.part`).slice(1));
  expect([runs.length, reads.length]).toEqual([5, 5]);
  for (let k = 0; k < 5; k++) {
    const run = runs[k] as number;
    for (const next of reads.slice(k + 1, k + 4)) expect(next).toBeLessThan(run);
    // At most four chunks of inputs, and three of outputs.
    for (const later of reads.slice(k + 4)) expect(later).toBeGreaterThan(run);
    for (const [i, write] of writes.entries()) {
      expect(write[k]).toBeGreaterThan(run);
      // The first two writes wait for their file.
      if (k > 1 && k < 4) expect(write[k]).toBeLessThan(runs[k + 1] as number);
      if (k > 1) expect(ends[i]?.[k - 2]).toBeLessThan(write[k] as number);
    }
  }
});

test("a state is saved after all writes up to it, whichever ends first", { timeout: 120_000 }, async () => {
  const at = data();
  const sink = sinkAt(at, 0);
  const ended: string[] = [];
  const state = (to: number): State => ({ pipeline: "sums", from: 0n, to: BigInt(to), scans: [] }) as never;
  const part = (length: number) => ({ y: new Float32Array(length), z: new Float32Array(length) });
  const write = handles.write;
  let release: () => void = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  let writes = 0;
  handles.write = async function (...given) {
    // The headers of two files, then the first output of the first chunk.
    if (++writes === 3) await held;
    return write.apply(this, given);
  };
  const first = sink.write(0, part(16), state(16)).then(() => ended.push("first"));
  const second = sink.write(16, part(16), state(32)).then(() => ended.push("second"));
  await vi.waitFor(() => expect(writes).toBe(6));
  await new Promise((done) => setTimeout(done, 20));
  expect(ended).toEqual([]);
  release();
  await Promise.all([first, second]);
  expect(ended).toEqual(["first", "second"]);
  await sink.stop();
});

test("a chunk is computed while the two before are written", async () => {
  let runs = 0;
  const steps = await stepper(logged(jsRuntime(), { push: () => ++runs }), ir);
  const ends: (() => void)[] = [];
  const sink = { write: () => new Promise<void>((end) => ends.push(end)) } as unknown as Sink;
  let items = X;
  const next = async (count: number): Promise<SourceArrays> => {
    const x = items.subarray(0, count);
    items = items.subarray(count);
    return { x };
  };
  const close = async (): Promise<void> => {};
  const source = { names: ["x"], length: N, isReadOnce: false, read: () => ({ next, close }), close };
  const from = { values: {}, perItem: ["y", "z"], state: steps.start, chunk: SIZE, spent: new Spent() };
  const done = streamChunks({ ...from, sources: [source], steps, sink, onProgress: () => {} });
  for (const want of [3, 4, 5, 5]) {
    // Nothing but promises is awaited, until a write ends.
    for (let turn = 0; turn < 100; turn++) await new Promise((then) => setImmediate(then));
    expect(runs).toBe(want);
    ends.shift()?.();
  }
  for (const end of ends) end();
  expect((await done).state.to).toBe(BigInt(N));
});

test("outputs are not changed while they are written", { timeout: 120_000 }, async () => {
  const at = data();
  const write = handles.write;
  handles.write = async function (...given) {
    // Longer than steps take, so that the next ones are computed meanwhile.
    await new Promise((done) => setTimeout(done, 20));
    return write.apply(this, given);
  };
  await streamed(at, [], 1e9);
  const whole = await (await jsRuntime().compile(ir)).run({ x: X });
  const want = ["y", "z"].map((name) => Buffer.from(writeNpy("f32", whole[name] as Float32Array)));
  expect(bytesIn(join(at, "o"), ["y.npy", "z.npy"])).toEqual(want.map((bytes) => bytes.toString("hex")));
});

test("a state is written when the outputs that it covers are on the disk", async () => {
  const at = data();
  let [clock, states] = [0, 0];
  const written = new Map<string, number>();
  const flushing = new Map<string, number>();
  const durable = new Map<string, number>();
  hook = (what, file) => {
    if (what === "write ends") written.set(file, (written.get(file) ?? -1) + 1); // the first is the header
    if (what === "datasync") flushing.set(file, written.get(file) ?? 0);
    if (what === "datasync ends") durable.set(file, flushing.get(file) ?? 0);
    if (what !== "rename") return;
    states++;
    const path = join(at, "o", ".sums.state.new");
    const { to } = decodeSaved(fs.readFileSync(path), path).state;
    for (const name of ["y", "z"])
      expect((durable.get(`.${name}.npy.part`) ?? 0) * SIZE).toBeGreaterThanOrEqual(Number(to) - (SIZE - 1));
  };
  vi.spyOn(performance, "now").mockImplementation(() => clock++);
  await streamed(at, [], 0);
  expect(states).toBeGreaterThan(1);
  // One state, at the end, where the interval is longer than the run.
  states = 0;
  await streamed(at, [], 1e9);
  expect(states).toBe(1);
});

const ENDS = { of: ir, files: FILES, x: X, size: SIZE, first: [] as string[], again: [] as string[], by: 1 };
/** Workers compute parts of chunks of 2^15 items and more. */
const DIVIDED = {
  ...ENDS,
  x: Float32Array.from({ length: 90_001 }, (_, i) => Math.sin(i)),
  size: 40_000,
  by: 3, // each run starts threads
};

/** The first has the files of the third, and the second the workers of the fourth. */
const ENDED = [
  {
    about: "compactions",
    ...ENDS,
    by: isFullRun() ? 1 : 5,
    of: kept,
    files: ["kept.npy", "length.npy", "places.npy", "y.npy"],
  },
  { about: "on other numbers of workers", ...DIVIDED, first: ["--workers", "2"], again: ["--workers", "3"] },
  { about: "scans", ...ENDS },
  { about: "on one thread after workers", ...DIVIDED, first: ["--workers", "3"], again: [] },
];
test.each(ENDED.slice(0, isFullRun() ? 4 : 1))(
  "a process that ends at any point leaves no wrong file, and its stream resumes to equal bytes: $about",
  async ({ of, files, x, size, first, again, by }) => {
    const whole = data(of, x);
    await cli(whole, "run", "sums.json", "-i", "x=x.npy", "--out", "o");
    const bytes = bytesIn(join(whole, "o"), files);
    let clock = 0;
    vi.spyOn(performance, "now").mockImplementation(() => {
      clock += 2000;
      return clock;
    });
    const resumed = new Set<number>();
    /** Ends a stream where `isEnd` is first true, and resumes it. @returns whether the stream was over before */
    const endedAt = async (
      isEnd: (count: number, what: string, file: string) => boolean,
    ): Promise<boolean> => {
      const at = data(of, x);
      const argv = ["run", "sums.json", "-i", "x=x.npy", "--out", "o", "--stream", String(size), "--json"];
      let [count, hasEnded] = [0, false];
      hook = (what, file) => {
        if (/^read|ends$/.test(what)) return;
        hasEnded ||= isEnd(++count, what, file);
        // From one operation on, nothing is changed, as if the process had ended.
        if (hasEnded) throw new Error("the process has ended");
      };
      const isOver = (await cli(at, ...argv, ...first)).code === 0;
      hook = () => {};
      const final = fs.existsSync(join(at, "o"))
        ? listed(join(at, "o")).filter((name) => !name.startsWith("."))
        : [];
      expect(bytesIn(join(at, "o"), final)).toEqual(final.map((name) => bytes[files.indexOf(name)]));
      if (isOver) return true;
      const ran = await cli(at, ...argv, ...again, "--resume");
      expect(ran.json()).toMatchObject({ ok: true, items: x.length });
      resumed.add(ran.json().from);
      // A file that was never renamed stays, as that of any process that is killed.
      expect(listed(join(at, "o")).filter((name) => !name.endsWith(".tmp"))).toEqual(files);
      expect(bytesIn(join(at, "o"), files)).toEqual(bytes);
      return false;
    };
    for (let last = 0; !(await endedAt((count) => count > last)); last += by) {}
    // An array of items gets its name after the last state. The number of operations before that differs from run to run.
    expect(await endedAt((_, what, file) => what.startsWith("rename") && file === "y.npy")).toBe(false);
    const between = [...resumed].filter((from) => from > 0 && from < x.length);
    expect([resumed.has(0), between.length > 0, resumed.has(x.length)]).toEqual([true, true, true]);
  },
);

test("items past 2^32 are read and written in their places", async () => {
  const far = 2 ** 33;
  const { ir: bytes } = pipeline("bytes", { x: u8 }, ({ x }) => ({
    sum: x.toU32().reduce("add"),
    high: x.scanInclusive("max"),
  }));
  const at = folder({ "bytes.json": stringifyPipeline(bytes), "x.raw": "" });
  const tail = Uint8Array.of(7, 3, 9, 200, 1);
  const put = (path: string, from: number): void => {
    fs.truncateSync(path, from);
    fs.appendFileSync(path, tail);
  };
  put(join(at, "x.raw"), far); // sparse
  fs.mkdirSync(join(at, "o"));
  const { start } = await stepper(jsRuntime(), bytes);
  const state: State = { ...start, to: BigInt(far) };
  const run = new RunOrigin(
    check(bytes),
    {},
    await openSources([{ name: "x", type: "u8", spec: "x.raw:u8" }], { cwd: at }),
  );
  fs.writeFileSync(join(at, "o", ".bytes.state"), encodeSaved({ origin: await run.of(10), state }));
  fs.writeFileSync(join(at, "o", ".high.npy.part"), "");
  fs.truncateSync(join(at, "o", ".high.npy.part"), 128 + 4 * far);
  const argv = ["run", "bytes.json", "-i", "x=x.raw:u8", "--out", "o", "--stream", "2", "--resume", "--json"];
  const ran = (await cli(at, ...argv)).json();
  expect(ran).toMatchObject({ ok: true, from: far, items: far + 5, outputs: { sum: { first: [220] } } });
  const file = fs.openSync(join(at, "o", "high.npy"), "r");
  const [head, end] = [new Uint8Array(128), new Uint32Array(5)];
  fs.readSync(file, head, 0, 128, 0);
  fs.readSync(file, end, 0, 20, 128 + 4 * far);
  expect(fs.fstatSync(file).size).toBe(128 + 4 * (far + 5));
  fs.closeSync(file);
  expect(new TextDecoder("latin1").decode(head)).toContain(`(${far + 5},)`);
  expect([...end]).toEqual([7, 7, 9, 200, 200]);
});
