// extremes: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js

/**
 * The loops only: the caller provides every array, and none is checked.
 * @param x input, Float32Array of n
 * @param k input, Int32Array of n
 * @param highest_value output, Float32Array of n
 * @param highest_index output, Uint32Array of n
 * @param lowest_value output, Int32Array of 1
 * @param lowest_index output, Uint32Array of 1
 * @param ends_min output, Float32Array of ceil(n / 64)
 * @param ends_max output, Float32Array of ceil(n / 64)
 */
export function kernel(n, x, k, highest_value, highest_index, lowest_value, lowest_index, ends_min, ends_max) {
  let argmax_f32_so_far = -Infinity;
  let argmax_f32_so_far_2 = 4294967295;
  const block_total = new Float32Array(32);
  const block_total_2 = new Uint32Array(32);
  const block_prefix = new Float32Array(32);
  const block_prefix_2 = new Uint32Array(32);
  let argmin_i32_so_far = 2147483647;
  let argmin_i32_so_far_2 = 4294967295;
  const block_total_3 = new Int32Array(32);
  const block_total_4 = new Uint32Array(32);
  const block_prefix_3 = new Int32Array(32);
  const block_prefix_4 = new Uint32Array(32);
  // pass 1 over the items
  let min_max_f32_so_far = Infinity;
  let min_max_f32_so_far_2 = -Infinity;
  const block_total_5 = new Float32Array(32);
  const block_total_6 = new Float32Array(32);
  const block_prefix_5 = new Float32Array(32);
  const block_prefix_6 = new Float32Array(32);
  for (let start = 0; start < n; start += 64) {
    const count = Math.min(64, (n - start) >>> 0);
    min_max_f32_so_far = Infinity;
    min_max_f32_so_far_2 = -Infinity;
    for (let place = 0; place < count; place += 1) {
      const i = (start + place) >>> 0;
      const x_i = x[i];
      let total = x_i;
      let total_2 = x_i;
      const size = Math.min((31 - Math.clz32(((~place >>> 0) & ((place + 1) >>> 0)) >>> 0)) >>> 0, 31);
      for (let k_2 = 0; k_2 < size; k_2 += 1) {
        const left = block_total_5[k_2];
        const left_2 = block_total_6[k_2];
        const both = Math.min(left, total);
        const both_2 = Math.max(left_2, total_2);
        total = both;
        total_2 = both_2;
      }
      const rest = (place & ((place + 1) >>> 0)) >>> 0;
      const previous = Math.min((31 - Math.clz32((rest & ((0 - rest) >>> 0)) >>> 0)) >>> 0, 31);
      const left = block_prefix_5[previous];
      const left_2 = block_prefix_6[previous];
      const both = Math.min(left, total);
      const both_2 = Math.max(left_2, total_2);
      min_max_f32_so_far = (rest !== 0) ? both : total;
      block_total_5[size] = total;
      block_prefix_5[size] = min_max_f32_so_far;
      min_max_f32_so_far_2 = (rest !== 0) ? both_2 : total_2;
      block_total_6[size] = total_2;
      block_prefix_6[size] = min_max_f32_so_far_2;
      let total_3 = x_i;
      let total_4 = i;
      const size_2 = Math.min((31 - Math.clz32(((~i >>> 0) & ((i + 1) >>> 0)) >>> 0)) >>> 0, 31);
      for (let k_2 = 0; k_2 < size_2; k_2 += 1) {
        const left_3 = block_total[k_2];
        const left_4 = block_total_2[k_2];
        const part = left_3 !== left_3;
        const part_2 = total_3 !== total_3;
        const part_3 = (total_3 > left_3) || (part_2 && (!part));
        const part_4 = (total_3 === left_3) || (part_2 && part);
        const part_5 = part_3 || (part_4 && (total_4 < left_4));
        const part_6 = part_5 ? total_3 : left_3;
        const part_7 = part_5 ? total_4 : left_4;
        total_3 = part_6;
        total_4 = part_7;
      }
      const rest_2 = (i & ((i + 1) >>> 0)) >>> 0;
      const previous_2 = Math.min((31 - Math.clz32((rest_2 & ((0 - rest_2) >>> 0)) >>> 0)) >>> 0, 31);
      const left_3 = block_prefix[previous_2];
      const left_4 = block_prefix_2[previous_2];
      const part = left_3 !== left_3;
      const part_2 = total_3 !== total_3;
      const part_3 = (total_3 > left_3) || (part_2 && (!part));
      const part_4 = (total_3 === left_3) || (part_2 && part);
      const part_5 = part_3 || (part_4 && (total_4 < left_4));
      const part_6 = part_5 ? total_3 : left_3;
      const part_7 = part_5 ? total_4 : left_4;
      argmax_f32_so_far = (rest_2 !== 0) ? part_6 : total_3;
      block_total[size_2] = total_3;
      block_prefix[size_2] = argmax_f32_so_far;
      argmax_f32_so_far_2 = (rest_2 !== 0) ? part_7 : total_4;
      block_total_2[size_2] = total_4;
      block_prefix_2[size_2] = argmax_f32_so_far_2;
      const inclusive = argmax_f32_so_far;
      const inclusive_2 = argmax_f32_so_far_2;
      const k_i = k[i];
      let total_5 = k_i;
      let total_6 = i;
      const size_3 = Math.min((31 - Math.clz32(((~i >>> 0) & ((i + 1) >>> 0)) >>> 0)) >>> 0, 31);
      for (let k_2 = 0; k_2 < size_3; k_2 += 1) {
        const left_5 = block_total_3[k_2];
        const left_6 = block_total_4[k_2];
        const part_8 = (total_5 === left_5) && (total_6 < left_6);
        const part_9 = (total_5 < left_5) || part_8;
        const part_10 = part_9 ? total_5 : left_5;
        const part_11 = part_9 ? total_6 : left_6;
        total_5 = part_10;
        total_6 = part_11;
      }
      const rest_3 = (i & ((i + 1) >>> 0)) >>> 0;
      const previous_3 = Math.min((31 - Math.clz32((rest_3 & ((0 - rest_3) >>> 0)) >>> 0)) >>> 0, 31);
      const left_5 = block_prefix_3[previous_3];
      const left_6 = block_prefix_4[previous_3];
      const part_8 = (total_5 === left_5) && (total_6 < left_6);
      const part_9 = (total_5 < left_5) || part_8;
      const part_10 = part_9 ? total_5 : left_5;
      const part_11 = part_9 ? total_6 : left_6;
      argmin_i32_so_far = (rest_3 !== 0) ? part_10 : total_5;
      block_total_3[size_3] = total_5;
      block_prefix_3[size_3] = argmin_i32_so_far;
      argmin_i32_so_far_2 = (rest_3 !== 0) ? part_11 : total_6;
      block_total_4[size_3] = total_6;
      block_prefix_4[size_3] = argmin_i32_so_far_2;
      highest_value[i] = inclusive;
      highest_index[i] = inclusive_2;
    }
    ends_min[(start / 64) >>> 0] = min_max_f32_so_far;
    ends_max[(start / 64) >>> 0] = min_max_f32_so_far_2;
  }
  // pass 2 over the items
  lowest_value[0] = argmin_i32_so_far;
  lowest_index[0] = argmin_i32_so_far_2;
}

