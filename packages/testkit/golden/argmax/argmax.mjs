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
  let argmax_so_far_value = -Infinity;
  let argmax_so_far_index = 0xffffffff;
  const block_total_value = new Float32Array(32);
  const block_total_index = new Uint32Array(32);
  const block_prefix_value = new Float32Array(32);
  const block_prefix_index = new Uint32Array(32);
  // pass 1 over the items
  let argmax_of_group_value = -Infinity;
  let argmax_of_group_index = 0xffffffff;
  const block_total_value_2 = new Float32Array(32);
  const block_total_index_2 = new Uint32Array(32);
  const block_prefix_value_2 = new Float32Array(32);
  const block_prefix_index_2 = new Uint32Array(32);
  for (let start = 0; start < n; start += 64) {
    const count = Math.min(64, (n - start) >>> 0);
    argmax_of_group_value = -Infinity;
    argmax_of_group_index = 0xffffffff;
    for (let place = 0; place < count; place += 1) {
      const i = (start + place) >>> 0;
      const x_i = x[i];
      let total_value = x_i;
      let total_index = i;
      let start_value = argmax_so_far_value;
      let start_index = argmax_so_far_index;
      let size = 0;
      let bits = i;
      while ((bits & 1) !== 0) {
        const left = block_total_value[size & 31];
        const is_above = total_value > left;
        const both_index = is_above ? total_index : block_total_index[size & 31];
        total_value = is_above ? total_value : left;
        total_index = both_index;
        start_value = block_prefix_value[size & 31];
        start_index = block_prefix_index[size & 31];
        size = (size + 1) >>> 0;
        bits = bits >>> 1;
      }
      const is_above = total_value > start_value;
      const both_value = is_above ? total_value : start_value;
      const rest = (i & ((i + 1) >>> 0)) >>> 0;
      argmax_so_far_value = (rest !== 0) ? both_value : total_value;
      block_total_value[size & 31] = total_value;
      block_prefix_value[size & 31] = start_value;
      argmax_so_far_index = (rest !== 0) ? (is_above ? total_index : start_index) : total_index;
      block_total_index[size & 31] = total_index;
      block_prefix_index[size & 31] = start_index;
      let total_value_2 = x_i;
      let total_index_2 = i;
      let start_value_2 = argmax_of_group_value;
      let start_index_2 = argmax_of_group_index;
      let size_2 = 0;
      let bits_2 = place;
      while ((bits_2 & 1) !== 0) {
        const left = block_total_value_2[size_2 & 31];
        const is_above_2 = total_value_2 > left;
        const both_index_2 = is_above_2 ? total_index_2 : block_total_index_2[size_2 & 31];
        total_value_2 = is_above_2 ? total_value_2 : left;
        total_index_2 = both_index_2;
        start_value_2 = block_prefix_value_2[size_2 & 31];
        start_index_2 = block_prefix_index_2[size_2 & 31];
        size_2 = (size_2 + 1) >>> 0;
        bits_2 = bits_2 >>> 1;
      }
      const is_above_2 = total_value_2 > start_value_2;
      const both_value_2 = is_above_2 ? total_value_2 : start_value_2;
      const both_index_2 = is_above_2 ? total_index_2 : start_index_2;
      const rest_2 = place & (place + 1);
      argmax_of_group_value = (rest_2 !== 0) ? both_value_2 : total_value_2;
      block_total_value_2[size_2 & 31] = total_value_2;
      block_prefix_value_2[size_2 & 31] = start_value_2;
      argmax_of_group_index = (rest_2 !== 0) ? both_index_2 : total_index_2;
      block_total_index_2[size_2 & 31] = total_index_2;
      block_prefix_index_2[size_2 & 31] = start_index_2;
    }
    inGroup_value[(start / 64) >>> 0] = argmax_of_group_value;
    inGroup_index[(start / 64) >>> 0] = argmax_of_group_index;
  }
  // pass 2 over the items
  best_value[0] = argmax_so_far_value;
  best_index[0] = argmax_so_far_index;
}

/**
 * Runs the pipeline.
 * @param values an array for each input, a value for each parameter
 * @param options n: the number of items; default: the length of the inputs
 * @throws TypeError, RangeError for wrong types, lengths or numbers of items
 */
export default function argmaxPipeline(values = {}, options = {}) {
  const n = options.n ?? values.x?.length;
  if (!Number.isSafeInteger(n) || n < 0 || n > 4294967295) throw new RangeError("n, by default the length of x, is not a number of items");
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
  if (!(array instanceof type)) throw new TypeError(`${name} must have the type ${type.name}`);
  if (array.length !== length) throw new RangeError(`${name} has ${array.length} elements, not ${length}`);
  return array;
}
