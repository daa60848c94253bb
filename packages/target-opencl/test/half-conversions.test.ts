/** Conversions of halves in registers, of all halves and of the floats beside the middles of two, as the test of a WebGPU device has them. */
import { HALF_ROUNDS, HALF_STEP, HALF_WORDS, HalfTest, OTHER_HALVES } from "@groupwise/core/target";
import { deviceTest } from "@groupwise/testkit/conformance";
import { expect } from "vitest";
import { HALF_CONVERSIONS } from "../src/print/half-conversions.ts";
import { probe } from "./header-device.ts";

const HALVES = 65536;
const HEADS = {
  f16_bits_of_f32: ["uint", "const float x"],
  f32_of_f16_bits: ["float", "const uint bits"],
  f32_of_high_f16_bits: ["float", "const uint bits"],
  two_f16_bits_of_f32: ["uint", "const float x", "const float y"],
} as const;

const functions = Object.entries(HEADS).map(([name, [returns, ...params]]) => {
  const names = params.map((param) => param.split(" ").at(-1) as string);
  const lines = HALF_CONVERSIONS[name as keyof typeof HEADS](...names);
  return `${returns} ${name}(${params.join(", ")}) {\n  ${lines.join("\n  ")}\n}`;
});
const [a, b] = OTHER_HALVES.map(
  ({ factor, offset }) => `f32_of_f16_bits((half_bits * ${factor}u + ${offset}u) % ${HALVES}u)`,
);

// Of the two forms of the test the language has one: its results are those of both.
const TEXT = `#pragma OPENCL FP_CONTRACT OFF
${functions.join("\n")}
float rounded(const float x) { return f32_of_f16_bits(f16_bits_of_f32(x)); }

__kernel void try_out(__global const float4* floats, __global uint* found) {
  const uint half_bits = (uint)get_global_id(0);
  const float4 own = floats[half_bits];
  const float x = f32_of_f16_bits(half_bits);
  const float a = ${a};
  const float b = ${b};
  const uint both = half_bits | ((${HALVES - 1}u - half_bits) << 16u);
  __global uint* words = found + half_bits * ${HALF_WORDS}u;
  words[0] = two_f16_bits_of_f32(own.x, own.y);
  words[1] = two_f16_bits_of_f32(own.z, own.w);
  words[2] = two_f16_bits_of_f32(own.y, own.x);
  words[3] = two_f16_bits_of_f32(own.w, own.z);
  words[4] = as_uint(f32_of_f16_bits(both));
  words[5] = as_uint(f32_of_high_f16_bits(both));
  const float s = rounded(x + a);
  const float t = rounded(s + b);
  float v = x;
  for (uint i = 0u; i < ${HALF_ROUNDS}u; i++) { v = rounded(rounded(v + a) + b); }
  for (uint at = 6u; at < ${HALF_WORDS}u; at += 5u) {
    words[at] = as_uint(s);
    words[at + 1u] = two_f16_bits_of_f32(s, t);
    words[at + 2u] = as_uint(rounded(s * t));
    words[at + 3u] = as_uint(rounded(rounded(x + ${HALF_STEP}.0f) - ${HALF_STEP}.0f));
    words[at + 4u] = as_uint(v);
  }
}
`;

deviceTest("PoCL converts every half, and rounds to the nearest one", probe, (raw) => {
  const test = new HalfTest();
  const found = new Uint32Array(HALVES * HALF_WORDS);
  const kernels = raw.build(TEXT, "-cl-std=CL1.2");
  kernels.run("try_out", [test.floats, found], { global: [HALVES], local: [64] });
  expect(test.problems(found)).toEqual({});
});
