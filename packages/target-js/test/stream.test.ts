/** Streams: the order of requests, steps and results, and the end of a source. */
import { Readable } from "node:stream";
import type { PipelineSource } from "@groupwise/core";
import {
  acrossRuntimes,
  firstRound,
  roundStepper,
  roundsOf,
  stepper,
  stream,
  streamSteps,
} from "@groupwise/core/state";
import { f32, operators, param, pipeline, scalar, u32 } from "@groupwise/dsl";
import { logged } from "@groupwise/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { jsRuntime } from "../src/runtime.ts";

const sums = pipeline("sums", { x: f32 }, ({ x }) => ({
  sums: x.scanInclusive("add"),
  total: scalar(x.reduce("add")),
}));
const x = Float32Array.from({ length: 100 }, (_, i) => Math.sin(i) * 1000);
const partOf = (i: number): { x: Float32Array } => ({ x: x.subarray(20 * i, 20 * i + 20) });

let log: string[] = [];
afterEach(() => {
  log = [];
});

/** Five chunks. @param failsAt the number of the chunk at which it throws */
async function* chunks(failsAt = 5): AsyncGenerator<{ x: Float32Array }> {
  try {
    for (let i = 0; i < 5; i++) {
      log.push(`read ${i}`);
      if (i === failsAt) throw new Error("the disk is gone");
      yield partOf(i);
    }
  } finally {
    log.push("end");
  }
}

describe("a stream", () => {
  it("requests the next chunk before it computes the current one, and holds two", async () => {
    for await (const { state } of stream(logged(jsRuntime(), log), sums, chunks()))
      log.push(`to ${state.to}`);
    const rest = [2, 3, 4].flatMap((i) => [`read ${i}`, "run", `to ${20 * i}`]);
    expect(log).toEqual(["read 0", "read 1", "run", "to 20", ...rest, "end", "run", "to 100"]);
  });

  it("requests a chunk after the results of the one before where it does not read ahead", async () => {
    const expected = [0, 1, 2, 3, 4].flatMap((i) => [`read ${i}`, "run", `to ${20 * i + 20}`]);
    for await (const { state } of stream(logged(jsRuntime(), log), sums, chunks(), { readAhead: false }))
      log.push(`to ${state.to}`);
    expect(log).toEqual([...expected, "end"]);
    log = [];
    function* list(): Generator<{ x: Float32Array }> {
      for (let i = 0; i < 5; i++) {
        log.push(`read ${i}`);
        yield partOf(i);
      }
    }
    for await (const { state } of stream(logged(jsRuntime(), log), sums, list())) log.push(`to ${state.to}`);
    expect(log).toEqual(expected);
  });

  it("lets a source fill two sets of arrays in turn", async () => {
    const sets = [new Float32Array(20), new Float32Array(20)];
    async function* source(): AsyncGenerator<{ x: Float32Array }> {
      for (let i = 0; i < 5; i++) {
        const set = sets[i % 2] as Float32Array;
        set.set(partOf(i).x);
        yield { x: set };
      }
    }
    const found: number[] = [];
    for await (const { outputs } of stream(jsRuntime(), sums, source())) found.push(...outputs.sums);
    expect(found).toEqual([...(await (await jsRuntime().compile(sums)).run({ x })).sums]);
  });

  it("closes the source if the caller stops, and if a step fails", async () => {
    for await (const { state } of stream(jsRuntime(), sums, chunks())) if (state.to === 40n) break;
    expect(log).toEqual(["read 0", "read 1", "read 2", "end"]);
    log = [];
    async function* wrong(): AsyncGenerator<{ x: Float32Array }> {
      for await (const chunk of chunks()) yield log.length > 2 ? { x: new Int32Array(3) as never } : chunk;
    }
    const read = async (): Promise<void> => {
      for await (const { state } of stream(jsRuntime(), sums, wrong())) log.push(`to ${state.to}`);
    };
    await expect(read()).rejects.toMatchObject({ code: "wrong-dtype" });
    expect(log.at(-1)).toBe("end");
  });

  it("returns the results of all chunks before an error of the source, which it throws once", async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on("unhandledRejection", note);
    const results = stream(jsRuntime(), sums, chunks(3));
    for (const to of [20n, 40n, 60n]) expect((await results.next()).value?.state.to).toBe(to);
    await expect(results.next()).rejects.toThrow("the disk is gone");
    expect(await results.next()).toEqual({ value: undefined, done: true });
    expect(log).toEqual(["read 0", "read 1", "read 2", "read 3", "end"]);
    // An error that no one waits for, because the caller has stopped.
    for await (const { state } of stream(jsRuntime(), sums, chunks(2))) if (state.to === 20n) break;
    await new Promise((resolve) => setTimeout(resolve));
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });

  it("does not ask a source again that has ended or failed", async () => {
    for (const last of ["done", "error"]) {
      const source = {
        [Symbol.asyncIterator]: () => ({
          next: async () => {
            log.push("next");
            if (log.length < 3) return { done: false, value: partOf(0) };
            if (last === "error") throw new Error("once");
            return { done: true, value: undefined };
          },
          return: async () => {
            log.push("return");
            return { done: true, value: undefined };
          },
        }),
      };
      const read = async (): Promise<void> => {
        for await (const { state } of stream(jsRuntime(), sums, source as never)) expect(state.from).toBe(0n);
      };
      if (last === "error") await expect(read()).rejects.toThrow("once");
      else await read();
      expect(log).toEqual(["next", "next", "next"]);
      log = [];
    }
  });

  it("accepts web streams and Node streams, and continues from a state", async () => {
    const parts = [x.subarray(0, 30), x.subarray(30, 31), x.subarray(31)].map((part) => ({ x: part }));
    const js = jsRuntime();
    const steps = await stepper(js, sums);
    const { state } = await steps.step(parts[0] as never);
    const rest = parts.slice(1);
    const web = new ReadableStream<{ x: Float32Array }>({
      start: (controller) => {
        for (const chunk of rest) controller.enqueue(chunk);
        controller.close();
      },
    });
    const { total } = await (await js.compile(sums)).run({ x });
    for (const source of [web, Readable.from(rest), rest]) {
      let last = 0;
      for await (const { outputs } of streamSteps(steps, source as typeof rest, { state }))
        last = outputs.total;
      expect(last).toBe(total);
    }
    steps.dispose();
  });

  it("refuses chunks that are no iterable", async () => {
    for (const wrong of [undefined, null, 5, {}, () => 5, async () => ({})])
      await expect(stream(jsRuntime(), sums, wrong as never).next()).rejects.toMatchObject({
        code: "bad-argument",
      });
  });
});

