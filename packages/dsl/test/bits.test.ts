import { check } from "@groupwise/core";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { errorFrom } from "../../ir/test/support.ts";
import { bits, bool, packBits, param, pipeline, table, u32, unpackBits } from "../src/index.ts";
import { nodesOf, run } from "./support.ts";

const flags = fc.array(fc.boolean(), { maxLength: 100 });
/** A bitmap as a text of digits, by an algorithm of its own. */
const wordsOf = (values: readonly boolean[]): number[] =>
  Array.from({ length: Math.ceil(values.length / 32) }, (_, w) =>
    Number.parseInt(
      values
        .slice(32 * w, 32 * w + 32)
        .map(Number)
        .reverse()
        .join(""),
      2,
    ),
  );

describe("bits on the host", () => {
  test("are packed from the lowest bit of each word, and unpacked again", () => {
    fc.assert(
      fc.property(flags, (values) => {
        expect([...packBits(values)]).toEqual(wordsOf(values));
        expect([...unpackBits(packBits(values), values.length)]).toEqual(values.map(Number));
      }),
    );
  });

  test("are not read past the end", () => {
    for (const length of [33, -1, 0.5])
      expect(errorFrom(() => unpackBits(Uint32Array.of(1), length)).code).toBe("bad-argument");
  });
});

describe("bits of a pipeline", () => {
  const both = pipeline("both", { a: bits, b: bool }, ({ a, b }) => ({ plain: a, out: bits(a.xor(b)) }));

  test("are a table of words and a scatter that combines them", () => {
    expect(both.tables).toEqual({ a: "u32" });
    expect(both.inputs).toEqual({ b: "bool" });
    expect(both.outputs).toEqual({ plain: "bool", out: "u32" });
    expect(nodesOf(both, "scatter").map(({ combine }) => combine)).toEqual(["or"]);
  });

  test("are read and written item by item", () => {
    fc.assert(
      fc.property(flags, fc.infiniteStream(fc.boolean()), (a, stream) => {
        const b = a.map(() => stream.next().value as boolean);
        const got = run(both, { b }, {}, a.length, { tables: { a: wordsOf(a) } });
        expect(got.plain).toEqual(a);
        expect(got.out).toEqual(wordsOf(a.map((one, i) => one !== b[i])));
      }),
    );
  });

  test("of items in two dimensions are in the order of the range", () => {
    const grid = pipeline("grid", { a: bits }, ({ a }) => ({ out: bits(a.not()) }), {
      workGroupSize: [3, 2],
    });
    const a = Array.from({ length: 35 }, (_, i) => i % 3 === 0);
    const got = run(grid, {}, {}, 35, { globalSize: [7, 5], tables: { a: wordsOf(a) } });
    expect(got.out).toEqual(wordsOf(a.map((one) => !one)));
  });

  test("of a uniform value are written for each item", () => {
    const made = pipeline("made", { x: u32 }, ({ x }) => ({ out: bits(x.reduce("add").gt(3)) }));
    expect(run(made, { x: [1, 1, 2] }).out).toEqual([7]);
  });

  test("as a table are read at any index; past the end the last bit of the last word", () => {
    const look = pipeline("look", { at: u32, set: table(bits) }, ({ at, set }) => ({ found: set.at(at) }));
    const at = [0, 31, 32, 63, 64, 2 ** 32 - 1, 2 ** 32 - 32];
    const found = [true, false, false, true, true, true, true];
    expect(run(look, { at }, {}, 7, { tables: { set: [1, 2 ** 31] } }).found).toEqual(found);
    expect(run(look, { at }, {}, 7, { tables: { set: [] } }).found).toEqual(at.map(() => false));
  });

  test("are applied to a table of words", () => {
    const outer = pipeline("outer", { set: table(bits), b: bool }, ({ set, b }) => both({ a: set.words, b }));
    expect(run(outer, { b: [false, true, true] }, {}, 3, { tables: { set: [5] } }).out).toEqual([3]);
  });
});

describe("a scatter of bits", () => {
  const made = pipeline("made", { to: u32, on: bool, go: bool, k: param(u32) }, ({ to, on, go, k }) => ({
    set: bits(on).scatter({ to, where: go, capacity: k }),
  }));
  const slot = fc.tuple(fc.nat(69), fc.boolean(), fc.boolean());

  test("sets the bits of true items, and does not change their neighbours", () => {
    fc.assert(
      fc.property(fc.array(slot), (items) => {
        const [to, on, go] = [0, 1, 2].map((i) => items.map((item) => item[i])) as [
          number[],
          boolean[],
          boolean[],
        ];
        const want = Array.from({ length: 70 }, (_, s) => items.some(([t, o, g]) => t === s && o && g));
        expect(run(made, { to, on, go }, { k: 70 }).set).toEqual(wordsOf(want));
      }),
    );
  });

  test.each([69, 70, 2 ** 32 - 1])("past the end of 69 bits is refused, also for a false item: %i", (to) => {
    for (const on of [true, false])
      expect(errorFrom(() => run(made, { to: [to], on: [on], go: [true] }, { k: 69 })).code).toBe(
        "scatter-outside",
      );
    expect(run(made, { to: [to], on: [true], go: [false] }, { k: 69 }).set).toEqual([0, 0, 0]);
  });

  test("respects the length, in bits", () => {
    const some = pipeline("some", { to: u32 }, ({ to }) => ({
      set: bits(to.ge(0)).scatter({ to, capacity: 100, length: 40 }),
    }));
    expect(run(some, { to: [39, 0] }).set).toEqual([1, 128]);
    expect(errorFrom(() => run(some, { to: [40] })).code).toBe("scatter-outside");
  });

  test("has no words without bits, and no overflow at the largest capacity", () => {
    expect(run(made, { to: [], on: [], go: [] }, { k: 0 }).set).toEqual([]);
    expect(check(made.ir).sinks).toHaveLength(1);
  });
});

describe("bits are refused", () => {
  const bitsOf = (x: { eq(k: number): never }) => bits(x.eq(1));
  test.each([
    ["of what is not bool", "type-mismatch", (x: never) => bits(x)],
    ["of constants", "bad-usage", () => bits(true as never)],
    ["that are combined", "bad-usage", (x: never) => bitsOf(x).scatter({ to: x, combine: "or" } as never)],
    ["without a slot", "bad-usage", (x: never) => bitsOf(x).scatter(undefined as never)],
  ])("%s", (_, code, act) => {
    const build = () => pipeline("refused", { x: u32 }, ({ x }) => ({ out: act(x as never) }));
    expect(errorFrom(build).code).toBe(code);
  });
});
