/** Whether a device's own operations flush subnormal f32, determined by running. WGSL allows it; only results with `subnormals: "flush"` depend on it. */
import type { Runtime } from "@groupwise/core";
import type { FoundDevice } from "@groupwise/core/target";
import { f32, pipeline } from "@groupwise/dsl";

const PROBE = pipeline("subnormals", { x: f32, y: f32 }, ({ x, y }) => ({
  sum: x.add(y),
  product: x.mul(y),
  least: x.min(y),
}));

const LEAST_NORMAL = 2 ** -126;
const TINY = LEAST_NORMAL / 64;
const X = Float32Array.of(TINY, LEAST_NORMAL, 2 ** -66, 3 * TINY);
const Y = Float32Array.of(TINY, -LEAST_NORMAL / 2, 2 ** -66, 1);
/** No sum, product or minimum of two of them is 0, except the first two products, which round to 0. */
const WANT: Readonly<Record<string, readonly (0 | 1)[]>> = {
  sum: [1, 1, 1, 1],
  product: [0, 0, 1, 1],
  least: [1, 1, 1, 1],
};

/** Runs sums, products and minima whose operands or results are subnormal. */
export async function flushesSubnormals(runtime: Runtime): Promise<boolean> {
  const executable = await runtime.compile(PROBE.ir, { subnormals: "flush" });
  try {
    const outputs = await executable.run({ x: X, y: Y });
    return Object.entries(WANT).some(([name, want]) =>
      want.some((isKept, i) => isKept === 1 && outputs[name]?.[i] === 0),
    );
  } finally {
    executable.dispose();
  }
}

/** Whether a device flushes f32 subnormals, determined on an open runtime if the driver does not report it. */
export const flushes = async ({ subnormals }: FoundDevice, runtime: Runtime): Promise<boolean> =>
  subnormals === "unspecified" ? flushesSubnormals(runtime) : subnormals === "flushed";
