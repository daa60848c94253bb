import shader from "./draw.wgsl?raw";

/** Records the drawing of a buffer of heights. */
export type Draw = (encoder: GPUCommandEncoder) => void;

/** Draws `count` heights of a buffer as a line on a canvas. */
export function drawing(
  device: GPUDevice,
  canvas: HTMLCanvasElement,
  height: GPUBuffer,
  count: number,
): Draw {
  const context = canvas.getContext("webgpu");
  if (!context) throw new Error("the canvas has no WebGPU");
  const format = navigator.gpu.getPreferredCanvasFormat();
  context.configure({ device, format });
  const module = device.createShaderModule({ code: shader });
  const pipeline = device.createRenderPipeline({
    layout: "auto",
    vertex: { module },
    fragment: { module, targets: [{ format }] },
    primitive: { topology: "line-strip" },
  });
  const entries = [{ binding: 0, resource: { buffer: height } }];
  const group = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
  return (encoder) => {
    const view = context.getCurrentTexture().createView();
    const clearValue = { r: 1, g: 1, b: 1, a: 1 };
    const pass = encoder.beginRenderPass({
      colorAttachments: [{ view, loadOp: "clear", storeOp: "store", clearValue }],
    });
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.draw(count);
    pass.end();
  };
}
