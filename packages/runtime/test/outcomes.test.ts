/** Errors of queued work that belong to arrays. */
import { expect, it, vi } from "vitest";
import { readOf, submitted } from "../src/run/outcomes.ts";
import type { OwnArray } from "../src/run/own-array.ts";

const array = (): OwnArray => {
  const own = { byteOffset: 0, byteLength: 16, length: 4 };
  return Object.assign(own, { root: own }) as never;
};

it("an error is kept once, however many steps write some of the same elements later", async () => {
  const y = array();
  const step = { pipeline: "p", reads: [], writes: [{ array: y, elements: 4, isAll: false }] };
  submitted([step], async () => [new Error("the first")]);
  for (let i = 0; i < 50; i++) submitted([step], async () => [undefined]);
  const all = vi.spyOn(Promise, "all");
  await expect(readOf(y, Promise.resolve(1))).rejects.toThrow("the first");
  expect(Math.max(...all.mock.calls.map(([list]) => [...list].length))).toBeLessThanOrEqual(2);
  all.mockRestore();
  submitted([{ ...step, writes: [{ array: y, elements: 4, isAll: true }] }], async () => [undefined]);
  expect(await readOf(y, Promise.resolve(2))).toBe(2);
});
