/** Fast functions are CUDA's own, which compilers know as functions of one or two floats. */
import { emit } from "@groupwise/core";
import { f32, pipeline } from "@groupwise/dsl";
import {
  type Allowed,
  deviceTest,
  exactly,
  fastFunctions,
  isFullRun,
  ulp,
} from "@groupwise/testkit/conformance";
import { type Found, findClang, found } from "@groupwise/testkit/devices";
import { expect } from "vitest";
import { cuda } from "../src/index.ts";
import { type CudaRuntime, cudaRuntime, listCudaDevices } from "../src/runtime.ts";
import { CUDA, HIP, STRICT, warningsOf, written } from "./clang.ts";
import { onCpu } from "./cpu/runtime.ts";

const OF_ONE =
  "exp exp2 expm1 log log2 log1p sin cos tan asin acos atan asinh atanh sinh cosh tanh erf cbrt rsqrt".split(
    " ",
  );
const OF_TWO = ["pow", "atan2", "hypot"];
const functions = (fast: boolean) =>
  pipeline("fast", { x: f32, y: f32 }, ({ x, y }) => {
    const call = (of: unknown, op: string, ...args: unknown[]): typeof x =>
      (of as Record<string, (...args: unknown[]) => typeof x>)[op]?.(...args, { fast }) as typeof x;
    return Object.fromEntries([
      ...OF_ONE.map((op) => [op, call(x, op)]),
      ...OF_TWO.map((op) => [op, call(x, op, y)]),
      ["acosh", call(x, "acosh")],
    ]);
  });

deviceTest("clang takes fast functions as CUDA, and in full runs as HIP", findClang, async (version) => {
  // Exact ones have no such calls.
  const texts = [true, false].map((fast) => emit(functions(fast), cuda).files[0]?.text ?? "");
  const called = (op: string): readonly boolean[] => texts.map((text) => text.includes(` ${op}f(`));
  for (const op of [...OF_ONE, ...OF_TWO, "acosh"]) expect([op, ...called(op)]).toEqual([op, true, false]);
  const files = written([functions(true).ir]);
  // The names are the same; `compilers.test.ts` has HIP.
  for (const args of isFullRun() ? [CUDA, HIP] : [CUDA])
    expect(await warningsOf("clang", version, [...STRICT, ...args], files)).toBe("");
});

/** The largest that NVIDIA states, in ulp from the correctly rounded result. */
const ULP: Readonly<Record<string, number>> = {
  ...{ exp: 2, exp2: 2, expm1: 1, log: 1, log2: 1, log1p: 1, pow: 9, sin: 2, cos: 2, tan: 4, asin: 4 },
  ...{ acos: 3, atan: 2, atan2: 3, asinh: 3, acosh: 4, atanh: 3, sinh: 3, cosh: 2, tanh: 2, erf: 2 },
  ...{ cbrt: 1, rsqrt: 2, hypot: 3 },
};
const allowed: Allowed = (op, x, y, want) => {
  const most = ULP[op];
  return most === undefined ? exactly(op, x, y, want) : (most + 0.501) * ulp(want);
};
/** A GPU, where there is one. */
async function gpuOrCpu(): Promise<Found<CudaRuntime>> {
  const devices = await listCudaDevices().catch(() => []);
  return devices.length > 0 ? found(await cudaRuntime()) : onCpu();
}
if (isFullRun()) fastFunctions("CUDA", gpuOrCpu, allowed);
