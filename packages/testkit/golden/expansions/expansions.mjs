// expansions: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js
// Inputs: f32 x[n], f32 y[n], u32 k[n], f16 h[n]
// Outputs: f32 float[n], f16 half[n], u32 count[n], i64 wide[n]
// Strategy: one-thread

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

// Additional results of functions that have several.
let result$1 = 0;

// The number of bits that are 1, by adding neighbouring fields.
function popcount_u32(x) {
  const pairs = (x - ((x >>> 1) & 0x55555555)) >>> 0;
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return (Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 16843009) >>> 0) >>> 24;
}

// a / b towards 0; a / 0 is a, and the least integer / -1 is itself.
function div_u32(a, b) {
  return (a / ((b === 0) ? 1 : b)) >>> 0;
}

// The words shifted right, by the amount modulo 64.
function shr_u64(lo, hi, amount) {
  const far = (amount & 32) !== 0;
  const by = amount & 31;
  const high = far ? 0 : hi;
  const r$0 = (((far ? hi : lo) >>> by) | ((((high << 1) >>> 0) << (31 - by)) >>> 0)) >>> 0;
  const r$1 = high >>> by;
  result$1 = r$1 | 0;
  return r$0;
}

// The double is NaN.
function is_nan_f64(lo, hi) {
  return (((hi & 0x7fffffff) | ((lo !== 0) ? 1 : 0)) >>> 0) > 0x7ff00000;
}

// The bits of a float, converted to the equal double.
function f64_of_f32(bits) {
  const magnitude = bits & 0x7fffffff;
  const sign = (bits & 0x80000000) >>> 0;
  if (magnitude >= 0x7f800000) {
    const r$0 = 0;
    const r$1 = (((sign | 0x7ff00000) >>> 0) | ((magnitude > 0x7f800000) ? 0x00080000 : 0)) >>> 0;
    result$1 = r$1 | 0;
    return r$0;
  }
  if (magnitude === 0) {
    const r$0 = 0;
    const r$1 = sign;
    result$1 = r$1 | 0;
    return r$0;
  }
  const shift = (magnitude < 0x00800000) ? ((Math.clz32(magnitude) - 8) >>> 0) : 0;
  const digits = (magnitude << shift) >>> 0;
  const r$0 = (digits << 29) >>> 0;
  const r$1 = (sign | (((digits >>> 3) + ((((896 - shift) >>> 0) << 20) >>> 0)) >>> 0)) >>> 0;
  result$1 = r$1 | 0;
  return r$0;
}

// The magnitude of a double, truncated, at most 2^64 - 1; NaN becomes 0.
function whole_f64(lo, hi) {
  const exponent = (hi >>> 20) & 0x7ff;
  if ((exponent < 1023) || is_nan_f64(lo, hi)) {
    const r$0 = 0;
    const r$1 = 0;
    result$1 = r$1 | 0;
    return r$0;
  }
  if (exponent > 1086) {
    const r$0 = 0xffffffff;
    const r$1 = 0xffffffff;
    result$1 = r$1 | 0;
    return r$0;
  }
  const whole = shr_u64((lo << 11) >>> 0, (((((hi << 11) >>> 0) | (lo >>> 21)) >>> 0) | 0x80000000) >>> 0, (1086 - exponent) >>> 0);
  const whole$1 = result$1 >>> 0;
  const r$0 = whole;
  const r$1 = whole$1;
  result$1 = r$1 | 0;
  return r$0;
}

// Truncates; saturates outside i64; NaN becomes 0.
function i64_of_f64(lo, hi) {
  const whole = whole_f64(lo, hi);
  const whole$1 = result$1 >>> 0;
  const too_large = whole$1 >= 0x80000000;
  if (hi < 0x80000000) {
    if (too_large) {
      const r$0 = 0xffffffff;
      const r$1 = 0x7fffffff;
      result$1 = r$1 | 0;
      return r$0;
    }
    const r$0 = whole;
    const r$1 = whole$1;
    result$1 = r$1 | 0;
    return r$0;
  }
  if (too_large) {
    const r$0 = 0;
    const r$1 = 0x80000000;
    result$1 = r$1 | 0;
    return r$0;
  }
  const r$0 = (0 - whole) >>> 0;
  const r$1 = ((~whole$1 >>> 0) + ((whole === 0) ? 1 : 0)) >>> 0;
  result$1 = r$1 | 0;
  return r$0;
}

// The bits of a float, rounded to the nearest half, ties to even.
function round_f16(bits) {
  if ((bits & 0x7fffffff) > 0x7f800000) { return 0x7fc00000; }
  const magnitude = bits & 0x7fffffff;
  if (magnitude < 0x33800000) {
    return (((bits & 0x80000000) >>> 0) | ((magnitude > 0x33000000) ? 0x33800000 : 0)) >>> 0;
  }
  const drop = 126 - Math.min(magnitude >>> 23, 113);
  const rounded = ((((((magnitude + ((((1 << (drop - 1)) >>> 0) - 1) >>> 0)) >>> 0) + ((magnitude >>> drop) & 1)) >>> 0) >>> drop) << drop) >>> 0;
  return (((bits & 0x80000000) >>> 0) | ((rounded >= 0x47800000) ? 0x7f800000 : rounded)) >>> 0;
}

