import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { HostArray, Runtime } from "@groupwise/core";
import { acrossRuntimes } from "@groupwise/core/state";
import { type Listener, type OpenPort, type Port, portsHere, WorkerPool } from "@groupwise/core/target";
import { f32, pipeline, scalar, u32 } from "@groupwise/dsl";
import { afterAll, describe, expect, expectTypeOf, it, test } from "vitest";
import { jsRuntime } from "../src/runtime.ts";
import { JS_WORKER, workersRuntime } from "../src/workers/make.ts";
import { jsWorkersRuntime } from "../src/workers/runtime.ts";
import { hashesOf, PARTED, valuesFor } from "./fixtures/parted.ts";

const KINDS = ["map", "reduce", "scan"] as const;
const LENGTHS = [0, 1, 2, 3, 7, 31, 997, 4099, 100_003];

const sums = pipeline("sums", { x: f32 }, ({ x }) => ({
  y: x.scanInclusive("add"),
  total: scalar(x.reduce("add")),
}));
const x = Float32Array.from({ length: 5000 }, (_, i) => Math.sin(i) * 1000);

/** A runtime that counts the calls of each thread. */
function counting(workers: number): { readonly runtime: Runtime; readonly calls: number[] } {
  const calls = Array.from({ length: workers }, () => 0);
  let opened = 0;
  const open: OpenPort = async (name, listener) => {
    const index = opened++;
    const port = await portsHere(JS_WORKER, "jsRuntime")(name, listener);
    const send: Port["send"] = (order) => {
      if (order.call !== undefined) calls[index] = (calls[index] as number) + 1;
      port.send(order);
    };
    return { ...port, send };
  };
  return { runtime: workersRuntime({ workers, leastItems: 0 }, open), calls };
}

describe.each(process.env.GROUPWISE_FULL ? [1, 2, 3, 5] : [2])("%d workers", (workers) => {
  const { runtime, calls } = counting(workers);
  const one = jsRuntime();
  afterAll(() => runtime.dispose());

  it.each(KINDS)("have the bits of one thread: a %s", async (kind) => {
    const executable = await runtime.compile(PARTED[kind]);
    const want = await one.compile(PARTED[kind]);
    for (const n of LENGTHS) {
      const values = valuesFor(kind, n);
      expect(hashesOf(await executable.run(values))).toEqual(hashesOf(await want.run(values)));
    }
    executable.dispose();
  });

  it("compute on arrays of the device, in place, and of fewer items than these have", async () => {
    const [executable, want] = await Promise.all(
      [runtime, one].map((some) => some.compile(PARTED.scan, { inPlace: { sums: "x" } })),
    );
    const values = valuesFor("scan", 6000) as Record<string, HostArray>;
    const hashes = await Promise.all(
      [runtime, one].map(async (some, i) => {
        const made = i === 0 ? executable : want;
        const arrays = Object.fromEntries(
          (made?.manifest.bindings ?? []).map(({ name, type, inPlace }) => [
            name,
            some.array(type, (values[inPlace ?? name] ?? 6000) as never),
          ]),
        );
        await some
          .record()
          .run(made as never, arrays as never, { n: 5003 })
          .submit();
        const read = Object.entries(arrays).map(async ([name, array]) => [name, await array.read()]);
        return hashesOf(Object.fromEntries(await Promise.all(read)));
      }),
    );
    expect(hashes[0]).toEqual(hashes[1]);
  });

  it("all have worked", () => {
    expect(Math.min(...calls)).toBeGreaterThan(0);
  });
});

