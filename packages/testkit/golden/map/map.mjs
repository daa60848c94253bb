// map: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js
// Inputs: f32 x[n], f32 y[n], f32 alpha
// Outputs: f32 z[n]
// Strategy: one-thread

/**
 * The loops only: the caller provides every array, and none is checked.
 * @param x input, Float32Array of n
 * @param y input, Float32Array of n
 * @param z output, Float32Array of n
 */
export function kernel(n, alpha, x, y, z) {
  // pass 1 over the items
  for (let i = 0; i < n; i += 1) {
    const x_i = x[i];
    const y_i = y[i];
    z[i] = Math.fround(Math.fround(x_i * alpha) + y_i);
  }
}

/**
 * Runs the pipeline.
 * @param values an array for each input, a value for each parameter
 * @param options n: the number of items; default: the length of the inputs
 * @throws TypeError, RangeError for wrong types, lengths or numbers of items
 */
export default function mapPipeline(values = {}, options = {}) {
  const n = options.n ?? values.x?.length;
  if (!Number.isSafeInteger(n) || n < 0 || n > 4294967295) throw new RangeError("n, by default the length of x, is not a number of items");
  const x = requireArray(values, "x", Float32Array, n);
  const y = requireArray(values, "y", Float32Array, n);
  const alpha = requireNumber(values, "alpha", "number", (x) => Math.fround(x));
  const z = new Float32Array(n);
  kernel(n, alpha, x, y, z);
  return { z };
}

function requireArray(values, name, type, length) {
  const array = values[name];
  if (!(array instanceof type)) throw new TypeError(`${name} must have the type ${type.name}`);
  if (array.length !== length) throw new RangeError(`${name} has ${array.length} elements, not ${length}`);
  return array;
}
function requireNumber(values, name, type, convert) {
  const value = values[name];
  if (typeof value !== type) throw new TypeError(`${name} must be a ${type}`);
  return convert(value);
}
