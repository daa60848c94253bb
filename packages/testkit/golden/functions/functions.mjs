// functions: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js

// A double and its words; the byte order of the machine decides which word is the low one.
const doubleView = new Float64Array([1]);
const wordsView = new Uint32Array(doubleView.buffer);
const lowWord = wordsView[0] === 0 ? 0 : 1;
function lowWordOf(double) {
  doubleView[0] = double;
  return wordsView[lowWord];
}
function highWordOf(double) {
  doubleView[0] = double;
  return wordsView[1 - lowWord];
}
function doubleOf(low, high) {
  wordsView[lowWord] = low;
  wordsView[1 - lowWord] = high;
  return doubleView[0];
}

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

// Where functions leave their results but the first.
let result$1 = 0;

// The words shifted left, by the amount modulo 64.
function shl_u64(lo, hi, amount) {
  const by = (amount & 31) >>> 0;
  const low = (lo << by) >>> 0;
  if (((amount & 32) >>> 0) !== 0) {
    const r$0 = 0;
    const r$1 = low;
    result$1 = r$1 | 0;
    return r$0;
  }
  const r$0 = low;
  const r$1 = (((hi << by) >>> 0) | ((lo >>> 1) >>> ((31 - by) >>> 0))) >>> 0;
  result$1 = r$1 | 0;
  return r$0;
}

