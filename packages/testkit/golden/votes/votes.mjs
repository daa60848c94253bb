// votes: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js

/**
 * The loops only: the caller provides every array, and none is checked.
 * @param x input, Int32Array of n
 * @param all output, Uint8Array of ceil(n / 64)
 * @param any output, Uint8Array of ceil(n / 64)
 * @param anywhere output, Uint8Array of 1
 * @param everywhere output, Uint8Array of 1
 * @param share output, Int32Array of ceil(n / 64)
 * @param outvoted output, Uint8Array of n
 */
export function kernel(n, x, all, any, anywhere, everywhere, share, outvoted) {
  let logical_or_so_far = false;
  let logical_and_so_far = true;
  let logical_and_so_far_2 = true;
  // pass 1 over the items
  let logical_and_so_far_3 = true;
  let logical_or_so_far_2 = false;
  let add_so_far = 0;
  for (let start = 0; start < n; start += 64) {
    const count = Math.min(64, (n - start) >>> 0);
    logical_and_so_far_3 = true;
    logical_or_so_far_2 = false;
    add_so_far = 0;
    for (let place = 0; place < count; place += 1) {
      const i = (start + place) >>> 0;
      const x_i = x[i];
      const value = x_i !== 0;
      logical_and_so_far = logical_and_so_far && value;
      const v2 = x_i > 0;
      logical_or_so_far = logical_or_so_far || v2;
      logical_and_so_far_2 = logical_and_so_far_2 && v2;
      logical_and_so_far_3 = logical_and_so_far_3 && v2;
      logical_or_so_far_2 = logical_or_so_far_2 || v2;
      const v7 = v2 ? x_i : 0;
      add_so_far = (add_so_far + v7) | 0;
    }
    all[(start / 64) >>> 0] = logical_and_so_far_3 ? 1 : 0;
    any[(start / 64) >>> 0] = logical_or_so_far_2 ? 1 : 0;
    share[(start / 64) >>> 0] = add_so_far;
  }
  // pass 2 over the items
  for (let i = 0; i < n; i += 1) {
    const x_i = x[i];
    const v2 = x_i > 0;
    outvoted[i] = v2 !== logical_and_so_far_2 ? 1 : 0;
  }
  anywhere[0] = logical_or_so_far ? 1 : 0;
  everywhere[0] = logical_and_so_far ? 1 : 0;
}

/**
 * Runs the pipeline.
 * @param values an array for each input, a value for each parameter
 * @param options n: the number of items; default: the length of the inputs
 * @throws TypeError, RangeError for wrong types, lengths or numbers of items
 */
export default function votesPipeline(values, options = {}) {
  const n = options.n ?? values.x?.length;
  if (!Number.isSafeInteger(n) || n < 0 || n > 4294967295) throw new RangeError("n is not a number of items");
  const x = requireArray(values, "x", Int32Array, n);
  const all = new Uint8Array(Math.ceil(n / 64));
  const any = new Uint8Array(Math.ceil(n / 64));
  const anywhere = new Uint8Array(1);
  const everywhere = new Uint8Array(1);
  const share = new Int32Array(Math.ceil(n / 64));
  const outvoted = new Uint8Array(n);
  kernel(n, x, all, any, anywhere, everywhere, share, outvoted);
  return { all, any, anywhere, everywhere, share, outvoted };
}

function requireArray(values, name, type, length) {
  const array = values[name];
  if (!(array instanceof type)) throw new TypeError(`${name} must be a ${type.name}`);
  if (array.length !== length) throw new RangeError(`${name} has ${array.length} elements, not ${length}`);
  return array;
}
