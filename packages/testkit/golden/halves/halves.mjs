// halves: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js

// A float and its bits.
const floatView = new Float32Array(1);
const bitsView = new Uint32Array(floatView.buffer);
function bitsOf(float) {
  floatView[0] = float;
  return bitsView[0];
}
function floatOf(bits) {
  bitsView[0] = bits;
  return floatView[0];
}

// The bits of a float, rounded to the nearest half, ties to even.
function round_f16(bits) {
  if (((bits & 2147483647) >>> 0) > 2139095040) {
    return bits;
  }
  const magnitude = (bits & 2147483647) >>> 0;
  if (magnitude < 864026624) {
    return (((bits & 2147483648) >>> 0) | ((magnitude > 855638016) ? 864026624 : 0)) >>> 0;
  }
  const drop = (126 - Math.min(magnitude >>> 23, 113)) >>> 0;
  const rounded = ((((((magnitude + ((((1 << ((drop - 1) >>> 0)) >>> 0) - 1) >>> 0)) >>> 0) + (((magnitude >>> drop) & 1) >>> 0)) >>> 0) >>> drop) << drop) >>> 0;
  return (((bits & 2147483648) >>> 0) | ((rounded >= 1199570944) ? 2139095040 : rounded)) >>> 0;
}

// The bits of a float, converted to the 16 bits of the nearest half, ties to even.
function f16_bits_of_f32(bits) {
  if (((bits & 2147483647) >>> 0) > 2139095040) {
    return 32256;
  }
  const rounded = round_f16(bits);
  const magnitude = (rounded & 2147483647) >>> 0;
  return ((((rounded & 2147483648) >>> 0) >>> 16) | ((magnitude < 947912704) ? (((((rounded & 8388607) >>> 0) | 8388608) >>> 0) >>> Math.min((126 - Math.min(magnitude >>> 23, 113)) >>> 0, 24)) : Math.min(((magnitude - 939524096) >>> 0) >>> 13, 31744))) >>> 0;
}

// The low 16 bits, a half, converted to the bits of the equal float.
function f32_bits_of_f16(bits) {
  const sign = (((bits & 32768) >>> 0) << 16) >>> 0;
  const magnitude = (bits & 32767) >>> 0;
  if (magnitude >= 31744) {
    return (sign | ((2139095040 | ((magnitude << 13) >>> 0)) >>> 0)) >>> 0;
  }
  if (magnitude >= 1024) {
    return (sign | ((((magnitude << 13) >>> 0) + 939524096) >>> 0)) >>> 0;
  }
  if (magnitude === 0) {
    return sign;
  }
  const zeros = Math.clz32(magnitude);
  return (sign | ((((magnitude << ((zeros - 8) >>> 0)) >>> 0) + (Math.imul((133 - zeros) >>> 0, 8388608) >>> 0)) >>> 0)) >>> 0;
}

/**
 * The loops only: the caller provides every array, and none is checked.
 * @param x input, Uint16Array of n
 * @param before output, Uint16Array of n
 * @param peak output, Uint16Array of ceil(n / 64)
 */
export function kernel(n, x, before, peak) {
  // pass 1 over the items
  let add_so_far = 0;
  const block_total = new Float32Array(32);
  const block_prefix = new Float32Array(32);
  let max_so_far = -Infinity;
  for (let start = 0; start < n; start += 64) {
    const count = Math.min(64, (n - start) >>> 0);
    add_so_far = 0;
    max_so_far = -Infinity;
    for (let place = 0; place < count; place += 1) {
      const i = (start + place) >>> 0;
      const x_i = floatOf(f32_bits_of_f16(x[i]));
      const exclusive = add_so_far;
      let total = x_i;
      const size = Math.min((31 - Math.clz32(((~place >>> 0) & ((place + 1) >>> 0)) >>> 0)) >>> 0, 31);
      for (let k = 0; k < size; k += 1) {
        total = floatOf(round_f16(bitsOf(Math.fround(block_total[k] + total)) >>> 0));
      }
      const rest = (place & ((place + 1) >>> 0)) >>> 0;
      const previous = Math.min((31 - Math.clz32((rest & ((0 - rest) >>> 0)) >>> 0)) >>> 0, 31);
      add_so_far = (rest !== 0) ? floatOf(round_f16(bitsOf(Math.fround(block_prefix[previous] + total)) >>> 0)) : total;
      block_total[size] = total;
      block_prefix[size] = add_so_far;
      max_so_far = Math.max(max_so_far, x_i);
      before[i] = f16_bits_of_f32(bitsOf(exclusive) >>> 0);
    }
    peak[(start / 64) >>> 0] = f16_bits_of_f32(bitsOf(max_so_far) >>> 0);
  }
  // pass 2 over the items
}

/**
 * Runs the pipeline.
 * @param values an array for each input, a value for each parameter
 * @param options n: the number of items; default: the length of the inputs
 * @throws TypeError, RangeError for wrong types, lengths or numbers of items
 */
export default function halvesPipeline(values, options = {}) {
  const n = options.n ?? values.x?.length;
  if (!Number.isSafeInteger(n) || n < 0 || n > 4294967295) throw new RangeError("n is not a number of items");
  const x = requireArray(values, "x", Uint16Array, n);
  const before = new Uint16Array(n);
  const peak = new Uint16Array(Math.ceil(n / 64));
  kernel(n, x, before, peak);
  return { before, peak };
}

function requireArray(values, name, type, length) {
  const array = values[name];
  if (!(array instanceof type)) throw new TypeError(`${name} must be a ${type.name}`);
  if (array.length !== length) throw new RangeError(`${name} has ${array.length} elements, not ${length}`);
  return array;
}
