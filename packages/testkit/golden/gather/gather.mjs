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
  const whole = (n - ((n & 7) >>> 0)) >>> 0;
  for (let i = 0; i < whole; i += 8) {
    const x_i = x[i];
    const before = add_so_far;
    const prefix = (i !== 0) ? Math.fround(before + x_i) : x_i;
    add_so_far = prefix;
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
    const i_2 = (i + 1) >>> 0;
    const x_i_4 = x[i_2];
    const total = Math.fround(x_i + x_i_4);
    const prefix_2 = (i !== 0) ? Math.fround(before + total) : total;
    add_so_far = prefix_2;
    const inclusive_2 = add_so_far;
    scan_inclusive_3[i_2] = inclusive_2;
    const at_3 = Math.min((((n - 1) >>> 0) - i_2) >>> 0, (n - 1) >>> 0);
    const x_i_5 = x[at_3];
    reversed[i_2] = x_i_5;
    const at_4 = Math.min((i_2 + 1) >>> 0, (n - 1) >>> 0);
    const x_i_6 = x[at_4];
    step[i_2] = Math.fround(x_i_6 - x_i_4);
    const level_i_2 = level[i_2];
    const palette_at_2 = Math.min(level_i_2, (Math.max(palette_length, 1) - 1) >>> 0);
    const palette_i_2 = palette[palette_at_2];
    const colour_i_2 = (palette_length !== 0) ? palette_i_2 : 0;
    colour[i_2] = colour_i_2;
    const i_3 = (i + 2) >>> 0;
    const x_i_7 = x[i_3];
    const prefix_3 = Math.fround(prefix_2 + x_i_7);
    add_so_far = prefix_3;
    const inclusive_3 = add_so_far;
    scan_inclusive_3[i_3] = inclusive_3;
    const at_5 = Math.min((((n - 1) >>> 0) - i_3) >>> 0, (n - 1) >>> 0);
    const x_i_8 = x[at_5];
    reversed[i_3] = x_i_8;
    const at_6 = Math.min((i_3 + 1) >>> 0, (n - 1) >>> 0);
    const x_i_9 = x[at_6];
    step[i_3] = Math.fround(x_i_9 - x_i_7);
    const level_i_3 = level[i_3];
    const palette_at_3 = Math.min(level_i_3, (Math.max(palette_length, 1) - 1) >>> 0);
    const palette_i_3 = palette[palette_at_3];
    const colour_i_3 = (palette_length !== 0) ? palette_i_3 : 0;
    colour[i_3] = colour_i_3;
    const i_4 = (i + 3) >>> 0;
    const x_i_10 = x[i_4];
    const total_2 = Math.fround(x_i_7 + x_i_10);
    const total_3 = Math.fround(total + total_2);
    const prefix_4 = (i !== 0) ? Math.fround(before + total_3) : total_3;
    add_so_far = prefix_4;
    const inclusive_4 = add_so_far;
    scan_inclusive_3[i_4] = inclusive_4;
    const at_7 = Math.min((((n - 1) >>> 0) - i_4) >>> 0, (n - 1) >>> 0);
    const x_i_11 = x[at_7];
    reversed[i_4] = x_i_11;
    const at_8 = Math.min((i_4 + 1) >>> 0, (n - 1) >>> 0);
    const x_i_12 = x[at_8];
    step[i_4] = Math.fround(x_i_12 - x_i_10);
    const level_i_4 = level[i_4];
    const palette_at_4 = Math.min(level_i_4, (Math.max(palette_length, 1) - 1) >>> 0);
    const palette_i_4 = palette[palette_at_4];
    const colour_i_4 = (palette_length !== 0) ? palette_i_4 : 0;
    colour[i_4] = colour_i_4;
    const i_5 = (i + 4) >>> 0;
    const x_i_13 = x[i_5];
    const prefix_5 = Math.fround(prefix_4 + x_i_13);
    add_so_far = prefix_5;
    const inclusive_5 = add_so_far;
    scan_inclusive_3[i_5] = inclusive_5;
    const at_9 = Math.min((((n - 1) >>> 0) - i_5) >>> 0, (n - 1) >>> 0);
    const x_i_14 = x[at_9];
    reversed[i_5] = x_i_14;
    const at_10 = Math.min((i_5 + 1) >>> 0, (n - 1) >>> 0);
    const x_i_15 = x[at_10];
    step[i_5] = Math.fround(x_i_15 - x_i_13);
    const level_i_5 = level[i_5];
    const palette_at_5 = Math.min(level_i_5, (Math.max(palette_length, 1) - 1) >>> 0);
    const palette_i_5 = palette[palette_at_5];
    const colour_i_5 = (palette_length !== 0) ? palette_i_5 : 0;
    colour[i_5] = colour_i_5;
    const i_6 = (i + 5) >>> 0;
    const x_i_16 = x[i_6];
    const total_4 = Math.fround(x_i_13 + x_i_16);
    const prefix_6 = Math.fround(prefix_4 + total_4);
    add_so_far = prefix_6;
    const inclusive_6 = add_so_far;
    scan_inclusive_3[i_6] = inclusive_6;
    const at_11 = Math.min((((n - 1) >>> 0) - i_6) >>> 0, (n - 1) >>> 0);
    const x_i_17 = x[at_11];
    reversed[i_6] = x_i_17;
    const at_12 = Math.min((i_6 + 1) >>> 0, (n - 1) >>> 0);
    const x_i_18 = x[at_12];
    step[i_6] = Math.fround(x_i_18 - x_i_16);
    const level_i_6 = level[i_6];
    const palette_at_6 = Math.min(level_i_6, (Math.max(palette_length, 1) - 1) >>> 0);
    const palette_i_6 = palette[palette_at_6];
    const colour_i_6 = (palette_length !== 0) ? palette_i_6 : 0;
    colour[i_6] = colour_i_6;
    const i_7 = (i + 6) >>> 0;
    const x_i_19 = x[i_7];
    const prefix_7 = Math.fround(prefix_6 + x_i_19);
    add_so_far = prefix_7;
    const inclusive_7 = add_so_far;
    scan_inclusive_3[i_7] = inclusive_7;
    const at_13 = Math.min((((n - 1) >>> 0) - i_7) >>> 0, (n - 1) >>> 0);
    const x_i_20 = x[at_13];
    reversed[i_7] = x_i_20;
    const at_14 = Math.min((i_7 + 1) >>> 0, (n - 1) >>> 0);
    const x_i_21 = x[at_14];
    step[i_7] = Math.fround(x_i_21 - x_i_19);
    const level_i_7 = level[i_7];
    const palette_at_7 = Math.min(level_i_7, (Math.max(palette_length, 1) - 1) >>> 0);
    const palette_i_7 = palette[palette_at_7];
    const colour_i_7 = (palette_length !== 0) ? palette_i_7 : 0;
    colour[i_7] = colour_i_7;
    const i_8 = (i + 7) >>> 0;
    const x_i_22 = x[i_8];
    const total_5 = Math.fround(x_i_19 + x_i_22);
    const total_6 = Math.fround(total_4 + total_5);
    const total_7 = Math.fround(total_3 + total_6);
    const last = (i + 7) >>> 0;
    let total_8 = total_7;
    const size = Math.min((31 - Math.clz32(((~last >>> 0) & ((last + 1) >>> 0)) >>> 0)) >>> 0, 31);
    for (let k = 3; k < size; k += 1) {
      total_8 = Math.fround(block_total[k] + total_8);
    }
    const rest = (last & ((last + 1) >>> 0)) >>> 0;
    const previous = Math.min((31 - Math.clz32((rest & ((0 - rest) >>> 0)) >>> 0)) >>> 0, 31);
    add_so_far = (rest !== 0) ? Math.fround(block_prefix[previous] + total_8) : total_8;
    block_total[size] = total_8;
    block_prefix[size] = add_so_far;
    const inclusive_8 = add_so_far;
    scan_inclusive_3[i_8] = inclusive_8;
    const at_15 = Math.min((((n - 1) >>> 0) - i_8) >>> 0, (n - 1) >>> 0);
    const x_i_23 = x[at_15];
    reversed[i_8] = x_i_23;
    const at_16 = Math.min((i_8 + 1) >>> 0, (n - 1) >>> 0);
    const x_i_24 = x[at_16];
    step[i_8] = Math.fround(x_i_24 - x_i_22);
    const level_i_8 = level[i_8];
    const palette_at_8 = Math.min(level_i_8, (Math.max(palette_length, 1) - 1) >>> 0);
    const palette_i_8 = palette[palette_at_8];
    const colour_i_8 = (palette_length !== 0) ? palette_i_8 : 0;
    colour[i_8] = colour_i_8;
  }
  // the tail
  for (let i = whole; i < n; i += 1) {
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
