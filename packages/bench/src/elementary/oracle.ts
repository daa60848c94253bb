/**
 * The program around an emitted function. The relative error of a double of glibc is less than 2^-48. If two floats are
 * possible, binary128 determines the result.
 */
export const ORACLE: string = String.raw`// Compares FUNCTION with libm in double precision, and with libquadmath where a double does not decide the rounding.
#include <math.h>
#include <quadmath.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUIET __attribute__((unused)) static
QUIET double sigmoid(double x) { return 1 / (1 + exp(-x)); }
QUIET __float128 sigmoidq(__float128 x) { return 1 / (1 + expq(-x)); }
QUIET double rsqrt(double x) { return 1 / sqrt(x); }
QUIET __float128 rsqrtq(__float128 x) { return 1 / sqrtq(x); }
/** A tiny angle is less than its tangent, which may be a tie of subnormal floats, by less than binary128 holds. */
QUIET __float128 angleq(__float128 y, __float128 x) {
  __float128 angle = atan2q(y, x);
  return angle != 0 && fabsq(angle) < 0x1p-60 ? nextafterq(angle, 0) : angle;
}
#define atan2q angleq
#define NAME_(a, b) a##b
#define NAME(a, b) NAME_(a, b)

enum { BLOCK = 1 << 14 };
static float bits_to_float(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}
static uint32_t float_to_bits(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

#if HALF
typedef uint16_t item;
static double value_of(item bits) {
  int exponent = (bits >> 10) & 31, digits = bits & 1023;
  double size = exponent == 31 ? (digits ? NAN : INFINITY)
                               : exponent ? ldexp(1024 + digits, exponent - 25) : ldexp(digits, -24);
  return bits & 0x8000 ? -size : size;
}
static item rounded(__float128 x) {
  _Float16 half = (_Float16)x;
  item bits;
  memcpy(&bits, &half, sizeof bits);
  return bits;
}
static int is_nan(item bits) { return (bits & 0x7fff) > 0x7c00; }
#else
typedef float item;
static double value_of(item x) { return x; }
static item rounded(__float128 x) { return (float)x; }
static int is_nan(item x) { return x != x; }
#endif
#if PAIRS
#define OPERANDS const item *x, const item *y
#define OF(f, a, b) f(a, b)
#define GIVEN(i) x[i], y[i]
#define ARRAYS x, y
#define PLACES "%a, %a"
#define VALUES(i) value_of(x[i]), value_of(y[i])
#else
#define OPERANDS const item *x
#define OF(f, a, b) f(a)
#define GIVEN(i) x[i], x[i]
#define ARRAYS x
#define PLACES "%a"
#define VALUES(i) value_of(x[i])
#endif
int KERNEL(size_t n, OPERANDS, item *out);

QUIET item item_of(uint32_t bits) {
#if HALF
  return (item)bits;
#else
  return bits_to_float(bits);
#endif
}
/** SplitMix64 of a number (Steele, Lea, Flood, 2014). */
QUIET uint64_t mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}
/** Any bits, a number near 1, a whole number, a multiple of 1/64, and sometimes a special value. */
QUIET item random_item(uint64_t random) {
  static const double special[] = {0, -0.0, 1, -1, 0.5, 2, INFINITY, -INFINITY, NAN, 0x1p-24, -0x1p-149, 65504};
  int number = (int)(random >> 40 & 0xffff) - 0x8000;
  if ((random >> 2 & 63) == 0) return rounded(special[(random >> 8 & 0xffff) % 12]);
  switch (random & 3) {
    case 0: return item_of((uint32_t)(random >> 32));
    case 1: return rounded(1 + number * 0x1p-20);
    case 2: return rounded(number >> 6);
    default: return rounded(number / 64.0);
  }
}

static item nearest(item x, item y, uint64_t *hard) {
  double value = value_of(x), other = value_of(y);
  (void)other;
#if !HALF
  double near = OF(FUNCTION, value, other);
  float low = (float)(near * (1 - 0x1p-48)), high = (float)(near * (1 + 0x1p-48));
  if (float_to_bits(low) == float_to_bits(high) || near != near) return low;
#endif
  ++*hard;
  return rounded(OF(NAME(FUNCTION, q), value, other));
}

int main(int count, char **args) {
  uint64_t from = count > 1 ? strtoull(args[1], 0, 0) : 0, to = count > 2 ? strtoull(args[2], 0, 0) : 0;
  uint64_t stride = count > 3 ? strtoull(args[3], 0, 0) : 1, wrong = 0, hard = 0, done = 0;
  static item x[BLOCK], out[BLOCK];
#if PAIRS
  static item y[BLOCK];
#endif
  for (uint64_t at = from; at < to;) {
    size_t n = 0;
    for (; n < BLOCK && at < to; at += stride) {
#if PAIRS
      y[n] = random_item(mixed(2 * at + 1));
      x[n++] = random_item(mixed(2 * at));
#else
      x[n++] = item_of((uint32_t)at);
#endif
    }
    KERNEL(n, ARRAYS, out);
    done += n;
    for (size_t i = 0; i < n; i++) {
      item want = nearest(GIVEN(i), &hard);
      if (!memcmp(&want, &out[i], sizeof want) || (is_nan(want) && is_nan(out[i]))) continue;
      if (wrong++ < 5)
        printf("f(" PLACES ") is %a, not %a\n", VALUES(i), value_of(out[i]), value_of(want));
    }
  }
  printf("%llu %llu %llu\n", (unsigned long long)done, (unsigned long long)wrong, (unsigned long long)hard);
  return wrong != 0;
}
`;
