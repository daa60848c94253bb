import { f16, f32, i64, param, pipeline, scalar, table, u8, u32 } from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import type {
  Bool,
  Float16,
  Float32,
  Float64,
  Int64,
  TimestampMicrosecond,
  Uint8,
  Vector,
} from "apache-arrow";
import { expectTypeOf, test } from "vitest";
import { type ColumnResults, type ColumnValues, overColumns } from "../src/index.ts";

const built = pipeline(
  "typed",
  { x: f32, h: f16, k: i64, t: table(u32), a: param(f32) },
  ({ x, h, k, t, a }) => ({
    sums: x.mul(a).scanInclusive("add"),
    half: h,
    big: k.add(1n),
    low: u8(t.at(0).add(x.toU32())),
    less: x.lt(a),
    total: scalar(k.reduce("add")),
  }),
);

test("types of columns and results are inferred from the pipeline", () => {
  type Given = ColumnValues<typeof built>;
  expectTypeOf<Vector<Float32> | Float32Array>().toExtend<Given["x"]>();
  expectTypeOf<Vector<Float64>>().not.toExtend<Given["x"]>();
  expectTypeOf<Vector<Int64> | Vector<TimestampMicrosecond> | BigInt64Array>().toExtend<Given["k"]>();
  expectTypeOf<Given["a"]>().toEqualTypeOf<number>();
  expectTypeOf<ColumnResults<typeof built>>().toEqualTypeOf<{
    readonly sums: Vector<Float32>;
    readonly half: Vector<Float16>;
    readonly big: Vector<Int64>;
    readonly low: Vector<Uint8>;
    readonly less: Vector<Bool>;
    readonly total: bigint | null;
  }>();
});

test("incorrect uses do not compile", () => {
  const program = overColumns(jsRuntime(), built);
  const wrong = async (x: Vector<Int64>, h: Vector<Float16>, k: Vector<Int64>): Promise<void> => {
    const t = Uint32Array.of(1);
    // @ts-expect-error x is f32
    await program.run({ x, h, k, t, a: 1 });
    // @ts-expect-error a is missing
    await program.run({ x: Float32Array.of(1), h, k, t });
    const values = { x: Float32Array.of(1), h, k, t, a: 1 };
    // @ts-expect-error there is no output of that name
    await program.run(values, { nullWhere: { none: "x" } });
    // @ts-expect-error t is no input
    await program.run(values, { nullWhere: { sums: "t" } });
  };
  expectTypeOf(wrong).toBeFunction();
});
