/** Values at which implementations of a type differ. */
import type { Scalar, ScalarValue } from "@groupwise/core";
import { SCALARS } from "@groupwise/core/target";

const INF = Number.POSITIVE_INFINITY;
const { fround } = Math;
const both = (list: readonly number[]): number[] => list.flatMap((x) => [x, -x]);
const WHOLE = [0, 1, 2, 3, 7, 10, 31, 32];

const F32 = [
  ...both([0, 1, 0.5, 2.5, 1e10, INF, 2 ** 31, 3.4028234663852886e38]),
  ...[1.5, 3, fround(0.1), Number.NaN, 2 ** -126, 2147483520, -2147483904, 2 ** 32, 4294967040],
  ...[2 ** 23 + 1, fround(1 / 3), fround(16777217.5), fround(1e-20), -1e20],
  ...[2 ** -149, -(2 ** -149), fround(2 ** -126 - 2 ** -149), 3 * 2 ** -140],
];
const F64 = [
  ...both([0, 1, 0.5, 2.5, 1e10, INF, 2 ** 31, Number.MAX_VALUE, 2 ** 53, 2 ** 63]),
  ...[1.5, 3, 0.1, Number.NaN, 2 ** -1022, 2 ** 53 - 1, 2 ** 53 + 2, 2 ** 52 + 0.5, 1 / 3, 1e-200, -1e200],
  // Halfway between two numbers of f32 and of f16, and next to these values.
  ...[1 + 2 ** -24, 1 + 2 ** -24 + 2 ** -52, 1 + 2 ** -11, 65520, 65519.99, 3.4028235677973366e38, 2 ** -150],
  ...[2147483647.5, 4294967295.5, 2 ** 64, 2 ** 64 - 2048, 2 ** 63 - 1024],
  ...[2 ** -1074, -(2 ** -1074), 2 ** -1022 - 2 ** -1074, 3 * 2 ** -1060],
];
const F16 = [
  ...both([0, 1, 0.5, 2.5, 1024, INF, 65504, 2049, 32768]),
  ...[1.5, 3, 0.1, Number.NaN, 2 ** -14, 1 / 3, 1 + 2 ** -10, 2 ** -8, 1 - 2 ** -11, 4095],
  ...[2 ** -24, -(2 ** -24), 2 ** -14 - 2 ** -24, 3 * 2 ** -20],
];
const I64 = [
  ...[
    0n,
    1n,
    -1n,
    2n,
    -2n,
    3n,
    7n,
    -7n,
    10n,
    2n ** 31n,
    -(2n ** 31n),
    2n ** 32n - 1n,
    2n ** 32n,
    -(2n ** 32n),
  ],
  ...[2n ** 53n - 1n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 63n - 1n, -(2n ** 63n), -(2n ** 63n) + 1n],
  ...[0x5555555555555555n, 0x7fffffff00000000n, 0xffffffffn << 31n, 2n ** 24n + 1n, 65520n],
];
const U64 = [
  ...[0n, 1n, 2n, 3n, 7n, 10n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 32n + 1n, 2n ** 53n - 1n],
  ...[2n ** 53n + 1n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 63n + 1n, 2n ** 64n - 1n, 2n ** 64n - 1025n],
  ...[0x5555555555555555n, 0xffffffff00000000n, 2n ** 24n + 1n, 65520n],
];
const I32 = [
  ...[...WHOLE, -1, -2, -7, 0x7fffffff, -0x80000000, -0x7fffffff, 0x55555555, 1 << 24, (1 << 24) + 1, 65520],
];
const U32 = [
  ...[...WHOLE, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe, 0x55555555],
  ...[2 ** 24 + 1, 0xffffff7f, 0xffffff80, 65520],
];

const SPECIAL: Readonly<Record<Scalar, readonly ScalarValue[]>> = {
  i32: I32,
  u32: U32,
  i64: I64,
  u64: U64,
  f16: F16,
  f32: F32,
  f64: F64,
  bool: [false, true],
};

/** The special values of a type, without duplicates. */
export function specials(type: Scalar): readonly ScalarValue[] {
  return SPECIAL[type].map(SCALARS[type].wrap);
}
