import { check, type HostArray, type Pipeline, type RunValues } from "@groupwise/core";
import {
  type ChunkRequest,
  decodeState,
  encodeState,
  roundsOf,
  stepper,
  stream,
} from "@groupwise/core/state";
import { bool, f32, i64, operators, param, pipeline, scalar, u32 } from "@groupwise/dsl";
import { joined } from "@groupwise/testkit";
import { cutsOf, inOneRun, inputCase, joinedOutputs } from "@groupwise/testkit/random";
import { describe, expect, expectTypeOf, it } from "vitest";
import { jsRuntime } from "../src/runtime.ts";

function* chunksOf(values: RunValues, inputs: readonly string[], cuts: readonly number[]) {
  for (const [i, from] of cuts.slice(0, -1).entries())
    yield Object.fromEntries(
      inputs.map((name) => [name, (values[name] as HostArray).subarray(from, cuts[i + 1])]),
    );
}

/** The outputs of a stream, joined, and the number of rounds. */
async function streamed(ir: Pipeline, values: RunValues, cuts: readonly number[], n?: number) {
  const names = check(ir).inputs.map(({ name }) => name);
  const shared = Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
  const parts: Record<string, HostArray>[] = [];
  let rounds = 0;
  const again = ({ round, inputs: wanted }: ChunkRequest) => {
    rounds = round;
    return chunksOf(values, wanted, cuts);
  };
  const options = { values: shared, ...(n !== undefined && { n }) };
  for await (const { outputs } of stream(jsRuntime(), ir, again, options))
    parts.push(outputs as Record<string, HostArray>);
  return { outputs: joinedOutputs(ir, parts), rounds };
}

describe("random pipelines over chunks", () => {
  it("have the bits of the whole range, in as many rounds as they need", async () => {
    const tally = [0, 0, 0, 0, 0, 0, 0];
    for (let seed = 0; seed < (process.env.GROUPWISE_FULL ? 3000 : 240); seed++) {
      const one = await inputCase("rounds", seed);
      if (!one) continue;
      const { ir, n } = one;
      const values = one.values as RunValues;
      const whole = await inOneRun(jsRuntime(), ir, values, n);
      const known = seed % 3 === 0 ? n : undefined;
      const { outputs, rounds } = await streamed(ir, values, cutsOf(n, seed), known);
      expect(outputs, `seed ${seed}`).toEqual(whole);
      tally[rounds] = (tally[rounds] as number) + 1;
    }
    for (const rounds of [1, 2, 3]) expect(tally[rounds]).toBeGreaterThan(5);
  }, 900_000);
});

const centred = pipeline("centred", { x: f32, w: u32, gain: param(f32) }, ({ x, w, gain }) => {
  const most = x.reduce("max");
  return {
    y: x.sub(most).mul(gain).scanInclusive("add"),
    parts: w.scanInclusive("add"),
    most: scalar(most),
    sum: scalar(w.reduce("add")),
  };
});
const X = Float32Array.from({ length: 50 }, (_, i) => Math.sin(i) * 10);
const W = Uint32Array.from({ length: 50 }, (_, i) => i * i);
const values = { gain: 0.3 };
const parts = (cuts: readonly number[]) =>
  cuts
    .slice(0, -1)
    .map((from, i) => ({ x: X.subarray(from, cuts[i + 1]), w: W.subarray(from, cuts[i + 1]) }));
const all = async <T>(steps: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const step of steps) found.push(step);
  return found;
};

