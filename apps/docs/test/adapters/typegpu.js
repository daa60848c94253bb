import tgpu, { d } from "typegpu";

/** Runs a compiled pipeline on buffers of TypeGPU, by the names of its inputs and outputs. Nothing is copied. */
export async function runOn(root, program, n, buffers) {
  const own = Object.fromEntries(Object.entries(buffers).map(([name, one]) => [name, root.unwrap(one)]));
  const encoder = root.device.createCommandEncoder();
  const recording = program.record(encoder, { n, buffers: own });
  root.device.queue.submit([encoder.finish()]);
  await recording.check();
  recording.dispose();
}

/** WGSL of `groupwise header` in a kernel of TypeGPU: sums within each work-group of 64. */
export function groupSums(root, header, x, y) {
  const layout = tgpu.bindGroupLayout({
    x: { storage: d.arrayOf(d.f32), access: "readonly" },
    y: { storage: d.arrayOf(d.f32), access: "mutable" },
  });
  const template = `${header}
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) lane: u32) {
  layout.$.y[id.x] = gw_scan_inclusive_add_f32(layout.$.x[id.x], lane);
}`;
  const code = tgpu.resolve({ template, externals: { layout } });
  const { device } = root;
  const pipeline = device.createComputePipeline({
    layout: device.createPipelineLayout({ bindGroupLayouts: [root.unwrap(layout)] }),
    compute: { module: device.createShaderModule({ code }) },
  });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, root.unwrap(root.createBindGroup(layout, { x, y })));
  pass.dispatchWorkgroups(x.dataType.elementCount / 64);
  pass.end();
  device.queue.submit([encoder.finish()]);
}
