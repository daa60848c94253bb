/** Streams of bytes and of typed arrays: the results do not depend on how the elements are split. */
import { createReadStream, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { type ElementSource, stream } from "@groupwise/core/state";
import { f32, pipeline, scalar, u64 } from "@groupwise/dsl";
import { scratchDirectory } from "@groupwise/testkit/devices";
import fc from "fast-check";
import { expect, test } from "vitest";
import { jsRuntime } from "../src/runtime.ts";

const both = pipeline("both", { x: f32, k: u64 }, ({ x, k }) => ({
  sums: x.scanInclusive("add"),
  most: k.scanInclusive("max"),
  total: scalar(x.reduce("add")),
}));
const N = 300;
const x = Float32Array.from({ length: N }, (_, i) => Math.sin(i) * 1000);
const k = BigUint64Array.from({ length: N }, (_, i) => BigInt(i) ** 7n % 2n ** 61n);
const bytesOf = (of: Float32Array | BigUint64Array): Uint8Array => new Uint8Array(of.buffer.slice(0));

const folder = scratchDirectory();

async function resultsOf(
  sources: { x: ElementSource<Float32Array>; k: ElementSource<BigUint64Array> },
  chunk?: number,
): Promise<{ sums: number[]; most: bigint[]; total: number | undefined; steps: number }> {
  const [sums, most]: [number[], bigint[]] = [[], []];
  let [total, steps]: [number | undefined, number] = [undefined, 0];
  for await (const { outputs } of stream(jsRuntime(), both, sources, chunk === undefined ? {} : { chunk })) {
    sums.push(...outputs.sums);
    most.push(...outputs.most);
    total = outputs.total;
    steps++;
  }
  return { sums, most, total, steps };
}

const whole = async () => (await jsRuntime().compile(both)).run({ x, k });

/** Cuts at the given places. */
const cut = <T extends { subarray(from: number, to: number): T; readonly length: number }>(
  of: T,
  at: number[],
): T[] => {
  const places = [0, ...at.map((place) => place % (of.length + 1)).sort((a, b) => a - b), of.length];
  return places.slice(1).map((to, i) => of.subarray(places[i] as number, to));
};
async function* later<T>(pieces: readonly T[]): AsyncGenerator<T> {
  for (const piece of pieces) yield piece;
}

const cuts = fc.array(fc.nat(10_000), { maxLength: 12 });
test("any split of bytes and of arrays gives the bits of one run", async () => {
  const { sums, most, total } = await whole();
  const kinds = fc.constantFrom("bytes", "arrays", "node", "web", "buffers");
  const property = fc.asyncProperty(
    cuts,
    cuts,
    kinds,
    fc.integer({ min: 1, max: N + 1 }),
    async (a, b, kind, chunk) => {
      const sources = {
        bytes: () => ({ x: later(cut(bytesOf(x), a)), k: cut(bytesOf(k), b) }),
        arrays: () => ({ x: cut(x, a), k: later(cut(k, b)) }),
        node: () => ({ x: Readable.from(cut(Buffer.from(bytesOf(x)), a)), k: Readable.from(cut(k, b)) }),
        web: () => ({
          x: Readable.toWeb(Readable.from(cut(bytesOf(x), a))) as never,
          k: new Blob(cut(k, b) as never).stream(),
        }),
        buffers: () => ({ x: [x.buffer], k: [k] }),
      }[kind]();
      const got = await resultsOf(sources as never, chunk);
      expect([got.sums, got.most, got.total]).toEqual([[...sums], [...most], total]);
      expect(got.steps).toBe(Math.max(1, Math.ceil(N / chunk)));
    },
  );
  await fc.assert(property, { numRuns: process.env.GROUPWISE_FULL ? 100 : 30 });
});

test("files of raw elements, and files without elements", async () => {
  writeFileSync(join(folder, "x.f32"), bytesOf(x));
  writeFileSync(join(folder, "k.u64"), bytesOf(k));
  writeFileSync(join(folder, "empty"), "");
  const read = (name: string): Readable => createReadStream(join(folder, name), { highWaterMark: 37 });
  const { sums, total } = await whole();
  const got = await resultsOf({ x: read("x.f32"), k: read("k.u64") }, 64);
  expect([got.sums, got.total]).toEqual([[...sums], total]);
  expect(await resultsOf({ x: read("empty"), k: read("empty") })).toEqual({
    sums: [],
    most: [],
    total: 0,
    steps: 1,
  });
});

test("rounds read the sources that a function returns", async () => {
  const shares = pipeline("shares", { x: f32 }, ({ x }) => ({ y: x.div(x.reduce("add")) }));
  const { y } = await (await jsRuntime().compile(shares)).run({ x });
  const got: number[] = [];
  const read = () => ({ x: later(cut(bytesOf(x), [5, 333])) });
  for await (const { outputs } of stream(jsRuntime(), shares, read, { chunk: 77 })) got.push(...outputs.y);
  expect(got).toEqual([...y]);
});

const wrong: readonly [string, object, string, string][] = [
  ["part of an element", { x: [bytesOf(x).subarray(1)], k: [k] }, "bad-argument", "3 bytes at its end"],
  ["another length", { x: [x], k: [k.subarray(1)] }, "length-mismatch", "x 300, k 299"],
  ["arrays of another type", { x: [new Float64Array(4)], k: [k] }, "bad-argument", "one of Float64Array"],
  ["texts", { x: ["1 2"], k: [k] }, "bad-argument", "one of string"],
  ["numbers", { x: 7, k: [k] }, "bad-argument", "but is number"],
  ["an unknown input", { x: [x], z: [k] }, "unknown-input", '"z"'],
  ["a missing input", { x: [x] }, "missing-input", '"k"'],
];
test.each(wrong)("refuses %s", async (_, sources, code, what) => {
  await expect(resultsOf(sources as never)).rejects.toMatchObject({
    code,
    what: expect.stringContaining(what),
  });
});

test("a caller that stops closes the sources", async () => {
  const closed: string[] = [];
  async function* forever(name: string, piece: Float32Array | BigUint64Array): AsyncGenerator<never> {
    try {
      for (;;) yield piece as never;
    } finally {
      closed.push(name);
    }
  }
  const sources = { x: forever("x", x), k: forever("k", k) };
  for await (const _ of stream(jsRuntime(), both, sources, { chunk: 50 })) break;
  expect(closed.sort()).toEqual(["k", "x"]);
});
