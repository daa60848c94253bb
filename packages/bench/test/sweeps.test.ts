/** Sweeps across devices: equal hashes where results are equal, and a wrong result of one input is found. */

import { jsRuntime } from "@groupwise/target-js/runtime";
import { deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import { findCc } from "@groupwise/testkit/devices";
import { afterAll, describe, expect, it } from "vitest";
import { type Comparison, compared } from "../src/sweeps/compare.ts";
import { type ResultChange, type Swept, unaryOf, valuesPipeline } from "../src/sweeps/pipelines.ts";
import { cPlace, placeOf, type SweepPlace } from "../src/sweeps/place.ts";

const js = placeOf("JavaScript", jsRuntime());
afterAll(() => js.close());

/** Steps between bit patterns that reach all signs and exponents with 4,099 of them. */
const STRIDES = { f16: 15, f32: 1_047_553 } as const;
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

/** One of each type; functions have tests of their own. */
const SAMPLE: readonly Swept[] = [
  { name: "floor", type: "f16" },
  { name: "sqrt", type: "f32" },
];
const all = (type: Swept["type"]): readonly Swept[] => unaryOf(type).map((name) => ({ name, type }));
const onHosts = isFullRun() ? [...all("f16"), ...all("f32")] : SAMPLE;
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
});

describe("operands", () => {
  it("of f16 are all 65,536 bit patterns", async () => {
    const items = { n: 2 ** 16, start: 0, stride: 1 };
    const { x: words } = await js.values(valuesPipeline({ name: "floor", type: "f16" }), items);
    const values = new Float32Array((words as Uint32Array).buffer);
    /** By the definition of binary16. */
    const half = (bits: number): number => {
      const [sign, exponent, digits] = [bits >> 15 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
      if (exponent === 31) return digits ? Number.NaN : sign * Number.POSITIVE_INFINITY;
      return sign * (exponent ? (1 + digits / 1024) * 2 ** (exponent - 15) : digits * 2 ** -24);
    };
    expect(Array.from(values)).toEqual(Array.from({ length: 2 ** 16 }, (_, bits) => half(bits)));
  });
});
