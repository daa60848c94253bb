/** A WebGPU device for the driver in Rust: it makes the calls that the driver writes as lines, and answers reads. */
/// <reference types="@webgpu/types" preserve="true" />
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const bytesOf = (hex: string | undefined): Buffer => Buffer.from(hex ?? "", "hex");
const pairsOf = (words: readonly string[]): (readonly [string, string])[] =>
  words.map((word) => word.split(":") as [string, string]);

/** Runs the driver on the device; rejects with what it printed if it fails. */
export async function serve(device: GPUDevice, program: string, args: readonly string[]): Promise<void> {
  const made = new Map<string, unknown>();
  const get = <T>(id: string | undefined): T => made.get(id ?? "") as T;
  const child = spawn(program, args);
  const ended = new Promise<number | null>((done) => child.on("close", done));
  let errors = "";
  child.stderr.on("data", (text) => {
    errors += text;
  });
  const calls: Readonly<Record<string, (id: string, ...words: string[]) => unknown>> = {
    shader: (_, hex) => device.createShaderModule({ code: bytesOf(hex).toString() }),
    layout: (_, ...entries) =>
      device.createBindGroupLayout({
        entries: pairsOf(entries).map(([binding, type]) => ({
          binding: Number(binding),
          visibility: GPUShaderStage.COMPUTE,
          buffer: { type: type as GPUBufferBindingType },
        })),
      }),
    pipeline: (_, module, layout, entryPoint = "") =>
      device.createComputePipeline({
        layout: device.createPipelineLayout({ bindGroupLayouts: [get<GPUBindGroupLayout>(layout)] }),
        compute: { module: get(module), entryPoint },
      }),
    group: (_, layout, ...entries) =>
      device.createBindGroup({
        layout: get(layout),
        entries: pairsOf(entries).map(([binding, buffer]) => ({
          binding: Number(binding),
          resource: { buffer: get<GPUBuffer>(buffer) },
        })),
      }),
    buffer: (_, usage, hex) => {
      const contents = bytesOf(hex);
      const buffer = device.createBuffer({
        size: contents.length,
        usage: Number(usage) | GPUBufferUsage.COPY_DST,
      });
      device.queue.writeBuffer(buffer, 0, contents);
      return buffer;
    },
    dispatch: (pipeline, group, ...counts) => {
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      pass.setPipeline(get(pipeline));
      pass.setBindGroup(0, get<GPUBindGroup>(group));
      pass.dispatchWorkgroups(...(counts.map(Number) as [number, number, number]));
      pass.end();
      device.queue.submit([encoder.finish()]);
    },
    read: async (id) => {
      const from = get<GPUBuffer>(id);
      const usage = GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ;
      const to = device.createBuffer({ size: from.size, usage });
      const encoder = device.createCommandEncoder();
      encoder.copyBufferToBuffer(from, 0, to, 0, from.size);
      device.queue.submit([encoder.finish()]);
      await to.mapAsync(GPUMapMode.READ);
      child.stdin.write(`${Buffer.from(to.getMappedRange()).toString("hex")}\n`);
    },
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const [call = "", id = "", ...words] = line.trim().split(" ");
    made.set(id, (await calls[call]?.(id, ...words)) ?? made.get(id));
  }
  if ((await ended) !== 0) throw new Error(`${program} failed: ${errors}`);
}
