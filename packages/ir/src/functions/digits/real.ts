/**
 * Real functions in fixed-point arithmetic of big integers: a number is n / 2^p. Results are a few units of the last
 * place off, so callers request more digits than they need. The series are the usual ones (Muller, Elementary Functions,
 * 3rd ed., chapters 3 and 11), after a reduction of the argument.
 */
const memoOf = (compute: (p: number) => bigint): ((p: number) => bigint) => {
  const known = new Map<number, bigint>();
  return (p) => {
    const value = known.get(p) ?? compute(p);
    known.set(p, value);
    return value;
  };
};
/** A number with another number of digits. */
export const shifted = (n: bigint, by: number): bigint => (by >= 0 ? n << BigInt(by) : n >> BigInt(-by));
const one = (p: number): bigint => 1n << BigInt(p);
const times = (a: bigint, b: bigint, p: number): bigint => (a * b) >> BigInt(p);
export const over = (a: bigint, b: bigint, p: number): bigint => (a << BigInt(p)) / b;
const GUARD = 16;

/** The greatest whole number whose power is not greater than a number. */
export function wholeRoot(n: bigint, degree: 2n | 3n): bigint {
  if (n < 2n) return n;
  const few = degree - 1n;
  let root = 1n << (BigInt(n.toString(16).length * 4) / degree + 1n);
  for (;;) {
    const next = (few * root + n / root ** few) / degree;
    if (next >= root) return root;
    root = next;
  }
}

/** z + z³/3 + z⁵/5 …, signs alternating for the arc tangent. */
function odds(z: bigint, p: number, sign: 1n | -1n): bigint {
  const square = times(z, z, p) * sign;
  let sum = 0n;
  let power = z;
  for (let k = 1n; power > 1n || power < -1n; k += 2n) {
    sum += power / k;
    power = times(power, square, p);
  }
  return sum;
}
/** A reciprocal's arc tangent. */
const arcOf = (d: bigint, p: number): bigint => odds(one(p) / d, p, -1n);
const wide = (compute: (p: number) => bigint): ((p: number) => bigint) =>
  memoOf((p) => compute(p + GUARD) >> BigInt(GUARD));
export const ln2: (p: number) => bigint = wide((p) => 2n * odds(one(p) / 3n, p, 1n));
/** Machin's formula. */
export const pi: (p: number) => bigint = wide((p) => 16n * arcOf(5n, p) - 4n * arcOf(239n, p));

const HALVINGS = 6;
/** e^x as n · 2^(e - p), n near 2^p. */
export function exp(x: bigint, given: number): { readonly n: bigint; readonly e: number } {
  const e = Math.round(Number(shifted(x, 20 - given)) / 2 ** 20 / Math.LN2);
  const p = given + GUARD + HALVINGS;
  const rest = shifted(x, p - given) - BigInt(e) * ln2(p);
  const small = rest >> BigInt(HALVINGS);
  let term = small;
  let sum = 0n;
  for (let k = 2n; term > 1n || term < -1n; k += 1n) {
    sum += term;
    term = times(term, small, p) / k;
  }
  // (1 + s)² = 1 + s (2 + s)
  for (let i = 0; i < HALVINGS; i++) sum = times(sum, 2n * one(p) + sum, p);
  return { n: (one(p) + sum) >> BigInt(p - given), e };
}

/** The logarithm of n · 2^-p, n > 0. */
export function log(n: bigint, given: number): bigint {
  const p = given + GUARD;
  const length = n.toString(2).length;
  let m = shifted(n, p - length);
  let e = length - given;
  // m in [1/2, 1): the operand of the series is between the square roots of 1/2 and of 2.
  if (3n * m < 2n * one(p)) {
    m *= 2n;
    e -= 1;
  }
  const z = over(m - one(p), m + one(p), p);
  return (2n * odds(z, p, 1n) + BigInt(e) * ln2(p)) >> BigInt(GUARD);
}

/** log(1 + x). */
export const log1p = (x: bigint, p: number): bigint => log(one(p) + x, p);

/** Sine and cosine. */
export function circle(x: bigint, given: number): { readonly sin: bigint; readonly cos: bigint } {
  const p = given + GUARD;
  // The multiple of pi / 2 needs as many additional digits as x has before its point.
  const more = Math.max(0, (x < 0n ? -x : x).toString(16).length * 4 - given);
  const half = pi(p + more) >> 1n;
  const wanted = shifted(x, GUARD + more);
  const turns = (2n * wanted + half) / (2n * half) - (2n * wanted + half < 0n ? 1n : 0n);
  const rest = (wanted - turns * half) >> BigInt(more);
  const square = times(rest, rest, p);
  let [sin, cos, term] = [0n, 0n, one(p)];
  for (let k = 1n; term > 1n || term < -1n; k += 2n) {
    cos += term;
    const next = times(term, rest, p) / k;
    sin += next;
    term = -times(term, square, p) / (k * (k + 1n));
  }
  const by = BigInt(GUARD);
  const [s, c] = [sin >> by, cos >> by];
  const at = ((turns % 4n) + 4n) % 4n;
  if (at === 0n) return { sin: s, cos: c };
  if (at === 1n) return { sin: c, cos: -s };
  return at === 2n ? { sin: -s, cos: -c } : { sin: -c, cos: s };
}

/** The arc tangent of y / x, neither negative. */
export function angle(y: bigint, x: bigint, given: number): bigint {
  if (y > x) return (pi(given) >> 1n) - angle(x, y, given);
  const p = given + GUARD;
  let t = over(y, x, p);
  // atan t = 2 atan(t / (1 + √(1 + t²)))
  for (let i = 0; i < 3; i++) t = over(t, one(p) + wholeRoot((one(p) << BigInt(p)) + t * t, 2n), p);
  return (8n * odds(t, p, -1n)) >> BigInt(GUARD);
}

/** The error function of 0 <= x < 8: 2 / √π · e^(-x²) · (x + 2 x³ / 3 + 4 x⁵ / 15 …), all of one sign. */
export function erf(x: bigint, given: number): bigint {
  const p = given + GUARD;
  const wanted = shifted(x, GUARD);
  const square = times(wanted, wanted, p);
  let sum = 0n;
  let term = wanted;
  for (let k = 3n; term > 0n; k += 2n) {
    sum += term;
    term = (2n * times(term, square, p)) / k;
  }
  const { n, e } = exp(-square, p);
  const root = wholeRoot(pi(p) << BigInt(p), 2n);
  return shifted(over(times(2n * sum, n, p), root, p), e - GUARD);
}
