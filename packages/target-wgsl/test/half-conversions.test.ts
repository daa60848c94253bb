/** Conversions of halves by the device: the text, and which devices have it. */
import { type Capabilities, emit, type Runtime, type RunValues } from "@groupwise/core";
import { type HalfConversions, lookBackFor, withHalfConversions } from "@groupwise/core/target";
import { f16, f32, pipeline } from "@groupwise/dsl";
import { differences, mixedData } from "@groupwise/testkit";
import { deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import { describe, expect, test, vi } from "vitest";
import { probeText } from "../src/device/half-conversions.ts";
import { WGSL_CAPABILITIES, wgsl, withHalves } from "../src/index.ts";
import { type WebGpuOptions, webgpuRuntime } from "../src/runtime.ts";
import { dawn } from "./devices.ts";

const sums = pipeline("sums", { x: f16 }, ({ x }) => ({ y: x.scanInclusive("add"), total: x.reduce("add") }));
/** Stored as vec4s. */
const mixed = pipeline("mixed", { x: f16, z: f32 }, ({ x, z }) => {
  const half = z.toF16();
  return { product: x.mul(half), rounded: half };
});
const others = pipeline("others", { x: f16, z: f32 }, ({ x, z }) => {
  const half = z.toF16();
  return {
    quotient: x.div(half),
    difference: x.sub(half).sub(x),
    apart: x.absdiff(half),
    single: x.add(half).toF32(),
  };
});
const singles = pipeline("singles", { z: f32 }, ({ z }) => ({ sum: z.reduce("add") }));

const known = (form: HalfConversions | undefined, of: Capabilities = WGSL_CAPABILITIES): Capabilities =>
  withHalfConversions(
    { ...of, lookBack: lookBackFor({ maxWorkGroupSize: 256 }), subgroups: { minSize: 32, maxSize: 32 } },
    form,
  );
const emitted = (form: HalfConversions | undefined, of?: Capabilities) => {
  const { manifest, files } = emit(sums, wgsl, { capabilities: known(form, of) });
  const text = files[0]?.text ?? "";
  return { manifest, text, count: (what: RegExp) => [...text.matchAll(what)].length };
};

describe("the text", () => {
  test("has none if no device is known, or halves are native", () => {
    expect(emitted(undefined).text).not.toMatch(/pack2x16float/);
    for (const capabilities of [WGSL_CAPABILITIES, known("exact", withHalves(WGSL_CAPABILITIES))]) {
      const { manifest, files } = emit(mixed, wgsl, { capabilities });
      expect(manifest.requires.filter((name) => /conversions/.test(name))).toEqual([]);
      // A cast to a half is the only one here that works on its bits.
      expect(files[0]?.text).toMatch(/fn round_f16\(bits: u32\) -> u32 \{\n {2}if /);
    }
  });

  test.each([
    ["exact", "exact-half-conversions", "f32_of_f16_bits(f16_bits_of_f32(x))"],
    [
      "apart",
      "exact-half-conversions-apart",
      "bitcast<u32>(f32_of_f16_bits(f16_bits_of_f32(bitcast<f32>(bits)) | 0x00010000u))",
    ],
  ] as const)(
    "in the form %s rounds by two conversions, and states what it needs",
    (form, requirement, round) => {
      const { manifest, text } = emitted(form);
      expect(manifest.requires).toEqual(["subgroups", requirement]);
      expect(text).toContain(`  return ${round};\n}`);
      expect(text.match(/^enable .*$/gm)).toEqual(["enable subgroups;"]);
      expect(text).not.toMatch(/5\.192297e33f/);
      // The bits of a NaN as a value.
      expect(text).toMatch(/fn nearest_f16_bits\(.*\n.*return 32256u; \}\n {2}return f16_bits_of_f32\(/);
    },
  );

  test("converts both halves of a word where a vec4 is read or written", () => {
    const { count } = emitted("exact");
    expect(count(/f32_of_high_f16_bits\(x_row/g)).toBe(count(/f32_of_f16_bits\(x_row/g));
    expect(count(/f32_of_high_f16_bits\(x_row/g)).toBeGreaterThan(0);
    // Rows are written out, and combined in pairs.
    expect(count(/y_rows\[.*\] = vec2<u32>\((?:two_f16_bits_of_f32\(.*?\)(?:, )?){2}\);/g)).toBe(8);
    expect(count(/= two_f16_bits_of_f32\([^,]*, f32_of(_high)?_f16_bits\(x_row/g)).toBeGreaterThan(0);
  });
});

const plain = () => dawn({ adapter: "lavapipe", features: ["subgroups"] });
const swiftShader = () => dawn({ adapter: "swiftshader" });
// Lengths are the property of other tests: one past a tile.
const LENGTHS = isFullRun() ? [1, 255, 4096, 5000] : [5000];

/** Halves from 1/16 to 2 of both signs, whose sums stay small and round often. */
const small = (n: number): Uint16Array =>
  Uint16Array.from(
    { length: n },
    (_, i) => (Math.imul(i, 40503) & 0x83ff) + 0x2c00 + ((Math.imul(i, 25173) >>> 9) % 5) * 0x400,
  );

async function differ(runtime: Runtime): Promise<string[]> {
  const found: string[] = [];
  // Outside of full runs another test has a scan, which takes long to compile.
  for (const { ir } of isFullRun() ? [sums, mixed, others] : [mixed, others]) {
    const executable = await runtime.compile(ir);
    for (const n of LENGTHS) {
      const values: RunValues =
        ir === sums.ir
          ? { x: small(n) }
          : { x: mixedData("f16", n, "halves"), z: mixedData("f32", n, "floats") };
      const outputs = await executable.run(values as never, { n });
      found.push(...differences(ir, values, outputs as never, n));
    }
  }
  return found;
}

/** The number of tests that a device ran. */
function counted(device: GPUDevice): () => number {
  const spy = vi.spyOn(device, "createShaderModule");
  return () => spy.mock.calls.filter(([{ code }]) => code === probeText).length;
}

const formOf = ({ capabilities }: Runtime): HalfConversions | undefined => capabilities.halfConversions;

deviceTest("a compiler that omits two conversions gets a bit between them", plain, async (device) => {
  const tests = counted(device);
  const runtime = webgpuRuntime(device);
  await runtime.compile(singles);
  expect(tests()).toBe(0);
  expect(await differ(runtime)).toEqual([]);
  expect(formOf(runtime)).toBe("apart");
  // In other runs `suite-halves.test.ts` has the conversions by integer operations.
  if (isFullRun()) expect(await differ(webgpuRuntime(device, { halfConversions: false }))).toEqual([]);
  expect(tests()).toBe(1);
  await expect(runtime.load(emit(mixed, wgsl, { capabilities: known("exact") }))).rejects.toMatchObject({
    code: "unsupported",
    message: expect.stringMatching(/conversions of halves.*results of operations/),
  });
  await runtime.load(emit(mixed, wgsl, { capabilities: known("apart") }));
  expect(tests()).toBe(1);
});

deviceTest("a device that rounds otherwise has none", swiftShader, async (device) => {
  const runtime = webgpuRuntime(device);
  expect(formOf(runtime)).toBe("exact");
  const { manifest } = await runtime.compile(mixed);
  expect(manifest.requires.filter((name) => /conversions/.test(name))).toEqual([]);
  expect(formOf(runtime)).toBe(undefined);
  for (const form of ["exact", "apart"] as const)
    await expect(
      runtime.load(emit(mixed, wgsl, { capabilities: withHalfConversions(WGSL_CAPABILITIES, form) })),
    ).rejects.toMatchObject({ code: "unsupported" });
});

test.each<[string, WebGpuOptions, HalfConversions | undefined]>([
  ["by default", {}, "exact"],
  ["if the option is false", { halfConversions: false }, undefined],
  ["as the given capabilities say", { capabilities: WGSL_CAPABILITIES }, undefined],
  ["as the given capabilities say", { capabilities: known("apart") }, "apart"],
])("a runtime assumes conversions %s", async (_, options, form) => {
  const device = await plain();
  if (device.found) expect(formOf(webgpuRuntime(device.value, options))).toBe(form);
});
