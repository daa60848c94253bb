/** Buffers that are kept between reads, on a device that only counts them. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Staging } from "../src/device/staging.ts";

/** A device whose buffers tell whether they are alive, mapped, or in the hands of a read. */
function counting() {
  const alive = new Set<object>();
  const device = {
    createBuffer({ size }: { readonly size: number }) {
      let isMapped = false;
      const buffer = {
        size,
        mapAsync: async () => {
          expect(isMapped).toBe(false);
          isMapped = true;
        },
        getMappedRange: (_: number, length: number) => new ArrayBuffer(length),
        unmap: () => {
          isMapped = false;
        },
        destroy: () => {
          expect(alive.delete(buffer), "destroyed once").toBe(true);
        },
      };
      alive.add(buffer);
      return buffer;
    },
  };
  const bytes = (): number =>
    [...alive].reduce((sum: number, one) => sum + (one as { size: number }).size, 0);
  return { staging: new Staging(device as unknown as GPUDevice), alive, bytes };
}

test("a read reuses the buffer of an earlier read of similar size", async () => {
  const { staging, alive } = counting();
  const lengths: number[] = [];
  for (const size of [1000, 1024, 516, 1000])
    await staging.during(async (take) => {
      const staged = take(size);
      lengths.push(await staging.read(staged, (bytes) => bytes.byteLength));
    });
  expect(lengths).toEqual([1000, 1024, 516, 1000]);
  expect(alive.size).toBe(1);
  staging.pool.clear();
  expect(alive.size).toBe(0);
});

test("concurrent reads have separate buffers", async () => {
  const { staging, alive } = counting();
  let go = (): void => {};
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  const buffers = new Set<object>();
  const reads = Array.from({ length: 5 }, () =>
    staging.during(async (take) => {
      buffers.add(take(4).buffer);
      buffers.add(take(4).buffer);
      await gate;
    }),
  );
  expect(buffers.size).toBe(10);
  go();
  await Promise.all(reads);
  expect(alive.size).toBe(10);
});

test("a read that fails keeps none of its buffers", async () => {
  const { staging, alive } = counting();
  const failing = staging.during(async (take) => {
    take(16);
    take(4000);
    throw new Error("lost");
  });
  await expect(failing).rejects.toThrow("lost");
  expect(alive.size).toBe(0);
});

test("at most 64 MiB are kept", async () => {
  const sizes = fc.array(
    fc.integer({ min: 1, max: 2 ** 24 }).map((words) => words * 4),
    { maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(sizes, async (all) => {
      const { staging, bytes } = counting();
      await staging.during(async (take) => {
        for (const size of all) expect(take(size).buffer.size).toBeGreaterThanOrEqual(size);
      });
      expect(bytes()).toBeLessThanOrEqual(2 ** 26);
    }),
    { numRuns: 30 },
  );
});
