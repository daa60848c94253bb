/** The uniform buffers of recordings. */
import type { Scalar, ScalarValue } from "@groupwise/core";
import { errorOf, type Launch } from "@groupwise/core/target";
import { blockBytes } from "../print/param-block.ts";
import { USAGE } from "./usage.ts";

type Write = (view: DataView, at: number, value: ScalarValue) => void;
/** Those of 64 bits, and halves, are passed as words. */
const passed: Write = () => {
  throw errorOf("bad-kernel", { reason: "a parameter is passed that is not a word" });
};
const WRITE: Readonly<Record<Scalar, Write>> = {
  i64: passed,
  u64: passed,
  f16: passed,
  f64: passed,
  i32: (view, at, value) => view.setInt32(at, Number(value), true),
  u32: (view, at, value) => view.setUint32(at, Number(value), true),
  f32: (view, at, value) => view.setFloat32(at, Number(value), true),
  bool: (view, at, value) => view.setUint32(at, value ? 1 : 0, true),
};

/** The words of the parameters, padded as uniform buffers are. */
export function paramsWords(params: Launch["params"]): Uint32Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(blockBytes(params.length)));
  params.forEach(({ type, value }, i) => {
    WRITE[type](view, i * 4, value);
  });
  return new Uint32Array(view.buffer);
}

/**
 * A new buffer, which is not written again: with one for different parameters, all recordings of an encoder would
 * read the last values. The queue writes a new buffer before later submissions. Mapping it at
 * creation instead cost half a millisecond a recording on an H100.
 * @param usage more than a uniform's
 */
export function paramsBuffer(device: GPUDevice, params: Launch["params"], usage: number = 0): GPUBuffer {
  const words = paramsWords(params);
  const buffer = device.createBuffer({
    label: "params",
    size: words.byteLength,
    usage: USAGE.UNIFORM | USAGE.COPY_DST | usage,
  });
  device.queue.writeBuffer(buffer, 0, words);
  return buffer;
}
