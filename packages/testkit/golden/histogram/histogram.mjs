// histogram: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js

// a % b with the sign of a; a % 0 is 0.
function rem_u32(a, b) {
  const divisor = (b === 0) ? 1 : b;
  return a % divisor;
}

/**
 * The loops only: the caller provides every array, and none is checked.
 * @param x input, Uint32Array of n
 * @param counts output, Uint32Array of bins, all zero before the call
 * @param least output, Uint32Array of bins, all zero before the call
 * @param status status, Uint32Array of 1, all zero before the call
 */
export function kernel(n, bins, x, counts, least, status) {
  for (let slot = 0; slot < bins; slot += 1) {
    least[slot] = 4294967295;
  }
  // pass 1 over the items
  for (let i = 0; i < n; i += 1) {
    const x_i = x[i];
    const v4 = rem_u32(x_i, bins);
    const counts_slot = v4;
    if (counts_slot < bins) {
      counts[counts_slot] += 1;
    } else {
      status[0] |= 1;
    }
    const least_slot = v4;
    if (least_slot < bins) {
      least[least_slot] = Math.min(least[least_slot], x_i);
    } else {
      status[0] |= 2;
    }
  }
}

/**
 * Runs the pipeline.
 * @param values an array for each input, a value for each parameter
 * @param options n: the number of items; default: the length of the inputs
 * @throws TypeError, RangeError for wrong types, lengths or numbers of items
 */
export default function histogramPipeline(values, options = {}) {
  const n = options.n ?? values.x?.length;
  if (!Number.isSafeInteger(n) || n < 0 || n > 4294967295) throw new RangeError("n is not a number of items");
  const x = requireArray(values, "x", Uint32Array, n);
  const bins = requireNumber(values, "bins", "number", (x) => x >>> 0);
  requireSizes("counts", bins, 2147483648);
  requireSizes("least", bins, 2147483648);
  const counts = new Uint32Array(bins);
  const least = new Uint32Array(bins);
  const status = new Uint32Array(1);
  kernel(n, bins, x, counts, least, status);
  if (status[0] & 1) throw new RangeError("a scatter wrote outside counts");
  if (status[0] & 2) throw new RangeError("a scatter wrote outside least");
  return { counts, least };
}

function requireArray(values, name, type, length) {
  const array = values[name];
  if (!(array instanceof type)) throw new TypeError(`${name} must be a ${type.name}`);
  if (array.length !== length) throw new RangeError(`${name} has ${array.length} elements, not ${length}`);
  return array;
}
// Kernels compute sizes in 32 bits, so larger values are errors. The last argument is the limit.
function requireSizes(name, ...sizes) {
  const most = sizes.pop();
  const isSize = (x) => x >= 0 && x < 2 ** 32;
  if (sizes.every(isSize) && sizes.at(-1) <= most) return;
  throw new RangeError(`${name} cannot have a capacity of ${sizes.join(", ")}`);
}
function requireNumber(values, name, type, convert) {
  const value = values[name];
  if (typeof value !== type) throw new TypeError(`${name} must be a ${type}`);
  return convert(value);
}
