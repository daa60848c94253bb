/**
 * A number of items in a buffer: a kernel of one work-item limits it, writes it to the parameters, and
 * computes the number of work-groups of each pass. Nothing returns to the host.
 */
import type { Formula, Manifest } from "@groupwise/core";
import { errorOf, type FormulaOp } from "@groupwise/core/target";
import type { Gpu } from "../device/device.ts";
import type { ByteRange } from "../device/parts.ts";
import { COMPUTE, lacking, USAGE } from "../device/usage.ts";
import type { Bindings } from "./bindings.ts";

/** A number of items in a buffer. */
export interface BufferCount {
  /** With the usage STORAGE. */
  readonly buffer: GPUBuffer;
  /** Bytes before its u32, a multiple of 4. Default: 0. */
  readonly offset?: number;
  /**
   * Maximum number of items; a larger count is limited to it. Buffers and scratch must be large enough for
   * it.
   */
  readonly max: number;
}

const WORD = 4;
/** Words of the arguments of an indirect dispatch. */
const DISPATCH = 3;
/** Bytes of the arguments of an indirect dispatch. */
export const DISPATCH_BYTES: number = DISPATCH * WORD;

const OPERATORS: Readonly<Record<FormulaOp, (a: string, b: string) => string>> = {
  add: (a, b) => `(${a} + ${b})`,
  // Negative differences are 0.
  sub: (a, b) => `(${a} - min(${a}, ${b}))`,
  mul: (a, b) => `(${a} * ${b})`,
  "floor-div": (a, b) => `(${a} / ${b})`,
  "ceil-div": (a, b) => `ceil_div(${a}, ${b})`,
  min: (a, b) => `min(${a}, ${b})`,
  max: (a, b) => `max(${a}, ${b})`,
};

type Params = Manifest["params"];

/** A formula of a range of one dimension, in u32: its values are numbers of elements and work-groups. */
function textOf(formula: Formula, params: Params): string {
  if (typeof formula === "number") return `${formula}u`;
  if (typeof formula === "string") return formula === "n" || formula === "size_x" ? "n" : "1u";
  if (!("op" in formula)) {
    const isIt = ({ name, table }: Params[number]): boolean =>
      "param" in formula ? name === formula.param : table === formula.length;
    return `params[${params.findIndex(isIt)}]`;
  }
  const [a, b] = formula.args.map((arg) => textOf(arg, params)) as [string, string];
  return OPERATORS[formula.op](a, b);
}

/** Whether a parameter is the number of items. */
export const tellsItems = ({ role }: Manifest["params"][number]): boolean =>
  role === "length" || role === "size";

/** The kernel for a pipeline. */
function countText({ pipeline, params, passes }: Manifest, perDimension: number): string {
  const stores = params.flatMap((param, i) => (tellsItems(param) ? [`  params[${i}] = n;`] : []));
  const refusals = params.flatMap(({ divides }, i) =>
    divides ? [`  if (n % params[${i}] != 0u) { n = 0u; }`] : [],
  );
  const dispatches = passes.map(({ groups }, i) => `  dispatch(${i}u, ${textOf(groups, params)});`);
  return `// The work-groups of ${pipeline} for a number of items in a buffer.
struct Place { at: u32, most: u32 }
@group(0) @binding(0) var<uniform> place: Place;
@group(0) @binding(1) var<storage, read> counts: array<u32>;
@group(0) @binding(2) var<storage, read_write> params: array<u32>;
@group(0) @binding(3) var<storage, read_write> dispatches: array<u32>;

fn ceil_div(a: u32, b: u32) -> u32 {
  return a / b + u32(a % b != 0u);
}

fn dispatch(pass_number: u32, groups: u32) {
  let rows = max(ceil_div(groups, ${perDimension}u), 1u);
  dispatches[${DISPATCH}u * pass_number] = ceil_div(groups, rows);
  dispatches[${DISPATCH}u * pass_number + 1u] = rows;
  dispatches[${DISPATCH}u * pass_number + 2u] = 1u;
}

@compute @workgroup_size(1)
fn count() {
  var n = min(counts[place.at], place.most);
${[...refusals, ...stores, ...dispatches].join("\n")}
}
`;
}

export interface CountKernel {
  readonly layout: GPUBindGroupLayout;
  readonly pipeline: GPUComputePipeline;
}

