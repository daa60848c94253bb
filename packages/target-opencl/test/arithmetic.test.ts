/** Tests of what the language promises: devices that break a promise get the exact expansion. */
import { emit } from "@groupwise/core";
import { f32, f64, pipeline } from "@groupwise/dsl";
import { deviceTest } from "@groupwise/testkit/conformance";
import { expect, test, vi } from "vitest";
import { OpenCl } from "../src/device/ffi.ts";
import { opencl } from "../src/index.ts";
import { openclCapabilities } from "../src/print/capabilities.ts";
import { Arithmetic, type Compute, isBroken, PROMISED, type Promised } from "../src/runtime/arithmetic.ts";
import { differences, pocl } from "./support.ts";

const honest: Compute = async (promise, operands) => operands.map(promise.exact);
/** Computes in doubles: products are rounded before the sum, and quotients by the reciprocal. */
const careless: Compute = async ({ type, text }, operands) => {
  const round = type === "f32" ? Math.fround : (x: number): number => x;
  return operands.map(([a, b, c]) =>
    text.includes("/") ? round(a * round(1 / b)) : round(round(a * b) + c),
  );
};
/** One result is next to the exact one. */
const almost: Compute = async (promise, operands) =>
  operands.map((of, i) => promise.exact(of) * (i === 17 ? 1 + 2 ** -23 : 1));

test.each(PROMISED.map((promise) => [promise.name, promise] as const))("%s", async (_, promise) => {
  expect(await isBroken(promise, honest)).toBe(false);
  expect(await isBroken(promise, careless)).toBe(true);
  expect(await isBroken(promise, almost)).toBe(true);
  expect(promise.operands().length).toBeGreaterThan(100);
  const { min, max, abs } = Math;
  const used = promise
    .operands()
    .flatMap((of) => [...of, promise.exact(of)])
    .filter((x) => x !== 0);
  // Devices may flush subnormal numbers without breaking a promise.
  expect(min(...used.map(abs))).toBeGreaterThan(2 ** -120);
  expect(max(...used.map(abs))).toBeLessThan(2 ** 120);
});

const native = openclCapabilities({ divide: "native", fp64: true });
const quotient = pipeline("quotient", { x: f32, y: f32 }, ({ x, y }) => ({ z: x.div(y) }));
const fused = pipeline("fused", { x: f32, y: f32 }, ({ x, y }) => ({ z: x.fma(y, x) }));
const doubles = pipeline("doubles", { x: f64, y: f64 }, ({ x, y }) => ({ z: x.fma(y, x) }));
const sums = pipeline("sums", { x: f32, y: f32 }, ({ x, y }) => ({ z: x.add(y) }));
const textOf = (artifact: ReturnType<typeof emit>): string => artifact.files[0]?.text ?? "";

test("a device is tested for what a file uses, once, and the expansion uses it no more", async () => {
  const asked: string[] = [];
  const counted: Compute = (promise, operands) => {
    asked.push(promise.name);
    return careless(promise, operands);
  };
  const arithmetic = new Arithmetic(counted);
  const broken = async (
    source: Parameters<typeof emit>[0],
    capabilities = native,
  ): Promise<readonly Promised[]> => {
    const artifact = emit(source, opencl, { capabilities });
    return arithmetic.broken(artifact, textOf(artifact));
  };
  expect(await broken(sums)).toEqual([]);
  expect(asked).toEqual([]);
  for (const [source, name] of [
    [quotient, "division of f32"],
    [fused, "fma of f32"],
  ] as const) {
    const [promise] = await broken(source);
    expect(promise?.name).toBe(name);
    expect(await broken(source, (promise as Promised).without(native))).toEqual([]);
  }
  const found = await broken(doubles);
  expect(found.map(({ name }) => name)).toContain("fma of f64");
  expect(
    await broken(
      doubles,
      found.reduce((known, { without }) => without(known), native),
    ),
  ).toEqual([]);
  expect(asked.length).toBe(new Set(asked).size);
});

test("a test that does not run is repeated", async () => {
  let calls = 0;
  const arithmetic = new Arithmetic((promise, operands) =>
    ++calls === 1 ? Promise.reject(new Error("lost")) : honest(promise, operands),
  );
  const artifact = emit(fused, opencl);
  await expect(arithmetic.broken(artifact, textOf(artifact))).rejects.toThrow("lost");
  expect(await arithmetic.broken(artifact, textOf(artifact))).toEqual([]);
});

const INPUTS = { x: [1 + 2 ** -12, 3, -7.5, 1e10], y: [1 + 2 ** -12, 0.1, 3, -1e-10].map(Math.fround) };
deviceTest("a device that keeps its promises has no inexact operations", pocl, async (runtime) => {
  expect(await differences(runtime, fused, INPUTS)).toEqual([]);
  expect(await differences(runtime, quotient, INPUTS)).toEqual([]);
  expect(runtime.device.inexact).toBeUndefined();
});

/** The texts that the device gets have another `fma`. */
async function withCarelessFma(body: () => Promise<void>): Promise<void> {
  const { make } = OpenCl.prototype;
  const spy = vi.spyOn(OpenCl.prototype, "make").mockImplementation(function (this: OpenCl, name, ...args) {
    if (name !== "clCreateProgramWithSource") return make.call(this, name, ...args);
    const [context, count, texts, lengths] = args as [never, never, readonly string[], never];
    const spoilt = texts.map((text) => `${CARELESS}${text}`);
    return make.call(this, name, context, count, spoilt, lengths);
  });
  try {
    await body();
  } finally {
    spy.mockRestore();
  }
}
const CARELESS = "#pragma OPENCL FP_CONTRACT OFF\n#define fma(a, b, c) ((a) * (b) + (c))\n";
const rest = pipeline("rest", { x: f32, y: f32, z: f32 }, ({ x, y, z }) => ({ rest: x.fma(y, z) }));
deviceTest("a device whose fma rounds twice gets the exact expansion, and says so", pocl, (runtime) =>
  withCarelessFma(async () => {
    const z = INPUTS.x.map((x, i) => -Math.fround(x * (INPUTS.y[i] as number)));
    expect(await differences(runtime, quotient, INPUTS)).toEqual([]);
    expect(runtime.device.inexact).toBeUndefined();
    expect(await differences(runtime, rest, { ...INPUTS, z })).toEqual([]);
    expect(runtime.device.inexact).toEqual(["fma of f32"]);
    expect(runtime.capabilities.own).not.toContain("fma_of_f32");
    await expect(runtime.load(emit(rest, opencl))).rejects.toMatchObject({ code: "unsupported" });
    runtime.dispose();
  }),
);
