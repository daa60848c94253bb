import { describe, expect, test } from "vitest";
import {
  arrayOfFile,
  generated,
  numbersOf,
  typedValue,
  valuesOf,
} from "../.vitepress/theme/engine/inputs.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text).buffer;
const X = { name: "x", role: "input", type: "f32" } as const;
const request = { n: 5, seed: 1, typed: {}, files: {} };

describe("inputs", () => {
  test("generated values depend on seed and name only, and stay in their range", () => {
    const values = generated("f32", 1000, 1, "x") as Float32Array;
    expect(values).toEqual(generated("f32", 1000, 1, "x"));
    expect(values).not.toEqual(generated("f32", 1000, 2, "x"));
    expect(values).not.toEqual(generated("f32", 1000, 1, "y"));
    expect(values.every((value) => value >= 0 && value <= 1)).toBe(true);
    expect(new Set(values).size).toBeGreaterThan(900);
    const wide = generated("u64", 1000, 1, "x") as BigUint64Array;
    expect(wide.every((value) => value < 100n)).toBe(true);
    expect(new Set(generated("bool", 100, 1, "x") as Uint8Array)).toEqual(new Set([0, 1]));
  });

  test("reads numbers of a text, with and without headings", () => {
    expect(numbersOf("x\n1\n2.5\n", "f32", "a.csv")).toEqual(Float32Array.of(1, 2.5));
    expect(numbersOf("1, 2;3\t4", "i32", "a.txt")).toEqual(Int32Array.of(1, 2, 3, 4));
    expect(numbersOf("18446744073709551615", "u64", "a.txt")).toEqual(BigUint64Array.of(2n ** 64n - 1n));
  });

  test.each([
    ["1 2 three", "f32"],
    ["1.5", "i32"],
    ["-1", "u32"],
    ["", "f32"],
    ["1\n1e400000x", "f32"],
  ] as const)("refuses %j as %s", (text, type) => {
    expect(() => numbersOf(text, type, "a.txt")).toThrow(expect.objectContaining({ code: "bad-file" }));
  });

  test("refuses a damaged .npy file", () => {
    const file = { name: "x.npy", bytes: bytesOf("no numpy file at all") };
    expect(() => arrayOfFile(file, "f32")).toThrow(expect.objectContaining({ code: "bad-file" }));
  });

  test("reads typed values of each kind", () => {
    expect(typedValue("p", "f32", " 2.5 ")).toBe(2.5);
    expect(typedValue("p", "i64", "-7")).toBe(-7n);
    expect(typedValue("p", "bool", "false")).toBe(false);
    for (const [type, text] of [
      ["u32", "1.5"],
      ["bool", "1"],
      ["f32", "x"],
      ["f32", ""],
      ["i64", "1n"],
    ] as const)
      expect(() => typedValue("p", type, text)).toThrow(expect.objectContaining({ code: "bad-parameter" }));
  });

  test("a dropped file determines the number of items", () => {
    const files = { x: { name: "x.txt", bytes: bytesOf("1 2 3") } };
    const other = { name: "y", role: "input", type: "u32" } as const;
    const { n, values } = valuesOf([X, other], { ...request, files });
    expect(n).toBe(3);
    expect((values.y as Uint32Array).length).toBe(3);
  });

  test("typed values are an array's; blanks are generated", () => {
    const y = { name: "y", role: "table", type: "i64" } as const;
    const { n, values } = valuesOf([X, y], { ...request, typed: { x: "1, 2\n3.5", y: " " } });
    expect([n, values.x]).toEqual([3, Float32Array.of(1, 2, 3.5)]);
    expect((values.y as BigInt64Array).length).toBe(3);
    expect(() => valuesOf([X], { ...request, typed: { x: "a 1" } })).toThrow(
      expect.objectContaining({ code: "bad-file", where: "x" }),
    );
  });

  test("refuses too many items", () => {
    for (const n of [2 ** 23, -1, 0.5, Number.NaN])
      expect(() => valuesOf([X], { ...request, n })).toThrow(expect.objectContaining({ code: "bad-length" }));
  });
});
