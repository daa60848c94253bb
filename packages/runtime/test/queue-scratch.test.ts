/** The memory that a queue keeps between submissions. */
import { expect, test } from "vitest";
import type { Driver } from "../src/queue/driver.ts";
import { Arena } from "../src/queue/scratch.ts";

test("no more than 64 MiB are kept, the smallest buffers first", () => {
  const live = new Set<bigint>();
  let made = 0n;
  const driver = {
    allocate: () => {
      live.add(++made);
      return made;
    },
    release: (handle: bigint) => expect(live.delete(handle)).toBe(true),
  } as unknown as Driver;
  const arena = new Arena(driver);
  const take = (...megabytes: readonly number[]): readonly bigint[] => {
    const bindings = megabytes.map((size, i) => ({
      ...{ name: `scratch_${i}`, role: "scratch", type: "u32", bytes: size * 2 ** 20 },
    }));
    return [
      ...arena.take(driver, { bindings } as never, { n: 1 } as never, () => false).values(),
    ] as bigint[];
  };
  const [small, large] = take(40, 100) as [bigint, bigint];
  arena.trim();
  expect([live.has(small), live.has(large)]).toEqual([true, false]);
  expect(take(30)).toEqual([small]);
  const [first, second] = take(30, 1) as [bigint, bigint];
  arena.trim();
  expect(take(40, 1)).toEqual([first, second]);
  take(10, 20, 50);
  arena.trim();
  // 40, 20 and 50 MiB.
  expect(live.size).toBe(2);
  arena.release();
  expect(live.size).toBe(0);
});
