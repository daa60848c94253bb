/** Sweeps across devices: equal hashes where results are equal, and a wrong result of one input is found. */

import { jsRuntime } from "@groupwise/target-js/runtime";
import { deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import { findCc } from "@groupwise/testkit/devices";
import { afterAll, describe, expect, it } from "vitest";
import { type Comparison, compared } from "../src/sweeps/compare.ts";
import { pairedOf, type ResultChange, type Swept, unaryOf, valuesPipeline } from "../src/sweeps/pipelines.ts";
import { cPlace, placeOf, type SweepPlace } from "../src/sweeps/place.ts";

const js = placeOf("JavaScript", jsRuntime());
afterAll(() => js.close());

/** Steps between bit patterns that reach all signs and exponents with 4,099 of them; other operands are random. */
const STRIDES = { f16: 15, f32: 1_047_553, f64: 1 } as const;
const some = (swept: Swept, places: readonly SweepPlace[], more: Partial<Comparison> = {}): Comparison => ({
  swept,
  items: 4099,
  stride: STRIDES[swept.type],
  chunk: 1024,
  places,
  ...more,
});
const counts = async (comparison: Comparison): Promise<readonly number[]> =>
  (await compared(comparison)).differing.map(({ results }) => results);

/** A function of two operands, and one of words; functions have tests of their own. */
const SAMPLE: readonly Swept[] = [
  { name: "copysign", type: "f32" },
  { name: "sqrt", type: "f64" },
];
const all = (type: Swept["type"]): readonly Swept[] =>
  [...unaryOf(type), ...pairedOf(type)].map((name) => ({ name, type }));
const onHosts = isFullRun() ? [...all("f16"), ...all("f32"), ...all("f64")] : SAMPLE;
describe("results are equal bit for bit", () => {
  deviceTest("in C and JavaScript", findCc, async () => {
    const c = await cPlace(2);
    for (const swept of onHosts) expect(await counts(some(swept, [c, js])), swept.name).toEqual([0, 0]);
    c.close();
  });
});

describe("a wrong result", () => {
  const swept: Swept = { name: "sqrt", type: "f32" };
  /** The bits of 4. */
  const FOUR = 0x40800000;
  const isFour = { items: 2 ** 16, stride: 0x10000, chunk: 2 ** 12 };
  const flipped: ResultChange = (word, key) => key.eq(FOUR).select(word.xor(5), word);

  it("of one input of 65,536 is found, and named with its bits", async () => {
    const comparison = some(swept, [js, js], { ...isFour, changes: [undefined, flipped] });
    const { differing } = await compared(comparison);
    const examples = ["sqrt(0x40800000) = 0x40000005, and not 0x40000000"];
    expect(differing).toEqual([
      { results: 0, bits: 0, examples: [] },
      { results: 1, bits: 2, examples },
    ]);
  });

  it("of the base is found on every other place", async () => {
    const comparison = some(swept, [js, js, js], { ...isFour, changes: [flipped] });
    expect(await counts(comparison)).toEqual([0, 1, 1]);
  });

  it("of all inputs is counted, NaN and its changes too", async () => {
    const changes = [undefined, (word: Parameters<ResultChange>[0]) => word.add(1)];
    expect(await counts(some(swept, [js, js], { changes }))).toEqual([0, 4099]);
  });

  it("in the low word of an f64 is found", async () => {
    const last: ResultChange = (word, key) => key.eq(4098).select(word.xor(1), word);
    const comparison = some({ name: "sqrt", type: "f64" }, [js, js], { changes: [undefined, last] });
    expect(await counts(comparison)).toEqual([0, 1]);
  });

  it("is not hidden where two inputs exchange their results", async () => {
    // sqrt 1 = 1 and sqrt 4 = 2.
    const exchanged: ResultChange = (word, key) =>
      key
        .eq(FOUR)
        .or(key.eq(0x3f800000))
        .select(word.xor(0x3f800000 ^ 0x40000000), word);
    const comparison = some(swept, [js, js], { ...isFour, changes: [undefined, exchanged] });
    expect(await counts(comparison)).toEqual([0, 2]);
  });
});

describe("a sweep", () => {
  it("has the same hash in chunks of every size", async () => {
    const whole = some({ name: "sqrt", type: "f32" }, [js], { chunk: 4099 });
    const want = await compared(whole);
    expect(want.hashes[0]?.sum).not.toBe(0);
    expect(await compared({ ...whole, chunk: 100 })).toEqual(want);
  });

  it("begins no chunk after its time, and tells how far it came", async () => {
    const late = some({ name: "sqrt", type: "f32" }, [js], { until: 0 });
    expect(await compared(late)).toMatchObject({ to: 0, hashes: [{ sum: 0, xor: 0 }] });
  });
});

describe("operands", () => {
  it("of f16 are all 65,536 bit patterns", async () => {
    const items = { n: 2 ** 16, start: 0, stride: 1 };
    const { x0_0: words } = await js.values(valuesPipeline({ name: "floor", type: "f16" }), items);
    const values = new Float32Array((words as Uint32Array).buffer);
    /** By the definition of binary16. */
    const half = (bits: number): number => {
      const [sign, exponent, digits] = [bits >> 15 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
      if (exponent === 31) return digits ? Number.NaN : sign * Number.POSITIVE_INFINITY;
      return sign * (exponent ? (1 + digits / 1024) * 2 ** (exponent - 15) : digits * 2 ** -24);
    };
    expect(Array.from(values)).toEqual(Array.from({ length: 2 ** 16 }, (_, bits) => half(bits)));
  });

  it.each(["f16", "f32", "f64"] as const)(
    "of pairs of %s have every hard kind in both places",
    async (type) => {
      const words = await js.values(valuesPipeline({ name: "copysign", type }), {
        n: 20_000,
        start: 7,
        stride: 1,
      });
      for (const slot of ["x0", "x1"]) {
        const [low, high] = [words[`${slot}_0`] as Uint32Array, words[`${slot}_1`] as Uint32Array];
        const view = new DataView(new ArrayBuffer(8));
        const values = Array.from(low, (word, i) => {
          view.setUint32(0, type === "f64" ? (high[i] as number) : word);
          view.setUint32(4, word);
          return type === "f64" ? view.getFloat64(0) : view.getFloat32(0);
        });
        const least = { f16: 2 ** -14, f32: 2 ** -126, f64: 2 ** -1022 }[type];
        const kinds = {
          nan: values.filter(Number.isNaN),
          infinite: values.filter((x) => Math.abs(x) === Number.POSITIVE_INFINITY),
          positive: values.filter((x) => Object.is(x, 0)),
          negative: values.filter((x) => Object.is(x, -0)),
          subnormal: values.filter((x) => x !== 0 && Math.abs(x) < least),
          one: values.filter((x) => Math.abs(x) === 1),
          near: values.filter((x) => Math.abs(x) > 0.5 && Math.abs(x) < 2),
          whole: values.filter((x) => Number.isInteger(x) && x !== 0 && Math.abs(x) < 8192),
          parts: values.filter((x) => Number.isInteger(x * 64) && !Number.isInteger(x) && Math.abs(x) < 128),
          other: new Set(values.map(String)),
        };
        for (const [kind, found] of Object.entries(kinds))
          expect("size" in found ? found.size : found.length, `${slot} ${kind}`).toBeGreaterThan(10);
      }
    },
  );
});