// A sum or a difference of two halves, rounded to the nearest half, ties to even.
function round_sum_f16(x) {
  const bits = bitsOf(Math.fround(x * 5.192296858534828e+33)) | 0;
  return Math.fround(floatOf(((((Math.min(bits, 0x7fffefff) + 0xfff) | 0) + ((bits >> 13) & 1)) | 0) & (-8192)) * 1.925929944387236e-34);
}

// The 16 bits of a float that is a half.
function f16_bits_of_f32(x) {
  const bits = bitsOf(x) >>> 0;
  return ((bits >>> 16) & 0x8000) | (((bitsOf(((bits & 0x7fffffff) < 0x38800000) ? Math.fround(Math.fround(Math.abs(x) * 2.596148429267414e+33) + 1.5845632502852868e+29) : Math.fround(x * 5.192296858534828e+33)) >>> 0) >>> 13) & 0x7fff);
}

// The half in the low 16 bits, as a float.
function f32_of_f16_bits(bits) {
  const raised = floatOf(((bits & 0x7fff) << 13) | 0x70000000);
  return Math.fround((((bits & 0x7c00) === 0) ? Math.fround(Math.fround(raised * 2) - 3.1691265005705735e+29) : raised) * floatOf(((((bits & 0x8000) << 16) >>> 0) | 0x07800000) >>> 0));
}

/**
 * The loops only: the caller provides every array, and none is checked.
 * @param x input, Float32Array of n
 * @param y input, Float32Array of n
 * @param k input, Uint32Array of n
 * @param h input, Uint16Array of n
 * @param float output, Float32Array of n
 * @param half output, Uint16Array of n
 * @param count output, Uint32Array of n
 * @param wide output, Uint32Array of (n * 2), the low and the high word of each element
 */
export function kernel(n, x, y, k, h, float, half, count, wide) {
  // pass 1 over the items
  for (let i = 0; i < n; i += 1) {
    const x_i = x[i];
    const y_i = y[i];
    const k_i = k[i];
    const chosen = (x_i < y_i) ? Math.fround(x_i / y_i) : Math.fround(x_i / 4);
    const chosen_2 = (k_i === 0) ? 1 : (-0);
    const float_i = Math.fround(Math.fround(Math.min(chosen, Infinity) * chosen_2) + Math.fround(((k_i | 1) >>> 0)));
    float[i] = float_i;
    const h_i = f32_of_f16_bits(h[i]);
    const half_i = round_sum_f16(Math.fround(floatOf(round_f16(bitsOf(Math.fround(h_i / floatOf(round_f16(bitsOf(Math.fround(k_i)) >>> 0)))) >>> 0)) + 1));
    half[i] = f16_bits_of_f32(half_i);
    const sum = (div_u32(k_i, Math.max(0, Math.min(4294967295, x_i)) >>> 0) + popcount_u32(k_i)) >>> 0;
    count[i] = (sum + ((((Math.abs((k_i | 0)) | 0) % 3) | 0) >>> 0)) >>> 0;
    const double = f64_of_f32(bitsOf(x_i) >>> 0);
    const double$1 = result$1 >>> 0;
    const integer = i64_of_f64(double, double$1);
    const integer$1 = result$1 >>> 0;
    wide[(i << 1) >>> 0] = integer;
    wide[(((i << 1) >>> 0) + 1) >>> 0] = integer$1;
  }
}

/**
 * Runs the pipeline.
 * @param values an array for each input, a value for each parameter
 * @param options n: the number of items; default: the length of the inputs
 * @throws TypeError, RangeError for wrong types, lengths or numbers of items
 */
export default function expansionsPipeline(values = {}, options = {}) {
  const n = options.n ?? values.x?.length;
  if (!Number.isSafeInteger(n) || n < 0 || n > 2147483648) throw new RangeError("n, by default the length of x, is not a number of items");
  const x = requireArray(values, "x", Float32Array, n);
  const y = requireArray(values, "y", Float32Array, n);
  const k = requireArray(values, "k", Uint32Array, n);
  const h = requireArray(values, "h", Uint16Array, n);
  const float = new Float32Array(n);
  const half = new Uint16Array(n);
  const count = new Uint32Array(n);
  const wide = new BigInt64Array(n);
  kernel(n, x, y, k, h, float, half, count, wordsOf(wide));
  return { float, half, count, wide };
}

function requireArray(values, name, type, length) {
  const array = values[name];
  if (!(array instanceof type)) throw new TypeError(`${name} must have the type ${type.name}`);
  if (array.length !== length) throw new RangeError(`${name} has ${array.length} elements, not ${length}`);
  return array;
}
// The same bytes as 32-bit words, the low one first.
function wordsOf(array) {
  if (new Uint8Array(Uint32Array.of(1).buffer)[0] !== 1)
    throw new Error("64-bit integers are supported on little-endian machines only");
  return new Uint32Array(array.buffer, array.byteOffset, 2 * array.length);
}
