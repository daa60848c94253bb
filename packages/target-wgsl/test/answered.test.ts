/** Waiting for devices that look at their finished work only when something is submitted, by a clock that the test turns. */
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { answered } from "../src/device/answered.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Work that is done after a time. @param looks every so many milliseconds by itself */
function working(takes: number, looks: number) {
  const begun = Date.now();
  const seen = { submits: 0 };
  let answer: (at: number) => void = () => {};
  const done = new Promise<number>((resolve) => {
    answer = resolve;
  });
  const look = (): void => {
    const time = Date.now() - begun;
    if (time >= takes) answer(time);
  };
  const device = {
    queue: {
      submit: (buffers: readonly unknown[]) => {
        expect(buffers).toEqual([]);
        seen.submits++;
        look();
      },
    },
  } as unknown as GPUDevice;
  const timer = setInterval(look, looks);
  const end = answered(device, done).finally(() => clearInterval(timer));
  return { seen, end };
}

test("the answer comes after at most a quarter more than the work takes, with few submissions", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 30_000 }), async (takes) => {
      const { seen, end } = working(takes, 100_000);
      await vi.runAllTimersAsync();
      expect(await end).toBeLessThanOrEqual(takes * 1.25 + 2);
      expect(seen.submits).toBeLessThanOrEqual(8 + 6 * Math.log2(1 + takes));
      expect(vi.getTimerCount()).toBe(0);
    }),
    { numRuns: 50 },
  );
});

test("nothing is submitted if the device answers at once, and nothing for ever", async () => {
  const submit = vi.fn();
  const device = { queue: { submit } } as unknown as GPUDevice;
  expect(await answered(device, Promise.resolve(3))).toBe(3);
  await expect(answered(device, Promise.reject(new Error("lost")))).rejects.toThrow("lost");
  expect([submit.mock.calls.length, vi.getTimerCount()]).toEqual([0, 0]);
  void answered(device, new Promise(() => {}));
  await vi.runAllTimersAsync();
  expect(submit.mock.calls.length).toBeLessThan(60);
});
