/** Writes of some bytes of a word: WebGPU copies whole words only. */
import type { Gpu } from "./device.ts";
import type { ByteRange } from "./parts.ts";
import { COMPUTE, USAGE } from "./usage.ts";

const TEXT = `// Replaces some bits of a word.
struct Edge { at: u32, mask: u32, bits: u32 }
@group(0) @binding(0) var<uniform> edge: Edge;
@group(0) @binding(1) var<storage, read_write> words: array<u32>;
@compute @workgroup_size(1)
fn write_edge() {
  words[edge.at] = (words[edge.at] & ~edge.mask) | edge.bits;
}
`;

const WORD = 4;
const made = new WeakMap<GPUDevice, GPUComputePipeline>();

function pipelineOn(device: GPUDevice): GPUComputePipeline {
  const label = "write a part of a word";
  const types: GPUBufferBindingType[] = ["uniform", "storage"];
  const found =
    made.get(device) ??
    device.createComputePipeline({
      label,
      layout: device.createPipelineLayout({
        bindGroupLayouts: [
          device.createBindGroupLayout({
            entries: types.map((type, binding) => ({ binding, visibility: COMPUTE, buffer: { type } })),
          }),
        ],
      }),
      compute: { module: device.createShaderModule({ label, code: TEXT }), entryPoint: "write_edge" },
    });
  made.set(device, found);
  return found;
}

/**
 * Queues the write of bytes of one word.
 * @param word where the word is
 * @param first the number of the first byte in the word
 */
export function writeEdge({ device, limits }: Gpu, word: ByteRange, first: number, bytes: Uint8Array): void {
  const pipeline = pipelineOn(device);
  const alignment = limits.minStorageBufferOffsetAlignment;
  const start = Math.floor(word.offset / alignment) * alignment;
  const edge = device.createBuffer({ label: "edge", size: 16, usage: USAGE.UNIFORM | USAGE.COPY_DST });
  const [mask, bits] = [new Uint8Array(WORD), new Uint8Array(WORD)];
  mask.fill(0xff, first, first + bytes.length);
  bits.set(bytes, first);
  const asWord = ({ buffer }: Uint8Array): number => new DataView(buffer).getUint32(0, true);
  device.queue.writeBuffer(edge, 0, Uint32Array.of((word.offset - start) / WORD, asWord(mask), asWord(bits)));
  const window = { buffer: word.buffer, offset: start, size: word.offset - start + WORD };
  const entries = [{ buffer: edge }, window].map((resource, binding) => ({ binding, resource }));
  const encoder = device.createCommandEncoder({ label: "write a part of a word" });
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
  pass.dispatchWorkgroups(1);
  pass.end();
  device.queue.submit([encoder.finish()]);
  edge.destroy();
}
