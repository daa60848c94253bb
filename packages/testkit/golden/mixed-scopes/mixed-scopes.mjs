// mixed-scopes: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js

/**
 * The loops only: the caller provides every array, and none is checked.
 * @param x input, Int32Array of n
 * @param within output, Int32Array of n
 * @param top output, Int32Array of ceil(n / 64)
 * @param joined output, Int32Array of n
 * @param against output, Int32Array of n
 * @param tops output, Int32Array of 1
 */
export function kernel(n, x, within, top, joined, against, tops) {
  let xor_so_far = 0;
  // pass 1 over the items
  let add_so_far = 0;
  let max_so_far = -2147483648;
  for (let start = 0; start < n; start += 64) {
    const count = Math.min(64, (n - start) >>> 0);
    add_so_far = 0;
    max_so_far = -2147483648;
    for (let place = 0; place < count; place += 1) {
      const i = (start + place) >>> 0;
      const x_i = x[i];
      xor_so_far = xor_so_far ^ x_i;
      add_so_far = (add_so_far + x_i) | 0;
      const inclusive = add_so_far;
      max_so_far = Math.max(max_so_far, inclusive);
      within[i] = inclusive;
    }
    top[(start / 64) >>> 0] = max_so_far;
  }
  let add_so_far_2 = 0;
  let max_so_far_2 = -2147483648;
  // pass 2 over the items
  let max_so_far_3 = -2147483648;
  for (let start = 0; start < n; start += 64) {
    const count = Math.min(64, (n - start) >>> 0);
    max_so_far_3 = -2147483648;
    for (let place = 0; place < count; place += 1) {
      const i = (start + place) >>> 0;
      const top_i = top[(i / 64) >>> 0];
      const exclusive = add_so_far_2;
      add_so_far_2 = (add_so_far_2 + top_i) | 0;
      max_so_far_2 = Math.max(max_so_far_2, top_i);
      const within_i = within[i];
      const value = (within_i - xor_so_far) | 0;
      const exclusive_2 = max_so_far_3;
      max_so_far_3 = Math.max(max_so_far_3, value);
      joined[i] = (within_i + exclusive) | 0;
      against[i] = exclusive_2;
      if ((i % 64) === 0) {
        top[(i / 64) >>> 0] = top_i;
      }
    }
  }
  tops[0] = max_so_far_2;
}

/**
 * Runs the pipeline.
 * @param values an array for each input, a value for each parameter
 * @param options n: the number of items; default: the length of the inputs
 * @throws TypeError, RangeError for wrong types, lengths or numbers of items
 */
export default function mixedScopesPipeline(values, options = {}) {
  const n = options.n ?? values.x?.length;
  if (!Number.isSafeInteger(n) || n < 0 || n > 4294967295) throw new RangeError("n is not a number of items");
  const x = requireArray(values, "x", Int32Array, n);
  const within = new Int32Array(n);
  const top = new Int32Array(Math.ceil(n / 64));
  const joined = new Int32Array(n);
  const against = new Int32Array(n);
  const tops = new Int32Array(1);
  kernel(n, x, within, top, joined, against, tops);
  return { within, top, joined, against, tops };
}

function requireArray(values, name, type, length) {
  const array = values[name];
  if (!(array instanceof type)) throw new TypeError(`${name} must be a ${type.name}`);
  if (array.length !== length) throw new RangeError(`${name} has ${array.length} elements, not ${length}`);
  return array;
}