/**
 * Runs the pipeline.
 * @param values an array for each input, a value for each parameter
 * @param options n: the number of items; default: the length of the inputs
 * @throws TypeError, RangeError for wrong types, lengths or numbers of items
 */
export default function extremesPipeline(values, options = {}) {
  const n = options.n ?? values.x?.length;
  if (!Number.isSafeInteger(n) || n < 0 || n > 4294967295) throw new RangeError("n is not a number of items");
  const x = requireArray(values, "x", Float32Array, n);
  const k = requireArray(values, "k", Int32Array, n);
  const highest_value = new Float32Array(n);
  const highest_index = new Uint32Array(n);
  const lowest_value = new Int32Array(1);
  const lowest_index = new Uint32Array(1);
  const ends_min = new Float32Array(Math.ceil(n / 64));
  const ends_max = new Float32Array(Math.ceil(n / 64));
  kernel(n, x, k, highest_value, highest_index, lowest_value, lowest_index, ends_min, ends_max);
  return { highest_value, highest_index, lowest_value, lowest_index, ends_min, ends_max };
}

function requireArray(values, name, type, length) {
  const array = values[name];
  if (!(array instanceof type)) throw new TypeError(`${name} must be a ${type.name}`);
  if (array.length !== length) throw new RangeError(`${name} has ${array.length} elements, not ${length}`);
  return array;
}
