/**
 * Evaluates the test of a device's conversions between f32 and half, for languages that state neither how they round nor what overflows.
 * Kernels with `halfConversions` rely on them.
 */
import { HALF_FORMS, type HalfConversions } from "../../compiler/capabilities/half-conversions.ts";
import { halfToNumber, numberToHalf } from "../../ir/tables/scalar.ts";

const HALVES = 65536;
const INFINITE = 0x7c00;
const NEGATIVE = 0x8000;
/** Any NaN. */
const NAN = -1;
/** Floats of a half. */
const FLOATS = 4;
/** Words of conversions alone, and of sums in each form. */
const ALONE = 6;
const OF_SUMS = 3;
/** Words that a device computes for a half. */
export const HALF_WORDS: number = ALONE + OF_SUMS * HALF_FORMS.length;
/** The factor and the offset of two more halves that a half is added to, modulo their number: permutations of all. */
export const OTHER_HALVES: readonly (readonly [factor: number, offset: number])[] = [
  [40503, 7],
  [25173, 13849],
];
const otherOf = (half: number, which: 0 | 1): number => {
  const [factor, offset] = OTHER_HALVES[which] as readonly [number, number];
  return (half * factor + offset) % HALVES;
};

const view = new DataView(new ArrayBuffer(4));
function bitsOf(x: number): number {
  view.setFloat32(0, x);
  return view.getUint32(0);
}

/** Floats as bits, and the halves that are nearest to them. */
interface Cases {
  readonly floats: Uint32Array<ArrayBuffer>;
  readonly halves: Int32Array;
}

/** A half's own float, the middle to the next half, which goes to the even one, and the floats beside the middle. */
function fillAround({ floats, halves }: Cases, half: number): void {
  const [value, next] = [halfToNumber(half), half + 1 === INFINITE ? 65536 : halfToNumber(half + 1)];
  const middle = bitsOf((value + next) / 2);
  floats.set([bitsOf(value), middle - 1, middle, middle + 1], FLOATS * half);
  halves.set([half, half, half + (half & 1), half + 1], FLOATS * half);
}

/** NaNs with high and with low digits, floats below half the least half, subnormal ones among them, and floats beyond the largest half. */
function fillBeyond({ floats, halves }: Cases, digits: number): void {
  const [least, largest, infinite] = [0x33000000, 0x477ff000, 0x7f800000];
  const at = FLOATS * (INFINITE + digits);
  const tiny = Math.floor((least / 1024) * digits) + 1;
  const large = infinite - 1 - Math.floor(((infinite - 1 - largest) / 1023) * digits);
  floats.set([infinite | (digits << 13), infinite | digits, tiny, large], at);
  const special = digits === 0 ? INFINITE : NAN;
  halves.set([special, special, 0, INFINITE], at);
}

/** Of each half in turn, four floats. */
function casesOf(): Cases {
  const count = FLOATS * HALVES;
  const cases: Cases = { floats: new Uint32Array(count), halves: new Int32Array(count) };
  for (let half = 0; half < INFINITE; half++) fillAround(cases, half);
  for (let digits = 0; digits < NEGATIVE - INFINITE; digits++) fillBeyond(cases, digits);
  const { floats, halves } = cases;
  for (let i = 0, negative = count / 2; negative < count; i++, negative++) {
    floats[negative] = (floats[i] as number) + 0x80000000;
    halves[negative] = halves[i] === NAN ? NAN : (halves[i] as number) | NEGATIVE;
  }
  return cases;
}

/** The bits of the floats that a device converts: of each half in turn, four. */
export const halfFloats = (): Uint32Array<ArrayBuffer> => casesOf().floats;

const isHalf = (found: number, want: number): boolean =>
  want === NAN ? (found & ~NEGATIVE) > INFINITE : found === want;
const isFloat = (found: number, want: number): boolean =>
  Number.isNaN(want) ? (found & 0x7fffffff) > 0x7f800000 : found === bitsOf(want);
const isWord = (found: number, low: number, high: number): boolean =>
  isHalf(found & 0xffff, low) && isHalf(found >>> 16, high);
/** NaN as a half of the tables. */
const halfOf = (x: number): number => (Number.isNaN(x) ? NAN : numberToHalf(x));
const nearest = (x: number): number => halfToNumber(numberToHalf(x));

const problemAt = (half: number, what: string): string =>
  `for the half of the bits 0x${half.toString(16).padStart(4, "0")} ${what} (tested)`;

/** What is wrong with the conversions of a half and the floats beside it. */
function problemAlone(found: ArrayLike<number>, half: number, { halves }: Cases): string | undefined {
  const at = HALF_WORDS * half;
  const isPacked = (word: number, low: number, high: number): boolean =>
    isWord(
      found[at + word] as number,
      halves[FLOATS * half + low] as number,
      halves[FLOATS * half + high] as number,
    );
  if (!isPacked(0, 0, 1) || !isPacked(1, 2, 3) || !isPacked(2, 1, 0) || !isPacked(3, 3, 2))
    return problemAt(half, "the floats from it to the next are not converted to the nearest halves");
  const isUnpacked = (word: number, of: number): boolean =>
    isFloat(found[at + word] as number, halfToNumber(of));
  if (!isUnpacked(4, half) || !isUnpacked(5, HALVES - 1 - half))
    return problemAt(half, "it or its complement is not converted to the float that equals it");
  return undefined;
}

/** Whether the three words from a place on are those of its sums. */
function areSums(found: ArrayLike<number>, at: number, half: number): boolean {
  const [x, a, b] = [half, otherOf(half, 0), otherOf(half, 1)].map(halfToNumber) as [number, number, number];
  const sum = nearest(x + a);
  return (
    isFloat(found[at] as number, sum) &&
    isWord(found[at + 1] as number, halfOf(x + a), halfOf(x + b)) &&
    isFloat(found[at + 2] as number, nearest(sum + b))
  );
}

/**
 * For each form, the reason why a device's conversions are not exact in it; undefined if they are.
 * @param found for each half h {@link HALF_WORDS}. Its floats are x, y, z, w, those of the others (see {@link OTHER_HALVES}) begin with
 * a and b; `pack` converts two floats to the halves of a word, the first low, `unpack` back, and `round` to the nearest half and back.
 * 0 to 3: `pack(x, y)`, `pack(z, w)`, `pack(y, x)`, `pack(w, z)`; 4, 5: the bits of `unpack(h | (65535 - h) << 16)`;
 * then for each form the bits of s = `round(x + a)`, `pack(s, round(x + b))`, and the bits of `round(s + b)`
 */
export function halfProblems(
  found: ArrayLike<number>,
): Readonly<Record<HalfConversions, string | undefined>> {
  const problems: Record<HalfConversions, string | undefined> = { exact: undefined, apart: undefined };
  const cases = casesOf();
  for (let half = 0; half < HALVES; half++) {
    const problem = problemAlone(found, half, cases);
    if (problem !== undefined) return { exact: problem, apart: problem };
    for (const [i, form] of HALF_FORMS.entries())
      if (problems[form] === undefined && !areSums(found, HALF_WORDS * half + ALONE + OF_SUMS * i, half))
        problems[form] = problemAt(half, "sums with it are not rounded to the nearest half");
  }
  return problems;
}
