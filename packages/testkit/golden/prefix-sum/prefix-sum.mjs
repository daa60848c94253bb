// prefix-sum: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js
// Inputs: f32 x[n]
// Outputs: f32 sum[n]
// Strategy: one-thread

/**
 * The loops only: the caller provides every array, and none is checked.
 * @param x input, Float32Array of n
 * @param sum output, Float32Array of n
 */
export function kernel(n, x, sum) {
  let add_so_far = 0;
  const block_total = new Float32Array(32);
  const block_prefix = new Float32Array(32);
  // pass 1 over the items
  const whole = (n - (n & 7)) >>> 0;
  for (let i = 0; i < whole; i += 8) {
    const x_i = x[i];
    const before = (i !== 0) ? add_so_far : (-0);
    add_so_far = Math.fround(before + x_i);
    sum[i] = add_so_far;
    const i_2 = i + 1;
    const x_i_2 = x[i_2];
    const total = Math.fround(x_i + x_i_2);
    const prefix_2 = Math.fround(before + total);
    add_so_far = prefix_2;
    sum[i_2] = add_so_far;
    const i_3 = (i + 2) >>> 0;
    const x_i_3 = x[i_3];
    add_so_far = Math.fround(prefix_2 + x_i_3);
    sum[i_3] = add_so_far;
    const i_4 = (i + 3) >>> 0;
    const x_i_4 = x[i_4];
    const total_2 = Math.fround(x_i_3 + x_i_4);
    const total_3 = Math.fround(total + total_2);
    const prefix_4 = Math.fround(before + total_3);
    add_so_far = prefix_4;
    sum[i_4] = add_so_far;
    const i_5 = (i + 4) >>> 0;
    const x_i_5 = x[i_5];
    add_so_far = Math.fround(prefix_4 + x_i_5);
    sum[i_5] = add_so_far;
    const i_6 = (i + 5) >>> 0;
    const x_i_6 = x[i_6];
    const total_4 = Math.fround(x_i_5 + x_i_6);
    const prefix_6 = Math.fround(prefix_4 + total_4);
    add_so_far = prefix_6;
    sum[i_6] = add_so_far;
    const i_7 = (i + 6) >>> 0;
    const x_i_7 = x[i_7];
    add_so_far = Math.fround(prefix_6 + x_i_7);
    sum[i_7] = add_so_far;
    const i_8 = (i + 7) >>> 0;
    const x_i_8 = x[i_8];
    const total_5 = Math.fround(x_i_7 + x_i_8);
    const total_6 = Math.fround(total_4 + total_5);
    let total_8 = Math.fround(total_3 + total_6);
    let start = before;
    let size = 3;
    let bits = i >>> 3;
    while ((bits & 1) !== 0) {
      total_8 = Math.fround(block_total[size & 31] + total_8);
      start = block_prefix[size & 31];
      size = (size + 1) >>> 0;
      bits = bits >>> 1;
    }
    add_so_far = Math.fround(start + total_8);
    block_total[size & 31] = total_8;
    block_prefix[size & 31] = start;
    sum[i_8] = add_so_far;
  }
  // the tail
  for (let i = whole; i < n; i += 1) {
    let total = x[i];
    let start = (i !== 0) ? add_so_far : (-0);
    let size = 0;
    let bits = i;
    while ((bits & 1) !== 0) {
      total = Math.fround(block_total[size & 31] + total);
      start = block_prefix[size & 31];
      size = (size + 1) >>> 0;
      bits = bits >>> 1;
    }
    add_so_far = Math.fround(start + total);
    block_total[size & 31] = total;
    block_prefix[size & 31] = start;
    sum[i] = add_so_far;
  }
}

/**
 * Runs the pipeline.
 * @param values an array for each input, a value for each parameter
 * @param options n: the number of items; default: the length of the inputs
 * @throws TypeError, RangeError for wrong types, lengths or numbers of items
 */
export default function prefixSumPipeline(values, options = {}) {
  const n = options.n ?? values.x?.length;
  if (!Number.isSafeInteger(n) || n < 0 || n > 4294967295) throw new RangeError("n is not a number of items");
  const x = requireArray(values, "x", Float32Array, n);
  const sum = new Float32Array(n);
  kernel(n, x, sum);
  return { sum };
}

function requireArray(values, name, type, length) {
  const array = values[name];
  if (!(array instanceof type)) throw new TypeError(`${name} must be a ${type.name}`);
  if (array.length !== length) throw new RangeError(`${name} has ${array.length} elements, not ${length}`);
  return array;
}
