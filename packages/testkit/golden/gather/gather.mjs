// gather: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js

// a % b with the sign of a; a % 0 is 0.
function rem_u32(a, b) {
  const divisor = (b === 0) ? 1 : b;
  return a % divisor;
}

/**
 * The loops only: the caller provides every array, and none is checked.
 * @param x input, Float32Array of n
 * @param level input, Uint32Array of n
 * @param palette table, Float32Array of length(palette)
 * @param reversed output, Float32Array of n
 * @param step output, Float32Array of n
 * @param colour output, Float32Array of n
 * @param between output, Float32Array of n
 * @param scan_inclusive_3 scratch, Float32Array of n
 */
export function kernel(n, palette_length, x, level, palette, reversed, step, colour, between, scan_inclusive_3) {
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
    scan_inclusive_3[i] = inclusive;
    const at = Math.min((((n - 1) >>> 0) - i) >>> 0, (n - 1) >>> 0);
    const x_i_2 = x[at];
    reversed[i] = x_i_2;
    const at_2 = Math.min((i + 1) >>> 0, (n - 1) >>> 0);
    const x_i_3 = x[at_2];
    step[i] = Math.fround(x_i_3 - x_i);
    const level_i = level[i];
    const palette_at = Math.min(level_i, (Math.max(palette_length, 1) - 1) >>> 0);
    const palette_i = palette[palette_at];
    const colour_i = (palette_length !== 0) ? palette_i : 0;
    colour[i] = colour_i;
  }
  // pass 2 over the items
  for (let i = 0; i < n; i += 1) {
    const level_i = level[i];
    const v3 = scan_inclusive_3[i];
    const at = Math.min(rem_u32(level_i, n), (n - 1) >>> 0);
    const v3_2 = scan_inclusive_3[at];
    between[i] = Math.fround(v3 - v3_2);
  }
}

/**
 * Runs the pipeline.
 * @param values an array for each input, one of any length for each table, a value for each parameter
 * @param options n: the number of items; default: the length of the inputs
 * @throws TypeError, RangeError for wrong types, lengths or numbers of items
 */
export default function gatherPipeline(values, options = {}) {
  const n = options.n ?? values.x?.length;
  if (!Number.isSafeInteger(n) || n < 0 || n > 4294967295) throw new RangeError("n is not a number of items");
  const x = requireArray(values, "x", Float32Array, n);
  const level = requireArray(values, "level", Uint32Array, n);
  const palette = requireTable(values, "palette", Float32Array, 4294967295);
  const palette_length = palette.length;
  const reversed = new Float32Array(n);
  const step = new Float32Array(n);
  const colour = new Float32Array(n);
  const between = new Float32Array(n);
  const scan_inclusive_3 = new Float32Array(n);
  kernel(n, palette_length, x, level, palette, reversed, step, colour, between, scan_inclusive_3);
  return { reversed, step, colour, between };
}

function requireArray(values, name, type, length) {
  const array = values[name];
  if (!(array instanceof type)) throw new TypeError(`${name} must be a ${type.name}`);
  if (array.length !== length) throw new RangeError(`${name} has ${array.length} elements, not ${length}`);
  return array;
}
function requireTable(values, name, type, most) {
  const array = values[name];
  if (!(array instanceof type)) throw new TypeError(`${name} must be a ${type.name}`);
  if (array.length > most) throw new RangeError(`${name} is too long`);
  return array;
}
