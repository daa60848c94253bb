/** The test of a device's conversions of halves, on devices that are simulated. */
import { halfToNumber, numberToHalf } from "@groupwise/ir/tables/scalar.js";
import { describe, expect, it } from "vitest";
import { fc, test } from "../../ir/test/fast-check.ts";
import { HALF_ROUNDS, HALF_STEP, HALF_WORDS, HalfTest, OTHER_HALVES } from "../src/api/half-conversions.ts";

const HALVES = 65536;
const view = new DataView(new ArrayBuffer(4));
const bitsOf = (x: number): number => {
  view.setFloat32(0, x);
  return view.getUint32(0);
};
const floatOf = (bits: number): number => {
  view.setUint32(0, bits);
  return view.getFloat32(0);
};

/** A device by its conversions, from and to bits. */
interface Device {
  readonly toHalf: (bits: number) => number;
  readonly toFloat: (half: number) => number;
  /** Converts two floats to a word. */
  readonly pack: (device: Device, low: number, high: number) => number;
  /** To the nearest half and back, in each form. */
  readonly rounds: readonly [(device: Device, x: number) => number, (device: Device, x: number) => number];
}

const rounded = ({ toHalf, toFloat }: Device, x: number): number => floatOf(toFloat(toHalf(bitsOf(x))));
const EXACT: Device = {
  toHalf: (bits) => numberToHalf(floatOf(bits)),
  toFloat: (half) => bitsOf(halfToNumber(half)),
  pack: ({ toHalf }, low, high) => (toHalf(low) | (toHalf(high) << 16)) >>> 0,
  rounds: [rounded, rounded],
};

/** What a work-item of the kernel of a runtime computes. */
function wordsOf(device: Device, { floats }: HalfTest, half: number): readonly number[] {
  const pack = (low: number, high: number): number => device.pack(device, low, high);
  const [x, y, z, w] = floats.slice(4 * half, 4 * half + 4) as unknown as [number, number, number, number];
  const others = OTHER_HALVES.map(({ factor, offset }) => (half * factor + offset) % HALVES);
  const [value, a, b] = [half, ...others].map((one) => floatOf(device.toFloat(one))) as [
    number,
    number,
    number,
  ];
  const results = device.rounds.flatMap((rounding) => {
    const round = (sum: number): number => rounding(device, sum);
    const s = round(value + a);
    const t = round(s + b);
    const repeated = Array.from({ length: HALF_ROUNDS }).reduce<number>(
      (v) => round(round(v + a) + b),
      value,
    );
    const more = [round(s * t), round(round(value + HALF_STEP) - HALF_STEP), repeated].map(bitsOf);
    return [bitsOf(s), pack(bitsOf(s), bitsOf(t)), ...more];
  });
  const unpacked = [half, HALVES - 1 - half].map(device.toFloat);
  return [pack(x, y), pack(z, w), pack(y, x), pack(w, z), ...unpacked, ...results];
}

/** The words of all work-items, each computed when it is read: a test reads none after a wrong one. */
function lazily(wordOf: (half: number, i: number) => number | undefined): ArrayLike<number> {
  const get = (_: unknown, key: string): number | undefined =>
    wordOf(Math.floor(Number(key) / HALF_WORDS), Number(key) % HALF_WORDS);
  return new Proxy({} as ArrayLike<number>, { get: get as never });
}

const one = new HalfTest();
function problemsOf(device: Partial<Device>): ReturnType<HalfTest["problems"]> {
  let [last, words] = [-1, [] as readonly number[]];
  const rowOf = (half: number): readonly number[] => {
    if (half !== last) [last, words] = [half, wordsOf({ ...EXACT, ...device }, one, half)];
    return words;
  };
  return one.problems(lazily((half, i) => rowOf(half)[i]));
}

const EXACT_WORDS = new Uint32Array(HALF_WORDS * HALVES);
for (let half = 0; half < HALVES; half++) EXACT_WORDS.set(wordsOf(EXACT, one, half), HALF_WORDS * half);
/** The form of a word, below 0 for conversions alone. */
const formOf = (i: number): number => Math.floor((i - 6) / 5);
const isFloatWord = (i: number): boolean => i === 4 || i === 5 || (i > 5 && (i - 6) % 5 !== 1);

const SUBNORMAL = (half: number): boolean => (half & 0x7fff) < 0x400;
const isNaNBits = (bits: number): boolean => (bits & 0x7fffffff) > 0x7f800000;
/** Another half in the place of the nearest, for some floats. */
const changed =
  (change: (half: number, bits: number) => number): Device["toHalf"] =>
  (bits) =>
    change(EXACT.toHalf(bits), bits);
