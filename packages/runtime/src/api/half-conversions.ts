/**
 * Evaluates the test of a device's conversions between f32 and half, for languages that state neither how they round nor what overflows.
 * Kernels with `halfConversions` rely on them. It takes milliseconds, since the first run of a pipeline waits for it.
 */

import { halfToNumber } from "@groupwise/ir/tables/scalar.js";
import { HALF_FORMS, type HalfConversions } from "@groupwise/kernel/capabilities/half-conversions.js";

const HALVES = 65536;
const INFINITE = 0x7c00;
const NEGATIVE = 0x8000;
/** Any NaN. */
const NAN = -1;
/** No half. */
const NONE = -2;
/** Floats of a half. */
const FLOATS = 4;
/** Words of conversions alone, and of results in each form. */
const ALONE = 6;
const OF_RESULTS = 5;
/** Words that a device computes for a half. */
export const HALF_WORDS: number = ALONE + OF_RESULTS * HALF_FORMS.length;
/** Two more halves that a half is added to, modulo their number: permutations of all. */
export const OTHER_HALVES: readonly { readonly factor: number; readonly offset: number }[] = [
  { factor: 40503, offset: 7 },
  { factor: 25173, offset: 13849 },
];

/** A constant to which halves are added. */
export const HALF_STEP = 1024;
/** The number of rounds of sums. */
export const HALF_ROUNDS = 4;

type Words = Uint32Array<ArrayBuffer>;
/** What the test of a device takes, and what it has to give. */
interface Cases {
  /** Of each half, its value. */
  readonly values: Float32Array<ArrayBuffer>;
  /** Of each half in turn, the bits of four floats, and the halves that are nearest to them. */
  readonly floats: Words;
  readonly halves: Int32Array;
}

const wordsOf = ({ buffer }: Float32Array<ArrayBuffer>): Words => new Uint32Array(buffer);

const scratch = new Float32Array(1);
const scratchBits = wordsOf(scratch);

/** A half's own float, the middle to the next half, which goes to the even one, and the floats beside the middle. */
function fillAround({ values, floats, halves }: Cases): void {
  const own = wordsOf(values);
  for (let half = 0, at = 0; half < INFINITE; half++, at += FLOATS) {
    scratch[0] = ((values[half] as number) + Math.min(values[half + 1] as number, 65536)) / 2;
    floats[at] = own[half] as number;
    for (let i = 1; i < FLOATS; i++) floats[at + i] = (scratchBits[0] as number) + i - 2;
    halves[at] = half;
    halves[at + 1] = half;
    halves[at + 2] = half + (half & 1);
    halves[at + 3] = half + 1;
  }
}

/** NaNs with high and with low digits, floats below half the least half, subnormal ones among them, and floats beyond the largest half. */
function fillBeyond({ floats, halves }: Cases): void {
  const [least, largest, infinite] = [0x33000000, 0x477ff000, 0x7f800000];
  for (let digits = 0; digits < NEGATIVE - INFINITE; digits++) {
    const at = FLOATS * (INFINITE + digits);
    const part = digits / 1023;
    floats[at] = infinite | (digits << 13);
    floats[at + 1] = infinite | digits;
    floats[at + 2] = 1 + part * (least - 2);
    floats[at + 3] = infinite - 1 - part * (infinite - 1 - largest);
    halves.fill(digits === 0 ? INFINITE : NAN, at, at + 2);
    halves[at + 2] = 0;
    halves[at + 3] = INFINITE;
  }
}

function casesOf(): Cases {
  const values = new Float32Array(HALVES);
  for (let half = 0; half < HALVES; half++) values[half] = halfToNumber(half);
  const count = FLOATS * HALVES;
  const cases = { values, floats: new Uint32Array(count), halves: new Int32Array(count) };
  fillAround(cases);
  fillBeyond(cases);
  const { floats, halves } = cases;
  for (let i = 0, negative = count / 2; negative < count; i++, negative++) {
    floats[negative] = (floats[i] as number) + 0x80000000;
    halves[negative] = halves[i] === NAN ? NAN : (halves[i] as number) | NEGATIVE;
  }
  return cases;
}

const isHalf = (found: number, want: number): boolean =>
  want === NAN ? (found & ~NEGATIVE) > INFINITE : found === want;

/** The half that is nearest to a number, which is rounded to a float first: that changes no sum and no product of halves. */
function nearestHalf(x: number): number {
  if (Number.isNaN(x)) return NAN;
  const sign = x < 0 || Object.is(x, -0) ? NEGATIVE : 0;
  const size = Math.abs(x);
  if (size >= 65520) return sign | INFINITE;
  // Below 2^-14: units of 2^-24, to which the sum with 2^52 rounds.
  if (size < 2 ** -14) return sign | (size * 2 ** 24 + 2 ** 52 - 2 ** 52);
  scratch[0] = size;
  const bits = scratchBits[0] as number;
  return sign | (((bits + 0xfff + ((bits >> 13) & 1)) >> 13) - 0x1c000);
}

/** The half that a float of these bits equals. */
function halfIn(bits: number): number {
  const magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return NAN;
  const half = magnitude === 0x7f800000 ? INFINITE : finiteHalfIn(magnitude >> 23, magnitude & 0x7fffff);
  return half === NONE ? NONE : half | ((bits >>> 16) & NEGATIVE);
}

