/** Arrays of earlier outputs that runs and streams write again. */
import { acrossRuntimes, stepper, stream, streamSteps } from "@groupwise/core/state";
import { f32, pipeline, scalar, u32 } from "@groupwise/dsl";
import { describe, expect, it } from "vitest";
import { jsRuntime } from "../src/runtime.ts";

const runtime = jsRuntime();
const sums = pipeline("sums", { x: f32 }, ({ x }) => ({
  y: x.scanInclusive("add"),
  high: x.reduce("max"),
  total: scalar(x.reduce("add")),
}));
const x = Float32Array.from({ length: 100 }, (_, i) => Math.sin(i));
const bufferOf = ({ buffer }: { readonly buffer: ArrayBufferLike }): ArrayBufferLike => buffer;

describe("the option spare of a run", () => {
  it("is written if type and length fit, and otherwise ignored", async () => {
    const executable = await runtime.compile(sums);
    const want = await executable.run({ x });
    const fits = new Float32Array(300).fill(7).subarray(100, 200);
    const { y } = await executable.run({ x }, { spare: { y: fits } });
    expect(y).toEqual(want.y);
    expect(fits).toEqual(want.y);
    expect(bufferOf(y)).toBe(bufferOf(fits));
    for (const other of [new Float32Array(99), new Float32Array(101), new Uint32Array(100), 7, undefined]) {
      const ran = await executable.run({ x }, { spare: { y: other, none: fits } });
      expect(ran).toEqual(want);
      if (typeof other === "object") expect(bufferOf(ran.y)).not.toBe(bufferOf(other));
    }
  });

  it("leaves outputs with one value for the range, and clears those that scatters write", async () => {
    const executable = await runtime.compile(sums);
    const { high } = await executable.run({ x });
    expect(bufferOf((await executable.run({ x }, { spare: { high } })).high)).not.toBe(bufferOf(high));
    const placed = pipeline("placed", { to: u32 }, ({ to }) => ({ y: to.scatter({ to, where: to.lt(3) }) }));
    const scatter = await runtime.compile(placed);
    const y = new Uint32Array(5).fill(9);
    const ran = await scatter.run({ to: Uint32Array.of(4, 2, 0, 3, 1) }, { spare: { y } });
    expect(ran.y).toEqual(Uint32Array.of(0, 1, 2, 0, 0));
    expect(bufferOf(ran.y)).toBe(bufferOf(y));
  });

  it("is an object of arrays that exist", async () => {
    const executable = await runtime.compile(sums);
    await expect(executable.run({ x }, { spare: 3 as never })).rejects.toMatchObject({
      code: "bad-argument",
    });
    const y = new Float32Array(100);
    structuredClone(y, { transfer: [y.buffer] });
    await expect(executable.run({ x }, { spare: { y } })).rejects.toMatchObject({ code: "detached" });
  });
});

describe("the option reuse of a stream", () => {
  const chunks = Array.from({ length: 7 }, (_, i) => ({ x: x.subarray(10 * i, 10 * i + 10) }));
  const whole = async (): Promise<Float32Array> => (await (await runtime.compile(sums)).run({ x })).y;

  it.each([1, 2, 3])("outputs of a step are those of the step %d before it", async (reuse) => {
    const want = await whole();
    const buffers: ArrayBufferLike[] = [];
    for await (const { outputs, state } of stream(runtime, sums, chunks, { reuse })) {
      const at = Number(state.to);
      expect(outputs.y).toEqual(want.subarray(at - 10, at));
      buffers.push(bufferOf(outputs.y));
    }
    expect(new Set(buffers).size).toBe(reuse);
    buffers.slice(reuse).forEach((buffer, i) => void expect(buffer).toBe(buffers[i]));
  });

  it("without it all steps have new arrays", async () => {
    const steps = await stepper(runtime, sums);
    const buffers = new Set<ArrayBufferLike>();
    for await (const { outputs } of streamSteps(steps, chunks)) buffers.add(bufferOf(outputs.y));
    expect(buffers.size).toBe(chunks.length);
    steps.dispose();
  });

  it("several runtimes ignore it", async () => {
    const want = await whole();
    const parts: number[] = [];
    for await (const { outputs } of stream(acrossRuntimes([runtime, runtime]), sums, chunks, { reuse: 1 }))
      parts.push(...outputs.y);
    expect(parts).toEqual([...want.subarray(0, 70)]);
  });

  it("must be a number of steps", async () => {
    for (const reuse of [0, -1, 1.5, "2", null])
      await expect(stream(runtime, sums, chunks, { reuse: reuse as never }).next()).rejects.toMatchObject({
        code: "bad-argument",
        what: expect.stringContaining("reuse"),
      });
  });
});
