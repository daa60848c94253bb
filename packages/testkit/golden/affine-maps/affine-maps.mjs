// affine-maps: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js

/**
 * The loops only: the caller provides every array, and none is checked.
 * @param a input, Uint32Array of n
 * @param b input, Uint32Array of n
 * @param scan_a output, Uint32Array of n
 * @param scan_b output, Uint32Array of n
 * @param before output, Uint32Array of n
 * @param total_a output, Uint32Array of 1
 * @param total_b output, Uint32Array of 1
 * @param inGroup output, Uint32Array of n
 */
export function kernel(n, a, b, scan_a, scan_b, before, total_a, total_b, inGroup) {
  let affine_so_far = 1;
  let affine_so_far_2 = 0;
  const block_total = new Uint32Array(32);
  const block_total_2 = new Uint32Array(32);
  const block_prefix = new Uint32Array(32);
  const block_prefix_2 = new Uint32Array(32);
  // pass 1 over the items
  let affine_so_far_4 = 0;
  const block_total_3 = new Uint32Array(32);
  const block_total_4 = new Uint32Array(32);
  const block_prefix_4 = new Uint32Array(32);
  for (let start = 0; start < n; start += 100) {
    const count = Math.min(100, (n - start) >>> 0);
    affine_so_far_4 = 0;
    for (let place = 0; place < count; place += 1) {
      const i = (start + place) >>> 0;
      const a_i = a[i];
      const b_i = b[i];
      const exclusive = affine_so_far_2;
      let total = a_i;
      let total_2 = b_i;
      const size = Math.min((31 - Math.clz32(((~i >>> 0) & ((i + 1) >>> 0)) >>> 0)) >>> 0, 31);
      for (let k = 0; k < size; k += 1) {
        const left = block_total[k];
        const left_2 = block_total_2[k];
        const both = Math.imul(left, total) >>> 0;
        const both_2 = ((Math.imul(left_2, total) >>> 0) + total_2) >>> 0;
        total = both;
        total_2 = both_2;
      }
      const rest = (i & ((i + 1) >>> 0)) >>> 0;
      const previous = Math.min((31 - Math.clz32((rest & ((0 - rest) >>> 0)) >>> 0)) >>> 0, 31);
      const left = block_prefix[previous];
      const left_2 = block_prefix_2[previous];
      const both = Math.imul(left, total) >>> 0;
      const both_2 = ((Math.imul(left_2, total) >>> 0) + total_2) >>> 0;
      affine_so_far = (rest !== 0) ? both : total;
      block_total[size] = total;
      block_prefix[size] = affine_so_far;
      affine_so_far_2 = (rest !== 0) ? both_2 : total_2;
      block_total_2[size] = total_2;
      block_prefix_2[size] = affine_so_far_2;
      const inclusive = affine_so_far;
      const inclusive_2 = affine_so_far_2;
      const exclusive_2 = affine_so_far_4;
      let total_3 = a_i;
      let total_4 = b_i;
      const size_2 = Math.min((31 - Math.clz32(((~place >>> 0) & ((place + 1) >>> 0)) >>> 0)) >>> 0, 31);
      for (let k = 0; k < size_2; k += 1) {
        const left_3 = block_total_3[k];
        const left_4 = block_total_4[k];
        const both_3 = Math.imul(left_3, total_3) >>> 0;
        const both_4 = ((Math.imul(left_4, total_3) >>> 0) + total_4) >>> 0;
        total_3 = both_3;
        total_4 = both_4;
      }
      const rest_2 = (place & ((place + 1) >>> 0)) >>> 0;
      const previous_2 = Math.min((31 - Math.clz32((rest_2 & ((0 - rest_2) >>> 0)) >>> 0)) >>> 0, 31);
      const left_4 = block_prefix_4[previous_2];
      const both_4 = ((Math.imul(left_4, total_3) >>> 0) + total_4) >>> 0;
      block_total_3[size_2] = total_3;
      affine_so_far_4 = (rest_2 !== 0) ? both_4 : total_4;
      block_total_4[size_2] = total_4;
      block_prefix_4[size_2] = affine_so_far_4;
      scan_a[i] = inclusive;
      scan_b[i] = inclusive_2;
      before[i] = exclusive;
      inGroup[i] = exclusive_2;
    }
  }
  total_a[0] = affine_so_far;
  total_b[0] = affine_so_far_2;
}

/**
 * Runs the pipeline.
 * @param values an array for each input, a value for each parameter
 * @param options n: the number of items; default: the length of the inputs
 * @throws TypeError, RangeError for wrong types, lengths or numbers of items
 */
export default function affineMapsPipeline(values, options = {}) {
  const n = options.n ?? values.a?.length;
  if (!Number.isSafeInteger(n) || n < 0 || n > 4294967295) throw new RangeError("n is not a number of items");
  const a = requireArray(values, "a", Uint32Array, n);
  const b = requireArray(values, "b", Uint32Array, n);
  const scan_a = new Uint32Array(n);
  const scan_b = new Uint32Array(n);
  const before = new Uint32Array(n);
  const total_a = new Uint32Array(1);
  const total_b = new Uint32Array(1);
  const inGroup = new Uint32Array(n);
  kernel(n, a, b, scan_a, scan_b, before, total_a, total_b, inGroup);
  return { scan_a, scan_b, before, total_a, total_b, inGroup };
}

function requireArray(values, name, type, length) {
  const array = values[name];
  if (!(array instanceof type)) throw new TypeError(`${name} must be a ${type.name}`);
  if (array.length !== length) throw new RangeError(`${name} has ${array.length} elements, not ${length}`);
  return array;
}
