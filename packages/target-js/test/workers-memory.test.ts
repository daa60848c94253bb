/** Shared memory that runs use again. */
import { stepper, streamSteps } from "@groupwise/core/state";
import { f32, pipeline, scalar, u32 } from "@groupwise/dsl";
import { afterAll, describe, expect, it, vi } from "vitest";
import { jsRuntime } from "../src/runtime.ts";
import { SharedMemory } from "../src/workers/memory.ts";
import { jsWorkersRuntime } from "../src/workers/runtime.ts";

const ANY = { type: "f32", cleared: false } as const;
const bufferOf = ({ buffer }: { readonly buffer: ArrayBufferLike }): ArrayBufferLike => buffer;

describe("memory of a pipeline", () => {
  it("is used again, by shorter arrays too, and cleared only if zeros are asked for", () => {
    const memory = new SharedMemory(false);
    const first = memory.copy(new Float32Array(5000).fill(7));
    memory.free([first]);
    const shorter = memory.make(ANY, 3000);
    expect(shorter).toEqual(new Float32Array(3000).fill(7));
    expect(bufferOf(shorter)).toBe(bufferOf(first));
    memory.free([shorter]);
    const zeros = memory.make({ type: "u16", cleared: true }, 9000);
    expect(zeros).toEqual(new Uint16Array(9000));
    expect(bufferOf(zeros)).toBe(bufferOf(first));
  });

  it("is not used twice at a time, nor by longer arrays, and the shortest that fits is taken", () => {
    const memory = new SharedMemory(false);
    const [long, short] = [memory.make(ANY, 9000), memory.make(ANY, 5000)];
    memory.free([long, short]);
    expect(bufferOf(memory.make(ANY, 4000))).toBe(bufferOf(short));
    expect(bufferOf(memory.make(ANY, 4000))).toBe(bufferOf(long));
    expect([long, short].map(bufferOf)).not.toContain(bufferOf(memory.make(ANY, 4000)));
    memory.free([short]);
    expect(bufferOf(memory.make(ANY, 5001))).not.toBe(bufferOf(short));
  });

  it("has a bound: the memory that was freed first goes", () => {
    const memory = new SharedMemory(false);
    const arrays = Array.from({ length: 5 }, () => memory.make(ANY, 2 ** 22));
    memory.free(arrays);
    const again = arrays.map(() => bufferOf(memory.make(ANY, 2 ** 22)));
    // As numbers: a comparison of arrays reads them.
    expect(arrays.map((one) => again.indexOf(bufferOf(one)))).toEqual([-1, 0, 1, 2, 3]);
    const great = memory.make(ANY, 2 ** 24 + 1);
    memory.free([great]);
    expect(bufferOf(memory.make(ANY, 2 ** 24 + 1)) === bufferOf(great)).toBe(false);
  });

  it("is freed with the pipeline, and what comes back later is not kept", () => {
    const memory = new SharedMemory(false);
    const [kept, used] = [memory.make(ANY, 5000), memory.make(ANY, 5000)];
    memory.free([kept]);
    memory.end();
    memory.free([used]);
    expect([kept, used].map(bufferOf)).not.toContain(bufferOf(memory.make(ANY, 5000)));
  });
});

const several = pipeline("several", { x: f32, to: u32 }, ({ x, to }) => ({
  y: x.scanInclusive("add"),
  total: scalar(x.reduce("add")),
  kept: x.scatter({ to: x.gt(0).toU32().scanExclusive("add"), where: x.gt(0) }),
  placed: x.scatter({ to, where: x.lt(0) }),
}));
const valuesOf = (n: number, seed: number) => ({
  x: Float32Array.from({ length: n }, (_, i) => Math.sin(i * seed) * 100),
  to: Uint32Array.from({ length: n }, (_, i) => n - 1 - i),
});
interface Row {
  readonly state: unknown;
  readonly [output: string]: unknown;
}

const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add"), high: x.reduce("max") }));
/** Long chunks, short ones, and one of the length of an earlier one. */
const LENGTHS = [20_011, 1500, 1, 9000, 20_011, 0, 9001];

describe.each([false, true])("shared arrays of callers: %s", (shared) => {
  const runtime = jsWorkersRuntime({ workers: 3, leastItems: 0, shared });
  const one = jsRuntime();
  afterAll(() => runtime.dispose());
  const given = (array: Float32Array): Float32Array => {
    if (!shared) return array;
    const copy = new Float32Array(new SharedArrayBuffer(array.byteLength));
    copy.set(array);
    return copy;
  };

  it("runs of different lengths in turn have the bits of one thread", async () => {
    const [executable, alone] = [await runtime.compile(several), await one.compile(several)];
    for (const [i, n] of LENGTHS.entries()) {
      const values = valuesOf(n, i + 1);
      expect(await executable.run({ ...values, x: given(values.x) })).toEqual(await alone.run(values));
    }
    executable.dispose();
  });

  it("two streams of one stepper at once have the bits of one thread, and so has a run that is disposed of", async () => {
    const [steps, alone] = [await stepper(runtime, sums), await stepper(one, sums)];
    const chunks = (seed: number) => LENGTHS.map((n) => ({ x: given(valuesOf(n, seed).x) }));
    const rows = async (of: typeof steps, seed: number, reuse?: number): Promise<Row[]> => {
      const all: Row[] = [];
      const options = reuse === undefined ? {} : { reuse };
      for await (const { outputs, state } of streamSteps(of, chunks(seed), options))
        all.push({ y: outputs.y.slice(), high: outputs.high, state });
      return all;
    };
    const want = [await rows(alone, 0.3), await rows(alone, 0.7)];
    expect(await Promise.all([rows(steps, 0.3, 1), rows(steps, 0.7)])).toEqual(want);
    const last = steps.step(chunks(0.3)[0] as never);
    steps.dispose();
    expect((await last).state).toEqual(want[0]?.[0]?.state);
  });

  it("after the first runs no long memory is made, except outputs that callers keep", async () => {
    const Shared = SharedArrayBuffer;
    const made: number[] = [];
    vi.stubGlobal(
      "SharedArrayBuffer",
      class extends Shared {
        constructor(bytes: number) {
          super(bytes);
          if (bytes >= 2 ** 12) made.push(bytes);
        }
      },
    );
    try {
      const executable = await runtime.compile(sums);
      const x = given(valuesOf(20_000, 1).x);
      const { y } = await executable.run({ x });
      made.length = 0;
      await executable.run({ x: x.subarray(1) }, { spare: { y: shared ? y.subarray(1) : y } });
      expect(made).toEqual([]);
      await executable.run({ x });
      expect(made).toHaveLength(shared ? 1 : 0);
      executable.dispose();
    } finally {
      vi.unstubAllGlobals();
    }
  });
});

describe("a runtime whose callers share memory", () => {
  it("neither copies inputs nor outputs in it, and changes no input", async () => {
    const runtime = jsWorkersRuntime({ workers: 2, leastItems: 0, shared: true });
    const doubled = pipeline("doubled", { x: f32 }, ({ x }) => ({ y: x.add(x) }));
    const executable = await runtime.compile(doubled);
    const x = new Float32Array(new SharedArrayBuffer(4 * 5000)).fill(3);
    const { y } = await executable.run({ x });
    expect(y).toEqual(new Float32Array(5000).fill(6));
    expect(y.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(x).toEqual(new Float32Array(5000).fill(3));
    const { y: again } = await executable.run({ x: y }, { spare: { y: x } });
    expect(again.buffer).toBe(x.buffer);
    expect(x).toEqual(new Float32Array(5000).fill(12));
    runtime.dispose();
  });
});
