import shader from "./paint.wgsl?raw";

export const WIDTH = 512;
export const HEIGHT = 256;

/** The app's own pass: paints a buffer of heights into one of pixels. */
export function painter(
  device: GPUDevice,
  height: GPUBuffer,
  pixels: GPUBuffer,
): (encoder: GPUCommandEncoder) => void {
  const module = device.createShaderModule({ code: shader });
  const pipeline = device.createComputePipeline({ layout: "auto", compute: { module } });
  const entries = [height, pixels].map((buffer, binding) => ({ binding, resource: { buffer } }));
  const group = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
  return (encoder) => {
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(WIDTH / 16, HEIGHT / 16);
    pass.end();
  };
}
