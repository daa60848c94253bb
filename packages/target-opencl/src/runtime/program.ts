/** A built program: its kernels, and what a run does with them. */
import {
  type Binding,
  elementsOf,
  errorOf,
  evaluate,
  finishRun,
  fromDevice,
  type HostArray,
  type Manifest,
  type Prepared,
  prepareRun,
  type RunOptions,
  type RunOutputs,
  type RunValues,
  type Scalar,
  type ScalarValue,
  type Sides,
  toDevice,
} from "@groupwise/core";
import { hasSubgroups } from "../capabilities.ts";
import { EXTENSIONS } from "../spelling.ts";
import { CL } from "./constants.ts";
import type { OpenClDevice } from "./device.ts";
import type { Handle, OpenCl } from "./ffi.ts";
import { Owned, Pool } from "./owned.ts";

/** What a runtime holds for its programs. */
export interface Session {
  readonly cl: OpenCl;
  readonly info: OpenClDevice;
  readonly context: Handle;
  readonly device: Handle;
  readonly queue: Handle;
}

/** What a manifest may require, and how a device tells that it has it. */
const FEATURES: Readonly<Record<string, (info: OpenClDevice) => boolean>> = {
  "correctly-rounded-divide": (info) => info.floats.correctlyRoundedDivide,
  // Whether they are as kernels expect is tried out apart.
  subgroups: hasSubgroups,
  ...Object.fromEntries(
    EXTENSIONS.map(({ feature, name }) => [feature, (info: OpenClDevice) => info.extensions.includes(name)]),
  ),
};

/** Kernels by entry point. */
export interface Built {
  readonly kernels: ReadonlyMap<string, Handle>;
  readonly pool: Pool;
}

/**
 * Builds a program text.
 * @throws GroupwiseError `device-error` with the build log, `device-limit`, `unsupported`
 */
export async function build(session: Session, manifest: Manifest, text: string): Promise<Built> {
  const { cl, context, device, info } = session;
  for (const what of manifest.requires) {
    const has = FEATURES[what]?.(session.info) ?? false;
    const reason = `${session.info.name} does not offer it`;
    if (!has) throw errorOf("unsupported", { what, reason }, manifest.pipeline);
  }
  for (const pass of manifest.passes) {
    limit("work-items in a work-group", pass.workGroupSize, session.info.maxWorkGroupSize, pass.entryPoint);
    limit("bytes of work-group memory", pass.workGroupBytes, session.info.localMemory, pass.entryPoint);
  }
  const pool = new Pool(cl);
  try {
    const program = pool.add("program", cl.make("clCreateProgramWithSource", context, 1, [text], null));
    const status = await cl.callAsync(
      "clBuildProgram",
      program,
      0,
      null,
      buildOptions(manifest, info),
      null,
      null,
    );
    if (status !== 0) {
      const log = cl.text("clGetProgramBuildInfo", program, device, CL.PROGRAM_BUILD_LOG);
      throw errorOf("device-error", { device: cl.device, reason: `it did not build the program: ${log}` });
    }
    const kernels = new Map<string, Handle>();
    for (const { entryPoint, workGroupSize } of manifest.passes) {
      const kernel = pool.add("kernel", cl.make("clCreateKernel", program, entryPoint));
      kernels.set(entryPoint, kernel);
      // The compiler took the size that the kernel requires: NVIDIA tells 256 as a limit all the same.
      const sides = cl.integer("clGetKernelWorkGroupInfo", kernel, device, CL.KERNEL_COMPILE_WORK_GROUP_SIZE);
      if (Number(BigInt.asUintN(64, sides)) === workGroupSize) continue;
      const most = cl.integer("clGetKernelWorkGroupInfo", kernel, device, CL.KERNEL_WORK_GROUP_SIZE);
      limit("work-items in a work-group", workGroupSize, Number(most), entryPoint);
    }
    return { kernels, pool };
  } catch (error) {
    pool.release();
    throw error;
  }
}

/**
 * Options of the newest language that has what the text could use: work-group functions are a feature of 3.0 and
 * part of 2.x, subgroups stand above 1.2. Else those of 1.2.
 */
export function buildOptions({ flags, requires }: Manifest, info: OpenClDevice): string {
  const { buildOptions: portable = "-cl-std=CL1.2", buildOptionsCL2, buildOptionsCL3 } = flags;
  const isListed =
    info.features.includes("__opencl_c_work_group_collective_functions") || requires.includes("subgroups");
  if (buildOptionsCL3 !== undefined && isListed && info.languages.includes("3.0"))
    return String(buildOptionsCL3);
  if (buildOptionsCL2 !== undefined && /^OpenCL C 2\./.test(info.languageVersion))
    return String(buildOptionsCL2);
  return String(portable);
}

function limit(what: string, need: number, allowed: number, entryPoint: string): void {
  if (need > allowed) throw errorOf("device-limit", { what, need, limit: allowed }, `kernel ${entryPoint}`);
}

/** Bytes of a binding's buffer: OpenCL has no empty ones. */
const bytesOf = (binding: Binding, sides: Sides): number =>
  Math.max(1, elementsOf(binding, sides)) * binding.bytesPerElement;