describe("which threads compute", () => {
  it("few items are computed in the calling thread, and all if threads do not start", async () => {
    let starts = 0;
    const open: OpenPort = () => {
      starts++;
      return Promise.reject(new Error("the policy forbids it"));
    };
    const executable = await workersRuntime({ workers: 2, leastItems: 5001 }, open).compile(sums);
    expect(await executable.run({ x })).toEqual(await (await jsRuntime().compile(sums)).run({ x }));
    expect(starts).toBe(0);
    const more = { x: new Float32Array(5001).fill(3) };
    expect(await executable.run(more)).toEqual(await (await jsRuntime().compile(sums)).run(more));
    expect(starts).toBe(2);
  });

  it("a pipeline whose parts need one another is computed whole, by one thread each run", async () => {
    const { runtime, calls } = counting(2);
    const backwards = pipeline("backwards", { x: f32 }, ({ x }) => ({
      y: x.scanInclusive("add", { reverse: true }),
      placed: x.scatter({ to: x.eq(0).toU32().scanExclusive("add"), where: x.eq(0) }),
    }));
    const executable = await runtime.compile(backwards);
    const want = await (await jsRuntime().compile(backwards)).run({ x });
    expect(await Promise.all([executable.run({ x }), executable.run({ x })])).toEqual([want, want]);
    expect(calls).toEqual([1, 1]);
    runtime.dispose();
  });

  it("a scan begins with the first part, while other threads compute states", async () => {
    const { runtime, calls } = counting(3);
    const executable = await runtime.compile(sums);
    await executable.run({ x: new Float32Array(2 ** 15) });
    // The first thread has two parts. The others compute the pieces of the state of a part, and then a part each.
    expect(calls[0]).toBe(2);
    for (const count of calls.slice(1)) expect(count).toBeGreaterThan(1);
    runtime.dispose();
  });

  it("one of several runtimes that compute parts", async () => {
    const runtime = jsWorkersRuntime({ workers: 2, leastItems: 0 });
    const executable = await acrossRuntimes([jsRuntime(), runtime], { shares: [1, 2] }).compile(sums);
    expect(await executable.run({ x })).toEqual(await (await jsRuntime().compile(sums)).run({ x }));
    runtime.dispose();
  });
});

test("types, and outputs in memory that is not shared", async () => {
  const runtime = jsWorkersRuntime({ workers: 2, leastItems: 0 });
  const { y, total } = await (await runtime.compile(sums)).run({ x });
  expectTypeOf(y).toEqualTypeOf<Float32Array<ArrayBuffer>>();
  expectTypeOf(total).toEqualTypeOf<number>();
  expect(y.buffer).toBeInstanceOf(ArrayBuffer);
  expect(runtime.device).toMatchObject({ target: "js", name: "JavaScript, 2 workers" });
  runtime.dispose();
});

test("invalid options are refused", () => {
  for (const workers of [0, -1, 1.5, 257, "2", null])
    expect(() => jsWorkersRuntime({ workers } as never)).toThrow(
      /option workers must be a whole number from 1/,
    );
  expect(() => jsWorkersRuntime({ leastItems: -1 })).toThrow(/option leastItems must be/);
});