it("refuses what is no runtime, and more items than their numbers can count, before it reads", async () => {
  const requests: string[] = [];
  async function* source(): AsyncGenerator<{ x: Float32Array }> {
    requests.push("read");
    yield partOf(0);
  }
  for (const none of [undefined, {}, [jsRuntime()]])
    await expect(stream(none as never, sums, source()).next()).rejects.toMatchObject({
      code: "bad-argument",
      what: expect.stringContaining("the runtime must be a runtime"),
    });
  const best = pipeline("best", { x: f32 }, ({ x }, { index }) => {
    const most = operators.argmax(f32).reduce({ value: x, index: index() });
    return { at: scalar(most.index) };
  });
  await expect(stream(jsRuntime(), best, source(), { n: 2 ** 32 + 1 }).next()).rejects.toMatchObject({
    code: "too-many-items",
    hint: expect.stringContaining("at most 2^32 items"),
  });
  expect(requests).toEqual([]);
  const steps = stream(jsRuntime(), best, [{ x: Float32Array.of(1, 3, 2) }], { n: 3 });
  expect((await steps.next()).value?.outputs).toEqual({ at: 1 });
});

describe("a parameter that divides the number of items", () => {
  const rows = pipeline(
    "rows",
    { x: u32, width: param(u32, { divides: true }) },
    ({ x, width }, { index }) => ({ sums: x.scanInclusive("add", { segments: index().rem(width).eq(0) }) }),
  );
  const runtimes = { one: () => jsRuntime(), several: () => acrossRuntimes([jsRuntime(), jsRuntime()]) };
  const summed = async (name: keyof typeof runtimes, lengths: readonly number[], width: number) => {
    const sums: number[] = [];
    const parts = lengths.map((length) => ({ x: new Uint32Array(length).fill(1) }));
    for await (const { outputs } of stream(runtimes[name](), rows, parts, { values: { width } }))
      sums.push(...outputs.sums);
    return sums;
  };
  it.each(["one", "several"] as const)("may divide no chunk, on %s", async (name) => {
    expect(await summed(name, [3, 6, 3], 4)).toEqual([1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4]);
  });
  it.each(["one", "several"] as const)(
    "is refused if it is 0, or at the end of the items, on %s",
    async (name) => {
      await expect(summed(name, [4, 4], 0)).rejects.toMatchObject({ code: "bad-divisor" });
      await expect(summed(name, [4, 3], 4)).rejects.toMatchObject({ code: "bad-divisor" });
    },
  );
  it.each(["one", "several"] as const)("is refused in a part if it is 0, on %s", async (name) => {
    const steps = await stepper(runtimes[name](), rows);
    const part = steps.stateOf({ x: Uint32Array.of(1), width: 0 }, { from: 4n });
    await expect(part).rejects.toMatchObject({ code: "bad-divisor" });
    steps.dispose();
  });
  it("is checked where it comes with the chunks", async () => {
    const parts = [{ x: Uint32Array.of(1, 2, 3), width: 2 }];
    const steps = stream(jsRuntime(), rows as PipelineSource, parts);
    expect((await steps.next()).value?.outputs).toEqual({ sums: Uint32Array.of(1, 3, 3) });
    await expect(steps.next()).rejects.toMatchObject({ code: "bad-divisor" });
  });
  it("is checked at the end of a round", async () => {
    const tops = pipeline(
      "tops",
      { x: u32, width: param(u32, { divides: true }) },
      ({ x, width }, { index }) => ({ y: x.sub(x.mul(index().rem(width)).reduce("max")) }),
    );
    const rounds = roundsOf(tops);
    const round = await roundStepper(jsRuntime(), tops, rounds, firstRound(rounds));
    const { state } = await round.step({ x: Uint32Array.of(1, 2, 3), width: 2 });
    await expect(round.next(state, { width: 2 })).rejects.toMatchObject({ code: "bad-divisor" });
    await round.next(state, { width: 3 });
    round.dispose();
  });
});