describe("a stream in rounds", () => {
  it("asks for the chunks of each round, with the inputs that it needs, and returns the steps of the last", async () => {
    const asked: ChunkRequest[] = [];
    const steps = await all(
      stream(
        jsRuntime(),
        centred,
        async (request) => {
          asked.push(request);
          return request.inputs.includes("w") ? parts([0, 20, 50]) : [{ x: X }];
        },
        { values },
      ),
    );
    expect(asked).toEqual([
      { round: 1, rounds: 2, from: 0n, inputs: ["x"] },
      { round: 2, rounds: 2, from: 0n, inputs: ["x", "w"] },
    ]);
    const [first, last] = steps;
    expectTypeOf(first?.outputs.y).toEqualTypeOf<Float32Array<ArrayBuffer> | undefined>();
    expectTypeOf(first?.outputs.most).toEqualTypeOf<number | undefined>();
    const whole = await (await jsRuntime().compile(centred)).run({ x: X, w: W, gain: 0.3 });
    expect([...(first?.outputs.y ?? []), ...(last?.outputs.y ?? [])]).toEqual([...whole.y]);
    // Known since the first round; the sum is that of the items so far.
    expect(steps.map(({ outputs }) => outputs.most)).toEqual([whole.most, whole.most]);
    expect(steps.map(({ outputs }) => outputs.sum)).toEqual([2470, whole.sum]);
  });

  it("continues in the last round from a state that has the results of the rounds before", async () => {
    const again = () => parts([0, 20, 33, 50]);
    const whole = await all(stream(jsRuntime(), centred, again, { values }));
    const state = decodeState(encodeState(whole[0]?.state as never));
    expect(state.round).toEqual({
      number: 2,
      of: 2,
      results: [{ name: "max_of_all", type: "f32", value: Math.max(...X) }],
    });
    const rest = await all(
      stream(jsRuntime(), centred, ({ from }) => parts([Number(from), 50]), { values, state }),
    );
    expect(rest.at(-1)?.outputs.y).toEqual(
      Float32Array.of(...(whole[1]?.outputs.y ?? []), ...(whole[2]?.outputs.y ?? [])),
    );
    expect(rest.at(-1)?.state).toEqual(whole[2]?.state);
    const other = { ...state, round: { ...state.round, of: 3 } };
    await expect(
      all(stream(jsRuntime(), centred, again, { values, state: other as never })),
    ).rejects.toMatchObject({ code: "bad-state" });
  });

  it("refuses a source that can be read once, and says how to read it again", async () => {
    const once = all(stream(jsRuntime(), centred, parts([0, 50]), { values }));
    await expect(once).rejects.toMatchObject({
      code: "not-carried",
      hint: expect.stringContaining("rounds"),
    });
    await expect(stepper(jsRuntime(), centred)).rejects.toMatchObject({ code: "not-carried" });
  });

  it("refuses rounds that read different numbers of items, and values of other names", async () => {
    const shrinking = ({ round }: ChunkRequest) => parts([0, 51 - round]);
    await expect(all(stream(jsRuntime(), centred, shrinking, { values }))).rejects.toMatchObject({
      code: "bad-argument",
    });
    const again = () => parts([0, 50]);
    await expect(all(stream(jsRuntime(), centred, again, { values, n: 49 }))).rejects.toMatchObject({
      code: "bad-argument",
    });
    for (const wrong of [{}, { ...values, max_of_all: 3 }, { gain: "a" }])
      await expect(
        all(stream(jsRuntime(), centred, again, { values: wrong as never })),
      ).rejects.toMatchObject({ code: /missing-input|unknown-input|bad-parameter/ });
    const uneven = () => [{ x: X, w: W.subarray(1) }];
    await expect(all(stream(jsRuntime(), centred, uneven, { values }))).rejects.toMatchObject({
      code: "length-mismatch",
    });
  });

  it("closes the source of an early round when a step fails, and of the last when the caller stops", async () => {
    const log: string[] = [];
    async function* chunks({ round }: ChunkRequest) {
      try {
        for (const part of parts([0, 10, 20, 50])) yield part;
      } finally {
        log.push(`end of ${round}`);
      }
    }
    for await (const step of stream(jsRuntime(), centred, chunks, { values })) if (step.state.to > 5n) break;
    expect(log).toEqual(["end of 1", "end of 2"]);
  });

  it("counts the items in a round, unless their number is given", async () => {
    const mean = pipeline("mean", { x: f32 }, ({ x }, { size }) => ({
      y: x.div(size().toF32()).scanInclusive("add"),
    }));
    expect(roundsOf(mean).list).toHaveLength(2);
    expect(roundsOf(mean, { knowsCount: true }).list).toHaveLength(1);
    const whole = await (await jsRuntime().compile(mean)).run({ x: X });
    const chunks = [{ x: X.subarray(0, 13) }, { x: X.subarray(13) }];
    const read = async (steps: AsyncIterable<{ outputs: { y: Float32Array } }>) =>
      (await all(steps)).flatMap(({ outputs }) => [...outputs.y]);
    expect(await read(stream(jsRuntime(), mean, () => chunks))).toEqual([...whole.y]);
    expect(await read(stream(jsRuntime(), mean, chunks, { n: 50 }))).toEqual([...whole.y]);
    const [first] = await all(stream(jsRuntime(), mean, chunks.slice(0, 1), { n: 13 }));
    const state = decodeState(encodeState(first?.state as never));
    await expect(all(stream(jsRuntime(), mean, chunks.slice(1), { n: 50, state }))).rejects.toMatchObject({
      code: "bad-state",
    });
  });

  it("returns nothing for no chunks, and reduces for a chunk without items", async () => {
    expect(await all(stream(jsRuntime(), centred, () => [], { values }))).toEqual([]);
    const [step] = await all(stream(jsRuntime(), centred, () => parts([0, 0]), { values }));
    expect(step?.outputs).toMatchObject({ most: Number.NEGATIVE_INFINITY, sum: 0 });
  });

  it("matches a loop over all items, with 64-bit results", async () => {
    const deviations = pipeline("deviations", { x: i64 }, ({ x }) => ({ y: x.sub(x.reduce("add")) }));
    const x = BigInt64Array.from({ length: 9 }, (_, i) => 2n ** 61n + BigInt(i) ** 7n);
    const sum = BigInt.asIntN(
      64,
      x.reduce((a, b) => a + b),
    );
    const [step] = await all(stream(jsRuntime(), deviations, () => [{ x }]));
    expect(step?.outputs.y).toEqual(x.map((value) => BigInt.asIntN(64, value - sum)));
  });
});

