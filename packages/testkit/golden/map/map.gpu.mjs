// map: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target gpujs
// Inputs: f32 x[n], f32 y[n], f32 alpha
// Outputs: f32 z[n]
// Strategy: per-output
// Each function is a gpu.js kernel: gpu.js reads its text, so no tool may rename or rewrite it.

// The output z.
export function write(x, y, alpha) {
  const i = this.thread.x;
  const x_i = x[i];
  const y_i = y[i];
  return Math.fround(Math.fround(x_i * alpha) + y_i);
}

/** In order; a pass without elements is skipped, an empty array gets one element. Arguments: arrays, integers, floats. */
export const passes = [
  { kernel: write, output: "z", cells: (n) => n, arrays: ["x", "y"], integers: [], floats: ["alpha"] },
];
