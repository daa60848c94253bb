// argmax: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js
// Inputs: f32 x[n]
// Outputs: f32 best_value[1], u32 best_index[1], f32 inGroup_value[ceil(n / 64)], u32 inGroup_index[ceil(n / 64)]
// Strategy: one-thread

/**
 * The loops only: the caller provides every array, and none is checked.
 * @param x input, Float32Array of n
 * @param best_value output, Float32Array of 1
 * @param best_index output, Uint32Array of 1
 * @param inGroup_value output, Float32Array of ceil(n / 64)
 * @param inGroup_index output, Uint32Array of ceil(n / 64)
 */
export function kernel(n, x, best_value, best_index, inGroup_value, inGroup_index) {
  let argmax_so_far = -Infinity;
  let argmax_so_far_2 = 0xffffffff;
  const block_total = new Float32Array(32);
  const block_total_2 = new Uint32Array(32);
  const block_prefix = new Float32Array(32);
  const block_prefix_2 = new Uint32Array(32);
  // pass 1 over the items
  let argmax_so_far_3 = -Infinity;
  let argmax_so_far_4 = 0xffffffff;
  const block_total_3 = new Float32Array(32);
  const block_total_4 = new Uint32Array(32);
  const block_prefix_3 = new Float32Array(32);
  const block_prefix_4 = new Uint32Array(32);
  for (let start = 0; start < n; start += 64) {
    const count = Math.min(64, (n - start) >>> 0);
    argmax_so_far_3 = -Infinity;
    argmax_so_far_4 = 0xffffffff;
    for (let place = 0; place < count; place += 1) {
      const i = (start + place) >>> 0;
      const x_i = x[i];
      let total = x_i;
      let total_2 = i;
      let start_2 = argmax_so_far;
      let start_3 = argmax_so_far_2;
      let size = 0;
      let bits = i;
      while ((bits & 1) !== 0) {
        const left = block_total[size & 31];
        const part = total > left;
        const part_3 = part ? total_2 : block_total_2[size & 31];
        total = part ? total : left;
        total_2 = part_3;
        start_2 = block_prefix[size & 31];
        start_3 = block_prefix_2[size & 31];
        size = (size + 1) >>> 0;
        bits = bits >>> 1;
      }
      const part = total > start_2;
      const part_2 = part ? total : start_2;
      const rest = (i & ((i + 1) >>> 0)) >>> 0;
      argmax_so_far = (rest !== 0) ? part_2 : total;
      block_total[size & 31] = total;
      block_prefix[size & 31] = start_2;
      argmax_so_far_2 = (rest !== 0) ? (part ? total_2 : start_3) : total_2;
      block_total_2[size & 31] = total_2;
      block_prefix_2[size & 31] = start_3;
      let total_3 = x_i;
      let total_4 = i;
      let start_4 = argmax_so_far_3;
      let start_5 = argmax_so_far_4;
      let size_2 = 0;
      let bits_2 = place;
      while ((bits_2 & 1) !== 0) {
        const left = block_total_3[size_2 & 31];
        const part_4 = total_3 > left;
        const part_6 = part_4 ? total_4 : block_total_4[size_2 & 31];
        total_3 = part_4 ? total_3 : left;
        total_4 = part_6;
        start_4 = block_prefix_3[size_2 & 31];
        start_5 = block_prefix_4[size_2 & 31];
        size_2 = (size_2 + 1) >>> 0;
        bits_2 = bits_2 >>> 1;
      }
      const part_4 = total_3 > start_4;
      const part_5 = part_4 ? total_3 : start_4;
      const rest_2 = place & (place + 1);
      argmax_so_far_3 = (rest_2 !== 0) ? part_5 : total_3;
      block_total_3[size_2 & 31] = total_3;
      block_prefix_3[size_2 & 31] = start_4;
      argmax_so_far_4 = (rest_2 !== 0) ? (part_4 ? total_4 : start_5) : total_4;
      block_total_4[size_2 & 31] = total_4;
      block_prefix_4[size_2 & 31] = start_5;
    }
    inGroup_value[(start / 64) >>> 0] = argmax_so_far_3;
    inGroup_index[(start / 64) >>> 0] = argmax_so_far_4;
  }
  // pass 2 over the items
  best_value[0] = argmax_so_far;
  best_index[0] = argmax_so_far_2;
}

/**
 * Runs the pipeline.
 * @param values an array for each input, a value for each parameter
 * @param options n: the number of items; default: the length of the inputs
 * @throws TypeError, RangeError for wrong types, lengths or numbers of items
 */
export default function argmaxPipeline(values, options = {}) {
  const n = options.n ?? values.x?.length;
  if (!Number.isSafeInteger(n) || n < 0 || n > 4294967295) throw new RangeError("n is not a number of items");
  const x = requireArray(values, "x", Float32Array, n);
  const best_value = new Float32Array(1);
  const best_index = new Uint32Array(1);
  const inGroup_value = new Float32Array(Math.ceil(n / 64));
  const inGroup_index = new Uint32Array(Math.ceil(n / 64));
  kernel(n, x, best_value, best_index, inGroup_value, inGroup_index);
  return { best_value, best_index, inGroup_value, inGroup_index };
}

function requireArray(values, name, type, length) {
  const array = values[name];
  if (!(array instanceof type)) throw new TypeError(`${name} must be a ${type.name}`);
  if (array.length !== length) throw new RangeError(`${name} has ${array.length} elements, not ${length}`);
  return array;
}
