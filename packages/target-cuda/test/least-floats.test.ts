/** Floats that ptxas may take for truth values pass through a word that it does not know (`findings/ptxas-least-floats.sh`); others cost nothing. */
import { emit } from "@groupwise/core";
import { f16, f32, pipeline, u32 } from "@groupwise/dsl";
import { expect, test } from "vitest";
import { cuda } from "../src/index.ts";

type Ir = Parameters<typeof emit>[0];
const textOf = (ir: Ir): string => emit(ir, cuda).files[0]?.text ?? "";
const floored = (ir: Ir): readonly string[] =>
  [...textOf(ir).matchAll(/ = floor_of_f32\((.*)\);/g)].map(([, operand = ""]) => operand);

test("bits that can be 0 or 1 alone, and the least float, pass through the word", () => {
  const options = { workGroupSize: [1] } as const;
  const bits = pipeline("bits", { x: u32 }, ({ x }) => ({ y: x.min(1).bitsAs("f32").floor() }), options);
  const chosen = pipeline(
    "chosen",
    { x: u32 },
    ({ x }) => ({
      y: x
        .lt(5)
        .select(f32(2 ** -149), f32(0))
        .floor(),
    }),
    options,
  );
  for (const ir of [bits, chosen]) {
    expect(textOf(ir)).toMatch(/^__constant__ u32 zero_word;$/m);
    expect(textOf(ir)).toMatch(/u32 no_bits\(\) \{\n {2}return zero_word;\n\}/);
  }
  expect(floored(bits)).toContain("__uint_as_float(min_u32(x[i], 1u) | no_bits())");
  expect(floored(chosen)).toContain("(x[i] < 5u) ? __uint_as_float(1u | no_bits()) : 0.0f");
});

test("other floats do not", () => {
  const others = pipeline("others", { x: u32, y: f32, h: f16 }, ({ x, y, h }) => ({
    any: x.bitsAs("f32").floor(),
    few: x.lt(5).select(f32(1), f32(0)).toI64(),
    converted: x.lt(5).toF32().floor(),
    magnitude: y.abs().trunc(),
    half: h.add(f16(2 ** -24)).floor(),
  }));
  expect(textOf(others)).not.toMatch(/no_bits|zero_word/);
});