const sizeOf = (bits: number): number => Math.abs(floatOf(bits));
const isCut = (half: number, bits: number): boolean => Math.abs(halfToNumber(half)) > sizeOf(bits);
const DEVICES: Readonly<Record<string, Partial<Device>>> = {
  "rounds toward zero": { toHalf: changed((half, bits) => (isCut(half, bits) ? half - 1 : half)) },
  "rounds toward zero, beyond the largest half too": {
    toHalf: changed((half, bits) =>
      isCut(half, bits) || (sizeOf(bits) < Number.POSITIVE_INFINITY && (half & 0x7fff) === 0x7c00)
        ? half - 1
        : half,
    ),
  },
  "rounds ties up": {
    toHalf: changed((half, bits) => {
      const below = Math.abs(halfToNumber(half));
      const middle = (below + Math.abs(halfToNumber(half + 1))) / 2;
      return sizeOf(bits) === middle ? half + 1 : half;
    }),
  },
  "has no subnormal halves": { toHalf: changed((half) => (SUBNORMAL(half) ? half & 0x8000 : half)) },
  "reads subnormal halves as zeros": {
    toFloat: (half) => EXACT.toFloat(SUBNORMAL(half) ? half & 0x8000 : half),
  },
  "ends at the largest half": { toHalf: changed((half) => ((half & 0x7fff) === 0x7c00 ? half - 1 : half)) },
  "ends at the largest half, but for infinities": {
    toHalf: changed((half, bits) =>
      (half & 0x7fff) === 0x7c00 && sizeOf(bits) < Number.POSITIVE_INFINITY ? half - 1 : half,
    ),
  },
  "has infinity from 65536 on": {
    toHalf: changed((half, bits) => (sizeOf(bits) >= 65520 && sizeOf(bits) < 65536 ? half - 1 : half)),
  },
  "makes NaN of large floats": {
    toHalf: changed((half, bits) =>
      sizeOf(bits) >= 131072 && sizeOf(bits) < Number.POSITIVE_INFINITY ? 0x7fff : half,
    ),
  },
  "makes zero of floats below the least half": {
    toHalf: changed((half, bits) => (sizeOf(bits) < 2 ** -24 ? half & 0x8000 : half)),
  },
  "drops the sign of zero": { toHalf: changed((half) => (half === 0x8000 ? 0 : half)) },
  "reads -0 as 0": { toFloat: (half) => EXACT.toFloat(half === 0x8000 ? 0 : half) },
  "cuts the digits of NaN": {
    toHalf: changed((half, bits) =>
      isNaNBits(bits) ? ((bits >> 16) & 0x8000) | 0x7c00 | ((bits >> 13) & 0x3ff) : half,
    ),
  },
  "has no NaN": { toHalf: changed((half, bits) => (isNaNBits(bits) ? 0x7c00 : half)) },
  "reads NaN as infinity": {
    toFloat: (half) => ((half & 0x7fff) > 0x7c00 ? 0x7f800000 : EXACT.toFloat(half)),
  },
  "swaps the halves of a word": { pack: (device, low, high) => EXACT.pack(device, high, low) },
  "rounds only the low half": {
    pack: ({ toHalf }, low, high) => {
      const [near, up] = [toHalf(low), toHalf(high)];
      return (near | ((isCut(up, high) ? up - 1 : up) << 16)) >>> 0;
    },
  },
};

const isNaNHalf = (half: number): boolean => (half & 0x7fff) > 0x7c00;

describe("a device", () => {
  it("whose conversions are exact has both forms, whatever the digits of its NaN", () => {
    expect(one.problems(EXACT_WORDS)).toEqual({ exact: undefined, apart: undefined });
    const ownHalf = (half: number): number => (isNaNHalf(half) ? 0xfc01 : half);
    const own = EXACT_WORDS.map((word, at) => {
      if (isFloatWord(at % HALF_WORDS)) return isNaNBits(word) ? 0xff800001 : word;
      return ownHalf(word & 0xffff) | (ownHalf(word >>> 16) << 16);
    });
    expect(own).not.toEqual(EXACT_WORDS);
    expect(one.problems(own)).toEqual({ exact: undefined, apart: undefined });
  });

  // Outside of full runs every third one: each kind of change, to halves, from halves, of zeros, of limits and of NaN, is among them.
  const isFullRun = Boolean(process.env.GROUPWISE_FULL);
  it.each(Object.entries(DEVICES).filter((_, i) => isFullRun || i % 3 === 0))(
    "that %s has none",
    (_, device) => {
      const { exact, apart } = problemsOf(device);
      expect(exact).toMatch(/^for the half of the bits 0x[\da-f]{4} .*\(tested\)$/);
      expect(apart).toBe(exact);
    },
  );

  it.each([
    ["omits both conversions", (_: Device, x: number) => Math.fround(x)],
    [
      "computes with halves that have no subnormal ones",
      (device: Device, x: number) => {
        const half = device.toHalf(bitsOf(x));
        return halfToNumber(SUBNORMAL(half) ? half & 0x8000 : half);
      },
    ],
  ] as const)("whose compiler %s in one form has the other", (_, wrong) => {
    const wrongly = { ...EXACT, rounds: [wrong, wrong] as const };
    for (const form of [0, 1]) {
      const words = lazily((half, i) =>
        formOf(i) === form ? wordsOf(wrongly, one, half)[i] : EXACT_WORDS[HALF_WORDS * half + i],
      );
      const found = expect.stringMatching(/results of operations/);
      expect(one.problems(words)).toEqual(
        form === 0 ? { exact: found, apart: undefined } : { exact: undefined, apart: found },
      );
    }
  });
});

/** Whether a word has, or is, a NaN, of which any will do. */
const hasNaN = (i: number, word: number): boolean =>
  isFloatWord(i) ? isNaNBits(word) : isNaNHalf(word & 0xffff) || isNaNHalf(word >>> 16);

test(
  "a change of any bit that is none of a NaN is found, in its form",
  () =>
    fc.property(fc.nat(HALVES - 1), fc.nat(HALF_WORDS - 1), fc.nat(31), (half, i, bit) => {
      const at = HALF_WORDS * half + i;
      const word = EXACT_WORDS[at] as number;
      fc.pre(!hasNaN(i, word));
      EXACT_WORDS[at] = word ^ (1 << bit);
      const { exact, apart } = one.problems(EXACT_WORDS);
      EXACT_WORDS[at] = word;
      expect([exact !== undefined, apart !== undefined]).toEqual([formOf(i) !== 1, formOf(i) !== 0]);
    }),
  process.env.GROUPWISE_FULL ? 2000 : 8,
);
