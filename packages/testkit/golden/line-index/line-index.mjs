// line-index: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js
// Inputs: u32 text[n]
// Outputs: u32 line[n], u32 starts[n], u32 lines[1]
// Strategy: one-thread

/**
 * The loops only: the caller provides every array, and none is checked.
 * @param text input, Uint32Array of n
 * @param line output, Uint32Array of n
 * @param starts output, Uint32Array of n
 * @param lines output, Uint32Array of 1
 */
export function kernel(n, text, line, starts, lines) {
  let add_so_far = 0;
  // pass 1 over the items
  for (let i = 0; i < n; i += 1) {
    const is_equal = text[i] === 10;
    line[i] = add_so_far;
    if (is_equal) { starts[add_so_far] = i + 1; }
    add_so_far = (add_so_far + (is_equal ? 1 : 0)) >>> 0;
  }
  lines[0] = add_so_far;
}

/**
 * Runs the pipeline.
 * @param values an array for each input, a value for each parameter
 * @param options n: the number of items; default: the length of the inputs
 * @throws TypeError, RangeError for wrong types, lengths or numbers of items
 */
export default function lineIndexPipeline(values = {}, options = {}) {
  const n = options.n ?? values.text?.length;
  if (!Number.isSafeInteger(n) || n < 0 || n > 4294967295) throw new RangeError("n, by default the length of text, is not a number of items");
  const text = requireArray(values, "text", Uint32Array, n);
  const line = new Uint32Array(n);
  const starts = new Uint32Array(n);
  const lines = new Uint32Array(1);
  kernel(n, text, line, starts, lines);
  return { line, starts: starts.slice(0, lines[0]), lines };
}

function requireArray(values, name, type, length) {
  const array = values[name];
  if (!(array instanceof type)) throw new TypeError(`${name} must have the type ${type.name}`);
  if (array.length !== length) throw new RangeError(`${name} has ${array.length} elements, not ${length}`);
  return array;
}
