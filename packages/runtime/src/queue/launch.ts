/** Queues the passes of one run. */

import { errorOf } from "@groupwise/ir/base/errors.js";
import { evaluate, type Sides } from "@groupwise/ir/base/formula.js";
import type { ScalarValue } from "@groupwise/ir/tables/scalar.js";
import type { MemoryType } from "@groupwise/kernel/language/memory.js";
import type { Prepared } from "../checks/host.ts";
import type { Binding, Manifest, ManifestParam } from "../plan/manifest.ts";
import type { Handle, LaunchArgument } from "./driver.ts";
import type { Built } from "./program.ts";

/** A run whose arrays are in device memory. */
export interface QueuedRun {
  readonly manifest: Manifest;
  readonly built: Built;
  readonly prepared: Pick<Prepared, "globalSize" | "params" | "scalars">;
  /** By binding name. */
  readonly buffers: ReadonlyMap<string, Handle>;
}

/** Bytes of a binding's array. */
export const bytesOf = ({ bytes }: Binding, sides: Sides): number => evaluate(bytes, sides);

/** Queues all passes and does not wait. */
export function launch({ manifest, built, prepared, buffers }: QueuedRun): void {
  const { driver, kernels } = built;
  const scalars = new Map<string, LaunchArgument>();
  prepared.params.forEach(({ name, value }, i) => {
    scalars.set(name, scalarBits(manifest.params[i] as ManifestParam, value));
  });
  // No await in this function: a kernel may store its arguments.
  for (const pass of manifest.passes) {
    const groups = evaluate(pass.groups, prepared);
    if (groups === 0) continue;
    const given = pass.params.map((name) => scalars.get(name) as LaunchArgument);
    for (const { name } of pass.bindings) given.push(buffers.get(name) as Handle);
    driver.launch(kernels.get(pass.entryPoint) as Handle, given, groups, pass.workGroupSize);
  }
}

/** The bits of a scalar as a kernel takes it, by its type in memory. */
const SCALAR_BITS: Readonly<Partial<Record<MemoryType, (value: ScalarValue) => ArrayBufferView>>> = {
  u8: (value) => new Uint8Array([Number(value)]),
  i32: (value) => new Int32Array([Number(value)]),
  u32: (value) => new Uint32Array([Number(value)]),
  i64: (value) => new BigInt64Array([BigInt(value)]),
  u64: (value) => new BigUint64Array([BigInt(value)]),
  f64: (value) => new Float64Array([Number(value)]),
  f32: (value) => new Float32Array([Number(value)]),
};

function scalarBits({ name, memory }: ManifestParam, value: ScalarValue): ArrayBufferView {
  const bits = SCALAR_BITS[memory];
  if (!bits) throw errorOf("bad-kernel", { reason: `${name} is passed as ${memory}` }, name);
  return bits(value);
}
