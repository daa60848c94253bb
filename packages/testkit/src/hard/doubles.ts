/** Pairs of doubles, half of them hard by construction. Two words each, the low one first. */

const SPECIAL = [
  0,
  -0,
  5e-324,
  -5e-324,
  2 ** -1022,
  2 ** -1022 - 5e-324,
  2 ** -1074 * 3,
  1,
  -1,
  1 + 2 ** -52,
  1 - 2 ** -53,
];
SPECIAL.push(
  1.5,
  2,
  0.5,
  2 ** 53 - 1,
  2 ** 53,
  2 ** 53 + 2,
  -(2 ** 63),
  2 ** 63,
  2 ** 64,
  2 ** 31,
  2 ** 32,
  -(2 ** 31),
);
SPECIAL.push(
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  2 ** 1023,
  2 ** -537,
  2 ** -538,
  65520,
  65504,
  2 ** -25,
  2 ** -149,
  2 ** -150,
);
SPECIAL.push(Infinity, -Infinity, NaN, Math.PI, 1e300, 1e-300);

const random = (next: () => number): [number, number] => [next(), next() & 0xfffff];
/** Digits with many zeros or ones at the end: their products and sums are exact or ties. */
function digits(next: () => number): [number, number] {
  const [lo, hi] = random(next);
  switch (next() % 8) {
    case 0:
      return [0, hi];
    case 1:
      return [(lo & (0xffffffff << (next() & 31))) >>> 0, hi];
    case 2:
      return [(lo | (0xffffffff >>> (next() & 31))) >>> 0, hi];
    case 3:
      return [0xffffffff - (next() % 3), 0xfffff];
    case 4:
      return [next() % 3, next() % 2 ? 0 : 0x80000];
    case 5:
      return [0, 1 << (next() % 20)];
    case 6:
      return [(1 << (next() & 31)) >>> 0, 0];
    default:
      return [lo, hi];
  }
}
/** Sets the highest of the `cut` lowest bits, and sometimes one more of them. */
function tie(words: Uint32Array, i: number, cut: number): void {
  const view = new BigUint64Array(words.buffer);
  const mask = (1n << BigInt(cut)) - 1n;
  const half = 1n << BigInt(cut - 1);
  const beside = [0n, 1n, -1n, 1n << BigInt((words[2 * i + 1] as number) % (cut - 1))];
  view[i] = ((view[i] as bigint) & ~mask) + half + (beside[(words[2 * i] as number) % 4] as bigint);
}
const clamp = (exponent: number): number => Math.max(0, Math.min(2047, exponent));

/** Two arrays of doubles under construction: their words and their values. */
class Pairs {
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  readonly aBits: BigUint64Array;
  readonly aView: Float64Array;
  readonly bView: Float64Array;
  readonly next: () => number;

  constructor(count: number, next: () => number) {
    this.a = new Uint32Array(2 * count);
    this.b = new Uint32Array(2 * count);
    this.aBits = new BigUint64Array(this.a.buffer);
    this.aView = new Float64Array(this.a.buffer);
    this.bView = new Float64Array(this.b.buffer);
    this.next = next;
  }

  /** Sets a number with any sign, this biased exponent and these digits. */
  set(into: "a" | "b", i: number, exponent: number, [lo, hi]: [number, number]): void {
    this[into][2 * i] = lo;
    this[into][2 * i + 1] = ((this.next() & 0x80000000) | (clamp(exponent) << 20) | hi) >>> 0;
  }

  /** Sets both to numbers with such exponents and digits that are often hard. */
  both(i: number, exponentOfA: number, exponentOfB: () => number): void {
    this.set("a", i, exponentOfA, digits(this.next));
    this.set("b", i, exponentOfB(), digits(this.next));
  }
}

/** Sets pair i. `any` is a biased exponent. */
type Fill = (pairs: Pairs, i: number, any: number) => void;

const nearlyOpposite: Fill = (pairs, i, any) => {
  const { b, aView, bView, next } = pairs;
  pairs.set("a", i, any, digits(next));
  bView[i] = -(aView[i] as number);
  b[2 * i] = (b[2 * i] as number) ^ (next() >>> (next() & 31));
};
const specialAndOther: Fill = (pairs, i, any) => {
  const { aView, bView, next } = pairs;
  aView[i] = SPECIAL[next() % SPECIAL.length] as number;
  pairs.set("b", i, any, digits(next));
  if (next() % 2) [aView[i], bView[i]] = [bView[i] as number, aView[i] as number];
};
const aboutHalfOfLastPlace: Fill = (pairs, i, any) => {
  pairs.set("a", i, any, digits(pairs.next));
  pairs.set("b", i, any - 53, [pairs.next() % 3, 0]);
};
/** Between two floats or halves, or next to it; with the exponents of both types and a few more. */
const tiesOfNarrower: Fill = (pairs, i) => {
  const { a, b, next } = pairs;
  pairs.set("a", i, 1023 - 160 + (next() % 300), random(next));
  const stays = next() % 2 ? 29 : 42;
  const cut = stays + (next() % 12);
  tie(a, i, cut);
  pairs.set("b", i, 1023 - 30 + (next() % 50), random(next));
  tie(b, i, 42 + (next() % 11));
};
const nearBoundsOfIntegers: Fill = ({ aBits, aView, bView, next }, i) => {
  const bound = 2 ** ([0, 1, 8, 31, 32, 53, 62, 63, 64][next() % 9] as number);
  aView[i] = (bound + (next() % 5) - 2) * (next() % 2 ? 1 : -1);
  aBits[i] = (aBits[i] as bigint) + BigInt(next() % 5) - 2n;
  bView[i] = (next() % 2000) / 4 - 250;
};
const spread: Fill = (pairs, i, any) => {
  const { next } = pairs;
  pairs.set("a", i, next() % 2048, random(next));
  pairs.set("b", i, i % 2 ? next() % 2048 : any, i % 4 ? random(next) : digits(next));
};

/** Pair i is of row i modulo 16; those of no row are spread. */
const FILLS: readonly Fill[] = [
  nearlyOpposite,
  // an exponent difference at which only the sticky bit remains
  (pairs, i, any) => pairs.both(i, any, () => any - 50 - (pairs.next() % 7)),
  // near in size
  (pairs, i, any) => pairs.both(i, any, () => any + (pairs.next() % 5) - 2),
  // subnormal or nearly
  (pairs, i) => pairs.both(i, pairs.next() % 3, () => pairs.next() % 3),
  // a product or quotient about the least numbers
  (pairs, i, any) => pairs.both(i, any, () => 1023 - 55 + (pairs.next() % 60) - any),
  (pairs, i, any) => pairs.both(i, any, () => any + 1020 + (pairs.next() % 60)),
  // about the largest
  (pairs, i, any) => pairs.both(i, any, () => 3066 + (pairs.next() % 6) - any),
  specialAndOther,
  aboutHalfOfLastPlace,
  tiesOfNarrower,
  nearBoundsOfIntegers,
];

export function doubles(count: number, next: () => number): Uint32Array[] {
  const pairs = new Pairs(count, next);
  const { a, b, aView, bView } = pairs;
  for (let i = 0; i < count; i++) {
    if (i < SPECIAL.length ** 2) {
      aView[i] = SPECIAL[Math.floor(i / SPECIAL.length)] as number;
      bView[i] = SPECIAL[i % SPECIAL.length] as number;
      continue;
    }
    const any = next() % 2048;
    (FILLS[i % 16] ?? spread)(pairs, i, any);
  }
  return [a, b];
}
