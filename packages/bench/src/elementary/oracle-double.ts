/** The program around an emitted function of f64: its largest error in ulp by libquadmath, whose results have 113 digits. */
export const DOUBLE_ORACLE: string = String.raw`// Compares FUNCTION with libquadmath on random and hard operands.
#include <math.h>
#include <quadmath.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUIET __attribute__((unused)) static
QUIET __float128 sigmoidq(__float128 x) { return 1 / (1 + expq(-x)); }
QUIET __float128 rsqrtq(__float128 x) { return 1 / sqrtq(x); }
#define NAME_(a, b) a##b
#define NAME(a, b) NAME_(a, b)
#if PAIRS
#define OPERANDS const double *x, const double *y
#define ARRAYS x, y
#define OF(f, i) f(x[i], y[i])
#else
#define OPERANDS const double *x
#define ARRAYS x
#define OF(f, i) f(x[i])
#endif
int KERNEL(size_t n, OPERANDS, double *out);

enum { BLOCK = 1 << 12 };
/** SplitMix64 of a number (Steele, Lea, Flood, 2014). */
static uint64_t mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}
/**
 * Any bits, numbers near 1, moderate numbers, the ranges where powers end, whole numbers, multiples of pi / 2, and sometimes
 * a special value.
 */
static double random_double(uint64_t at) {
  static const double special[] = {0, -0.0, 1, -1, 0.5, 2, INFINITY, -INFINITY, NAN, 0x1p-1074, -0x1p-1022, 0x1p1023};
  uint64_t kind = mixed(2 * at), bits = mixed(2 * at + 1);
  double part = (double)(int64_t)bits * 0x1p-63, any;
  memcpy(&any, &bits, sizeof any);
  if ((kind >> 8 & 255) == 0) return special[(kind >> 16) % 12];
  switch (kind & 7) {
    case 0: return any;
    case 1: return 1 + ldexp(part, -(int)(kind >> 16 & 31));
    case 2: return part * 1100;
    case 3: return part * 40;
    case 4: return (double)((int64_t)bits >> 52);
    case 5: return part;
    case 6: return (double)((int64_t)bits >> (11 + (kind >> 16) % 52)) * M_PI_2;
    default: return ldexp(part, 10 - (int)(kind >> 16 & 63));
  }
}
/** The error in units of the last place of the exact result; less than 0 if a special value differs. */
static double ulps(double got, __float128 want) {
  int exponent;
  if (want != want || got != got) return (want != want) == (got != got) ? 0 : -1;
  if ((double)want == got && (isinf(got) || want == 0)) return !signbit(got) == !signbitq(want) ? 0 : -1;
  if (isinf(got)) return -1;
  frexpq(want, &exponent);
  __float128 unit = ldexpq(1, exponent - 53 < -1074 ? -1074 : exponent - 53);
  return (double)(fabsq(want - got) / unit);
}

int main(int count, char **args) {
  uint64_t from = count > 1 ? strtoull(args[1], 0, 0) : 0, to = count > 2 ? strtoull(args[2], 0, 0) : 0;
  uint64_t wrong = 0, apart = 0;
  double worst = 0;
  static double x[BLOCK], y[BLOCK], out[BLOCK];
  for (uint64_t at = from; at < to;) {
    size_t n = 0;
    for (; n < BLOCK && at < to; at++, n++) {
      x[n] = random_double(2 * at);
      y[n] = random_double(2 * at + 1);
    }
    KERNEL(n, ARRAYS, out);
    for (size_t i = 0; i < n; i++) {
      __float128 want = OF(NAME(FUNCTION, q), i);
      double off = ulps(out[i], want);
      apart += off > 0.5 || off < 0;
      if (off > worst) worst = off;
      if (off >= 0 && off <= 1) continue;
      if (wrong++ < 5) printf("f(%a, %a) is %a, not %a\n", x[i], y[i], out[i], (double)want);
    }
  }
  printf("%llu %llu %llu %.6f\n", (unsigned long long)(to - from), (unsigned long long)wrong, (unsigned long long)apart, worst);
  return wrong != 0;
}
`;
