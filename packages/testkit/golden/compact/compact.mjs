// compact: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js

/**
 * The loops only: the caller provides every array, and none is checked.
 * @param x input, Float32Array of n
 * @param kept output, Float32Array of n, all zero before the call
 * @param kept_length output, Uint32Array of 1
 * @param status status, Uint32Array of 1, all zero before the call
 */
export function kernel(n, least, x, kept, kept_length, status) {
  let kept_end = 0;
  let add_so_far = 0;
  // pass 1 over the items
  for (let i = 0; i < n; i += 1) {
    const x_i = x[i];
    const v2 = x_i >= least;
    const v3 = v2 ? 1 : 0;
    const exclusive = add_so_far;
    add_so_far = (add_so_far + v3) >>> 0;
    const kept_slot = exclusive;
    if (v2) {
      if (kept_slot < n) {
        kept_end = Math.max(kept_end, (kept_slot + 1) >>> 0);
        kept[kept_slot] = x_i;
      } else {
        status[0] |= 1;
      }
    }
  }
  kept_length[0] = add_so_far;
  if (add_so_far < kept_end) {
    status[0] |= 1;
  }
}

/**
 * Runs the pipeline.
 * @param values an array for each input, a value for each parameter
 * @param options n: the number of items; default: the length of the inputs
 * @throws TypeError, RangeError for wrong types, lengths or numbers of items
 */
export default function compactPipeline(values, options = {}) {
  const n = options.n ?? values.x?.length;
  if (!Number.isSafeInteger(n) || n < 0 || n > 4294967295) throw new RangeError("n is not a number of items");
  const x = requireArray(values, "x", Float32Array, n);
  const least = requireNumber(values, "least", "number", (x) => Math.fround(x));
  const kept = new Float32Array(n);
  const kept_length = new Uint32Array(1);
  const status = new Uint32Array(1);
  kernel(n, least, x, kept, kept_length, status);
  if (status[0] & 1) throw new RangeError("a scatter wrote outside kept");
  return { kept: kept.slice(0, kept_length[0]) };
}

function requireArray(values, name, type, length) {
  const array = values[name];
  if (!(array instanceof type)) throw new TypeError(`${name} must be a ${type.name}`);
  if (array.length !== length) throw new RangeError(`${name} has ${array.length} elements, not ${length}`);
  return array;
}
function requireNumber(values, name, type, convert) {
  const value = values[name];
  if (typeof value !== type) throw new TypeError(`${name} must be a ${type}`);
  return convert(value);
}
