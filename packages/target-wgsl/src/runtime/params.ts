/** The uniform buffer of one recording. */
import type { Prepared, Scalar, ScalarValue } from "@groupwise/core";
import { USAGE } from "./usage.ts";

const WRITE: Readonly<Partial<Record<Scalar, (view: DataView, at: number, value: ScalarValue) => void>>> = {
  i32: (view, at, value) => view.setInt32(at, Number(value), true),
  u32: (view, at, value) => view.setUint32(at, Number(value), true),
  f32: (view, at, value) => view.setFloat32(at, Number(value), true),
  bool: (view, at, value) => view.setUint32(at, value ? 1 : 0, true),
};

const UNIT = 16;

/**
 * A buffer of its own for every recording: `queue.writeBuffer` into a shared one would give all recordings
 * of an encoder the last values.
 */
export function paramsBuffer(device: GPUDevice, params: Prepared["params"]): GPUBuffer {
  const size = Math.ceil((params.length * 4) / UNIT) * UNIT;
  const buffer = device.createBuffer({
    label: "params",
    size,
    usage: USAGE.UNIFORM,
    mappedAtCreation: true,
  });
  const view = new DataView(buffer.getMappedRange());
  params.forEach(({ type, value }, i) => {
    WRITE[type]?.(view, i * 4, value);
  });
  buffer.unmap();
  return buffer;
}
