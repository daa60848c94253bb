// argmax: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js

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
  let argmax_so_far_2 = 4294967295;
  const block_total = new Float32Array(32);
  const block_total_2 = new Uint32Array(32);
  const block_prefix = new Float32Array(32);
  const block_prefix_2 = new Uint32Array(32);
  // pass 1 over the items
  let argmax_so_far_3 = -Infinity;
  let argmax_so_far_4 = 4294967295;
  const block_total_3 = new Float32Array(32);
  const block_total_4 = new Uint32Array(32);
  const block_prefix_3 = new Float32Array(32);
  const block_prefix_4 = new Uint32Array(32);
  for (let start = 0; start < n; start += 64) {
    const count = Math.min(64, (n - start) >>> 0);
    argmax_so_far_3 = -Infinity;
    argmax_so_far_4 = 4294967295;
    for (let place = 0; place < count; place += 1) {
      const i = (start + place) >>> 0;
      const x_i = x[i];
      let total = x_i;
      let total_2 = i;
      const size = Math.min((31 - Math.clz32(((~i >>> 0) & ((i + 1) >>> 0)) >>> 0)) >>> 0, 31);
      for (let k = 0; k < size; k += 1) {
        const left = block_total[k];
        const part = total > left;
        total = part ? total : left;
        total_2 = part ? total_2 : block_total_2[k];
      }
      const rest = (i & ((i + 1) >>> 0)) >>> 0;
      const previous = Math.min((31 - Math.clz32((rest & ((0 - rest) >>> 0)) >>> 0)) >>> 0, 31);
      const left = block_prefix[previous];
      const part = total > left;
      const part_2 = part ? total : left;
      const part_3 = part ? total_2 : block_prefix_2[previous];
      argmax_so_far = (rest !== 0) ? part_2 : total;
      block_total[size] = total;
      block_prefix[size] = argmax_so_far;
      argmax_so_far_2 = (rest !== 0) ? part_3 : total_2;
      block_total_2[size] = total_2;
      block_prefix_2[size] = argmax_so_far_2;
      let total_3 = x_i;
      let total_4 = i;
      const size_2 = Math.min((31 - Math.clz32(((~place >>> 0) & ((place + 1) >>> 0)) >>> 0)) >>> 0, 31);
      for (let k = 0; k < size_2; k += 1) {
        const left_3 = block_total_3[k];
        const part_4 = total_3 > left_3;
        total_3 = part_4 ? total_3 : left_3;
        total_4 = part_4 ? total_4 : block_total_4[k];
      }
      const rest_2 = (place & ((place + 1) >>> 0)) >>> 0;
      const previous_2 = Math.min((31 - Math.clz32((rest_2 & ((0 - rest_2) >>> 0)) >>> 0)) >>> 0, 31);
      const left_3 = block_prefix_3[previous_2];
      const part_4 = total_3 > left_3;
      const part_5 = part_4 ? total_3 : left_3;
      const part_6 = part_4 ? total_4 : block_prefix_4[previous_2];
      argmax_so_far_3 = (rest_2 !== 0) ? part_5 : total_3;
      block_total_3[size_2] = total_3;
      block_prefix_3[size_2] = argmax_so_far_3;
      argmax_so_far_4 = (rest_2 !== 0) ? part_6 : total_4;
      block_total_4[size_2] = total_4;
      block_prefix_4[size_2] = argmax_so_far_4;
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
