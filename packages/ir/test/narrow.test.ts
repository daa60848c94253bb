import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { check, problemsOf } from "../src/document/check.ts";
import type { PipelineNode } from "../src/document/node.ts";
import { reference } from "../src/reference/reference.ts";
import {
  ARRAY_TYPES,
  arraySpec,
  bfloatToNumber,
  isNarrow,
  NARROW,
  NARROW_NAMES,
  type NarrowSpec,
  numberToBfloat,
  storedValue,
  valueTypeOf,
} from "../src/tables/narrow.ts";
import { SCALARS } from "../src/tables/scalar.ts";

const INTEGERS = NARROW_NAMES.filter((name) => name !== "bf16");
const float = new DataView(new ArrayBuffer(4));
const floatOf = (bits: number): number => {
  float.setUint32(0, bits);
  return float.getFloat32(0);
};

describe("elements of narrow integers", () => {
  test.each(INTEGERS)("%s are converted as by the language's typed array", (name) => {
    const { array, toHost, fromHost, value } = NARROW[name];
    const values = value === "u32" ? fc.integer({ min: 0, max: 2 ** 32 - 1 }) : fc.integer();
    const edges = [0, 1, 127, 128, 255, 256, 32767, 32768, 65535, 65536].map((x) => [x] as [number]);
    fc.assert(
      fc.property(values, (x) => {
        const want = new array(1) as Int8Array;
        want[0] = x;
        expect([toHost(x), fromHost(toHost(x))]).toEqual([want[0], want[0]]);
      }),
      { examples: edges },
    );
  });

  test.each(INTEGERS)("%s have the range of their bits", (name) => {
    const { array, range, bits } = NARROW[name] as NarrowSpec & { range: [number, number] };
    const all = new Set(Array.from({ length: 2 ** bits }, (_, i) => new array(1).fill(i)[0] as number));
    expect([Math.min(...all), Math.max(...all)]).toEqual(range);
  });
});

describe("bf16", () => {
  /** All finite ones of a sign, in order of their bits; the one past them stands for infinity. */
  const finite = Array.from({ length: 0x7f81 }, (_, i) => (i === 0x7f80 ? 2 ** 128 : floatOf(i * 65536)));

  test("bits and numbers correspond one to one, except NaN", () => {
    for (let bits = 0; bits < 65536; bits++) {
      const number = bfloatToNumber(bits);
      if (Number.isNaN(number)) expect(numberToBfloat(number)).toBe(0x7fc0);
      else expect(numberToBfloat(number)).toBe(bits);
    }
  });

  test("rounds to the nearest, ties to even", () => {
    const nearest = (x: number): number => {
      let best = 0;
      for (let [low, high] = [0, finite.length - 1]; low <= high; ) {
        const middle = (low + high) >> 1;
        best = middle;
        if ((finite[middle] as number) <= x) low = middle + 1;
        else high = middle - 1;
      }
      const near = [best - 1, best, best + 1].filter((i) => i >= 0 && i < finite.length);
      // Differences of floats of nearly equal size are exact in doubles.
      const away = (i: number): number => Math.abs((finite[i] as number) - x);
      const least = Math.min(...near.map(away));
      const found = near.filter((i) => away(i) === least);
      return (found.length > 1 ? found.find((i) => i % 2 === 0) : found[0]) as number;
    };
    const halfWay = fc.integer({ min: 0, max: 0x7f7f }).map((i) => i * 65536 + 0x8000);
    const bits = fc.oneof(
      fc.integer({ min: 0, max: 0x7f7fffff }),
      halfWay,
      halfWay.map((x) => x - 1),
      halfWay.map((x) => x + 1),
    );
    fc.assert(
      fc.property(bits, fc.boolean(), (word, negative) => {
        const x = floatOf(word);
        expect(numberToBfloat(negative ? -x : x)).toBe(nearest(x) + (negative ? 0x8000 : 0));
      }),
      {
        numRuns: 2000,
        examples: [
          [0x7f7fffff, false],
          [0x7f7f7fff, true],
          [0x7f7f8000, false],
          [1, true],
        ],
      },
    );
  });
});

describe("types of array elements", () => {
  test("have names without those of object prototypes", () => {
    expect(NARROW_NAMES.every(isNarrow)).toBe(true);
    expect(["i32", "toString", undefined, 5, ["i8"]].some(isNarrow)).toBe(false);
  });

  test("that are element types hold their own values", () => {
    for (const type of ARRAY_TYPES) {
      const of = valueTypeOf(type);
      const value = SCALARS[of].whole(1);
      expect(storedValue(type, value)).toEqual(value);
      expect(arraySpec(type).fromHost(arraySpec(type).toHost(value))).toEqual(value);
    }
  });
});

type Draft = Record<string, unknown>;
const pipelineOf = (...nodes: Draft[]) => ({
  format: "groupwise-pipeline" as const,
  version: 1 as const,
  name: "p",
  workGroupSize: [4],
  nodes: nodes.map((node, id) => ({ id, ...node })) as unknown as PipelineNode[],
});
const codes = (...nodes: Draft[]): string[] => problemsOf(pipelineOf(...nodes)).map(({ code }) => code);

describe("a pipeline of narrow arrays", () => {
  const bytes = { kind: "input", name: "x", type: "u8" };

  test("has values of the type in its row of the table", () => {
    for (const type of NARROW_NAMES) {
      const { types } = check(pipelineOf({ ...bytes, type }, { kind: "output", name: "y", of: 0, as: type }));
      expect(types).toEqual([NARROW[type].value, NARROW[type].value]);
    }
  });

  test.each([
    ["a value of another type", "type-mismatch", { kind: "output", name: "y", of: 0, as: "i8" }],
    ["a float as an integer", "type-mismatch", { kind: "output", name: "y", of: 0, as: "bf16" }],
    ["an element type", "unknown-type", { kind: "output", name: "y", of: 0, as: "u32" }],
    ["a key of every object", "unknown-type", { kind: "output", name: "y", of: 0, as: "toString" }],
    ["no type", "unknown-type", { kind: "scatter", name: "y", value: 0, slot: 0, as: 8 }],
    [
      "a scatter that combines",
      "op-type",
      { kind: "scatter", name: "y", value: 0, slot: 0, combine: "add", as: "u8" },
    ],
  ])("refuses an output of %s", (_, code, node) => {
    expect(codes(bytes, node)).toEqual([code]);
  });

  test.each(["param", "const", "cast"])("refuses values of narrow types: %s", (kind) => {
    const node = { kind, name: "p", type: "u8", to: "u8", of: 0, value: 1 };
    expect(codes(bytes, node, { kind: "output", name: "y", of: 0 })).toContain("unknown-type");
  });

  test("narrows only the elements of outputs and scatters", () => {
    const checked = check(
      pipelineOf(
        { kind: "input", name: "x", type: "u32" },
        { kind: "query", query: "global-linear-id", dimension: 0 },
        { kind: "output", name: "low", of: 0, as: "u8" },
        { kind: "output", name: "all", of: 0 },
        { kind: "scatter", name: "there", value: 0, slot: 1, as: "u16" },
      ),
    );
    const x = [0, 255, 256, 65537, 2 ** 32 - 1];
    expect(reference(checked, { n: 5, inputs: { x } })).toEqual({
      low: [0, 255, 0, 1, 255],
      all: x,
      there: [0, 255, 256, 1, 65535],
    });
  });
});
