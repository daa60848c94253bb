/** bfloat16 on bits, against the table of narrow types, which core's own tests hold to exact rounding. */
import type { Expr } from "@groupwise/core/kernel";
import { bfloatToNumber, numberToBfloat } from "@groupwise/core/target";
import { BFLOAT_FUNCTIONS, floatOfBfloatBits } from "@groupwise/kernel/library/types/bfloat.js";
import { expect, test } from "vitest";
import { compile, expectSame } from "./harness.ts";

const ALL = 65536;
const fn = BFLOAT_FUNCTIONS[0]?.name as string;
const runs = compile(
  {
    // On bits: an f32 in JavaScript need not keep those of a NaN.
    encode: {
      from: ["u32"],
      to: "u32",
      write: (_, x) => ({ kind: "call", fn, args: [x as Expr], type: "u32" }),
    },
    decode: { from: ["u32"], to: "f32", write: (_, x) => floatOfBfloatBits(x as Expr) },
  },
  BFLOAT_FUNCTIONS,
);

test("every bfloat16 is decoded as by the table", () => {
  const values = new Float32Array(ALL);
  const bits = Uint32Array.from({ length: ALL }, (_, i) => i);
  runs.decode(ALL, bits, values);
  expectSame("decode", ALL, (i) => values[i], bfloatToNumber, String);
});

test("floats next to and between two of them, of either sign, are rounded to the nearest; NaNs of any bits too", () => {
  const tails = [0, 1, 0x7fff, 0x8000, 0x8001, 0xffff];
  const count = ALL * tails.length;
  const tailOf = (i: number): number => tails[i % tails.length] as number;
  const bits = Uint32Array.from({ length: count }, (_, i) => Math.floor(i / tails.length) * ALL + tailOf(i));
  const got = new Uint32Array(count);
  runs.encode(count, bits, got);
  const floats = new Float32Array(bits.buffer);
  expectSame(
    "encode",
    count,
    (i) => got[i],
    (i) => numberToBfloat(floats[i] as number),
    String,
  );
  expect(new Set(got).size).toBe(ALL - 2 * 127 + 1);
});
