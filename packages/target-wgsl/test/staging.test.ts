/** Buffers that reads share and that are kept between them, on a device that only copies bytes and counts. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Staged, Staging } from "../src/device/staging.ts";

interface Fake {
  readonly size: number;
  readonly bytes: Uint8Array;
  isMapped: boolean;
  isAlive: boolean;
}

/** A device whose buffers have bytes, and tell whether they are alive or mapped. `refuses`: whether it refuses to map. */
function counting(refuses: () => boolean = () => false) {
  const all: Fake[] = [];
  let maps = 0;
  const device = {
    createBuffer({ size }: { readonly size: number }) {
      const buffer = {
        size,
        bytes: new Uint8Array(size < 2 ** 20 ? size : 0),
        isMapped: false,
        isAlive: true,
        async mapAsync(_: number, from: number, length: number) {
          maps++;
          expect([buffer.isMapped, from, length % 4, length <= size]).toEqual([false, 0, 0, true]);
          await undefined;
          if (refuses()) throw new Error("lost");
          buffer.isMapped = true;
        },
        getMappedRange(from: number, length: number) {
          expect([buffer.isMapped, buffer.isAlive, from % 8]).toEqual([true, true, 0]);
          return buffer.bytes.slice(from, from + length).buffer;
        },
        unmap() {
          buffer.isMapped = false;
        },
        destroy() {
          expect(buffer.isAlive, "destroyed once").toBe(true);
          buffer.isAlive = false;
        },
      };
      all.push(buffer);
      return buffer;
    },
  };
  const alive = (): Fake[] => all.filter(({ isAlive }) => isAlive);
  return { staging: new Staging(device as unknown as GPUDevice), alive, maps: () => maps };
}

/** What submitted commands do. */
function fill({ buffer, offset, size }: Staged, value: number): void {
  const { bytes, isMapped, isAlive } = buffer as unknown as Fake;
  expect([isMapped, isAlive], "nothing writes to a buffer that the host reads").toEqual([false, true]);
  bytes.fill(value, offset, offset + size);
}

const later = (turns: number): Promise<void> =>
  turns === 0 ? Promise.resolve() : Promise.resolve().then(() => later(turns - 1));

test("every read has its own bytes, whatever shares its buffer, fails or is answered late", async () => {
  const read = fc.record({
    sizes: fc.array(fc.integer({ min: 1, max: 2 ** 14 + 9 }), { minLength: 1, maxLength: 3 }),
    begins: fc.nat(6),
    waits: fc.nat(6),
    ends: fc.constantFrom("reads", "reads", "fails before", "fails after"),
  });
  const reads = fc.array(read, { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(reads, fc.nat(15), async (asked, lost) => {
      let count = 0;
      const { staging, alive } = counting(() => count++ === lost);
      const made = asked.map(async ({ sizes, begins, waits, ends }, i) => {
        await later(begins);
        return staging.during(async (take) => {
          const staged = sizes.map((words) => take(4 * words));
          for (const one of staged) fill(one, i + 1);
          await later(waits);
          if (ends === "fails before") throw new Error(ends);
          const found = await Promise.all(
            staged.map((one) => staging.read(one, (bytes) => [...new Set(new Uint8Array(bytes))])),
          );
          if (ends === "fails after") throw new Error(ends);
          return found;
        });
      });
      for (const [i, settled] of (await Promise.allSettled(made)).entries()) {
        const { ends, sizes } = asked[i] as (typeof asked)[number];
        if (settled.status === "fulfilled") expect(settled.value).toEqual(sizes.map(() => [i + 1]));
        else expect([ends, "lost"]).toContain(settled.reason.message);
      }
      expect(alive().every(({ isMapped }) => !isMapped)).toBe(true);
      staging.pool.clear();
      expect(alive()).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

const readOne = async (staging: Staging, bytes: number): Promise<number> =>
  staging.during(async (take) => {
    const staged = take(bytes);
    await later(1);
    return staging.read(staged, (found) => found.byteLength);
  });

test("short reads of one turn are one map of one buffer; the next turn uses it again", async () => {
  const { staging, alive, maps } = counting();
  const sizes = Array.from({ length: 10 }, (_, i) => 4000 + 4 * i);
  for (const turn of [1, 2]) {
    expect(await Promise.all(sizes.map((size) => readOne(staging, size)))).toEqual(sizes);
    expect([maps(), alive().length]).toEqual([turn, 1]);
  }
});

test("a read that begins when the buffer is being mapped has another", async () => {
  const { staging, maps } = counting();
  const first = readOne(staging, 4);
  await later(2);
  await Promise.all([first, readOne(staging, 4)]);
  expect(maps()).toBe(2);
});

test("long reads have buffers of their own, and what is shared is bounded", async () => {
  const { staging, alive, maps } = counting();
  await Promise.all([2 ** 16 + 4, 2 ** 17, 4].map((size) => readOne(staging, size)));
  expect([maps(), alive().length]).toEqual([3, 3]);
  await Promise.all(Array.from({ length: 9 }, () => readOne(staging, 2 ** 16)));
  // Four of them fill a buffer.
  expect(maps()).toBe(3 + 3);
});

test("nothing joins what a failed read may have broken", async () => {
  const { staging, alive } = counting();
  let keep = (): void => {};
  const kept = staging.during(async (take) => {
    take(16);
    await new Promise<void>((resolve) => {
      keep = resolve;
    });
  });
  const failing = staging.during(async (take) => {
    take(4000);
    throw new Error("no memory");
  });
  await expect(failing).rejects.toThrow("no memory");
  expect(await readOne(staging, 8)).toBe(8);
  expect(alive().length).toBe(2);
  keep();
  await kept;
  expect(alive().length).toBe(1);
});

test("at most 64 MiB are kept", async () => {
  const sizes = fc.array(
    fc.integer({ min: 1, max: 2 ** 24 }).map((words) => words * 4),
    { maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(sizes, async (all) => {
      const { staging, alive } = counting();
      await Promise.all(all.map((size) => readOne(staging, size).catch(() => {})));
      expect(alive().reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(2 ** 26);
    }),
    { numRuns: 30 },
  );
});
