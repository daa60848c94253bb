// prefix-sum: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js

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
  for (let i = 0; i < n; i += 1) {
    const x_i = x[i];
    let total = x_i;
    const size = Math.min((31 - Math.clz32(((~i >>> 0) & ((i + 1) >>> 0)) >>> 0)) >>> 0, 31);
    for (let k = 0; k < size; k += 1) {
      total = Math.fround(block_total[k] + total);
    }
    const rest = (i & ((i + 1) >>> 0)) >>> 0;
    const previous = Math.min((31 - Math.clz32((rest & ((0 - rest) >>> 0)) >>> 0)) >>> 0, 31);
    add_so_far = (rest !== 0) ? Math.fround(block_prefix[previous] + total) : total;
    block_total[size] = total;
    block_prefix[size] = add_so_far;
    const inclusive = add_so_far;
    sum[i] = inclusive;
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
