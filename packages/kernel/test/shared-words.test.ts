import { expect, test } from "vitest";
import { halfMemoryOf, sharesWords } from "../src/passes/base/shared-words.ts";
import { SIMT } from "./simt.ts";

test("narrow elements and emulated halves of hosts share words, where 16 bits cannot be written alone", () => {
  const words = {
    ...SIMT,
    narrow: "words",
    halfMemory: "u16",
    scalars: { ...SIMT.scalars, f16: "emulated", f32: "native" },
  } as const;
  const shares = (more: object, type: "u8" | "f16" | "f32", role: "input" | "scratch"): boolean =>
    sharesWords({ ...words, ...more }, { type, role });
  const all = (more: object): boolean[] =>
    (["u8", "f16", "f32"] as const).flatMap((type) =>
      (["input", "scratch"] as const).map((role) => shares(more, type, role)),
    );
  expect(all({})).toEqual([true, true, true, false, false, false]);
  expect(all({ narrow: "native" })).toEqual(Array(6).fill(false));
  expect(all({ halfMemory: "f32" })).toEqual([true, true, false, false, false, false]);
  expect(all({ scalars: { ...words.scalars, f16: "native" } })).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
  expect(halfMemoryOf({ ...words, narrow: "native" }, { role: "scratch" })).toBe("u16");
  expect(halfMemoryOf(words, { role: "scratch" })).toBe("f32");
});
