/** The command's part of sweeps: which functions, and what is left. */
import "@groupwise/testkit/devices";
import { describe, expect, it } from "vitest";
import { exitCodeOf, type SweepOptions, type Sweeps, sweepAcross } from "../src/sweeps/across.ts";
import { printSweeps } from "../src/sweeps/result.ts";

const options: SweepOptions = {
  names: ["sqrt", "floor"],
  type: "f32",
  stride: 2 ** 20 + 7,
  count: 100,
  devices: ["JavaScript"],
  base: "js",
  chunk: 1000,
  say: () => {},
};
describe("a sweep across devices", () => {
  it("covers the inputs of each function, and saves after each", async () => {
    const saved: Sweeps[] = [];
    const result = await sweepAcross({ ...options, save: (one) => saved.push(one) });
    expect(result.items).toBe(Math.ceil(2 ** 32 / (2 ** 20 + 7)));
    expect(result.rows.map(({ name, to }) => [name, to])).toEqual([
      ["floor", result.items],
      ["sqrt", result.items],
    ]);
    expect(exitCodeOf(result)).toBe(0);
    expect(saved.map(({ left }) => left)).toEqual([["sqrt"], []]);
    const text = printSweeps(result);
    expect(text).toContain(result.surroundings.commit);
    expect(text).toMatch(new RegExp(`sqrt +${result.items} +[0-9a-f]{8} [0-9a-f]{8} +0 +0 `));
    expect(text).not.toContain("Left:");
  });

  it("is not finished if its time is used up", async () => {
    const result = await sweepAcross({ ...options, seconds: 0 });
    expect(result.left).toEqual(["floor", "sqrt"]);
    expect(exitCodeOf(result)).toBe(3);
    expect(printSweeps(result)).toContain("Left: floor, sqrt");
  });

  it("refuses unknown functions and unavailable devices", async () => {
    await expect(sweepAcross({ ...options, names: ["sine"] })).rejects.toMatchObject({ code: "bad-usage" });
    await expect(sweepAcross({ ...options, names: ["pow"] })).rejects.toMatchObject({ code: "bad-usage" });
    await expect(sweepAcross({ ...options, devices: ["no such"] })).rejects.toMatchObject({
      code: "device-missing",
    });
  });

  it("ends with 1 if a result differs, finished or not", async () => {
    const result = await sweepAcross({ ...options, names: ["sqrt"] });
    const differing = [
      { results: 0, bits: 0, examples: [] },
      { results: 1, bits: 2, examples: ["sqrt(0x1)"] },
    ];
    const rows = result.rows.map((row) => ({ ...row, differing }));
    expect(exitCodeOf({ ...result, rows })).toBe(1);
    expect(exitCodeOf({ ...result, rows, left: ["floor"] })).toBe(1);
    expect(printSweeps({ ...result, rows }, true)).toContain("JavaScript: sqrt(0x1)");
  });
});
