/** The command's part of sweeps: which functions, and what is printed. */
import "@groupwise/testkit/devices";
import { describe, expect, it } from "vitest";
import { isEqual, type SweepOptions, sweepAcross } from "../src/sweeps/across.ts";
import { printSweeps } from "../src/sweeps/result.ts";

const options: SweepOptions = {
  names: ["sqrt", "floor"],
  type: "f32",
  stride: 2 ** 20 + 7,
  devices: ["JavaScript"],
  base: "js",
  chunk: 1000,
  say: () => {},
};
describe("a sweep across devices", () => {
  it("covers the inputs of each function, and saves after each", async () => {
    const saved: number[] = [];
    const result = await sweepAcross({ ...options, save: ({ rows }) => saved.push(rows.length) });
    expect(result.items).toBe(Math.ceil(2 ** 32 / (2 ** 20 + 7)));
    expect(result.rows.map(({ name }) => name)).toEqual(["floor", "sqrt"]);
    expect(isEqual(result)).toBe(true);
    expect(saved).toEqual([1, 2]);
    const text = printSweeps(result);
    expect(text).toContain(result.surroundings.commit);
    expect(text).toMatch(new RegExp(`sqrt +${result.items} +[0-9a-f]{8} [0-9a-f]{8} +0 +0 `));
  });

  it("refuses unknown functions and unavailable devices", async () => {
    await expect(sweepAcross({ ...options, names: ["sine"] })).rejects.toMatchObject({ code: "bad-usage" });
    await expect(sweepAcross({ ...options, names: ["pow"] })).rejects.toMatchObject({ code: "bad-usage" });
    await expect(sweepAcross({ ...options, devices: ["no such"] })).rejects.toMatchObject({
      code: "device-missing",
    });
  });

  it("is not equal if a result differs, and names it", async () => {
    const result = await sweepAcross({ ...options, names: ["sqrt"] });
    const differing = [
      { results: 0, bits: 0, examples: [] },
      { results: 1, bits: 2, examples: ["sqrt(0x1)"] },
    ];
    const rows = result.rows.map((row) => ({ ...row, differing }));
    expect(isEqual({ ...result, rows })).toBe(false);
    expect(printSweeps({ ...result, rows }, true)).toContain("JavaScript: sqrt(0x1)");
  });
});
