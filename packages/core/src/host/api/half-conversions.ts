/**
 * Evaluates the test of a device's conversions between f32 and half, for languages that state neither how they round nor what overflows.
 * Kernels with `halfConversions` rely on them.
 */
import { halfToNumber, numberToHalf } from "../../ir/tables/scalar.ts";

/** The requirement of manifests of files that convert halves by the device. */
export const EXACT_HALVES = "exact-half-conversions";

const HALVES = 65536;
const INFINITE = 0x7c00;
const NEGATIVE = 0x8000;
/** Any NaN. */
const NAN = -1;
/** Floats of a half. */
const FLOATS = 4;
/** Words that a device computes for a half. */
export const HALF_WORDS = 9;
/** The factor and the offset of two more halves that a half is added to, modulo their number: permutations of all. */
export const OTHER_HALVES = [
  [40503, 7],
  [25173, 13849],
] as const;
const [FIRST, SECOND] = OTHER_HALVES.map(
  ([factor, offset]) =>
    (half: number): number =>
      (half * factor + offset) % HALVES,
) as [(half: number) => number, (half: number) => number];

const view = new DataView(new ArrayBuffer(4));
function bitsOf(x: number): number {
  view.setFloat32(0, x);
  return view.getUint32(0);
}

/** The bits of a float, and the half that is nearest to it. */
type Case = readonly [float: number, half: number];

/** A half's own float, the middle to the next half, which goes to the even one, and the floats beside the middle. */
function aroundHalf(half: number): readonly Case[] {
  const [value, next] = [halfToNumber(half), half + 1 === INFINITE ? 65536 : halfToNumber(half + 1)];
  const middle = bitsOf((value + next) / 2);
  return [
    [bitsOf(value), half],
    [middle - 1, half],
    [middle, half + (half & 1)],
    [middle + 1, half + 1],
  ];
}

/** NaNs with high and with low digits, floats below half the least half, subnormal ones among them, and floats beyond the largest half. */
function beyondHalves(digits: number): readonly Case[] {
  const [least, largest, infinite] = [0x33000000, 0x477ff000, 0x7f800000];
  if (digits === 0)
    return [
      [infinite, INFINITE],
      [infinite - 1, INFINITE],
      [1, 0],
      [least - 1, 0],
    ];
  return [
    [infinite | (digits << 13), NAN],
    [infinite | digits, NAN],
    [Math.floor((least / 1024) * digits), 0],
    [largest + Math.floor(((infinite - largest) / 1024) * digits), INFINITE],
  ];
}

function casesOf(half: number): readonly Case[] {
  const magnitude = half & ~NEGATIVE;
  const cases = magnitude < INFINITE ? aroundHalf(magnitude) : beyondHalves(magnitude - INFINITE);
  const sign = half & NEGATIVE;
  return cases.map(([float, to]) => [(float | (sign << 16)) >>> 0, to === NAN ? NAN : to | sign]);
}

/** The bits of the floats that a device converts: four for each half in turn. */
export function halfFloats(): Uint32Array<ArrayBuffer> {
  const floats = new Uint32Array(FLOATS * HALVES);
  for (let half = 0; half < HALVES; half++)
    casesOf(half).forEach(([float], i) => {
      floats[FLOATS * half + i] = float;
    });
  return floats;
}

const isHalf = (found: number, want: number): boolean =>
  want === NAN ? (found & ~NEGATIVE) > INFINITE : found === want;
const isFloat = (found: number, want: number): boolean =>
  Number.isNaN(want) ? (found & 0x7fffffff) > 0x7f800000 : found === bitsOf(want);
const isWord = (found: number, low: number, high: number): boolean =>
  isHalf(found & 0xffff, low) && isHalf(found >>> 16, high);
const nearest = (x: number): number => halfToNumber(numberToHalf(x));

/**
 * The reason why a device's conversions are not exact; undefined if they are.
 * @param found for each half h {@link HALF_WORDS}. Its floats are x, y, z, w, those of the others (see {@link OTHER_HALVES}) begin with
 * a and b; `pack` converts two floats to the halves of a word, the first low, and `unpack` back.
 * 0 to 3: `pack(x, y)`, `pack(z, w)`, `pack(y, x)`, `pack(w, z)`;
 * 4 and 5: the bits of `unpack(h | (65535 - h) << 16)`;
 * 6: those of the first of `unpack(pack(x + a, 0))`, which is s; 7: of the second of `unpack(pack(x + a, x + b))`; 8: of the first of
 * `unpack(pack(s + b, 0))`
 */
export function halfProblem(found: ArrayLike<number>): string | undefined {
  for (let half = 0; half < HALVES; half++) {
    const word = (i: number): number => found[HALF_WORDS * half + i] as number;
    const [x, y, z, w] = casesOf(half).map(([, to]) => to) as [number, number, number, number];
    const isPacked =
      isWord(word(0), x, y) && isWord(word(1), z, w) && isWord(word(2), y, x) && isWord(word(3), w, z);
    if (!isPacked) return problemAt(half, "f32 near it are not converted to the nearest halves");
    if (!isFloat(word(4), halfToNumber(half)) || !isFloat(word(5), halfToNumber(HALVES - 1 - half)))
      return problemAt(half, "it or its complement is not converted to the f32 that equals it");
    const [value, a, b] = [half, FIRST(half), SECOND(half)].map(halfToNumber) as [number, number, number];
    const sum = nearest(value + a);
    if (
      !isFloat(word(6), sum) ||
      !isFloat(word(7), nearest(value + b)) ||
      !isFloat(word(8), nearest(sum + b))
    )
      return problemAt(half, "sums with it are not rounded to the nearest half");
  }
  return undefined;
}

const problemAt = (half: number, what: string): string =>
  `for the half of the bits 0x${half.toString(16).padStart(4, "0")} ${what} (tested)`;
