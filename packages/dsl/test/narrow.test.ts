import { check } from "@groupwise/core";
import { NARROW, NARROW_NAMES, storedValue } from "@groupwise/core/target";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { errorFrom } from "../../ir/test/support.ts";
import {
  type BoolValue,
  bf16,
  bool,
  constant,
  type F32Value,
  f32,
  type I32Value,
  i8,
  i16,
  i32,
  param,
  pipeline,
  scalar,
  type Table,
  table,
  type U32Value,
  u8,
  u16,
  u32,
} from "../src/index.ts";
import { nodesOf, run } from "./support.ts";

const TYPES = { i8, u8, i16, u16 } as const;
const word = fc.integer({ min: -(2 ** 31), max: 2 ** 32 - 1 });

describe("a narrow type", () => {
  test("of an input or a table has values of i32, u32 or f32", () => {
    const all = pipeline("all", { a: i8, b: u8, c: i16, d: u16, e: bf16, t: table(u8) }, (x) => ({
      ...{ va: x.a, vb: x.b, vc: x.c, vd: x.d, ve: x.e },
      found: x.t.at(x.b),
    }));
    const { types, sinks } = check(all.ir);
    expect(sinks.map(({ id }) => types[id])).toEqual(["i32", "u32", "i32", "u32", "f32", "u32"]);
    expect(all.inputs).toEqual({ a: "i8", b: "u8", c: "i16", d: "u16", e: "bf16" });
    expect(all.tables).toEqual({ t: "u8" });
  });

  test("of an output and of a scatter is in the document and in the types of the definition", () => {
    const made = pipeline("made", { x: u32, f: f32 }, ({ x, f }, { index }) => ({
      low: u8(x),
      half: bf16(f),
      turned: i16(x).scatter({ to: index() }),
      wide: x,
    }));
    expect(nodesOf(made, "output").map(({ name, as }) => [name, as])).toEqual([
      ["low", "u8"],
      ["half", "bf16"],
      ["wide", undefined],
    ]);
    expect(nodesOf(made, "scatter").map(({ as }) => as)).toEqual(["i16"]);
    expect(made.outputs).toEqual({ low: "u8", half: "bf16", turned: "i16", wide: "u32" });
  });

  test.each(Object.entries(TYPES))("%s wraps, and saturates on request, whatever the sign", (name, type) => {
    const { range, array } = NARROW[name as keyof typeof TYPES];
    const [least, greatest] = range as readonly [number, number];
    for (const from of [i32, u32]) {
      const made = pipeline("made", { x: from }, ({ x }) => ({
        wrapped: type(x as never),
        held: type(x as never, { saturate: true }),
      }));
      fc.assert(
        fc.property(word, (bits) => {
          const x = from === i32 ? bits | 0 : bits >>> 0;
          const { wrapped, held } = run(made, { x: [x] });
          const want = new array(1);
          want[0] = x;
          expect(wrapped).toEqual([want[0]]);
          expect(held).toEqual([Math.min(greatest, Math.max(least, x))]);
        }),
        { examples: [[least], [greatest], [least - 1], [greatest + 1], [2 ** 31], [-1]] },
      );
    }
  });

  test.each(["add", "mul", "min", "max", "and", "or", "xor"] as const)(
    "saturates the identity of %s to its own, where there are no items",
    (op) => {
      for (const [name, type] of Object.entries({ ...TYPES, bf16 })) {
        const isFloat = name === "bf16";
        if (isFloat && ["and", "or", "xor"].includes(op)) continue;
        const [least, greatest] = NARROW[name as keyof typeof NARROW].range ?? [
          -Number.POSITIVE_INFINITY,
          Number.POSITIVE_INFINITY,
        ];
        const ones = name.startsWith("u") ? greatest : -1;
        const want = { add: 0, mul: 1, min: greatest, max: least, and: ones, or: 0, xor: 0 }[op];
        const held = (x: unknown) => type(x as never, isFloat ? {} : { saturate: true });
        const made = pipeline("made", { x: type as typeof i8 }, ({ x }) => ({
          all: held(x.reduce(op)),
          before: held(x.scanExclusive(op)),
          first: held(x.scanExclusive(op, { segments: x.eq(x) })),
        }));
        expect(run(made, { x: [] }).all, name).toEqual([want]);
        const { before, first } = run(made, { x: [1, 1] });
        expect(
          [before?.[0], ...(first ?? [])].map((value) => Number(value) + 0),
          name,
        ).toEqual([want, want, want]);
      }
    },
  );

  test("of an input narrows the values that the pipeline is applied to, as its own run does", () => {
    for (const name of NARROW_NAMES) {
      const type = { ...TYPES, bf16 }[name];
      const from = { i32, u32, f32 }[NARROW[name].value];
      const inner = pipeline("inner", { x: type }, ({ x }) => ({
        y: (x as never as { add(y: number): typeof x }).add(1),
      }));
      const outer = pipeline("outer", { x: from }, ({ x }) => inner({ x } as never));
      const values = [0, 1, 127, 128, 255, 256, 70000, 1.005, 3.0e38, Number.NaN].map((x) =>
        name === "bf16" ? Math.fround(x) : Math.trunc(x || 0) | 0,
      );
      const narrow = values.map((x) => storedValue(name, x));
      expect(run(outer, { x: values })).toEqual(run(inner, { x: narrow }));
    }
  });
});

interface Handles {
  readonly x: U32Value;
  readonly i: I32Value;
  readonly f: F32Value;
  readonly b: BoolValue;
  readonly t: Table<"u8">;
  readonly w: Table<"u32">;
}

describe("refuses", () => {
  const inner = pipeline("inner", { t: table(u8), x: u32 }, ({ t, x }) => ({ y: t.at(x) }));
  const saturating = (saturate: unknown) => ({ saturate }) as never;
  const combining = (to: unknown) => ({ to, combine: "add" }) as never;
  const inside = (build: (x: Handles) => unknown) => () =>
    pipeline("p", { x: u32, i: i32, f: f32, b: bool, t: table(u8), w: table(u32) }, build as never);
  test.each([
    ["type-mismatch", "a float as bytes", inside(({ f }) => ({ y: u8(f as never) }))],
    ["type-mismatch", "a truth value as bytes", inside(({ b }) => ({ y: u8(b as never) }))],
    ["type-mismatch", "an integer as bf16", inside(({ x }) => ({ y: bf16(x as never) }))],
    ["bad-usage", "a constant alone", inside(() => ({ y: u8(5 as never) }))],
    ["bad-argument", "a way that is no boolean", inside(({ x }) => ({ y: u8(x, saturating("yes")) }))],
    ["bad-usage", "a narrow output as a scalar one", inside(({ x }) => ({ y: scalar(u8(x) as never) }))],
    ["op-type", "a scatter that combines bytes", inside(({ x }) => ({ y: u8(x).scatter(combining(x)) }))],
    ["unknown-type", "a parameter of bytes", () => param(u8 as never)],
    ["unknown-type", "a constant of bytes", () => constant(u8 as never, 1 as never)],
    ["type-mismatch", "another table", inside(({ w, x }) => inner({ t: w as never, x }))],
  ])("%s: %s", (code, _, act) => {
    expect(errorFrom(act).code).toBe(code);
  });
});
