import { Fn, instanceIndex, invocationLocalIndex, storage, wgsl, wgslFn } from "three/tsl";

/** Runs a compiled pipeline on storage attributes of a WebGPURenderer. Nothing is copied. */
export async function runOn({ backend }, program, n, attributes) {
  const bufferOf = (attribute) => {
    if (!backend.has(attribute)) backend.createStorageAttribute(attribute);
    return backend.get(attribute).buffer;
  };
  const buffers = Object.fromEntries(Object.entries(attributes).map(([name, one]) => [name, bufferOf(one)]));
  const encoder = backend.device.createCommandEncoder();
  const recording = program.record(encoder, { n, buffers });
  backend.device.queue.submit([encoder.finish()]);
  await recording.check();
  recording.dispose();
}

/**
 * WGSL of `groupwise header` in a compute node of TSL: sums within each work-group of 64. The size is a list of
 * work-groups: for a number of items TSL ends some work-items early, and barriers must be reached by all.
 */
export function groupSums(header, n, x, y) {
  const sum = wgslFn("fn sumUpTo(x: f32, lane: u32) -> f32 { return gw_scan_inclusive_add_f32(x, lane); }", [
    wgsl(header),
  ]);
  const [from, to] = [storage(x, "float", n).toReadOnly(), storage(y, "float", n)];
  return Fn(() => {
    const at = from.element(instanceIndex);
    to.element(instanceIndex).assign(sum({ x: at, lane: invocationLocalIndex }));
  })().compute([n / 64], [64]);
}
