/** The program around an emitted function. A double of glibc is less than 2^-48 of it off; where two floats are possible, binary128 decides. */
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
int KERNEL(size_t n, const item *x, item *out);

static item nearest(item x, uint64_t *hard) {
  double value = value_of(x);
#if !HALF
  double near = FUNCTION(value);
  float low = (float)(near * (1 - 0x1p-48)), high = (float)(near * (1 + 0x1p-48));
  if (float_to_bits(low) == float_to_bits(high) || near != near) return low;
#endif
  ++*hard;
  return rounded(NAME(FUNCTION, q)(value));
}

int main(int count, char **args) {
  uint64_t from = count > 1 ? strtoull(args[1], 0, 0) : 0, to = count > 2 ? strtoull(args[2], 0, 0) : 0;
  uint64_t stride = count > 3 ? strtoull(args[3], 0, 0) : 1, wrong = 0, hard = 0, done = 0;
  static item x[BLOCK], out[BLOCK];
  for (uint64_t at = from; at < to;) {
    size_t n = 0;
    for (; n < BLOCK && at < to; at += stride) {
      uint32_t bits = (uint32_t)at;
#if HALF
      x[n++] = (item)bits;
#else
      x[n++] = bits_to_float(bits);
#endif
    }
    KERNEL(n, x, out);
    done += n;
    for (size_t i = 0; i < n; i++) {
      item want = nearest(x[i], &hard);
      if (!memcmp(&want, &out[i], sizeof want) || (is_nan(want) && is_nan(out[i]))) continue;
      if (wrong++ < 5) printf("f(%a) is %a, not %a\n", value_of(x[i]), value_of(out[i]), value_of(want));
    }
  }
  printf("%llu %llu %llu\n", (unsigned long long)done, (unsigned long long)wrong, (unsigned long long)hard);
  return wrong != 0;
}
`;