describe("what goes wrong", () => {
  const failing = (body: string) => () => `return { kernel: (n) => { ${body} } };`;
  const ended: string[] = [];
  /** Threads whose end is reported. */
  const open: OpenPort = async (name: string, listener: Listener) => {
    const port = await portsHere(JS_WORKER, "jsRuntime")(name, listener);
    const end = (): void => {
      ended.push(name);
      port.end();
    };
    return { ...port, end };
  };

  it("an error of the loops is reported by the worker, which continues", async () => {
    const pool = new WorkerPool("JavaScript", 2, open);
    const code = pool.code(failing("if (n === 3) throw new RangeError('no memory')"), "sums");
    await expect(pool.call(1, code, [3])).rejects.toMatchObject({
      code: "device-error",
      what: "JavaScript, worker 2 of 2, failed: no memory",
      where: "sums",
    });
    await expect(pool.call(1, code, [() => 0])).rejects.toMatchObject({
      code: "device-error",
      where: "sums",
    });
    await pool.call(1, code, [4]);
    pool.end(new Error("the end") as never);
  });

  it("a worker that dies ends the others, and every running call fails with the same reason", async () => {
    ended.length = 0;
    const pool = new WorkerPool("JavaScript", 3, open);
    const dying = pool.code(failing("process.exit(7)"), "sums");
    const endless = pool.code(failing("for (;;);"), "sums");
    const lost = { code: "device-lost", what: "JavaScript, worker 2 of 3, was lost: it ended with code 7" };
    const all = [pool.call(0, endless, []), pool.call(2, endless, []), pool.call(1, dying, [])];
    for (const settled of await Promise.allSettled(all))
      expect(settled).toMatchObject({ status: "rejected", reason: lost });
    expect(ended.sort()).toEqual([1, 2, 3].map((i) => `groupwise ${i} of 3`));
    await expect(pool.call(0, dying, [])).rejects.toMatchObject(lost);
  });

  it("a runtime that lost a worker reports it in every later run", async () => {
    let lose = (): void => {};
    const losing: OpenPort = async (name, listener) => {
      lose = () => listener.lost("it ran out of memory");
      return portsHere(JS_WORKER, "jsRuntime")(name, listener);
    };
    const runtime = workersRuntime({ workers: 2, leastItems: 0 }, losing);
    const executable = await runtime.compile(sums);
    await executable.run({ x });
    const running = executable.run({ x });
    await Promise.resolve();
    lose();
    const lost = { code: "device-lost", what: expect.stringContaining("it ran out of memory") };
    await expect(running).rejects.toMatchObject(lost);
    await expect(executable.run({ x })).rejects.toMatchObject(lost);
    runtime.dispose();
  });

  it("runs that are unfinished when the runtime is disposed are rejected", async () => {
    const runtime = jsWorkersRuntime({ workers: 2, leastItems: 0 });
    const executable = await runtime.compile(sums);
    const running = executable.run({ x: new Float32Array(2 ** 20) });
    await new Promise((resolve) => setTimeout(resolve));
    runtime.dispose();
    await expect(running).rejects.toMatchObject({ code: "disposed" });
    await expect(executable.run({ x })).rejects.toMatchObject({ code: "disposed" });
  });

  it("executables that are disposed of finish what runs", async () => {
    const runtime = jsWorkersRuntime({ workers: 2, leastItems: 0 });
    const executable = await runtime.compile(sums);
    const running = executable.run({ x });
    executable.dispose();
    expect(await running).toEqual(await (await jsRuntime().compile(sums)).run({ x }));
    expect(await (await (await runtime.compile(sums)).run({ x })).y).toHaveLength(5000);
    runtime.dispose();
  });

  it("an engine without shared memory or threads is refused with the remedy", () => {
    const { SharedArrayBuffer: kept } = globalThis;
    try {
      Reflect.deleteProperty(globalThis, "SharedArrayBuffer");
      expect(() => jsWorkersRuntime()).toThrow(/Cross-Origin-Opener-Policy/);
    } finally {
      globalThis.SharedArrayBuffer = kept;
    }
  });
});

test("Node exits when all runs are done, of runtimes that are disposed of and others", async () => {
  const built = (path: string): string => JSON.stringify(new URL(`../${path}`, import.meta.url).href);
  const program = `
    const { jsWorkersRuntime } = await import(${built("dist/workers/runtime.js")});
    for (const end of ["dispose", "stats"]) {
      const runtime = jsWorkersRuntime({ workers: 2, leastItems: 0 });
      const executable = await runtime.compile(${JSON.stringify(sums.ir)});
      const { total } = await executable.run({ x: Float32Array.of(1, 2, 3) });
      console.log(total[0]);
      runtime[end]();
    }`;
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const args = ["--input-type=module", "--eval", program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd });
  expect(stdout).toBe("6\n6\n");
});

test("sums of u32 are those of a loop", async () => {
  const counts = pipeline("counts", { k: u32 }, ({ k }) => ({
    y: k.scanExclusive("add"),
    most: k.reduce("max"),
  }));
  const runtime = jsWorkersRuntime({ workers: 3, leastItems: 0 });
  const k = Uint32Array.from({ length: 3001 }, (_, i) => i * 2654435761);
  const { y, most } = await (await runtime.compile(counts)).run({ k });
  let sum = 0;
  const want = k.map((one) => {
    const before = sum;
    sum = (sum + one) >>> 0;
    return before;
  });
  expect(y).toEqual(want);
  expect(most).toEqual(Uint32Array.of(k.reduce((a, b) => Math.max(a, b))));
  runtime.dispose();
});