/** A kernel of the name `count`. @param written the number of arrays that it writes, after the place and the counts */
export function countKernel(device: GPUDevice, label: string, code: string, written: number): CountKernel {
  const types: GPUBufferBindingType[] = ["uniform", "read-only-storage", ...Array(written).fill("storage")];
  const layout = device.createBindGroupLayout({
    label,
    entries: types.map((type, binding) => ({ binding, visibility: COMPUTE, buffer: { type } })),
  });
  const pipeline = device.createComputePipeline({
    label,
    layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
    compute: { module: device.createShaderModule({ label, code }), entryPoint: "count" },
  });
  return { layout, pipeline };
}

/** By manifest: made when a recording first needs it. */
const made = new WeakMap<Manifest, WeakMap<GPUDevice, CountKernel>>();

function kernelFor({ device, limits }: Gpu, manifest: Manifest): CountKernel {
  const known = made.get(manifest) ?? new WeakMap<GPUDevice, CountKernel>();
  made.set(manifest, known);
  const text = (): string => countText(manifest, limits.maxComputeWorkgroupsPerDimension);
  const kernel = known.get(device) ?? countKernel(device, `${manifest.pipeline} (count)`, text(), 2);
  known.set(device, kernel);
  return kernel;
}

/** What a kernel binds. */
interface BoundCount {
  readonly count: BufferCount;
  /** They keep the group, under the key. */
  readonly bindings: Bindings;
  readonly key: string;
  /** Words behind the place of the count. */
  readonly words?: readonly number[];
  readonly written: readonly GPUBuffer[];
}

/** Dispatches one work-group of a kernel. */
export function dispatchCount(
  { device, limits }: Gpu,
  pass: GPUComputePassEncoder,
  { layout, pipeline }: CountKernel,
  { count: { buffer, offset = 0, max }, bindings, key, words = [], written }: BoundCount,
): void {
  const alignment = limits.minStorageBufferOffsetAlignment;
  const start = Math.floor(offset / alignment) * alignment;
  const group = bindings.group(key, () => {
    const told = Uint32Array.of((offset - start) / WORD, max, ...words);
    const place = bindings.buffer(key, () => {
      const usage = USAGE.UNIFORM | USAGE.COPY_DST;
      return device.createBuffer({ label: key, size: told.byteLength, usage });
    });
    device.queue.writeBuffer(place, 0, told);
    const window: ByteRange = { buffer, offset: start, size: offset - start + WORD };
    const resources = [{ buffer: place }, window, ...written.map((one) => ({ buffer: one }))];
    const entries = resources.map((resource, binding) => ({ binding, resource }));
    return device.createBindGroup({ label: key, layout, entries });
  });
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, group);
  pass.dispatchWorkgroups(1);
}

/**
 * Checks the place of a count.
 * @throws GroupwiseError `bad-buffer`, `bad-range`
 */
export function checkCount({ pipeline, workGroupSize }: Manifest, { buffer, offset = 0 }: BufferCount): void {
  const bad = (reason: string): Error => errorOf("bad-buffer", { name: "count", reason }, pipeline);
  const { length: sides } = workGroupSize;
  const reason = `a count in a buffer requires one dimension, but the pipeline has ${sides}`;
  if (sides !== 1) throw errorOf("bad-range", { reason, sides }, pipeline);
  const missing = lacking(buffer.usage, USAGE.STORAGE);
  if (missing !== undefined) throw bad(`it was created without the usage ${missing}`);
  if (!Number.isSafeInteger(offset) || offset < 0 || offset % WORD !== 0)
    throw bad(`its offset ${offset} is not a multiple of ${WORD}`);
  if (offset + WORD > buffer.size)
    throw bad(`it has ${buffer.size} bytes, but the count begins at ${offset}`);
}

/** A count in device memory, and where the sizes that depend on it are written. */
export interface CountToRecord {
  readonly manifest: Manifest;
  readonly encoder: GPUComputePassEncoder;
  readonly count: BufferCount;
  readonly bindings: Bindings;
}

/**
 * Records the kernel.
 * @returns the arguments of the passes' dispatches, one after the other
 */
export function recordCount(gpu: Gpu, { manifest, encoder, count, bindings }: CountToRecord): GPUBuffer {
  const dispatches = bindings.buffer("dispatches", () => {
    const size = Math.max(1, manifest.passes.length) * DISPATCH_BYTES;
    const label = `${manifest.pipeline} (count)`;
    return gpu.device.createBuffer({ label, size, usage: USAGE.STORAGE | USAGE.INDIRECT });
  });
  const written = [bindings.params, dispatches];
  dispatchCount(gpu, encoder, kernelFor(gpu, manifest), { count, bindings, key: "count", written });
  return dispatches;
}
