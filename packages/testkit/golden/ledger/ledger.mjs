// ledger: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js

/**
 * The loops only: the caller provides every array, and none is checked.
 * @param x input, Uint32Array of (n * 2), the low and the high word of each element
 * @param balance output, Uint32Array of (n * 2), the low and the high word of each element
 * @param lowest output, Uint32Array of (ceil(n / 64) * 2), the low and the high word of each element
 */
export function kernel(n, x, balance, lowest) {
  // pass 1 over the items
  let add_so_far_lo = 0;
  let add_so_far_hi = 0;
  let min_so_far_lo = 4294967295;
  let min_so_far_hi = 2147483647;
  for (let start = 0; start < n; start += 64) {
    const count = Math.min(64, (n - start) >>> 0);
    add_so_far_lo = 0;
    add_so_far_hi = 0;
    min_so_far_lo = 4294967295;
    min_so_far_hi = 2147483647;
    for (let place = 0; place < count; place += 1) {
      const i = (start + place) >>> 0;
      const x_i_lo = x[(i << 1) >>> 0];
      const x_i_hi = x[(((i << 1) >>> 0) + 1) >>> 0];
      const sum = (add_so_far_lo + x_i_lo) >>> 0;
      const add_so_far_next = (((add_so_far_hi + x_i_hi) >>> 0) + ((sum < add_so_far_lo) ? 1 : 0)) >>> 0;
      add_so_far_lo = sum;
      add_so_far_hi = add_so_far_next;
      const inclusive_lo = add_so_far_lo;
      const inclusive_hi = add_so_far_hi;
      const left = (x_i_hi ^ 2147483648) >>> 0;
      const right = (min_so_far_hi ^ 2147483648) >>> 0;
      const less = (left < right) || ((left === right) && (x_i_lo < min_so_far_lo));
      min_so_far_lo = less ? x_i_lo : min_so_far_lo;
      min_so_far_hi = less ? x_i_hi : min_so_far_hi;
      balance[(i << 1) >>> 0] = inclusive_lo;
      balance[(((i << 1) >>> 0) + 1) >>> 0] = inclusive_hi;
    }
    lowest[(((start / 64) >>> 0) << 1) >>> 0] = min_so_far_lo;
    lowest[(((((start / 64) >>> 0) << 1) >>> 0) + 1) >>> 0] = min_so_far_hi;
  }
  // pass 2 over the items
}

/**
 * Runs the pipeline.
 * @param values an array for each input, a value for each parameter
 * @param options n: the number of items; default: the length of the inputs
 * @throws TypeError, RangeError for wrong types, lengths or numbers of items
 */
export default function ledgerPipeline(values, options = {}) {
  const n = options.n ?? values.x?.length;
  if (!Number.isSafeInteger(n) || n < 0 || n > 2147483648) throw new RangeError("n is not a number of items");
  const x = requireArray(values, "x", BigInt64Array, n);
  const balance = new BigInt64Array(n);
  const lowest = new BigInt64Array(Math.ceil(n / 64));
  kernel(n, wordsOf(x), wordsOf(balance), wordsOf(lowest));
  return { balance, lowest };
}

function requireArray(values, name, type, length) {
  const array = values[name];
  if (!(array instanceof type)) throw new TypeError(`${name} must be a ${type.name}`);
  if (array.length !== length) throw new RangeError(`${name} has ${array.length} elements, not ${length}`);
  return array;
}
// The same bytes as 32-bit words, the low one first.
function wordsOf(array) {
  if (new Uint8Array(Uint32Array.of(1).buffer)[0] !== 1)
    throw new Error("64-bit integers are supported on little-endian machines only");
  return new Uint32Array(array.buffer, array.byteOffset, 2 * array.length);
}
