/** Enqueues the passes of one run. */
import { type Binding, evaluate, type Manifest, type Scalar, type ScalarValue } from "@groupwise/core";
import type { Sides } from "@groupwise/core/target";
import { errorOf, type Prepared } from "@groupwise/core/target";
import type { Handle } from "../device/ffi.ts";
import type { Built, Session } from "./program.ts";

/** A run whose arrays are in device memory. */
export interface Launch {
  readonly manifest: Manifest;
  readonly built: Built;
  readonly prepared: Pick<Prepared, "globalSize" | "params" | "scalars">;
  /** By binding name. */
  readonly buffers: ReadonlyMap<string, Handle>;
}

/** Bytes of a binding's array. */
export const bytesOf = ({ bytes }: Binding, sides: Sides): number => evaluate(bytes, sides);

/** Enqueues all passes and does not wait. */
export function launch({ queue }: Session, { manifest, built, prepared, buffers }: Launch): void {
  const { cl, kernels } = built;
  // No await in this function: a kernel object stores its arguments.
  for (const pass of manifest.passes) {
    const groups = evaluate(pass.groups, prepared);
    if (groups === 0) continue;
    const kernel = kernels.get(pass.entryPoint) as Handle;
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
}

const SCALAR_BITS: Readonly<Record<Scalar, ((value: ScalarValue) => ArrayBufferView) | undefined>> = {
  // Its bits are passed, as a u32.
  f16: undefined,
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
