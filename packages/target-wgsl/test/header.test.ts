/** The snippet's functions beside kernels of one's own: read by two front ends, and run. */
import { check, type HostArray, OP_NAMES, reference, type ScalarValue } from "@groupwise/core";
import { LIBRARY_FUNCTIONS, type LibraryFunction } from "@groupwise/core/kernel";
import { opExists, SCALARS } from "@groupwise/core/target";
import { collectivesOf, DATA, dataOf, difference, outputName, toArray, toValues } from "@groupwise/testkit";
import { deviceTest, effortOf } from "@groupwise/testkit/conformance";
import { checkWithNaga, checkWithTint, findDeno, formatReports } from "@groupwise/testkit/devices";
import { describe, expect, test } from "vitest";
import { wgslHeader, wgslHeaderFunctions } from "../src/header.ts";
import { SPELLING } from "../src/print/spelling.ts";
import { dawn } from "./devices.ts";

const full = effortOf() === "full";
const HALVES = "enable f16;\n";
/** A function, and whether halves are the language's own. */
interface Called extends LibraryFunction {
  readonly f16?: boolean;
}
const KNOWN: readonly Called[] = LIBRARY_FUNCTIONS.filter(({ name }) => wgslHeaderFunctions().includes(name));
const OF_HALVES = KNOWN.filter(({ type }) => type === "f16");
const ALL: readonly Called[] = [...KNOWN, ...OF_HALVES.map((fn) => ({ ...fn, f16: true }))];
const isInSingle = ({ type, f16 }: Called): boolean => type === "f16" && !f16;
const fnName = ({ name }: LibraryFunction): string => `gw_${name.replaceAll("-", "_")}`;

/** A kernel that calls one function; elements are as memory holds them. */
function kernelOf(fn: Called, shape: readonly number[]): string {
  const found = SPELLING[isInSingle(fn) ? "f32" : fn.type];
  const isWide = "unsupported" in found;
  const itself = (text: string): string => text;
  const spelling = isWide ? { memory: "vec2<u32>", fromMemory: itself, toMemory: itself } : found;
  const [first, second] = isWide ? ["both.xy", "both.zw"] : ["both.x", "both.y"];
  const { memory } = spelling;
  const args = [spelling.fromMemory("x[i]"), ...(fn.kind === "broadcast" ? ["11u"] : []), "lane"].join(", ");
  const call = `${fnName(fn)}(${args})`;
  const count = shape.reduce((a, b) => a * b, 1);
  const store =
    fn.kind === "scans"
      ? `let both = ${call}; y[i] = ${spelling.toMemory(first as string)}; y[i + arrayLength(&x)] = ${spelling.toMemory(second as string)};`
      : `y[i] = ${spelling.toMemory(call)};`;
  return `
@group(0) @binding(0) var<storage, read> x: array<${memory}>;
@group(0) @binding(1) var<storage, read_write> y: array<${memory}>;
@compute @workgroup_size(${shape.join(", ")})
fn main(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3<u32>) {
  let i = group.x * ${count}u + lane;
  ${store}
}
`;
}

function textOf(fn: Called, shape: readonly number[]): string {
  const { name, f16 = false } = fn;
  const header = wgslHeader({ functions: [name], workGroupSize: shape.reduce((a, b) => a * b, 1), f16 });
  return `${f16 ? HALVES : ""}${header}${kernelOf(fn, shape)}`;
}

describe("every function, beside a kernel, is accepted by", () => {
  const files = ALL.map((fn, i) => ({
    name: fn.f16 ? `${fn.name} native` : fn.name,
    code: textOf(fn, [[1], [48], [4, 8, 2]][i % 3] as number[]),
  }));
  const all = { functions: wgslHeaderFunctions(), workGroupSize: 256 };
  files.push({ name: "all", code: wgslHeader(all) });
  files.push({ name: "all native", code: HALVES + wgslHeader({ ...all, f16: true }) });

  deviceTest("Tint", dawn, async (device) => {
    expect(formatReports(await checkWithTint(device, files))).toBe("");
    device.destroy();
  });
  deviceTest(
    "naga",
    () => findDeno("lavapipe"),
    async () => {
      expect(formatReports(await checkWithNaga(files, { adapter: "lavapipe" }))).toBe("");
    },
  );
});

