/** Queues the passes of one run. */

import { errorOf } from "@groupwise/ir/base/errors.js";
import { evaluate, type Sides } from "@groupwise/ir/base/formula.js";
import type { Scalar, ScalarValue } from "@groupwise/ir/tables/scalar.js";
import type { Prepared } from "../checks/host.ts";
import type { Binding, Manifest } from "../plan/manifest.ts";
import type { Handle, KernelArgument } from "./driver.ts";
import type { Built } from "./program.ts";

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

/** Queues all passes and does not wait. */
export function launch({ manifest, built, prepared, buffers }: Launch): void {
  const { driver, kernels } = built;
  // No await in this function: a kernel may store its arguments.
  for (const pass of manifest.passes) {
    const groups = evaluate(pass.groups, prepared);
    if (groups === 0) continue;
    const given: KernelArgument[] = pass.params.map((name) =>
      scalarBits(prepared.params.find((p) => p.name === name) as Prepared["params"][number]),
    );
    for (const { name } of pass.bindings) given.push(buffers.get(name) as Handle);
    driver.launch(kernels.get(pass.entryPoint) as Handle, given, groups, pass.workGroupSize);
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
