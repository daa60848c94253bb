/**
 * No call waits for kernels: short results are read when the device is done, and memory of the host is written before kernels use it. Drivers
 * that wait there would stop the host, and other devices with it.
 */
import type { Runtime } from "@groupwise/core";
import { acrossRuntimes } from "@groupwise/core/state";
import { f32, pipeline, u32 } from "@groupwise/dsl";
import { requireDevice } from "@groupwise/testkit/conformance";
import { afterEach, beforeEach, describe, expect, type TestContext, test } from "vitest";
import { pocl } from "./support.ts";
import { type Watched, watchQueues } from "./watched.ts";

const compact = pipeline("compact", { x: u32 }, ({ x }) => {
  const keep = x.rem(3).eq(0);
  const to = keep.toU32().scanExclusive("add");
  const count = keep.toU32().reduce("add");
  return { kept: x.scatter({ to, where: keep, length: count }), count };
});
const total = pipeline("total", { x: f32 }, ({ x }) => ({ sum: x.reduce("add") }));
const values = (n: number): Uint32Array => Uint32Array.from({ length: n }, (_, i) => Math.imul(i, 77) >>> 3);

let watched: Watched;
const runtimes: Runtime[] = [];
beforeEach(async () => {
  watched = await watchQueues();
});
afterEach(() => {
  watched.remove();
  for (const runtime of runtimes.splice(0)) runtime.dispose();
});

async function open(context: TestContext): Promise<Runtime> {
  const runtime = await requireDevice(context, pocl);
  runtimes.push(runtime);
  return runtime;
}

describe("no short result is read from a busy queue", () => {
  const n = 5000;
  const selected = values(n).filter((one) => one % 3 === 0);

  test("by a run", async (context) => {
    const runtime = await open(context);
    const executable = await runtime.compile(compact);
    const results = await executable.run({ x: values(n) });
    expect([results.count[0], results.kept]).toEqual([selected.length, selected]);
    expect([watched.kernels > 0, watched.busyReads, watched.hostCopies]).toEqual([true, 0, 0]);
  });

  test("by steps: the words of scatters, and a number of items on the device", async (context) => {
    const runtime = await open(context);
    const executable = await runtime.compile(compact);
    const x = runtime.array("u32", values(n));
    const [once, twice] = [runtime.array("u32", n), runtime.array("u32", n)];
    const [count, second] = [runtime.array("u32", 1), runtime.array("u32", 1)];
    const done = runtime
      .record()
      .run(executable, { x, kept: once, count })
      .run(executable, { x: once, kept: twice, count: second }, { n: { count, max: n } })
      .submit();
    const found = await Promise.all([count.read(), second.read(), once.read()]);
    await done;
    expect([found[0][0], found[1][0]]).toEqual([selected.length, selected.length]);
    expect(found[2].subarray(0, selected.length)).toEqual(selected);
    expect([watched.kernels > 0, watched.busyReads, watched.hostCopies]).toEqual([true, 0, 0]);
  });

  test("by a read beside a step, which later steps change", async (context) => {
    const runtime = await open(context);
    const executable = await runtime.compile(compact);
    const [x, kept] = [runtime.array("u32", values(n)), runtime.array("u32", n)];
    const count = runtime.array("u32", 1);
    const submit = (): Promise<void> => runtime.record().run(executable, { x, kept, count }).submit();
    const first = submit();
    const before = count.read();
    x.write(new Uint32Array(n).fill(1));
    const second = submit();
    const after = count.read();
    expect([(await before)[0], (await after)[0]]).toEqual([selected.length, 0]);
    await Promise.all([first, second]);
    expect([watched.busyReads, watched.hostCopies]).toEqual([0, 0]);
  });
});

test("several devices compute at the same time: the kernels of all are queued before the first is waited for", async (context) => {
  const two = [await open(context), await open(context)];
  const across = acrossRuntimes(two);
  const executable = await across.compile(total);
  const x = across.array(
    "f32",
    Float32Array.from({ length: 1 << 16 }, (_, i) => i % 7),
  );
  const sum = across.array("f32", 1);
  watched.forget();
  await across.record().run(executable, { x, sum }).submit();
  expect([...(await sum.read())]).toEqual([
    Array.from({ length: 1 << 16 }, (_, i) => i % 7).reduce((a, b) => a + b),
  ]);
  expect([watched.busyReads, watched.hostCopies]).toEqual([0, 0]);
  expect(watched.queuesBeforeWait).toBe(2);
});
