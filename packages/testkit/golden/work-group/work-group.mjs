// work-group: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js
// Inputs: u32 x[n]
// Outputs: u32 before[n], u32 total[ceil(n / 100)]
// Strategy: one-thread

/**
 * The loops only: the caller provides every array, and none is checked.
 * @param x input, Uint32Array of n
 * @param before output, Uint32Array of n
 * @param total output, Uint32Array of ceil(n / 100)
 */
export function kernel(n, x, before, total) {
  // pass 1 over the items
  let add_of_group = 0;
  for (let start = 0; start < n; start += 100) {
    const count = Math.min(100, (n - start) >>> 0);
    add_of_group = 0;
    for (let place = 0; place < count; place += 1) {
      const i = (start + place) >>> 0;
      const x_i = x[i];
      before[i] = add_of_group;
      add_of_group = (add_of_group + x_i) >>> 0;
    }
    total[(start / 100) >>> 0] = add_of_group;
  }
  // pass 2 over the items
}

/**
 * Runs the pipeline.
 * @param values an array for each input, a value for each parameter
 * @param options n: the number of items; default: the length of the inputs
 * @throws TypeError, RangeError for wrong types, lengths or numbers of items
 */
export default function workGroupPipeline(values = {}, options = {}) {
  const n = options.n ?? values.x?.length;
  if (!Number.isSafeInteger(n) || n < 0 || n > 4294967295) throw new RangeError("n, by default the length of x, is not a number of items");
  const x = requireArray(values, "x", Uint32Array, n);
  const before = new Uint32Array(n);
  const total = new Uint32Array(Math.ceil(n / 100));
  kernel(n, x, before, total);
  return { before, total };
}

function requireArray(values, name, type, length) {
  const array = values[name];
  if (!(array instanceof type)) throw new TypeError(`${name} must have the type ${type.name}`);
  if (array.length !== length) throw new RangeError(`${name} has ${array.length} elements, not ${length}`);
  return array;
}
