import { afterEach, expect, test, vi } from "vitest";
import { float16Of } from "../src/api/halves.ts";

afterEach(() => vi.unstubAllGlobals());

test("halves are a Float16Array over the same memory, where the engine has one", () => {
  // The class is stood for by one with the same arguments: Node 24 has it.
  vi.stubGlobal("Float16Array", Int16Array);
  const bits = new Uint16Array(8).subarray(3, 6);
  const halves = float16Of(bits) as unknown as Int16Array;
  expect(halves).toBeInstanceOf(Int16Array);
  expect([halves.buffer, halves.byteOffset, halves.length]).toEqual([bits.buffer, 6, 3]);
});

test("an engine without the class is named", () => {
  vi.stubGlobal("Float16Array", undefined);
  expect(() => float16Of(new Uint16Array(1))).toThrow(expect.objectContaining({ code: "unsupported" }));
});
