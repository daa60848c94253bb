/**
 * Work that keeps a card's clock up between measurements. With little to do an NVIDIA H200 lowers its clock from 1,980 to 345 MHz
 * within a second, and small runs, which are bound by latency, take more than three times as long.
 */

const WORDS = 2 ** 24;
const STORAGE = 0x80;
/** What the work takes: several times what is measured and what the host does between. */
const BUSY_MS = 20;
const MOST = 4096;

const COPY = `@group(0) @binding(0) var<storage, read> x: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> y: array<vec4<u32>>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) i: vec3<u32>) { y[i.x] = x[i.x]; }`;

export interface Awake {
  /** Submits the work; what is submitted next begins when it ends. */
  submit(): void;
  dispose(): void;
}

/** Copies that take a device 20 ms, as many as it needs for that. */
export async function awakeOn(device: GPUDevice): Promise<Awake> {
  const buffers = [0, 1].map(() => device.createBuffer({ size: 4 * WORDS, usage: STORAGE }));
  const module = device.createShaderModule({ code: COPY });
  const pipeline = await device.createComputePipelineAsync({ layout: "auto", compute: { module } });
  const entries = buffers.map((buffer, binding) => ({ binding, resource: { buffer } }));
  const group = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
  const run = (copies: number): void => {
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    for (let i = 0; i < copies; i++) pass.dispatchWorkgroups(WORDS / 4 / 256);
    pass.end();
    device.queue.submit([encoder.finish()]);
  };
  let copies = 1;
  for (let took = 0; took < BUSY_MS && copies < MOST; copies *= 2) {
    const begun = performance.now();
    run(copies);
    await device.queue.onSubmittedWorkDone();
    took = performance.now() - begun;
  }
  return {
    submit: () => run(copies),
    dispose: () => {
      for (const buffer of buffers) buffer.destroy();
    },
  };
}
