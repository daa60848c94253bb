/** The probe on PoCL, which computes as OpenCL C says, and on a device whose `fma` rounds twice. */
import { emit, type Runtime } from "@groupwise/core";
import { f32, pipeline } from "@groupwise/dsl";
import { ANSWERS } from "@groupwise/runtime/queue/earned.js";
import { differences } from "@groupwise/testkit";
import { deviceTest } from "@groupwise/testkit/conformance";
import { expect, vi } from "vitest";
import { OpenCl } from "../src/device/ffi.ts";
import { opencl } from "../src/index.ts";
import { capabilitiesOf, openclRuntime } from "../src/runtime.ts";
import { pocl } from "./support.ts";

/** A device that nothing asked yet. */
const fresh = (): ReturnType<typeof pocl> => {
  ANSWERS.clear();
  return pocl();
};

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
    ANSWERS.clear();
  }
}
const CARELESS = "#pragma OPENCL FP_CONTRACT OFF\n#define fma(a, b, c) ((a) * (b) + (c))\n";
const rest = pipeline("rest", { x: f32, y: f32, z: f32 }, ({ x, y, z }) => ({ rest: x.fma(y, z) }));
const x = Float32Array.of(1 + 2 ** -12, 3, -7.5, 1e10);
const y = Float32Array.of(1 + 2 ** -12, 0.1, 3, -1e-10);
const z = x.map((x, i) => -x * (y[i] as number));

/** Where the results on a device differ from the reference's. */
async function wrongOn(runtime: Runtime): Promise<string[]> {
  const executable = await runtime.compile(rest);
  const outputs = await executable.run({ x, y, z });
  executable.dispose();
  return differences(rest.ir, { x, y, z }, outputs, x.length);
}

deviceTest("a device whose fma rounds twice gets the exact one, and says so", fresh, (runtime) =>
  withCarelessFma(async () => {
    expect(await wrongOn(runtime)).toEqual([]);
    expect(runtime.device.inexact).toEqual(["fma_of_f32"]);
    expect(runtime.capabilities.own).not.toContain("fma_of_f32");
    const trusting = emit(rest, opencl, { capabilities: capabilitiesOf(runtime.info) });
    await expect(runtime.load(trusting)).rejects.toMatchObject({
      code: "unsupported",
      message: expect.stringContaining("fma_of_f32"),
    });
    await runtime.load(emit(rest, opencl));
    runtime.dispose();
  }),
);

deviceTest("the answers are kept for later runtimes on the device", fresh, async (runtime) => {
  const built = vi.spyOn(OpenCl.prototype, "make");
  const texts = (): readonly string[] =>
    built.mock.calls.flatMap(([name, , , text]) =>
      name === "clCreateProgramWithSource" ? (text as string[]) : [],
    );
  try {
    expect(await wrongOn(runtime)).toEqual([]);
    built.mockClear();
    const other = await openclRuntime({ capabilities: runtime.capabilities });
    expect(await wrongOn(other)).toEqual([]);
    expect(texts().filter((text) => text.includes("void probe("))).toEqual([]);
    other.dispose();
  } finally {
    built.mockRestore();
  }
});

deviceTest(
  "a runtime that is disposed while its probe runs ends it for others first",
  fresh,
  async (asking) => {
    const waiting = await openclRuntime({ capabilities: asking.capabilities });
    const both = [asking.compile(rest), waiting.compile(rest)] as const;
    const reported = asking.probe?.();
    const refused = expect(both[0]).rejects.toMatchObject({ code: "disposed" });
    asking.dispose();
    await refused;
    await both[1];
    expect((await reported)?.rows.length).toBeGreaterThan(100);
    expect(await wrongOn(waiting)).toEqual([]);
    waiting.dispose();
  },
);
