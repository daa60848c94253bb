import { drawing } from "./draw.ts";
import { loadWalk } from "./scan.ts";

const STEPS = 1024;

/** The highest point of a random walk, which is computed and drawn on the GPU. */
async function show(canvas: HTMLCanvasElement): Promise<number> {
  const adapter = await navigator.gpu?.requestAdapter();
  if (!adapter) throw new Error("this browser has no GPU for WebGPU");
  const device = await adapter.requestDevice();
  const { STORAGE, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
  const step = device.createBuffer({ size: 4 * STEPS, usage: STORAGE | COPY_DST });
  const height = device.createBuffer({ size: 4 * STEPS, usage: STORAGE });
  const highest = device.createBuffer({ size: 4, usage: STORAGE | COPY_SRC });
  const shown = device.createBuffer({ size: 4, usage: MAP_READ | COPY_DST });
  device.queue.writeBuffer(
    step,
    0,
    Float32Array.from({ length: STEPS }, () => 4 * Math.random() - 2),
  );

  const walk = await loadWalk(device);
  const draw = drawing(device, canvas, height, STEPS);
  const encoder = device.createCommandEncoder();
  const recording = walk.record(encoder, { n: STEPS, buffers: { step, height, highest } });
  draw(encoder);
  encoder.copyBufferToBuffer(highest, 0, shown, 0, 4);
  device.queue.submit([encoder.finish()]);
  await recording.check(); // rejects if the device refused something that the recording made
  recording.dispose();
  await shown.mapAsync(GPUMapMode.READ);
  const [top = 0] = new Float32Array(shown.getMappedRange());
  return top;
}

const canvas = document.querySelector("canvas") as HTMLCanvasElement;
const status = document.querySelector("p") as HTMLParagraphElement;
status.textContent = await show(canvas).then(
  (top) => `${STEPS} steps, the highest point is ${top}`,
  (error: unknown) => String(error),
);