// The words shifted right, by the amount modulo 64.
function shr_u64(lo, hi, amount) {
  const by = (amount & 31) >>> 0;
  const high = hi >>> by;
  if (((amount & 32) >>> 0) !== 0) {
    const r$0 = high;
    const r$1 = 0;
    result$1 = r$1 | 0;
    return r$0;
  }
  const r$0 = ((lo >>> by) | ((((hi << 1) >>> 0) << ((31 - by) >>> 0)) >>> 0)) >>> 0;
  const r$1 = high;
  result$1 = r$1 | 0;
  return r$0;
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

// The bits rotated left by the amount modulo the width.
function rotate_left_of_u32(x, by) {
  return (((x << by) >>> 0) | (x >>> ((0 - by) >>> 0))) >>> 0;
}

// The exact sum, or the nearest value of the type.
function add_saturating_of_u32(x, y) {
  const sum = (x + y) >>> 0;
  return (sum < x) ? 4294967295 : sum;
}

// The upper half of the product.
function mul_high_of_u32(x, y) {
  const x_low = (x & 65535) >>> 0;
  const x_high = x >>> 16;
  const y_low = (y & 65535) >>> 0;
  const y_high = y >>> 16;
  const first = ((Math.imul(x_high, y_low) >>> 0) + ((Math.imul(x_low, y_low) >>> 0) >>> 16)) >>> 0;
  const second = ((Math.imul(x_low, y_high) >>> 0) + ((first & 65535) >>> 0)) >>> 0;
  return ((((Math.imul(x_high, y_high) >>> 0) + (first >>> 16)) >>> 0) + (second >>> 16)) >>> 0;
}

// The field of bits, extended by the sign of the type.
function extract_bits_of_u32(x, offset, count) {
  const from = Math.min(offset, 32);
  const size = Math.min(count, (32 - from) >>> 0);
  if (size === 0) {
    return 0;
  }
  return ((x << ((((32 - from) >>> 0) - size) >>> 0)) >>> 0) >>> ((32 - size) >>> 0);
}

// The greatest whole number that is not greater.
function floor_of_f32(x) {
  return Math.floor(x);
}

// x with the sign of y; a NaN counts as positive.
function copysign_of_f32(x, y) {
  const y_bits = bitsOf(y) >>> 0;
  const y_magnitude = (y_bits & 2147483647) >>> 0;
  const bits = bitsOf(x) >>> 0;
  const magnitude = (bits & 2147483647) >>> 0;
  return floatOf((magnitude | ((y_magnitude > 2139095040) ? 0 : ((y_bits & 2147483648) >>> 0))) >>> 0);
}

// The nearest whole number, ties to even.
function round_of_f64(x) {
  const bits_lo = lowWordOf(x);
  const bits_hi = highWordOf(x);
  const magnitude_lo = (bits_lo & 4294967295) >>> 0;
  const magnitude_hi = (bits_hi & 2147483647) >>> 0;
  if ((1127219200 < magnitude_hi) || ((1127219200 === magnitude_hi) && (0 <= magnitude_lo))) {
    return x;
  }
  if ((magnitude_hi < 1072693248) || ((magnitude_hi === 1072693248) && (magnitude_lo < 0))) {
    const word_hi = (bits_hi & 2147483648) >>> 0;
    const which = (1071644672 < magnitude_hi) || ((1071644672 === magnitude_hi) && (0 < magnitude_lo));
    const word_lo = which ? 0 : 0;
    const word_hi_2 = which ? 1072693248 : 0;
    return doubleOf(word_lo, (word_hi | word_hi_2) >>> 0);
  }
  const cast_lo = magnitude_hi >>> 20;
  const drop = (1075 - cast_lo) >>> 0;
  const shifted = shl_u64(1, 0, drop);
  const shifted$1 = result$1 >>> 0;
  const below_lo = (shifted - 1) >>> 0;
  const below_hi = (shifted$1 - ((shifted < 1) ? 1 : 0)) >>> 0;
  const word_hi = (bits_hi & 2147483648) >>> 0;
  const word_lo = ((below_lo >>> 1) | ((below_hi << 31) >>> 0)) >>> 0;
  const word_hi_2 = below_hi >>> 1;
  const shifted_2 = shr_u64(magnitude_lo, magnitude_hi, drop);
  const shifted_2$1 = result$1 >>> 0;
  const word_lo_2 = (shifted_2 & 1) >>> 0;
  const sum = (word_lo + word_lo_2) >>> 0;
  const word_hi_3 = (word_hi_2 + ((sum < word_lo) ? 1 : 0)) >>> 0;
  const sum_2 = (magnitude_lo + sum) >>> 0;
  const word_hi_4 = (((magnitude_hi + word_hi_3) >>> 0) + ((sum_2 < magnitude_lo) ? 1 : 0)) >>> 0;
  const word_lo_3 = ~below_lo >>> 0;
  const word_hi_5 = ~below_hi >>> 0;
  const word_lo_4 = (sum_2 & word_lo_3) >>> 0;
  const word_hi_6 = (word_hi_4 & word_hi_5) >>> 0;
  return doubleOf(word_lo_4, (word_hi | word_hi_6) >>> 0);
}

// x with the sign of y; a NaN counts as positive.
function copysign_of_f64(x, y) {
  const y_bits_lo = lowWordOf(y);
  const y_bits_hi = highWordOf(y);
  const y_magnitude_lo = (y_bits_lo & 4294967295) >>> 0;
  const y_magnitude_hi = (y_bits_hi & 2147483647) >>> 0;
  const bits_lo = lowWordOf(x);
  const bits_hi = highWordOf(x);
  const magnitude_lo = (bits_lo & 4294967295) >>> 0;
  const magnitude_hi = (bits_hi & 2147483647) >>> 0;
  const which = (2146435072 < y_magnitude_hi) || ((2146435072 === y_magnitude_hi) && (0 < y_magnitude_lo));
  const word_hi = (y_bits_hi & 2147483648) >>> 0;
  const word_lo = which ? 0 : 0;
  const word_hi_2 = which ? 0 : word_hi;
  return doubleOf((magnitude_lo | word_lo) >>> 0, (magnitude_hi | word_hi_2) >>> 0);
}

// The nearest float: the top digit has that biased exponent, the lowest one is sticky.
function nearest_of_f32(sign, exponent, digits) {
  if ((exponent | 0) >= 255) {
    return floatOf((sign | 2139095040) >>> 0);
  }
  let kept = digits;
  let biased = exponent;
  if ((exponent | 0) < 1) {
    const by = Math.min((1 - exponent) >>> 0, 31);
    kept = ((kept >>> by) | ((((kept << ((32 - by) >>> 0)) >>> 0) !== 0) ? 1 : 0)) >>> 0;
    biased = 1;
  }
  const whole = kept >>> 8;
  return floatOf((sign | ((((((((biased - 1) >>> 0) << 23) >>> 0) + whole) >>> 0) + ((((((kept & 255) >>> 0) + ((whole & 1) >>> 0)) >>> 0) > 128) ? 1 : 0)) >>> 0)) >>> 0);
}

// The square root, rounded to nearest even.
function sqrt_of_f32(x) {
  return Math.fround(Math.sqrt(x));
}

// The exact remainder of the truncated quotient.
function fmod_of_f64(x, y) {
  return x % y;
}

// x * y + z, rounded once.
function fma_of_f32(x, y, z) {
  const x_bits = bitsOf(x) >>> 0;
  const x_magnitude = (x_bits & 2147483647) >>> 0;
  const y_bits = bitsOf(y) >>> 0;
  const y_magnitude = (y_bits & 2147483647) >>> 0;
  const z_bits = bitsOf(z) >>> 0;
  const z_magnitude = (z_bits & 2147483647) >>> 0;
  const sign = (((x_bits ^ y_bits) >>> 0) & 2147483648) >>> 0;
  const product_infinite = (x_magnitude === 2139095040) || (y_magnitude === 2139095040);
  if (((((x_magnitude > 2139095040) || (y_magnitude > 2139095040)) || (z_magnitude > 2139095040)) || (((x_magnitude === 2139095040) && (y_magnitude === 0)) || ((x_magnitude === 0) && (y_magnitude === 2139095040)))) || ((product_infinite && (z_magnitude === 2139095040)) && (sign !== ((z_bits & 2147483648) >>> 0)))) {
    let quiet_nan = 2143289344;
    return floatOf(quiet_nan);
  }
  if (product_infinite) {
    return floatOf((sign | ((x_magnitude === 2139095040) ? x_magnitude : y_magnitude)) >>> 0);
  }
  if (z_magnitude === 2139095040) {
    return z;
  }
  if ((x_magnitude === 0) || (y_magnitude === 0)) {
    if (!(z_magnitude === 0)) {
      return z;
    }
    return floatOf((sign & ((z_bits & 2147483648) >>> 0)) >>> 0);
  }
  const x_subnormal = x_magnitude < 8388608;
  let x_digits = (((x_magnitude & 8388607) >>> 0) | 8388608) >>> 0;
  let x_exponent = x_magnitude >>> 23;
  if (x_subnormal) {
    const by = (Math.clz32(x_magnitude) - 8) >>> 0;
    x_digits = (x_magnitude << by) >>> 0;
    x_exponent = (1 - by) >>> 0;
  }
  const y_subnormal = y_magnitude < 8388608;
  let y_digits = (((y_magnitude & 8388607) >>> 0) | 8388608) >>> 0;
  let y_exponent = y_magnitude >>> 23;
  if (y_subnormal) {
    const by = (Math.clz32(y_magnitude) - 8) >>> 0;
    y_digits = (y_magnitude << by) >>> 0;
    y_exponent = (1 - by) >>> 0;
  }
  const z_subnormal = z_magnitude < 8388608;
  let z_digits = (((z_magnitude & 8388607) >>> 0) | 8388608) >>> 0;
  let z_exponent = z_magnitude >>> 23;
  if (z_subnormal) {
    const by = (Math.clz32(z_magnitude) - 8) >>> 0;
    z_digits = (z_magnitude << by) >>> 0;
    z_exponent = (1 - by) >>> 0;
  }
  const m = (x_digits << 1) >>> 0;
  const n = (y_digits << 1) >>> 0;
  let high = mul_high_of_u32(m, n);
  let low = Math.imul(m, n) >>> 0;
  let lowest = (((((x_exponent + y_exponent) >>> 0) - 151) >>> 0) - 151) >>> 0;
  const z_lowest = (z_magnitude === 0) ? lowest : ((z_exponent - 151) >>> 0);
  let addend_high = 0;
  let addend_low = (z_magnitude === 0) ? 0 : ((z_digits << 1) >>> 0);
  const apart = (z_lowest - lowest) >>> 0;
  if ((apart | 0) > 0) {
    if (apart < 32) {
      addend_high = addend_low >>> ((32 - apart) >>> 0);
      addend_low = (addend_low << apart) >>> 0;
    } else {
      addend_high = addend_low;
      addend_low = 0;
      lowest = (z_lowest - 32) >>> 0;
      const down = (apart - 32) >>> 0;
      if (down > 0) {
        if (down < 32) {
          low = (((high << ((32 - down) >>> 0)) >>> 0) | (((low >>> down) | ((((low << ((32 - down) >>> 0)) >>> 0) !== 0) ? 1 : 0)) >>> 0)) >>> 0;
          high = high >>> down;
        } else {
          low = 1;
          high = 0;
        }
      }
    }
  } else {
    const down = (0 - apart) >>> 0;
    if (down > 0) {
      if (down < 32) {
        addend_low = ((addend_low >>> down) | ((((addend_low << ((32 - down) >>> 0)) >>> 0) !== 0) ? 1 : 0)) >>> 0;
      } else {
        addend_low = (addend_low !== 0) ? 1 : 0;
      }
    }
  }
  let sign_of_sum = sign;
  const before = low;
  if (sign === ((z_bits & 2147483648) >>> 0)) {
    low = (low + addend_low) >>> 0;
    high = (((high + addend_high) >>> 0) + ((low < before) ? 1 : 0)) >>> 0;
  } else {
    low = (low - addend_low) >>> 0;
    high = (((high - addend_high) >>> 0) - ((before < low) ? 1 : 0)) >>> 0;
    if (((high & 2147483648) >>> 0) !== 0) {
      low = (0 - low) >>> 0;
      high = (((0 - high) >>> 0) - ((low !== 0) ? 1 : 0)) >>> 0;
      sign_of_sum = (sign ^ 2147483648) >>> 0;
    }
  }
  if (((high | low) >>> 0) === 0) {
    return 0;
  }
  if (high === 0) {
    const zeros = Math.clz32(low);
    return nearest_of_f32(sign_of_sum, (((lowest + 158) >>> 0) - zeros) >>> 0, (low << zeros) >>> 0);
  }
  const by = Math.clz32(high);
  return nearest_of_f32(sign_of_sum, (((lowest + 158) >>> 0) - ((by - 32) >>> 0)) >>> 0, (((high << by) >>> 0) | (((low >>> ((32 - by) >>> 0)) | ((((low << ((32 - ((32 - by) >>> 0)) >>> 0)) >>> 0) !== 0) ? 1 : 0)) >>> 0)) >>> 0);
}

/**
 * The loops only: the caller provides every array, and none is checked.
 * @param x input, Float32Array of n
 * @param d input, Float64Array of n
 * @param h input, Uint16Array of n
 * @param u input, Uint32Array of n
 * @param root output, Float32Array of n
 * @param fused output, Float32Array of n
 * @param angle output, Float64Array of n
 * @param part output, Uint16Array of n
 * @param mixed output, Uint32Array of n
 * @param bounded output, Uint32Array of n
 */
export function kernel(n, x, d, h, u, root, fused, angle, part, mixed, bounded) {
  // pass 1 over the items
  let saturating_so_far = 0;
  const block_total = new Uint32Array(32);
  const block_prefix = new Uint32Array(32);
  for (let start = 0; start < n; start += 64) {
    const count = Math.min(64, (n - start) >>> 0);
    saturating_so_far = 0;
    for (let place = 0; place < count; place += 1) {
      const i = (start + place) >>> 0;
      const u_i = u[i];
      let total = u_i;
      const size = Math.min((31 - Math.clz32(((~place >>> 0) & ((place + 1) >>> 0)) >>> 0)) >>> 0, 31);
      for (let k = 0; k < size; k += 1) {
        const left = block_total[k];
        const part_2 = add_saturating_of_u32(left, total);
        total = part_2;
      }
      const rest = (place & ((place + 1) >>> 0)) >>> 0;
      const previous = Math.min((31 - Math.clz32((rest & ((0 - rest) >>> 0)) >>> 0)) >>> 0, 31);
      const left = block_prefix[previous];
      const part_2 = add_saturating_of_u32(left, total);
      saturating_so_far = (rest !== 0) ? part_2 : total;
      block_total[size] = total;
      block_prefix[size] = saturating_so_far;
      const inclusive = saturating_so_far;
      const x_i = x[i];
      const v5 = sqrt_of_f32(Math.abs(x_i));
      const root_i = floor_of_f32(v5);
      root[i] = root_i;
      const v8 = fma_of_f32(x_i, x_i, -x_i);
      fused[i] = Math.min(Math.max(v8, -1), 1);
      const d_i = d[i];
      const given = fmod_of_f64(d_i, 360);
      const v13 = (given === 0) ? copysign_of_f64(0, 360) : (((given < 0) !== false) ? (given + 360) : given);
      const angle_i = round_of_f64(v13);
      angle[i] = angle_i;
      const h_i = floatOf(f32_bits_of_f16(h[i]));
      const v16 = floatOf(round_f16(bitsOf(copysign_of_f32(h_i, -1)) >>> 0));
      const part_i = floatOf(round_f16(bitsOf(Math.fround(v16 - floatOf(round_f16(bitsOf(floor_of_f32(v16)) >>> 0)))) >>> 0));
      part[i] = f16_bits_of_f32(bitsOf(part_i) >>> 0);
      const v19 = rotate_left_of_u32(u_i, 7);
      const v21 = mul_high_of_u32(v19, 2654435761);
      const mixed_i = extract_bits_of_u32(v21, 4, 20);
      mixed[i] = mixed_i;
      bounded[i] = inclusive;
    }
  }
}

/**
 * Runs the pipeline.
 * @param values an array for each input, a value for each parameter
 * @param options n: the number of items; default: the length of the inputs
 * @throws TypeError, RangeError for wrong types, lengths or numbers of items
 */
export default function functionsPipeline(values, options = {}) {
  const n = options.n ?? values.x?.length;
  if (!Number.isSafeInteger(n) || n < 0 || n > 4294967295) throw new RangeError("n is not a number of items");
  const x = requireArray(values, "x", Float32Array, n);
  const d = requireArray(values, "d", Float64Array, n);
  const h = requireArray(values, "h", Uint16Array, n);
  const u = requireArray(values, "u", Uint32Array, n);
  const root = new Float32Array(n);
  const fused = new Float32Array(n);
  const angle = new Float64Array(n);
  const part = new Uint16Array(n);
  const mixed = new Uint32Array(n);
  const bounded = new Uint32Array(n);
  kernel(n, x, d, h, u, root, fused, angle, part, mixed, bounded);
  return { root, fused, angle, part, mixed, bounded };
}

function requireArray(values, name, type, length) {
  const array = values[name];
  if (!(array instanceof type)) throw new TypeError(`${name} must be a ${type.name}`);
  if (array.length !== length) throw new RangeError(`${name} has ${array.length} elements, not ${length}`);
  return array;
}