/** One run: buffers of its own, so that runs do not wait for one another. */
export async function runProgram(
  session: Session,
  built: Built,
  manifest: Manifest,
  values: RunValues,
  options: RunOptions | undefined,
): Promise<RunOutputs> {
  const { cl, queue } = session;
  const prepared = prepareRun(manifest, values, options);
  checkMemory(session.info, manifest, prepared.globalSize);
  const pool = new Pool(cl);
  try {
    const buffers = upload(session, pool, manifest, prepared);
    for (const pass of manifest.passes) {
      const groups = evaluate(pass.groups, prepared.globalSize);
      if (groups === 0) continue;
      const kernel = built.kernels.get(pass.entryPoint) as Handle;
      // No await from here to the launch: a kernel object carries its arguments.
      let index = 0;
      for (const name of pass.params) {
        const bits = scalarBits(prepared.params.find((p) => p.name === name) as Prepared["params"][number]);
        cl.call("clSetKernelArg", kernel, index++, bits.byteLength, bits);
      }
      for (const { name } of pass.bindings) {
        const pointer = new BigUint64Array([buffers.get(name) as Handle]);
        cl.call("clSetKernelArg", kernel, index++, pointer.byteLength, pointer);
      }
      const global = new BigUint64Array([BigInt(groups) * BigInt(pass.workGroupSize)]);
      const local = new BigUint64Array([BigInt(pass.workGroupSize)]);
      cl.call("clEnqueueNDRangeKernel", queue, kernel, 1, null, global, local, 0, null, null);
    }
    cl.call("clFlush", queue);
    cl.check("clFinish", await cl.callAsync("clFinish", queue));
    return download(session, manifest, prepared.globalSize, buffers);
  } finally {
    pool.release();
  }
}

function checkMemory(info: OpenClDevice, manifest: Manifest, sides: Sides): void {
  const sizes = manifest.bindings.map((binding) => ({ name: binding.name, bytes: bytesOf(binding, sides) }));
  const large = sizes.find(({ bytes }) => bytes > info.maxAllocation);
  if (large) {
    const details = { what: "bytes in one buffer", need: large.bytes, limit: info.maxAllocation };
    throw errorOf("device-limit", details, large.name);
  }
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total > info.globalMemory) {
    const details = { what: "bytes of memory", need: total, limit: info.globalMemory };
    throw errorOf("device-limit", details, manifest.pipeline);
  }
}

function upload(session: Session, pool: Pool, manifest: Manifest, prepared: Prepared): Map<string, Handle> {
  const { cl, context, queue } = session;
  const buffers = new Map<string, Handle>();
  for (const binding of manifest.bindings) {
    const bytes = bytesOf(binding, prepared.globalSize);
    const buffer = pool.add("buffer", cl.make("clCreateBuffer", context, CL.MEM_READ_WRITE, bytes, null));
    buffers.set(binding.name, buffer);
    const input = prepared.inputs.get(binding.name);
    if (input && input.length > 0) {
      // Blocking: the array is the caller's, and may change or move once this returns.
      const data = toDevice(binding, input);
      cl.call("clEnqueueWriteBuffer", queue, buffer, CL.TRUE, 0, data.byteLength, data, 0, null, null);
    }
    if (binding.cleared) {
      const zero = new Uint8Array(1);
      cl.call("clEnqueueFillBuffer", queue, buffer, zero, zero.byteLength, 0, bytes, 0, null, null);
    }
  }
  return buffers;
}

function download(
  session: Session,
  manifest: Manifest,
  sides: Sides,
  buffers: ReadonlyMap<string, Handle>,
): RunOutputs {
  const read = (binding: Binding): HostArray => {
    const elements = elementsOf(binding, sides);
    const bytes = new ArrayBuffer(elements * binding.bytesPerElement);
    if (elements > 0) {
      const buffer = buffers.get(binding.name) as Handle;
      const { cl, queue } = session;
      cl.call("clEnqueueReadBuffer", queue, buffer, CL.TRUE, 0, bytes.byteLength, bytes, 0, null, null);
    }
    return fromDevice(binding, bytes, elements);
  };
  const status = manifest.bindings.find((binding) => binding.role === "status");
  const words = (status ? read(status) : []) as ArrayLike<number>;
  const outputs = manifest.bindings.filter((binding) => binding.role === "output");
  return finishRun(manifest, Object.fromEntries(outputs.map((b) => [b.name, read(b)])), words);
}

const SCALAR_BITS: Readonly<Partial<Record<Scalar, (value: ScalarValue) => ArrayBufferView>>> = {
  i32: (value) => new Int32Array([Number(value)]),
  u32: (value) => new Uint32Array([Number(value)]),
  i64: (value) => new BigInt64Array([BigInt(value)]),
  u64: (value) => new BigUint64Array([BigInt(value)]),
  f64: (value) => new Float64Array([Number(value)]),
  f32: (value) => new Float32Array([Number(value)]),
  bool: (value) => new Uint32Array([value ? 1 : 0]),
};

function scalarBits({ name, type, value }: Prepared["params"][number]): ArrayBufferView {
  const bits = SCALAR_BITS[type];
  if (!bits) throw errorOf("bad-kernel", { reason: `${name} is passed as ${type}` }, name);
  return bits(value);
}

/** The life of a program: disposed once, gone when its last run is done. */
export function ownedProgram(name: string, built: Built, letGo: () => void): Owned {
  return new Owned(`the program ${name}`, () => {
    built.pool.release();
    letGo();
  });
}
