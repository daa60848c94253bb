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
    const i1 = i + 1;
    const x_i1 = x[i1];
    const total0to1 = Math.fround(x_i + x_i1);
    const prefix1 = Math.fround(before + total0to1);
    add_so_far = prefix1;
    sum[i1] = add_so_far;
    const i2 = (i + 2) >>> 0;
    const x_i2 = x[i2];
    add_so_far = Math.fround(prefix1 + x_i2);
    sum[i2] = add_so_far;
    const i3 = (i + 3) >>> 0;
    const x_i3 = x[i3];
    const total2to3 = Math.fround(x_i2 + x_i3);
    const total0to3 = Math.fround(total0to1 + total2to3);
    const prefix3 = Math.fround(before + total0to3);
    add_so_far = prefix3;
    sum[i3] = add_so_far;
    const i4 = (i + 4) >>> 0;
    const x_i4 = x[i4];
    add_so_far = Math.fround(prefix3 + x_i4);
    sum[i4] = add_so_far;
    const i5 = (i + 5) >>> 0;
    const x_i5 = x[i5];
    const total4to5 = Math.fround(x_i4 + x_i5);
    const prefix5 = Math.fround(prefix3 + total4to5);
    add_so_far = prefix5;
    sum[i5] = add_so_far;
    const i6 = (i + 6) >>> 0;
    const x_i6 = x[i6];
    add_so_far = Math.fround(prefix5 + x_i6);
    sum[i6] = add_so_far;
    const i7 = (i + 7) >>> 0;
    const x_i7 = x[i7];
    const total6to7 = Math.fround(x_i6 + x_i7);
    const total4to7 = Math.fround(total4to5 + total6to7);
    let total = Math.fround(total0to3 + total4to7);
    let start = before;
    let size = 3;
    let bits = i >>> 3;
    while ((bits & 1) !== 0) {
      total = Math.fround(block_total[size & 31] + total);
      start = block_prefix[size & 31];
      size = (size + 1) >>> 0;
      bits = bits >>> 1;
    }
    add_so_far = Math.fround(start + total);
    block_total[size & 31] = total;
    block_prefix[size & 31] = start;
    sum[i7] = add_so_far;
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
export default function prefixSumPipeline(values = {}, options = {}) {
  const n = options.n ?? values.x?.length;
  if (!Number.isSafeInteger(n) || n < 0 || n > 4294967295) throw new RangeError("n, by default the length of x, is not a number of items");
  const x = requireArray(values, "x", Float32Array, n);
  const sum = new Float32Array(n);
  kernel(n, x, sum);
  return { sum };
}

function requireArray(values, name, type, length) {
  const array = values[name];
  if (!(array instanceof type)) throw new TypeError(`${name} must have the type ${type.name}`);
  if (array.length !== length) throw new RangeError(`${name} has ${array.length} elements, not ${length}`);
  return array;
}
