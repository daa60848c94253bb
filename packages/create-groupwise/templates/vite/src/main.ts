import { HEIGHT, painter, WIDTH } from "./paint.ts";
import type walk from "./walk.ts";
import loadWalk from "./walk.ts?groupwise";

const STEPS = 1024;
const PICTURE = 4 * WIDTH * HEIGHT;

/** Shows a random walk that the GPU computes and paints. @returns its highest point */
async function show(canvas: HTMLCanvasElement): Promise<number> {
  const adapter = await navigator.gpu?.requestAdapter();
  if (!adapter) throw new Error("this browser has no GPU for WebGPU");
  const device = await adapter.requestDevice();
  const { STORAGE, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
  const buffer = (size: number, usage: number) => device.createBuffer({ size, usage });
  const step = buffer(4 * STEPS, STORAGE | COPY_DST);
  const height = buffer(4 * STEPS, STORAGE);
  const highest = buffer(4, STORAGE | COPY_SRC);
  const pixels = buffer(PICTURE, STORAGE | COPY_SRC);
  const shown = buffer(4 + PICTURE, MAP_READ | COPY_DST);
  device.queue.writeBuffer(
    step,
    0,
    Float32Array.from({ length: STEPS }, () => 4 * Math.random() - 2),
  );

  const program = await loadWalk<typeof walk>(device);
  const paint = painter(device, height, pixels);
  const encoder = device.createCommandEncoder();
  const recording = program.record(encoder, { n: STEPS, buffers: { step, height, highest } });
  paint(encoder);
  encoder.copyBufferToBuffer(highest, 0, shown, 0, 4);
  encoder.copyBufferToBuffer(pixels, 0, shown, 4, PICTURE);
  device.queue.submit([encoder.finish()]);
  await recording.check(); // rejects if the device refused something that the recording made
  recording.dispose();

  await shown.mapAsync(GPUMapMode.READ);
  const bytes = shown.getMappedRange();
  const image = new ImageData(new Uint8ClampedArray(bytes.slice(4)), WIDTH, HEIGHT);
  canvas.getContext("2d")?.putImageData(image, 0, 0);
  const [top = 0] = new Float32Array(bytes, 0, 1);
  return top;
}

const canvas = document.querySelector("canvas") as HTMLCanvasElement;
const status = document.querySelector("p") as HTMLParagraphElement;
status.textContent = await show(canvas).then(
  (top) => `${STEPS} steps, the highest point is ${top}`,
  (error: unknown) => String(error),
);
