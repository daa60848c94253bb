/** Loops by hand beside emitted ones. */
import { deviceTest } from "@groupwise/testkit/conformance";
import { findCc } from "@groupwise/testkit/devices";
import { describe, expect, it, test } from "vitest";
import { printLoops } from "../src/loops/command.ts";
import { outputsFor } from "../src/loops/jobs.ts";
import { checkWays, differenceIn, loops, ratioOf, shuffled } from "../src/loops/loops.ts";
import type { Way } from "../src/loops/ways.ts";

test("a ratio is the median of the ratios of rounds", () => {
  expect(ratioOf([2, 9, 4], [1, 3, 4])).toBe(2);
});

test("every way follows every other one in some round", () => {
  const ways = ["a", "b", "c", "d", "e"];
  const followed = new Set<string>();
  for (let round = 0; round < 41; round++) {
    const order = shuffled(ways, round);
    expect(order.toSorted()).toEqual(ways);
    for (const [i, way] of order.entries()) if (i > 0) followed.add(`${order[i - 1]}${way}`);
  }
  expect(followed.size).toBe(20);
});

describe("results", () => {
  it("differ by bits, up to the count", () => {
    const [a, b] = [outputsFor("compact", "u32", 3), outputsFor("compact", "u32", 3)];
    a.count?.set([2]);
    b.count?.set([2]);
    b.kept?.set([7], 2);
    expect(differenceIn(a, b)).toBeUndefined();
    b.kept?.set([7], 1);
    expect(differenceIn(a, b)).toBe("kept[1] is 4294967295, not 7");
    expect(differenceIn({ y: Float32Array.of(-0) }, { y: Float32Array.of(0) })).toBe("y[0] is 0, not 0");
  });

  it("of a wrong way are an error, in another order too", async () => {
    const way = (value: number, isOther: boolean): Way => ({
      name: isOther ? "left to right" : "hand",
      isOther,
      clear: () => {},
      run: () => undefined,
      results: async () => ({ y: Float32Array.of(value) }),
      dispose: () => {},
    });
    await expect(checkWays([way(1, false), way(1.5, false)], "sums", 1)).rejects.toThrow(
      "y[0] is 1.5, not 1",
    );
    await expect(checkWays([way(1, false), way(1.5, true)], "sums", 1)).rejects.toThrow(
      "y[0] is 1.5, not about 1",
    );
    await checkWays([way(1, false), way(1 + 2 ** -23, true)], "sums", 1);
  });

  it("of a way that writes nothing are not those of the one before", async () => {
    const y = new Uint32Array(1);
    const way = (run: () => void): Way => ({
      name: "hand",
      isOther: false,
      clear: () => void y.fill(2 ** 32 - 1),
      run: () => run() as undefined,
      results: async () => ({ y: y.slice() }),
      dispose: () => {},
    });
    const right = way(() => void y.fill(7));
    await checkWays([right, right], "sums", 1);
    await expect(checkWays([right, way(() => {})], "sums", 1)).rejects.toThrow("y[0] is 4294967295, not 7");
  });
});

deviceTest("every job has the results of the loops by hand", findCc, async () => {
  const result = await loops({ sizes: [1, 1003], device: "no such device", rounds: 1 });
  expect(result.rows).toHaveLength(30);
  expect(result.absent).toHaveLength(1);
  for (const { ratios } of result.rows) expect(Object.keys(ratios).slice(0, 1)).toEqual(["C / hand"]);
  expect(printLoops(result, true)).toContain("| histogram | f32 |");
});
