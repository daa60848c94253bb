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

export function doubles(count: number, next: () => number): Uint32Array[] {
  const a = new Uint32Array(2 * count);
  const b = new Uint32Array(2 * count);
  const aBits = new BigUint64Array(a.buffer);
  const [aView, bView] = [new Float64Array(a.buffer), new Float64Array(b.buffer)];
  const set = (into: Uint32Array, i: number, exponent: number, [lo, hi]: [number, number]): void => {
    into[2 * i] = lo;
    into[2 * i + 1] = ((next() & 0x80000000) | (clamp(exponent) << 20) | hi) >>> 0;
  };
  for (let i = 0; i < count; i++) {
    if (i < SPECIAL.length ** 2) {
      aView[i] = SPECIAL[Math.floor(i / SPECIAL.length)] as number;
      bView[i] = SPECIAL[i % SPECIAL.length] as number;
      continue;
    }
    const any = next() % 2048;
    switch (i % 16) {
      case 0: // nearly opposite
        set(a, i, any, digits(next));
        bView[i] = -(aView[i] as number);
        b[2 * i] = (b[2 * i] as number) ^ (next() >>> (next() & 31));
        break;
      case 1: // an exponent difference at which only the sticky bit remains
        set(a, i, any, digits(next));
        set(b, i, any - 50 - (next() % 7), digits(next));
        break;
      case 2: // near in size
        set(a, i, any, digits(next));
        set(b, i, any + (next() % 5) - 2, digits(next));
        break;
      case 3: // subnormal or nearly
        set(a, i, next() % 3, digits(next));
        set(b, i, next() % 3, digits(next));
        break;
      case 4: // a product or quotient about the least numbers
        set(a, i, any, digits(next));
        set(b, i, 1023 - 55 + (next() % 60) - any, digits(next));
        break;
      case 5:
        set(a, i, any, digits(next));
        set(b, i, any + 1020 + (next() % 60), digits(next));
        break;
      case 6: // about the largest
        set(a, i, any, digits(next));
        set(b, i, 3066 + (next() % 6) - any, digits(next));
        break;
      case 7: // one special and one other
        aView[i] = SPECIAL[next() % SPECIAL.length] as number;
        set(b, i, any, digits(next));
        if (next() % 2) [aView[i], bView[i]] = [bView[i] as number, aView[i] as number];
        break;
      case 8: // half of a's last place, and near it
        set(a, i, any, digits(next));
        set(b, i, any - 53, [next() % 3, 0]);
        break;
      case 9: {
        // between two floats or halves, or next to it; with the exponents of both types and a few more
        set(a, i, 1023 - 160 + (next() % 300), random(next));
        const stays = next() % 2 ? 29 : 42;
        const cut = stays + (next() % 12);
        tie(a, i, cut);
        set(b, i, 1023 - 30 + (next() % 50), random(next));
        tie(b, i, 42 + (next() % 11));
        break;
      }
      case 10: {
        // near the bounds of integers
        aView[i] =
          (2 ** [0, 1, 8, 31, 32, 53, 62, 63, 64][next() % 9]! + (next() % 5) - 2) * (next() % 2 ? 1 : -1);
        aBits[i] = (aBits[i] as bigint) + BigInt(next() % 5) - 2n;
        bView[i] = (next() % 2000) / 4 - 250;
        break;
      }
      default:
        set(a, i, next() % 2048, random(next));
        set(b, i, i % 2 ? next() % 2048 : any, i % 4 ? random(next) : digits(next));
    }
  }
  return [a, b];
}