/** What a group of these values must give, in every work-item. */
function expected(fn: LibraryFunction, values: readonly ScalarValue[]): readonly ScalarValue[] {
  const n = values.length;
  const same = (value: ScalarValue): ScalarValue[] => Array.from({ length: n }, () => value);
  if (fn.kind === "broadcast") return same(values[Math.min(11, n - 1)] as ScalarValue);
  if (fn.kind === "all") return same(values.every(Boolean));
  if (fn.kind === "any") return same(values.some(Boolean));
  const op = fn.op as NonNullable<typeof fn.op>;
  const checked = check(collectivesOf({ type: fn.type, scope: "device", workGroupSize: 1, ops: [op] }));
  const want = reference(checked, { n, inputs: { x: values }, params: {} });
  const of = (kind: Parameters<typeof outputName>[1]): readonly ScalarValue[] =>
    want[outputName(op, kind)] as ScalarValue[];
  if (fn.kind === "reduce") return same(of("reduce")[0] as ScalarValue);
  return of(fn.kind === "scan-inclusive" ? "scan-inclusive" : "scan-exclusive");
}

async function runOn(
  device: GPUDevice,
  code: string,
  x: ArrayBufferView,
  groups: number,
  outputs: number,
): Promise<ArrayBuffer> {
  const module = device.createShaderModule({ code });
  const pipeline = device.createComputePipeline({ layout: "auto", compute: { module, entryPoint: "main" } });
  const bytes = x.byteLength;
  const { STORAGE, COPY_DST, COPY_SRC, MAP_READ } = GPUBufferUsage;
  const input = device.createBuffer({ size: bytes, usage: STORAGE | COPY_DST });
  const output = device.createBuffer({ size: bytes * outputs, usage: STORAGE | COPY_SRC });
  const back = device.createBuffer({ size: bytes * outputs, usage: MAP_READ | COPY_DST });
  device.queue.writeBuffer(input, 0, x as never);
  const resources = [input, output].map((buffer, binding) => ({ binding, resource: { buffer } }));
  const group = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries: resources });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, group);
  pass.dispatchWorkgroups(groups);
  pass.end();
  encoder.copyBufferToBuffer(output, 0, back, 0, bytes * outputs);
  device.queue.submit([encoder.finish()]);
  await back.mapAsync(GPUMapMode.READ);
  return back.getMappedRange().slice(0);
}

/** In memory a bool is a u32, and a half that is no f16 an f32. */
function memoryOf(fn: Called, array: HostArray): HostArray {
  if (isInSingle(fn)) return Float32Array.from(toValues("f16", array) as number[]);
  return fn.type === "bool" ? Uint32Array.from(array as Uint8Array) : array;
}
function hostOf(fn: Called, bytes: ArrayBuffer): HostArray {
  if (isInSingle(fn)) return new Float32Array(bytes);
  if (fn.type === "bool") return Uint8Array.from(new Uint32Array(bytes));
  return new SCALARS[fn.type].array(bytes as never) as HostArray;
}

/** Runs functions in groups of many shapes, one of each kind of data. */
async function compare(device: GPUDevice, tried: readonly Called[]): Promise<void> {
  const shapes = [[1], [2], [63], [8, 8], [5, 4, 5], [256]];
  for (const [i, fn] of tried.entries()) {
    // Memory is in whole words.
    const shape = fn.f16 ? [256] : (shapes[i % shapes.length] as number[]);
    const n = shape.reduce((a, b) => a * b, 1);
    const inSingle = isInSingle(fn);
    const kinds = DATA[SCALARS[fn.type].kind];
    const parts = kinds.map((kind) => dataOf(fn.type, kind, n, fn.name));
    const x = toArray(
      fn.type,
      parts.flatMap((part) => toValues(fn.type, part)),
    );
    const outputs = fn.kind === "scans" ? 2 : 1;
    const bytes = await runOn(device, textOf(fn, shape), memoryOf(fn, x), kinds.length, outputs);
    const got = hostOf(fn, bytes);
    parts.forEach((part, g) => {
      const values = toValues(fn.type, part);
      const inclusive = { ...fn, kind: "scan-inclusive" } as const;
      const wanted = [expected(fn, values), ...(outputs === 2 ? [expected(inclusive, values)] : [])];
      wanted.forEach((list, o) => {
        const from = o * x.length + g * n;
        const want = toArray(fn.type, list as ScalarValue[]);
        const type = inSingle ? "f32" : fn.type;
        const bad = difference(type, got.slice(from, from + n), inSingle ? memoryOf(fn, want) : want);
        expect(bad && `${fn.name} of ${n} (${kinds[g]?.name}): ${bad.text}`).toBeUndefined();
      });
    });
  }
  device.destroy();
}

