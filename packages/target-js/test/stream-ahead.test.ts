/** Streams of pipelines that read later items. */
import { acrossRuntimes, divisionOf, stepper, stream } from "@groupwise/core/state";
import { compaction, ends, type F32Value, f32, pipeline, starts, u32 } from "@groupwise/dsl";
import { expect, it } from "vitest";
import { fc } from "../../ir/test/fast-check.ts";
import { jsRuntime } from "../src/runtime.ts";
import { jsWorkersRuntime } from "../src/workers/runtime.ts";

const notCarried = expect.objectContaining({ code: "not-carried" });

/** Run-length coding, and the value two items later. */
const runs = pipeline("runs", { key: u32 }, ({ key }, { index }) => {
  const begins = starts(key);
  const { scan, total } = begins.toU32().scanWithTotal("add");
  const begin = begins.select(index(), 0).scanInclusive("max");
  const to = { to: scan.sub(1), where: begins, length: total };
  const isLast = ends(key);
  const done = isLast.toU32().scanWithTotal("add");
  return {
    keys: key.scatter(to),
    lengths: index().sub(begin).add(1).scatter({ to: done.before, where: isLast, length: done.total }),
    later: key.next(77, 2),
  };
});

function encoded(items: readonly number[]) {
  const keys = items.filter((key, i) => i === 0 || key !== items[i - 1]);
  const at = items.flatMap((key, i) => (key !== items[i + 1] ? [i] : []));
  return {
    keys,
    lengths: at.map((end, i) => end - (at[i - 1] ?? -1)),
    later: items.map((_, i) => items[i + 2] ?? 77),
  };
}

const cutsOf = (items: readonly number[], lengths: readonly number[]): number[][] => {
  const chunks: number[][] = [];
  let at = 0;
  for (const length of [...lengths, items.length]) {
    chunks.push(items.slice(at, at + length));
    at += length;
  }
  return chunks;
};

it("have the results of plain JavaScript, for any chunks, from sources that fill two arrays in turn", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(1), { maxLength: 30 }),
      fc.array(fc.nat(4), { maxLength: 20 }),
      fc.boolean(),
      async (items, lengths, isAsync) => {
        const sets = [new Uint32Array(40), new Uint32Array(40)];
        function* read() {
          for (const [i, chunk] of cutsOf(items, lengths).entries()) {
            const set = sets[i % 2] as Uint32Array;
            set.fill(99).set(chunk);
            yield { key: set.subarray(0, chunk.length) };
          }
        }
        async function* readLater() {
          yield* read();
        }
        const got = { keys: [] as number[], lengths: [] as number[], later: [] as number[] };
        for await (const { outputs } of stream(jsRuntime(), runs, isAsync ? readLater() : read()))
          for (const name of ["keys", "lengths", "later"] as const) got[name].push(...outputs[name]);
        expect(got).toEqual(encoded(items));
      },
    ),
    { numRuns: process.env.GROUPWISE_FULL ? 100 : 30 },
  ));

it("a step takes the items after its chunk, and says so", async () => {
  const steps = await stepper(jsRuntime(), runs);
  expect(steps.ahead).toBe(2);
  const key = Uint32Array.of(5, 5, 6);
  await expect(steps.step({ key })).rejects.toMatchObject({
    code: "bad-argument",
    where: "runs",
    message: expect.stringContaining('the first 2 items after the chunk of "key"'),
  });
  const { outputs } = await steps.step({ key }, { after: { key: Uint32Array.of(6) } });
  expect([...outputs.lengths]).toEqual([2]);
  expect([...outputs.later]).toEqual([6, 6, 77]);
});

it("runtimes compute parts of arrays of the host, and of chunks", async () => {
  const made = pipeline("side", { x: f32, k: u32 }, ({ x, k }) => {
    const last = compaction(ends(k));
    return {
      y: x.next(0, 9).add(x.previous(0.5, 3)),
      sums: k.next(1, 2).scanInclusive("add"),
      at: k.scatter(last),
    };
  });
  const arrays = (n: number) => ({
    x: Float32Array.from({ length: n }, (_, i) => Math.sin(i)),
    k: Uint32Array.from({ length: n }, (_, i) => (i * i) >> 3),
  });
  const one = await jsRuntime().compile(made);
  for (const shares of [[1], [1, 2, 3], [0, 1, 5]]) {
    const across = acrossRuntimes(
      shares.map(() => jsRuntime()),
      { shares },
    );
    const executable = await across.compile(made);
    expect(executable.division).toBe("scan");
    for (const n of [0, 1, 5, 64, 997]) {
      const { at, ...want } = await one.run(arrays(n));
      const got = await executable.run(arrays(n));
      expect({ ...got, at: 0 }).toEqual({ ...want, at: 0 });
      expect(got.at).toEqual(at.subarray(0, got.at.length));
    }
    const { x, k } = arrays(500);
    const { sums: want } = await one.run({ x, k });
    const sums: number[] = [];
    const chunks = [0, 7, 300].map((from, i, all) => ({
      x: x.subarray(from, all[i + 1]),
      k: k.subarray(from, all[i + 1]),
    }));
    for await (const { outputs } of stream(across, made, chunks)) sums.push(...outputs.sums);
    expect(sums).toEqual([...want]);
  }
});

it("parts of threads and arrays in parts are refused, and threads run such a pipeline undivided", async () => {
  expect(() => divisionOf(runs)).toThrow(notCarried);
  const across = acrossRuntimes([jsRuntime()]);
  const next = pipeline("next", { x: f32 }, ({ x }) => ({ y: x.next(0) }));
  const [from, to] = [across.array("f32", 4), across.array("f32", 4)];
  const step = across.record().run(await across.compile(next), { x: from, y: to });
  await expect(step.submit()).rejects.toThrow(notCarried);
  const runtime = jsWorkersRuntime({ workers: 2, leastItems: 1 });
  const key = Uint32Array.from({ length: 50 }, (_, i) => i >> 3);
  const whole = await (await runtime.compile(runs)).run({ key });
  expect([...whole.lengths].slice(0, 7)).toEqual([8, 8, 8, 8, 8, 8, 2]);
  const chunks = [key.subarray(0, 20), key.subarray(20)].map((part) => ({ key: part }));
  const lengths: number[] = [];
  for await (const { outputs } of stream(runtime, runs, chunks)) lengths.push(...outputs.lengths);
  expect(lengths).toEqual([8, 8, 8, 8, 8, 8, 2]);
  runtime.dispose();
});

it("a later item needs no number of an item: the stream goes on after 2^32 items", async () => {
  const made = pipeline("long", { x: f32 }, ({ x }) => ({
    y: x.next(7),
    isLast: ends(x),
    before: x.previous(5),
  }));
  const steps = await stepper(jsRuntime(), made);
  const far = { ...steps.start, to: 2n ** 33n };
  const { outputs } = await steps.step({ x: Float32Array.of(1, 1) }, { state: far, after: {} });
  expect([[...outputs.y], [...outputs.isLast]]).toEqual([
    [1, 7],
    [0, 1],
  ]);
});

it.each([
  ["a running sum", (x: F32Value) => x.scanInclusive("add").next(0)],
  ["an earlier item of a later one", (x: F32Value) => x.diff().next(0)],
  ["an item 2^17 after", (x: F32Value) => x.next(0, 2 ** 17)],
  ["an item 32 before", (x: F32Value) => x.previous(0, 32)],
])("refuses %s", async (_, build) => {
  const made = pipeline("refused", { x: f32 }, ({ x }) => ({ y: build(x) }));
  await expect(stepper(jsRuntime(), made)).rejects.toThrow(notCarried);
});
