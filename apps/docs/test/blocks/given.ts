/** Declarations that blocks of the pages take from the surrounding text, by block. Blocks without a row are self-contained. */
export interface Given {
  readonly page: string;
  /** A text that occurs only in this block of the page. */
  readonly has: string;
  /** Imports and values. */
  readonly before?: string;
  /** Values that need what the block declares: before the line that begins with the first text. */
  readonly inside?: readonly [line: string, code: string];
  readonly after?: string;
  /** Why the block is not run. */
  readonly typesOnly?: string;
}

const DEVICE = "needs a device";
const RUNTIME = `import { jsRuntime } from "@groupwise/target-js/runtime";`;
const DSL = `import { f32, param, pipeline, u32 } from "@groupwise/dsl";`;
const SUMS = `${DSL}\nconst sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));`;
const PROGRAM = `${RUNTIME}\n${SUMS}\nconst runtime = jsRuntime();`;

/** The pipeline of the packages' READMEs. */
const README = `import { f32, pipeline as make } from "@groupwise/dsl";
const pipeline = make("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));`;

export const GIVEN: readonly Given[] = [
  {
    page: "apps/docs/arrays.md",
    has: "const shade =",
    before: RUNTIME,
    inside: [
      "const { low }",
      `const executable = await jsRuntime().compile(shade);
const [image, curve, gain] = [Uint8Array.of(1, 0), Uint16Array.of(3, 300), Uint16Array.of(0x3f80, 0)];`,
    ],
  },
  {
    page: "apps/docs/arrays.md",
    has: "const filter =",
    before: RUNTIME,
    inside: [
      "const { kept }",
      `const executable = await jsRuntime().compile(filter);
const [allowed, id] = [packBits([true, true, true]), Uint32Array.of(0, 1, 2)];`,
    ],
  },
  {
    page: "apps/docs/arrays.md",
    has: "const look =",
    before: RUNTIME,
    inside: [
      "await executable",
      `const executable = await jsRuntime().compile(look);
const [code, palette] = [Uint32Array.of(1, 0, 1), Float32Array.of(0.5, 2)];`,
    ],
  },
  {
    page: "apps/docs/arrays.md",
    has: "reversed:",
    before: `${DSL}
pipeline("far", { x: f32, from: u32, to: u32 }, ({ x, from, to }, { index, size }) => {`,
    after: "});",
  },
  {
    page: "apps/docs/arrays.md",
    has: "capacity: size()",
    before: `${DSL}
pipeline("spread", { x: f32 }, ({ x }, { index, size }) => {
const y =`,
    after: "return { y };\n});",
  },
  { page: "apps/docs/arrays.md", has: "const histogram =", before: DSL },
  { page: "apps/docs/arrays.md", has: "const byBucket =", before: DSL },
  {
    page: "apps/docs/concepts.md",
    has: "const tiles =",
    before: `${RUNTIME}\n${DSL}\nconst x = new Float32Array(640 * 480);`,
    inside: ["await executable", "const executable = await jsRuntime().compile(tiles);"],
  },
  {
    page: "apps/docs/laws.md",
    has: "const both =",
    before: `${DSL}
import { operator } from "@groupwise/dsl";
operator("mean", { count: u32, mean: f32 }, { identity: { count: 0, mean: 0 },`,
    after: "});",
  },
  {
    page: "apps/docs/laws.md",
    has: "pipelineLaws(check(",
    before: `${DSL}
import { operators } from "@groupwise/dsl";
const mean = operators.argmax(f32);
const definition = pipeline("best", { x: f32 }, ({ x }, { index }) => mean.reduce({ value: x, index: index() }));`,
  },
  {
    page: "apps/docs/libraries.md",
    has: "const first = keep.record",
    before: `import type { WgslExecutable } from "@groupwise/target-wgsl/runtime";
declare const keep: WgslExecutable, sum: WgslExecutable;
declare const x: GPUBuffer, kept: GPUBuffer, count: GPUBuffer, sums: GPUBuffer, scratch: GPUBuffer;
declare const n: number, limit: number;
declare const device: GPUDevice;
declare const encoder: GPUCommandEncoder;`,
    typesOnly: DEVICE,
  },
  {
    page: "apps/docs/libraries.md",
    has: "smallRuns",
    before: "declare const device: GPUDevice;",
    typesOnly: DEVICE,
  },
  {
    page: "apps/docs/limits.md",
    has: "requiredLimits",
    before: "declare const adapter: GPUAdapter;",
    typesOnly: DEVICE,
  },
  {
    page: "apps/docs/limits.md",
    has: "[first, second]",
    before: `import type { WgslExecutable } from "@groupwise/target-wgsl/runtime";
declare const program: WgslExecutable, encoder: GPUCommandEncoder, n: number;
declare const first: GPUBuffer, second: GPUBuffer, third: GPUBuffer, fourth: GPUBuffer;`,
    typesOnly: DEVICE,
  },
  {
    page: "apps/docs/primitives.md",
    has: "segmentedReduce(",
    before: `${RUNTIME}\nconst runtime = jsRuntime();`,
  },
  {
    page: "apps/docs/primitives.md",
    has: "along([8, 100, 3]",
    before: `${RUNTIME}
const runtime = jsRuntime();
const x = Float32Array.from({ length: 2400 }, (_, i) => Math.sin(i));`,
  },
  {
    page: "apps/docs/primitives.md",
    has: "reduceByIndex(",
    before: `${RUNTIME}
const runtime = jsRuntime();
const [x, keys] = [Float32Array.of(1, 2, 3), Uint32Array.of(9, 0, 9)];`,
  },
  {
    page: "apps/docs/primitives.md",
    has: "topK(",
    before: `${RUNTIME}
const runtime = jsRuntime();
const keys = Float32Array.from({ length: 20 }, (_, i) => Math.sin(i));
const offsets = Uint32Array.of(0, 7, 20);
const [values, ids] = [Uint32Array.from(keys, (_, i) => i), Uint32Array.from(keys, (_, i) => 20 - i)];`,
  },
  {
    page: "apps/docs/primitives.md",
    has: "setUnion(f32)",
    before: `${RUNTIME}\nconst runtime = jsRuntime();`,
  },
  {
    page: "apps/docs/primitives.md",
    has: "histogramEdges(i32, 2)",
    before: `${RUNTIME}\nconst runtime = jsRuntime();`,
  },
  {
    page: "apps/docs/start.md",
    has: "// gpu.ts",
    typesOnly: DEVICE,
  },
  {
    page: "apps/docs/targets/wgsl.md",
    has: 'adapter: "NVIDIA"',
    before: `import { nodeDevice } from "@groupwise/target-wgsl/node";
import { webgpuRuntime } from "@groupwise/target-wgsl/runtime";`,
    typesOnly: DEVICE,
  },
  { page: "apps/docs/targets/wgsl.md", has: "create([])", typesOnly: DEVICE },
  {
    page: "apps/docs/your-operators.md",
    has: "scanWithTotal",
    before: `${DSL}\npipeline("totals", { x: f32, id: u32 }, ({ x, id }) => {`,
    after: "return { scan, total };\n});",
  },
  { page: "packages/target-c/README.md", has: "cRuntime(", before: README, typesOnly: "needs a C compiler" },
  { page: "packages/cpu/README.md", has: "cpuRuntime(", before: README },
  { page: "packages/target-wasm/README.md", has: "wasmRuntime(", before: README },
  { page: "packages/target-cuda/README.md", has: "cudaRuntime(", before: README, typesOnly: DEVICE },
  { page: "packages/target-opencl/README.md", has: "openclRuntime(", before: README, typesOnly: DEVICE },
  {
    page: "packages/target-wgsl/README.md",
    has: "webgpuRuntime(",
    before: `${README}
declare const device: GPUDevice, encoder: GPUCommandEncoder, x: GPUBuffer, y: GPUBuffer, n: number;`,
    typesOnly: DEVICE,
  },
  {
    page: "apps/docs/arrow.md",
    has: "nullWhere: {",
    before: `import { overColumns } from "@groupwise/arrow";
import { vectorFromArray, Float32 } from "apache-arrow";
${PROGRAM.replace("({ y:", "({ sums:").replace("{ x: f32 }, ({ x })", "{ price: f32 }, ({ price: x })")}
const program = overColumns(runtime, sums);
const price = vectorFromArray([1, null, 3], new Float32());`,
  },
  {
    page: "apps/docs/arrow.md",
    has: "withBitmaps(sums",
    before: `import { f64, pipeline as make } from "@groupwise/dsl";
const sums = make("sums", { price: f64 }, ({ price }) => ({ y: price.scanInclusive("add") }));`,
  },
  {
    page: "apps/docs/primitives.md",
    has: "runLengthDecode(u32).prepare",
    before: `${RUNTIME}\n${DSL}
import { runLengthDecode, runLengthEncode } from "@groupwise/primitives";
const runtime = jsRuntime();
const n = 6;
const encode = await runtime.compile(runLengthEncode(u32));
const x = runtime.array("u32", Uint32Array.of(7, 7, 7, 8, 8, 7));
const [runs, lengths, back] = [1, 2, 3].map(() => runtime.array("u32", n)) as [typeof x, typeof x, typeof x];
const [count, total] = [1, 2].map(() => runtime.array("u32", 1)) as [typeof x, typeof x];`,
    after: `if ((await back.read()).join() !== "7,7,7,8,8,7") throw new Error("decoded otherwise");`,
  },
  {
    page: "packages/unplugin/README.md",
    has: "?groupwise",
    before: "declare const device: GPUDevice;",
    typesOnly: DEVICE,
  },
  { page: "packages/core/README.md", has: "printExplanation", before: README },
  { page: "packages/target-js/README.md", has: "jsRuntime()", before: README },
  {
    page: "README.md",
    has: "webgpuRuntime(device)",
    before: "declare const device: GPUDevice;",
    typesOnly: DEVICE,
  },
  { page: "apps/docs/tuning.md", has: "const tuning =", before: SUMS, typesOnly: DEVICE },
];