deviceTest("functions give what the reference gives", dawn, async (device) => {
  // `scans` has all of what its halves have. Those are tried by turns, and either a reduce or the scans of an operator and
  // a type, save in full runs.
  const EVERY: Readonly<Record<string, number>> = { reduce: 64, scans: 64 };
  const isTurn = ({ kind }: LibraryFunction, i: number): boolean =>
    kind.startsWith("scan-") ? i % 20 === 0 : i % (EVERY[kind] ?? 1) === (kind === "scans" ? 1 : 0);
  const byKind = [...new Set(ALL.map(({ kind }) => kind))].map((one) =>
    ALL.filter(({ kind }) => kind === one),
  );
  await compare(
    device,
    byKind.flatMap((fns) => fns.filter((fn, i) => full || isTurn(fn, i))),
  );
});

deviceTest(
  "functions of halves give it on a device that has none, too",
  () => dawn({ adapter: "swiftshader" }),
  async (device) => {
    expect(device.features.has("shader-f16")).toBe(false);
    await compare(
      device,
      OF_HALVES.filter(({ kind }) => !kind.startsWith("scan-")),
    );
  },
);

deviceTest("an f32 that is no half is rounded to one first", dawn, async (device) => {
  const halves = [1, 1 + 2 ** -10, 2 ** -14, 2 ** -15, 3 * 2 ** -24, 1000, 65504, 0];
  const beside = halves.flatMap((half) => {
    const gap = half === 0 ? 2 ** -24 : 2 ** Math.max(Math.floor(Math.log2(half)) - 10, -24);
    return [0.4999, 0.5, 0.5001, 1].map((part) => half + part * gap);
  });
  const x = Float32Array.from([...beside, ...beside.map((value) => -value), 1e30, Infinity]);
  const want = Float32Array.from(x, (value) => SCALARS.f16.wrap(value) as number);
  for (const name of ["reduce-max-f16", "scan-inclusive-mul-f16", "broadcast-f16"]) {
    const fn = OF_HALVES.find((one) => one.name === name) as Called;
    const got = await runOn(device, textOf(fn, [1]), x, x.length, 1);
    expect(difference("f32", new Float32Array(got), want)?.text, name).toBeUndefined();
  }
  device.destroy();
});

describe("the text", () => {
  test("has the requested functions, once, and those that they need", () => {
    const functions = ["reduce-min-f32", "scan-exclusive-max-f32", "reduce-min-f32", "all"];
    const text = wgslHeader({ functions, workGroupSize: 100, prefix: "my_" });
    expect(text.match(/^fn my_reduce_min_f32\(x: f32, local_index: u32\) -> f32 \{$/gm)).toHaveLength(1);
    expect(text.match(/^fn /gm)).toHaveLength(
      3 + (text.match(/^fn my_\w+_(f32|bits)\((?!x: f32, local)/gm) ?? []).length,
    );
    expect(text.match(/^var<workgroup> my_\w+: array<(f32|bool), \d+>;$/gm)).toHaveLength(2);
    expect(text).toBe(wgslHeader({ functions, workGroupSize: 100, prefix: "my_" }));
    expect(wgslHeader({ functions, workGroupSize: 1, command: "x\n} evil" })).toContain("\n//   x?} evil\n");
  });

  test("requires an extension only if halves are native, and states it", () => {
    const make = (f16: boolean): string =>
      wgslHeader({ functions: ["reduce-add-f16"], workGroupSize: 64, f16 });
    expect(make(true)).toContain("\n// The first line of your module must be: enable f16;\n");
    expect(make(true)).toContain("fn gw_reduce_add_f16(x: f16, local_index: u32) -> f16 {");
    expect(make(false)).toContain("\n// An f16 is an f32 that holds a half. ");
    expect(make(false)).toContain("fn gw_reduce_add_f16(x: f32, local_index: u32) -> f32 {");
    expect(make(false)).not.toMatch(/^(?!\/\/).*\bf16\b/m);
  });

  test("has every operator that exists for a type, and no other", () => {
    for (const type of ["i32", "u32", "f32", "bool"] as const)
      for (const op of OP_NAMES)
        for (const kind of ["reduce", "scan-inclusive", "scan-exclusive"])
          expect(wgslHeaderFunctions().includes(`${kind}-${op}-${type}`)).toBe(opExists(op, type));
  });

  test("refuses unknown functions", () => {
    const make = (more: object) => () => wgslHeader({ functions: ["all"], workGroupSize: 64, ...more });
    const code = (name: string) => expect.objectContaining({ code: name });
    expect(make({ functions: ["reduce-add-f33"] })).toThrowError(code("unknown-function"));
    expect(make({ functions: ["toString"] })).toThrowError(code("unknown-function"));
    expect(make({ prefix: "a; b" })).toThrowError(code("bad-name"));
    for (const workGroupSize of [0, 257, 1.5, Number.NaN])
      expect(make({ workGroupSize })).toThrowError(code("work-group-too-large"));
  });
});
