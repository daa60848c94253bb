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
export function countText({ pipeline, params, passes }: Manifest, perDimension: number): string {
  const stores = params.flatMap((param, i) => (tellsItems(param) ? [`  params[${i}] = n;`] : []));
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
  let n = min(counts[place.at], place.most);
${[...stores, ...dispatches].join("\n")}
}
`;
}

interface CountPipeline {
  readonly layout: GPUBindGroupLayout;
  readonly pipeline: GPUComputePipeline;
}

/** By manifest: made when a recording first needs it. */
const made = new WeakMap<Manifest, WeakMap<GPUDevice, CountPipeline>>();

function pipelineFor({ device, limits }: Gpu, manifest: Manifest): CountPipeline {
  const known = made.get(manifest) ?? new WeakMap<GPUDevice, CountPipeline>();
  made.set(manifest, known);
  const found = known.get(device);
  if (found) return found;
  const label = `${manifest.pipeline} (count)`;
  const code = countText(manifest, limits.maxComputeWorkgroupsPerDimension);
  const types: GPUBufferBindingType[] = ["uniform", "read-only-storage", "storage", "storage"];
  const layout = device.createBindGroupLayout({
    label,
    entries: types.map((type, binding) => ({ binding, visibility: COMPUTE, buffer: { type } })),
  });
  const pipeline = device.createComputePipeline({
    label,
    layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
    compute: { module: device.createShaderModule({ label, code }), entryPoint: "count" },
  });
  known.set(device, { layout, pipeline });
  return { layout, pipeline };
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
  const { device, limits } = gpu;
  const { layout, pipeline } = pipelineFor(gpu, manifest);
  const label = `${manifest.pipeline} (count)`;
  const { buffer, offset = 0, max } = count;
  const alignment = limits.minStorageBufferOffsetAlignment;
  const start = Math.floor(offset / alignment) * alignment;
  const dispatches = bindings.buffer("dispatches", () => {
    const size = Math.max(1, manifest.passes.length) * DISPATCH_BYTES;
    return device.createBuffer({ label, size, usage: USAGE.STORAGE | USAGE.INDIRECT });
  });
  const place = bindings.buffer("count", () => {
    const made = device.createBuffer({ label, size: 2 * WORD, usage: USAGE.UNIFORM | USAGE.COPY_DST });
    device.queue.writeBuffer(made, 0, Uint32Array.of((offset - start) / WORD, max));
    return made;
  });
  const group = bindings.group("count", () => {
    const window: ByteRange = { buffer, offset: start, size: offset - start + WORD };
    const resources = [{ buffer: place }, window, { buffer: bindings.params }, { buffer: dispatches }];
    const entries = resources.map((resource, binding) => ({ binding, resource }));
    return device.createBindGroup({ label, layout, entries });
  });
  encoder.setPipeline(pipeline);
  encoder.setBindGroup(0, group);
  encoder.dispatchWorkgroups(1);
  return dispatches;
}