function finiteHalfIn(exponent: number, digits: number): number {
  if (exponent > 142 || (exponent === 0 && digits > 0)) return NONE;
  if (exponent > 112) return digits & 0x1fff ? NONE : ((exponent - 112) << 10) + (digits >> 13);
  // Below 2^-14: units of 2^-24.
  const drop = 126 - exponent;
  const units = drop < 24 ? (digits | 0x800000) >> drop : 0;
  return exponent === 0 || (units > 0 && units << drop === (digits | 0x800000)) ? units : NONE;
}

/**
 * The test of one device. It computes for each half h {@link HALF_WORDS}. The floats of h are x, y, z, w, those of the others
 * (see {@link OTHER_HALVES}) begin with a and b; `pack` converts two floats to the halves of a word, the first low, `unpack` back, and `round`
 * to the nearest half and back.
 * 0 to 3: `pack(x, y)`, `pack(z, w)`, `pack(y, x)`, `pack(w, z)`; 4, 5: the bits of `unpack(h | (65535 - h) << 16)`.
 * For each form with x, a and b from `unpack`: the bits of s = `round(x + a)`; `pack(s, t)` for t = `round(s + b)`; the bits of `round(s * t)`,
 * of `round(round(x + HALF_STEP) - HALF_STEP)`, and of x after {@link HALF_ROUNDS} times x = `round(round(x + a) + b)`: a compiler that computes
 * with halves, and takes sums of those for sums of numbers, could regroup them
 */
export class HalfTest {
  private readonly cases: Cases = casesOf();
  private found: ArrayLike<number> = [];

  /** The bits of the floats that the device converts: of each half in turn, four. */
  get floats(): Uint32Array<ArrayBuffer> {
    return this.cases.floats;
  }

  /** For each form, the reason why the device's conversions are not exact in it; undefined if they are. */
  problems(found: ArrayLike<number>): Readonly<Record<HalfConversions, string | undefined>> {
    this.found = found;
    const problems: Record<HalfConversions, string | undefined> = { exact: undefined, apart: undefined };
    for (let half = 0; half < HALVES; half++) {
      const problem = this.alone(half);
      if (problem !== undefined) return { exact: problem, apart: problem };
      for (let i = 0; i < HALF_FORMS.length; i++) {
        const form = HALF_FORMS[i] as HalfConversions;
        problems[form] ??= this.results(half, i);
      }
    }
    return problems;
  }

  private value(half: number): number {
    return this.cases.values[half] ?? Number.NaN;
  }

  private other(half: number, which: number): number {
    const { factor, offset } = OTHER_HALVES[which] as (typeof OTHER_HALVES)[number];
    return this.cases.values[(half * factor + offset) % HALVES] as number;
  }

  private word(half: number, i: number): number {
    return this.found[HALF_WORDS * half + i] as number;
  }

  /** Whether a word has the halves that are nearest to two of the floats. */
  private isPacked(half: number, i: number, low: number, high: number): boolean {
    const { halves } = this.cases;
    const word = this.word(half, i);
    return (
      isHalf(word & 0xffff, halves[FLOATS * half + low] as number) &&
      isHalf(word >>> 16, halves[FLOATS * half + high] as number)
    );
  }

  private isUnpacked(half: number, i: number, of: number): boolean {
    return isHalf(of, halfIn(this.word(half, i)));
  }

  /** What is wrong with the conversions of a half and the floats beside it. */
  private alone(half: number): string | undefined {
    const isPacked =
      this.isPacked(half, 0, 0, 1) &&
      this.isPacked(half, 1, 2, 3) &&
      this.isPacked(half, 2, 1, 0) &&
      this.isPacked(half, 3, 3, 2);
    if (!isPacked)
      return problemAt(half, "the floats from it to the next are not converted to the nearest halves");
    return this.isUnpacked(half, 4, half) && this.isUnpacked(half, 5, HALVES - 1 - half)
      ? undefined
      : problemAt(half, "it or its complement is not converted to the float that equals it");
  }

  /** What is wrong with operations on a half in a form. */
  private results(half: number, form: number): string | undefined {
    const first = ALONE + OF_RESULTS * form;
    const [a, b] = [this.other(half, 0), this.other(half, 1)] as const;
    const x = this.value(half);
    const s = nearestHalf(x + a);
    const t = nearestHalf(this.value(s) + b);
    const both = this.word(half, first + 1);
    const isRight =
      halfIn(this.word(half, first)) === s &&
      isHalf(both & 0xffff, s) &&
      isHalf(both >>> 16, t) &&
      halfIn(this.word(half, first + 2)) === nearestHalf(this.value(s) * this.value(t)) &&
      halfIn(this.word(half, first + 3)) ===
        nearestHalf(this.value(nearestHalf(x + HALF_STEP)) - HALF_STEP) &&
      halfIn(this.word(half, first + 4)) === this.repeated(x, a, b);
    return isRight
      ? undefined
      : problemAt(half, "results of operations on it are not rounded to the nearest half");
  }

  private repeated(x: number, a: number, b: number): number {
    let half = NAN;
    for (let i = 0, value = x; i < HALF_ROUNDS; i++, value = this.value(half))
      half = nearestHalf(this.value(nearestHalf(value + a)) + b);
    return half;
  }
}

const problemAt = (half: number, what: string): string =>
  `for the half of the bits 0x${half.toString(16).padStart(4, "0")} ${what} (tested)`;
