/** Scratch of steps without an array for it: submissions use the buffers of earlier ones. */
import { evaluate, explain } from "@groupwise/core";
import { pipeline, u8, u32 } from "@groupwise/dsl";
import { requireDevice } from "@groupwise/testkit/conformance";
import { afterEach, expect, test } from "vitest";
import { type Faults, injectFaults } from "./faults.ts";
import { pocl } from "./support.ts";

let faults: Faults | undefined;
afterEach(() => faults?.remove());

const scan = pipeline("scan", { x: u32 }, ({ x }) => ({
  sums: x.scanInclusive("add"),
  total: x.reduce("add"),
}));
const N = 5000;

test("a later submission makes no buffers, and has the results of the first", async (context) => {
  const runtime = await requireDevice(context, pocl);
  faults = await injectFaults();
  const program = await runtime.compile(scan);
  const [sums, total] = [runtime.array("u32", N), runtime.array("u32", 1)];
  const x = runtime.array("u32", N);
  const made: number[] = [];
  for (const seed of [1, 2, 3]) {
    const values = Uint32Array.from({ length: N }, (_, i) => Math.imul(i + seed, 0x9e3779b1));
    x.write(values);
    const before = faults.calls("clCreateBuffer");
    await runtime.record().run(program, { x, sums, total }).submit();
    made.push(faults.calls("clCreateBuffer") - before);
    let sum = 0;
    const want = values.map((value) => (sum = (sum + value) >>> 0));
    expect(await sums.read()).toEqual(want);
    expect(await total.read()).toEqual(Uint32Array.of(sum));
  }
  expect(made[0]).toBeGreaterThan(0);
  expect(made.slice(1)).toEqual([0, 0]);
});

test("a run has the scratch of earlier runs and steps", async (context) => {
  const runtime = await requireDevice(context, pocl);
  faults = await injectFaults();
  const program = await runtime.compile(scan);
  const x = new Uint32Array(N).fill(5);
  const made: number[] = [];
  for (let i = 0; i < 3; i++) {
    const before = faults.calls("clCreateBuffer");
    expect((await program.run({ x })).total).toEqual(Uint32Array.of(5 * N));
    made.push(faults.calls("clCreateBuffer") - before);
  }
  // Three arrays of the host.
  expect(made[0]).toBeGreaterThan(3);
  expect(made.slice(1)).toEqual([3, 3]);
});

test("submissions that overlap have their own results", async (context) => {
  const runtime = await requireDevice(context, pocl);
  const program = await runtime.compile(scan);
  const runs = [100, N, 7, 3 * N].map((n) => {
    const x = runtime.array("u32", new Uint32Array(n).fill(3));
    const [sums, total] = [runtime.array("u32", n), runtime.array("u32", 1)];
    return { n, total, done: runtime.record().run(program, { x, sums, total }).submit() };
  });
  const results = [50, 4 * N, 11].map(
    async (n) => (await program.run({ x: new Uint32Array(n).fill(7) })).total,
  );
  await Promise.all(runs.map(({ done }) => done));
  for (const { n, total } of runs) expect(await total.read()).toEqual(Uint32Array.of(3 * n));
  const totals = (await Promise.all(results)).map((total) => [...total]);
  expect(totals).toEqual([[350], [28 * N], [77]]);
});

test("a run allocates what explain says, but for the gaps between arrays of one scratch", async (context) => {
  const runtime = await requireDevice(context, pocl);
  faults = await injectFaults();
  const kept = pipeline("kept", { x: u8 }, ({ x }) => {
    const where = x.lt(100);
    const to = where.toU32().scanExclusive("add");
    return { kept: x.scatter({ to, where, length: where.toU32().reduce("add") }) };
  });
  const program = await runtime.compile(kept);
  for (const n of [1, N, 3 * N]) {
    const { inputs, scratch, total } = explain(program.plan, { n }).memory;
    expect(scratch.value).toBe(program.scratchBytes(n));
    const before = faults.allocated();
    await program.run({ x: new Uint8Array(n).fill(7) });
    const { bindings } = program.manifest;
    const made = bindings.reduce((sum, { bytes }) => sum + evaluate(bytes, n), 0);
    // The runs before have left scratch, and nothing else.
    if (n === 1) expect(faults.allocated() - before).toBe(made);
    expect(inputs.value).toBe(4 * Math.ceil(n / 4));
    expect((total.value as number) - made).toBeGreaterThanOrEqual(0);
    expect((total.value as number) - made).toBeLessThan(256 * bindings.length);
  }
});
