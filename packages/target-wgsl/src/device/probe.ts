/** Kernels that test what a device does, before others rely on it. */
import { answered } from "./answered.ts";
import type { Gpu } from "./device.ts";
import { COMPUTE, MAP_READ, USAGE } from "./usage.ts";

/** A kernel with the entry point `probe`, which writes words to its last binding. */
interface Probe {
  readonly code: string;
  readonly groups: number;
  /** The number of words that it writes. */
  readonly words: number;
  /** What its first binding holds; without it, that is what it writes. */
  readonly given?: Uint32Array<ArrayBuffer>;
}

/**
 * Runs the kernel of a test and evaluates what it writes.
 * @param what the tested property, for the reason why the device fails
 * @returns the result of `evaluate`, or the reason if the device could not run the kernel
 * @throws GroupwiseError `device-lost`
 */
export async function probe<T>(
  gpu: Gpu,
  what: string,
  { code, groups, words, given }: Probe,
  evaluate: (found: Uint32Array) => T,
): Promise<T | { readonly failed: string }> {
  const { device } = gpu;
  const size = words * Uint32Array.BYTES_PER_ELEMENT;
  const source =
    given && device.createBuffer({ size: given.byteLength, usage: USAGE.STORAGE | USAGE.COPY_DST });
  const found = device.createBuffer({ size, usage: USAGE.STORAGE | USAGE.COPY_SRC });
  const read = device.createBuffer({ size, usage: USAGE.MAP_READ | USAGE.COPY_DST });
  const bound = source ? [source, found] : [found];
  try {
    const layout = device.createBindGroupLayout({
      entries: bound.map((buffer, binding) => ({
        binding,
        visibility: COMPUTE,
        buffer: { type: buffer === source ? "read-only-storage" : "storage" },
      })),
    });
    const pipeline = await gpu.guarded(() =>
      device.createComputePipelineAsync({
        layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
        compute: { module: device.createShaderModule({ code }), entryPoint: "probe" },
      }),
    );
    await gpu.guarded(() => {
      if (source) device.queue.writeBuffer(source, 0, given);
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      const entries = bound.map((buffer, binding) => ({ binding, resource: { buffer } }));
      pass.setBindGroup(0, device.createBindGroup({ layout, entries }));
      pass.dispatchWorkgroups(groups);
      pass.end();
      encoder.copyBufferToBuffer(found, 0, read, 0, size);
      device.queue.submit([encoder.finish()]);
    });
    await gpu.orLost(answered(device, read.mapAsync(MAP_READ)));
    return evaluate(new Uint32Array(read.getMappedRange()));
  } catch (error) {
    gpu.assertThere();
    return { failed: `the device failed in the test of its ${what}: ${gpu.error(error).message}` };
  } finally {
    for (const buffer of [...bound, read]) buffer.destroy();
  }
}
