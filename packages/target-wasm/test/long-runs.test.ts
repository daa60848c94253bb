/** Arrays that do not fit in the memory, which is 1 MiB here. */
import { stepper } from "@groupwise/core/state";
import { f32, i64, param, pipeline, scalar, table, u8, u32 } from "@groupwise/dsl";
import { describe, expect, test } from "vitest";
import { wasmRuntime } from "../src/runtime.ts";
import { wasmWorkersRuntime } from "../src/workers/runtime.ts";

const LONG = 300_007;
const long = pipeline(
  "long",
  { x: f32, k: i64, b: u8, limit: param(f32), of: table(u32) },
  ({ x, k, b, limit, of }, { index }) => ({
    y: x.scanInclusive("add"),
    total: scalar(x.reduce("add")),
    most: scalar(k.mul(k).reduce("max")),
    // A collective of another one: parts side by side have none.
    again: x.scanInclusive("add").gt(limit).toU32().scanExclusive("add"),
    moved: of.at(index().rem(7)).add(b.toU32()),
    kept: x.scatter({
      to: x.gt(limit).toU32().scanExclusive("add"),
      where: x.gt(limit),
      length: x.gt(limit).toU32().reduce("add"),
    }),
  }),
);
const valuesOf = (n: number) => ({
  x: Float32Array.from({ length: n }, (_, i) => Math.sin(i) * 1e4),
  k: BigInt64Array.from({ length: n }, (_, i) => BigInt(i) ** 5n - 77n),
  b: Uint8Array.from({ length: n }, (_, i) => i * i),
  of: Uint32Array.from({ length: 7 }, (_, i) => i ** 9),
  limit: 12.5,
});

const LIMIT = { maxBytes: 2 ** 20 };
describe.each([
  ["one thread", () => wasmRuntime(LIMIT)],
  ["workers", () => wasmWorkersRuntime({ ...LIMIT, workers: 2, leastItems: 1000 })],
])("%s", (_, open) => {
  test("runs go through the memory in pieces, with the bits of one run, and read their values before", async () => {
    const [runtime, whole] = [open(), wasmRuntime()];
    const [program, want] = [await runtime.compile(long), await whole.compile(long)];
    for (const n of [10, LONG, 0]) {
      const given = valuesOf(n);
      const wanted = await want.run(given);
      const running = program.run(given);
      given.x.fill(7);
      expect(await running).toEqual(wanted);
    }
    const both = [valuesOf(LONG), valuesOf(40_000)];
    expect(await Promise.all(both.map((given) => program.run(given)))).toEqual(
      await Promise.all(both.map((given) => want.run(given))),
    );
    runtime.dispose();
  });

  test("outputs in place, and chunks", async () => {
    const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.add(1).scanInclusive("add") }));
    const [runtime, whole] = [open(), wasmRuntime()];
    const [{ x }, want] = [valuesOf(LONG), await whole.compile(sums)];
    const { y } = await want.run({ x });
    const inPlace = await runtime.compile(sums, { inPlace: { y: "x" } });
    const given = x.slice();
    expect(await inPlace.run({ x: given })).toEqual({ y });
    expect(given).toEqual(x);
    const steps = await stepper(runtime, sums);
    const first = await steps.step({ x: x.subarray(0, 280_001) });
    const next = await steps.step({ x: x.subarray(280_001) }, { state: first.state });
    expect(first.outputs.y).toEqual(y.subarray(0, 280_001));
    expect(next.outputs.y).toEqual(y.subarray(280_001));
    runtime.dispose();
  });

  test("without parts it is an error that says what to do", async () => {
    const placed = pipeline("placed", { to: u32 }, ({ to }) => ({ y: to.scatter({ to }) }));
    const runtime = open();
    const program = await runtime.compile(placed);
    const to = Uint32Array.from({ length: LONG }, (_, i) => LONG - 1 - i);
    const refusal = { code: "device-limit", hint: expect.stringMatching(/jsRuntime/) };
    await expect(program.run({ to })).rejects.toMatchObject(refusal);
    expect((await program.run({ to: Uint32Array.of(1, 0) })).y).toEqual(Uint32Array.of(0, 1));
    expect(() => runtime.array("f32", LONG)).toThrow(expect.objectContaining({ code: "device-error" }));
    const tables = pipeline("tables", { i: u32, of: table(f32) }, ({ i, of }) => ({ y: of.at(i) }));
    const read = await runtime.compile(tables);
    await expect(read.run({ i: Uint32Array.of(LONG - 1), of: new Float32Array(LONG) })).rejects.toMatchObject(
      { code: "device-limit" },
    );
    runtime.dispose();
  });
});

test("the bytes of a memory are a whole number from 2^20", () => {
  for (const maxBytes of [1000, 2 ** 33, 1.5])
    expect(() => wasmRuntime({ maxBytes })).toThrow(expect.objectContaining({ code: "bad-argument" }));
});
