import { describe, expect, test } from "vitest";
import { compareBits } from "../.vitepress/theme/engine/compare.ts";
import { printComparison } from "../.vitepress/theme/engine/compare-text.ts";

const floats = (...values: number[]) => ({ y: Float32Array.of(...values) });
const F32 = { y: "f32" } as const;

describe("compareBits", () => {
  test("counts all bits of equal results", () => {
    expect(compareBits(F32, floats(1, 2), floats(1, 2))).toEqual({ bits: 64, equal: 64 });
  });

  test("finds one differing bit, and the sign of a zero", () => {
    const other = { y: Uint32Array.of(5, 7 ^ 16) };
    expect(compareBits({ y: "u32" }, { y: Uint32Array.of(5, 7) }, other)).toEqual({
      bits: 64,
      equal: 63,
      first: "y[1]",
    });
    expect(compareBits(F32, floats(0), floats(-0))).toEqual({ bits: 32, equal: 31, first: "y[0]" });
  });

  test("treats NaNs with any bits as equal, and a NaN and a number as different", () => {
    const quiet = { y: new Float32Array(Uint32Array.of(0x7fc00000).buffer) };
    const other = { y: new Float32Array(Uint32Array.of(0xffc00001).buffer) };
    expect(compareBits(F32, quiet, other)).toEqual({ bits: 32, equal: 32 });
    expect(compareBits(F32, quiet, floats(1)).equal).toBeLessThan(32);
    expect(compareBits({ y: "f16" }, { y: Uint16Array.of(0x7e00) }, { y: Uint16Array.of(0xfe01) })).toEqual({
      bits: 16,
      equal: 16,
    });
  });

  test("counts missing elements as different", () => {
    expect(compareBits(F32, floats(1, 2), floats(1))).toEqual({ bits: 64, equal: 32, first: "y[1]" });
    expect(compareBits(F32, floats(1), {})).toEqual({ bits: 32, equal: 0, first: "y[0]" });
  });

  test("is printed with its first difference", () => {
    expect(printComparison({ bits: 1024, equal: 1024 })).toBe("1,024 of 1,024 bits equal");
    expect(printComparison({ bits: 64, equal: 63, first: "y[1]" })).toContain("y[1]");
  });
});
