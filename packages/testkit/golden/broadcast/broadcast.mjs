// broadcast: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js

/**
 * The loops only: the caller provides every array, and none is checked.
 * @param x input, Float32Array of n
 * @param first output, Float32Array of n
 * @param chosen output, Float32Array of 1
 * @param ofGroup output, Float32Array of ceil(n / 64)
 * @param last output, Float32Array of n
 * @param broadcast_10 scratch, Float32Array of ceil(n / 64)
 */
export function kernel(n, at, x, first, chosen, ofGroup, last, broadcast_10) {
  // pass 1 over the items
  for (let start = 0; start < n; start += 64) {
    const count = Math.min(64, (n - start) >>> 0);
    const source = (start + Math.min(at, (count - 1) >>> 0)) >>> 0;
    const x_i = x[source];
    ofGroup[(start / 64) >>> 0] = x_i;
    const v7 = Math.min(64, (n - (Math.imul((start / 64) >>> 0, 64) >>> 0)) >>> 0);
    const source_2 = (start + Math.min((v7 - 1) >>> 0, (count - 1) >>> 0)) >>> 0;
    const x_i_2 = x[source_2];
    broadcast_10[(start / 64) >>> 0] = x_i_2;
  }
  let picked = 0;
  if (0 < n) {
    const source = Math.min(0, (n - 1) >>> 0);
    const x_i = x[source];
    picked = x_i;
  }
  let picked_2 = 0;
  if (0 < n) {
    const source = Math.min(at, (n - 1) >>> 0);
    const x_i = x[source];
    picked_2 = x_i;
  }
  // pass 2 over the items
  for (let i = 0; i < n; i += 1) {
    const x_i = x[i];
    first[i] = Math.fround(x_i - picked);
    const v10 = broadcast_10[(i / 64) >>> 0];
    last[i] = v10;
  }
  chosen[0] = picked_2;
}

/**
 * Runs the pipeline.
 * @param values an array for each input, a value for each parameter
 * @param options n: the number of items; default: the length of the inputs
 * @throws TypeError, RangeError for wrong types, lengths or numbers of items
 */
export default function broadcastPipeline(values, options = {}) {
  const n = options.n ?? values.x?.length;
  if (!Number.isSafeInteger(n) || n < 0 || n > 4294967295) throw new RangeError("n is not a number of items");
  const x = requireArray(values, "x", Float32Array, n);
  const at = requireNumber(values, "at", "number", (x) => x >>> 0);
  if (n === 0) throw new RangeError("there is no item to broadcast for chosen");
  const first = new Float32Array(n);
  const chosen = new Float32Array(1);
  const ofGroup = new Float32Array(Math.ceil(n / 64));
  const last = new Float32Array(n);
  const broadcast_10 = new Float32Array(Math.ceil(n / 64));
  kernel(n, at, x, first, chosen, ofGroup, last, broadcast_10);
  return { first, chosen, ofGroup, last };
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
