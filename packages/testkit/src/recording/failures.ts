/** Submissions that nobody awaits: whom their errors reach. */
import type { GroupwiseError } from "@groupwise/core";
import { expect } from "vitest";
import type { RuntimeTests } from "./check.ts";
import { next, shifted, spread, turned } from "./pipelines.ts";

const OUTSIDE = { code: "scatter-outside", where: expect.stringContaining("shifted") };
const X: Uint32Array = Uint32Array.of(7, 8, 9);

/** By name. A rejection that nobody handles ends a test run. */
export const FAILURE_TESTS: RuntimeTests = {
  "an error belongs to the arrays that the failed work would have written": async (runtime) => {
    const [bad, good] = [await runtime.compile(shifted), await runtime.compile(next)];
    const x = runtime.array("u32", X);
    const step = Math.max(3, runtime.sliceAlignment / 4);
    const room = runtime.array("u32", 2 * step);
    const [y, beside] = [room.slice(0, 3), room.slice(step, step + 3)];
    const [z, after] = [runtime.array("u32", 3), runtime.array("u32", 3)];
    runtime.record().run(good, { x, y: z }).run(bad, { x, y }).submit();
    // Its error is not known yet, and reaches what is computed from the array.
    runtime.record().run(good, { x: y, y: after }).submit();
    for (const array of [y, y, room, after]) await expect(array.read()).rejects.toMatchObject(OUTSIDE);
    for (const array of [y, after])
      await expect(runtime.record().run(good, { x: array, y: z }).submit()).rejects.toMatchObject(OUTSIDE);
    await runtime.record().run(good, { x, y: z }).submit();
    expect(await z.read()).toEqual(Uint32Array.of(8, 9, 10));
    expect(await beside.read()).toEqual(new Uint32Array(3));
    for (const array of [room, x, z, after]) array.dispose();
  },

  "an error is gone when the elements are written again, by the host or by a step": async (runtime) => {
    const [bad, good] = [await runtime.compile(shifted), await runtime.compile(next)];
    const x = runtime.array("u32", X);
    const y = runtime.array("u32", 3);
    const fail = (): void => void runtime.record().run(bad, { x, y }).submit();
    fail();
    y.write(Uint32Array.of(1, 2));
    await expect(y.read()).rejects.toMatchObject(OUTSIDE);
    y.write(X);
    expect(await y.read()).toEqual(X);
    fail();
    runtime.record().run(good, { x, y }).submit();
    expect(await y.read()).toEqual(Uint32Array.of(8, 9, 10));
    // What is read before the failure is what was there.
    const before = y.read();
    fail();
    expect(await before).toEqual(Uint32Array.of(8, 9, 10));
    await expect(y.read()).rejects.toMatchObject(OUTSIDE);
    for (const array of [x, y]) array.dispose();
  },

  "a submission that is refused belongs to its arrays too": async (runtime) => {
    const one = await runtime.compile(next);
    const [x, y] = [runtime.array("u32", X), runtime.array("u32", 3)];
    const recorder = runtime.record().run(one, { x, y });
    one.dispose();
    recorder.submit();
    await expect(y.read()).rejects.toMatchObject({
      code: "disposed",
      where: expect.stringContaining("next"),
    });
    expect(await x.read()).toEqual(X);
    for (const array of [x, y]) array.dispose();
  },

  "a step whose count is on the device fails like others": async (runtime) => {
    const bad = await runtime.compile(shifted);
    const [x, y] = [runtime.array("u32", X), runtime.array("u32", 3)];
    const count = runtime.array("u32", Uint32Array.of(2));
    runtime
      .record()
      .run(bad, { x, y }, { n: { count, max: 3 } })
      .submit();
    await expect(y.read()).rejects.toMatchObject(OUTSIDE);
    y.write(X);
    expect(await y.read()).toEqual(X);
    for (const array of [x, y, count]) array.dispose();
  },

  "a parameter divides a count on the device, or the arrays of the step have the error": async (runtime) => {
    const [grid, plus, leave] = [
      await runtime.compile(turned),
      await runtime.compile(next),
      await runtime.compile(spread),
    ];
    const x = runtime.array("u32", Uint32Array.of(1, 2, 3, 4, 5, 6));
    const max = 6;
    const refused = { code: "bad-divisor", where: expect.stringContaining("turned") };
    const given = runtime.array("u32", Uint32Array.of(5, 4, 0, 9));
    const left = runtime.array("u32", 3);
    const recorder = runtime
      .record()
      .run(leave, { x: runtime.array("u32", Uint32Array.of(5, 4)), size: 3, y: left });
    const counts = [0, 1, 2, 3].map((at) => ({ count: given, at, max }));
    const all = [...counts, ...[1, 2].map((at) => ({ count: left, at, max }))].map((n) => {
      const [y, z] = [runtime.array("u32", max), runtime.array("u32", max)];
      recorder.run(grid, { x, width: 4, y }, { n }).run(plus, { x: y, y: z });
      return { y, z };
    });
    recorder.submit();
    const found = await Promise.allSettled(all.map(({ y }) => y.read()));
    const four = [1, 2, 3, 4, 0, 0];
    expect(
      found.map((y) => (y.status === "fulfilled" ? [...y.value] : (y.reason as GroupwiseError).code)),
    ).toEqual(["bad-divisor", four, [0, 0, 0, 0, 0, 0], "bad-divisor", "bad-divisor", four]);
    const [{ y, z }, good] = all as [(typeof all)[0], (typeof all)[0]];
    for (const array of [y, z]) await expect(array.read()).rejects.toMatchObject(refused);
    await expect(runtime.record().run(plus, { x: y, y: z }).submit()).rejects.toMatchObject(refused);
    expect(await good.z.read()).toEqual(Uint32Array.of(2, 3, 4, 5, 1, 1));
    y.write(Uint32Array.of(1, 2));
    await expect(y.read()).rejects.toMatchObject(refused);
    y.write(Uint32Array.of(1, 2, 3, 4, 5, 6));
    expect(await y.read()).toEqual(await x.read());
    for (const array of [x, given, left, ...all.flatMap((one) => [one.y, one.z])]) array.dispose();
  },

  "of more steps than one buffer has status words for, those fail that went outside": async (runtime) => {
    const one = await runtime.compile(spread);
    const x = runtime.array("u32", X);
    const recorder = runtime.record();
    const sizes = Array.from({ length: 70 }, (_, i) => (i % 7 === 3 || i > 67 ? 3 : 4));
    const all = sizes.map((size) => {
      const y = runtime.array("u32", size);
      recorder.run(one, { x, size, y });
      return y;
    });
    recorder.submit();
    const found = await Promise.allSettled(all.map((y) => y.read()));
    expect(
      found.map((y) => (y.status === "fulfilled" ? [...y.value] : (y.reason as GroupwiseError).code)),
    ).toEqual(sizes.map((size) => (size === 3 ? "scatter-outside" : [0, ...X])));
    for (const array of [x, ...all]) array.dispose();
  },
};
