/** Integers of 8 and 16 bits, 16 and 8 to a vector: what each operator gives is what the reference gives. */
import { check, emit } from "@groupwise/core";
import {
  type BoolValue,
  bool,
  compaction,
  f32,
  i8,
  i16,
  pipeline,
  type U32Value,
  u8,
  u16,
} from "@groupwise/dsl";
import { expected } from "@groupwise/testkit";
import { describe, expect, it } from "vitest";
import { fc } from "../../ir/test/fast-check.ts";
import { wasm } from "../src/index.ts";
import { wasmRuntime } from "../src/runtime.ts";

const ARRAYS = { u8: Uint8Array, i8: Int8Array, u16: Uint16Array, i16: Int16Array };
const TYPES = { u8, i8, u16, i16 };
type Name = keyof typeof TYPES;

// Values of one type stand in for those of both.
type Value = U32Value;
const BINARY: readonly ((a: Value, b: Value) => Value)[] = [
  ...(["add", "sub", "mul", "min", "max", "and", "or", "xor"] as const).map(
    (op) => (a: Value, b: Value) => a[op](b),
  ),
  (a, b) => a.lt(b).select(a, b),
  (a, b) => a.eq(b).or(a.gt(b)).select(a.add(b), b),
  (a) => a.shl(3),
  (a) => a.shr(1),
  (a) => a.not(),
  (a) => a.ge(7 as never).select(a, a.add(1 as never)),
];
const COMPARED: readonly ((a: Value, b: Value) => BoolValue)[] = (
  ["eq", "ne", "lt", "le", "gt", "ge"] as const
).map((op) => (a, b) => a[op](b));
const REDUCED = ["add", "min", "max", "and", "or", "xor"] as const;

/** Two inputs of one type, some operators, and what is made of the result. */
const shapes = fc.record({
  type: fc.constantFrom<Name>("u8", "i8", "u16", "i16"),
  steps: fc.array(fc.nat(BINARY.length - 1), { maxLength: 3 }),
  compared: fc.nat(COMPARED.length - 1),
  op: fc.constantFrom(...REDUCED),
  to: fc.constantFrom<Name>("u8", "i8", "u16", "i16"),
  ends: fc.subarray(["value", "bool", "reduce", "count", "chosen", "kept"] as const, { minLength: 1 }),
});
type Shape = typeof shapes extends fc.Arbitrary<infer T> ? T : never;

function pipelineOf({ type, steps, compared, op, to, ends }: Shape) {
  const inputs = { x: TYPES[type] as typeof u8, y: TYPES[type] as typeof u8, keep: bool };
  return pipeline("short", inputs, ({ x, y, keep }) => {
    const value = steps.reduce((made, step) => (BINARY[step] as (a: Value, b: Value) => Value)(made, y), x);
    const is = (COMPARED[compared] as (a: Value, b: Value) => BoolValue)(value, y);
    const same = type.startsWith("u") === to.startsWith("u");
    const narrow = same ? to : type;
    const both = is.and(keep);
    const all = {
      value: (TYPES[narrow] as typeof u8)(value),
      bool: is,
      reduce: value.reduce(op),
      count: both.toU32().reduce("add"),
      kept: value.scatter({ to: both.toU32().scanExclusive("add"), where: both }),
      chosen: (TYPES[narrow] as typeof u8)(keep.select(value, y)),
    };
    return Object.fromEntries(ends.map((end) => [end, all[end]])) as { readonly value: U32Value };
  });
}

const LENGTHS = [0, 1, 7, 8, 15, 16, 17, 33, 63, 64, 65, 130];
const extreme = (n: number): fc.Arbitrary<number[]> =>
  fc.array(fc.oneof(fc.integer({ min: -32768, max: 65535 }), fc.constantFrom(0, 1, 127, 128, 255, 256, -1)), {
    minLength: n,
    maxLength: n,
  });

describe("integers of 8 and 16 bits", () => {
  const runtime = wasmRuntime();
  it("have the results of the reference", async () => {
    const given = fc.constantFrom(...LENGTHS).chain((n) => fc.tuple(extreme(n), extreme(n), extreme(n)));
    const property = fc.asyncProperty(shapes, given, async (shape, [x, y, keep]) => {
      const { ir } = pipelineOf(shape);
      const values = {
        x: ARRAYS[shape.type].from(x),
        y: ARRAYS[shape.type].from(y),
        keep: Uint8Array.from(keep, (one) => one & 1),
      };
      const program = await runtime.compile(ir);
      const [got, want] = [await program.run(values), expected(check(ir), values)];
      program.dispose();
      expect(got).toEqual(want);
    });
    await fc.assert(property, { numRuns: process.env.GROUPWISE_FULL ? 150 : 60 });
  });

  const textOf = (source: Parameters<typeof emit>[0]): string =>
    emit(source, wasm).files.find(({ path }) => path.endsWith(".wat"))?.text ?? "";

  it("fill vectors where their bits suffice", () => {
    const of = (make: (x: U32Value) => unknown, type: Name = "u8") =>
      textOf(pipeline("p", { x: TYPES[type] as typeof u8 }, ({ x }) => ({ y: make(x) as U32Value })));
    expect(of((x) => u8(x.add(200)))).toContain("i8x16.add");
    expect(of((x) => x.eq(10).toU32().reduce("add"))).toContain("i16x8.extadd_pairwise_i8x16_u");
    expect(of((x) => x.reduce("max"), "i8")).toContain("i8x16.max_s");
    expect(of((x) => x.gt(9))).toContain("i8x16.gt_u");
    expect(of((x) => x.scatter(compaction(x.gt(9))))).toContain("i8x16.bitmask");
    // 255 + 255 needs 9 bits.
    expect(of((x) => u8(x.add(x).shr(1)))).toContain("i16x8.shr_u");
    expect(of((x) => u8(x.mul(x).mul(x).min(300)))).toContain("i32x4.min_u");
  });

  it("are made of floats, four at a time", () => {
    const shade = pipeline("p", { x: u8 }, ({ x }) => ({ y: u8(x.toF32().mul(1.5).toU32()) }));
    expect(textOf(shade)).toContain("i8x16.narrow_i16x8_u");
    expect(textOf(pipeline("p", { x: f32 }, ({ x }) => ({ y: x.gt(0) })))).toContain("i32x4.extract_lane");
  });
});