describe("keys over chunks", () => {
  it("match a loop: a chunk that begins within a run continues it", async () => {
    const runs = pipeline("runs", { x: u32, k: u32 }, ({ x, k }) => ({
      y: x.scanInclusive("add", { keys: k }),
    }));
    const k = Uint32Array.from({ length: 40 }, (_, i) => (i < 9 ? 7 : Math.floor(i / 6)));
    const x = k.map((_, i) => i + 1);
    const want = x.slice();
    for (let i = 1; i < 40; i++)
      if (k[i] === k[i - 1]) want[i] = (want[i] as number) + (want[i - 1] as number);
    for (const size of [1, 7, 12]) {
      const chunks = Array.from({ length: Math.ceil(40 / size) }, (_, i) => ({
        x: x.subarray(i * size, i * size + size),
        k: k.subarray(i * size, i * size + size),
      }));
      const steps = await all(stream(jsRuntime(), runs, chunks));
      expect(steps.flatMap(({ outputs }) => [...outputs.y])).toEqual([...want]);
    }
  });
});

const backwards = pipeline("backwards", { x: f32, k: u32, starts: bool }, ({ x, k, starts }, { index }) => ({
  sums: x.scanInclusive("add", { reverse: true }),
  seeded: x.mul(0.3).scanExclusive("add", { reverse: true, seed: 2.5 }),
  runs: x.scanInclusive("mul", { reverse: true, segments: starts }),
  after: x.scanExclusive("max", { reverse: true, segments: starts }),
  total: x.reduce("add", { reverse: true }),
  most: k.reduce("max"),
  trend: operators.affine(f32).scanInclusive({ a: f32(0.9).perItem(), b: x }, { reverse: true }).b,
  share: x.scanInclusive("add", { reverse: true }).div(x.reduce("add", { reverse: true })),
  place: index().add(k.scanInclusive("add", { reverse: true })),
}));

describe("scans from the end", () => {
  const values = (n: number) => ({
    x: Float32Array.from({ length: n }, (_, i) => Math.sin(i * 1.7) * 2 ** (i % 9)),
    k: Uint32Array.from({ length: n }, (_, i) => i * 77),
    starts: Uint8Array.from({ length: n }, (_, i) => Number(i % 7 === 3)),
  });
  const cutFromEnd = (n: number, cuts: readonly number[]) => {
    const all = values(n);
    return cuts
      .slice(0, -1)
      .map((from, i) => ({
        x: all.x.subarray(from, cuts[i + 1]),
        k: all.k.subarray(from, cuts[i + 1]),
        starts: all.starts.subarray(from, cuts[i + 1]),
      }))
      .reverse();
  };

  it("have the bits of the whole range, from chunks that come from the last to the first", async () => {
    const executable = await jsRuntime().compile(backwards);
    for (const n of [0, 1, 2, 40, 333])
      for (let seed = 0; seed < 6; seed++) {
        const whole = (await executable.run(values(n))) as unknown as Record<string, HostArray>;
        const chunks = () => cutFromEnd(n, cutsOf(n, seed));
        const options = { from: "end", ...(seed % 2 && { n }) } as const;
        const steps = await all(stream(jsRuntime(), backwards, chunks, options));
        const outputs = steps.map((step) => step.outputs as unknown as Record<string, HostArray>);
        for (const name of Object.keys(whole)) {
          const isTotal = name === "total" || name === "most";
          const got = isTotal ? outputs.slice(-1) : outputs.toReversed();
          const arrays = got.map((one) => one[name] as HostArray);
          expect(joined(arrays), `${name} of ${n}`).toEqual(whole[name]);
        }
      }
  });

  it("match a loop from the end, in one round", async () => {
    const suffix = pipeline("suffix", { k: u32 }, ({ k }) => ({
      y: k.scanInclusive("add", { reverse: true }),
    }));
    const k = Uint32Array.of(5, 1, 4, 1, 9, 2);
    const chunks = [{ k: k.subarray(4) }, { k: k.subarray(1, 4) }, { k: k.subarray(0, 1) }];
    const steps = await all(stream(jsRuntime(), suffix, chunks, { from: "end" }));
    expect(steps.map(({ outputs }) => [...outputs.y])).toEqual([[11, 2], [17, 16, 12], [22]]);
    expect([...k]).toEqual([5, 1, 4, 1, 9, 2]);
  });

  it("are refused from the start, and together with scans from the start", async () => {
    const chunks = () => cutFromEnd(10, [0, 5, 10]);
    await expect(all(stream(jsRuntime(), backwards, chunks))).rejects.toMatchObject({
      code: "not-carried",
      hint: expect.stringContaining('from: "end"'),
    });
    const both = pipeline("both", { x: f32 }, ({ x }) => ({
      a: x.scanInclusive("add", { reverse: true }),
      b: x.scanInclusive("add"),
    }));
    await expect(all(stream(jsRuntime(), both, [], { from: "end" }))).rejects.toMatchObject({
      code: "not-carried",
    });
    await expect(
      all(stream(jsRuntime(), centred, [], { values, from: "end" } as never)),
    ).rejects.toMatchObject({ code: "bad-argument" });
  });
});
