/** What the types allow and refuse. `types.test.ts` and the typecheck compile this file; it is never run. */
import type { Float16View } from "@groupwise/core";
import {
  arrayOf,
  type BoolValue,
  bf16,
  bits,
  bool,
  constant,
  type F32Value,
  f16,
  f32,
  f64,
  fields,
  type I32Value,
  type I64Value,
  type InferInputs,
  type InferOutputs,
  type InferParams,
  type InferTables,
  type InferValues,
  i8,
  i16,
  i32,
  i64,
  operator,
  outputs,
  param,
  pipeline,
  type Scatter,
  select,
  type Table,
  table,
  type U32Value,
  u8,
  u32,
  u64,
} from "@groupwise/dsl";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_: Same<A, B>): void {}

const all = { a: i32, b: u32, c: i64, d: u64, h: f16, x: f32, y: f64, p: bool, k: param(f32) };

// Operators that do not exist for a type.
pipeline("refused", all, ({ a, b, c, h, x, p, k }) => {
  // @ts-expect-error floats have no bits to combine
  x.and(1);
  // @ts-expect-error nor a remainder
  x.rem(2);
  // @ts-expect-error nor shifts
  h.shl(1);
  // @ts-expect-error nor truth
  x.all();
  // @ts-expect-error a parameter is a value like any other
  k.popcount();
  // @ts-expect-error unsigned integers have no negative
  b.neg();
  // @ts-expect-error booleans do not add
  p.add(true);
  // @ts-expect-error nor compare by size
  p.lt(false);
  // @ts-expect-error only booleans select
  a.select(1, 2);
  // @ts-expect-error bitwise operators of collectives are for integers
  x.reduce("and");
  // @ts-expect-error logical ones are not for floats
  x.scanInclusive("logical-or");
  // @ts-expect-error booleans have the logical ones only
  p.reduce("add");
  // @ts-expect-error there is no such operator
  a.reduce("sum");
  // @ts-expect-error the order is the floats' alone
  a.reduce("add", { order: "any" });
  // @ts-expect-error there is no such scope
  a.reduce("add", { scope: "workgroup" });
  // @ts-expect-error a bitcast keeps the width
  x.bitsAs("f64");
  // @ts-expect-error a half has no other type of its width
  h.bitsAs("f16");

  // Operands of another type.
  // @ts-expect-error no silent conversion
  a.add(b);
  // @ts-expect-error no silent conversion
  x.eq(h);
  // @ts-expect-error 64-bit constants are bigint
  c.add(1);
  // @ts-expect-error and 32-bit ones are not
  a.add(1n);
  // @ts-expect-error truth is not a number
  a.add(true);
  // @ts-expect-error a shift amount is u32
  c.shl(1n);
  // @ts-expect-error the choices have one type
  p.select(a, b);
  // @ts-expect-error the choices have one type
  select(p, a, true);
  // @ts-expect-error the condition is a bool
  select(a, b, b);
  // @ts-expect-error the slot is u32
  a.scatter({ to: a });
  // @ts-expect-error the condition is a bool
  a.scatter({ to: b, where: b });
  // @ts-expect-error a scatter needs slots
  a.scatter({});
  a.scatter({ to: b, capacity: 10, combine: "add" });
  // @ts-expect-error floats combine in no order that is the same everywhere
  x.scatter({ to: b, combine: "add" });
  // @ts-expect-error an index is unsigned
  a.at(a);
  // @ts-expect-error an index is u32
  a.broadcast(a);
  return { a };
});

// @ts-expect-error bigint for 64 bits
i64(1);
// @ts-expect-error number for 32 bits
u32(1n);
// @ts-expect-error boolean for bool
constant(bool, 1);
// @ts-expect-error a parameter has an element type
param("f32");
// @ts-expect-error a builder returns outputs
pipeline("nothing", { a: i32 }, () => {});
// @ts-expect-error outputs are values
pipeline("number", { a: i32 }, () => ({ a: 1 }));
// @ts-expect-error outputs have names
pipeline("nameless", { a: i32 }, ({ a }) => a);
// @ts-expect-error at once, not later
pipeline("later", { a: i32 }, async ({ a }) => ({ a }));
// @ts-expect-error inputs have types
pipeline("typeless", { a: "i32" }, () => ({ b: u32(1) }));
// @ts-expect-error four dimensions
pipeline("deep", { a: i32 }, ({ a }) => ({ a }), { workGroupSize: [1, 1, 1, 1] });
pipeline("unknown", { a: i32 }, (inputs) => {
  // @ts-expect-error there is no such input
  inputs.b;
  return { a: inputs.a };
});

pipeline("places", {}, (_, at) => {
  const id = at.globalId(1).add(at.localSize()).mul(at.workDim());
  same<typeof id, U32Value>(true);
  // @ts-expect-error a dimension is a number, known when the pipeline is built
  at.globalId(at.index());
  // @ts-expect-error a linear id is of no dimension
  at.globalLinearId(1);
  // @ts-expect-error nor is the number of dimensions
  at.workDim(0);
  return { id };
});

// What is allowed, and what it is.
const scaled = pipeline("scaled", all, ({ x, k, p, b, c, a }, { index }) => {
  same<typeof x, F32Value>(true);
  same<typeof k, F32Value>(true);
  const sum = x.mul(k).add(0.1).reduce("add", { scope: "work-group", order: "any" });
  same<typeof sum, F32Value>(true);
  const big = c.shl(b).add(1n);
  same<typeof big, I64Value>(true);
  const less = x.lt(1);
  same<typeof less, BoolValue>(true);
  const chosen = less.select(b, 5);
  same<typeof chosen, U32Value>(true);
  const other = select(less, 5, b);
  same<typeof other, U32Value>(true);
  const word = x.bitsAs("u32");
  same<typeof word, U32Value>(true);
  const slots = x.scatter({ to: index(), where: p, length: 10 });
  same<typeof slots, Scatter<"f32">>(true);
  const at = a.broadcast([b, 1], { scope: "work-group" }).broadcast(0);
  return { sum, big, less, slots, at };
});
same<
  InferInputs<typeof scaled>,
  {
    readonly a: Int32Array;
    readonly b: Uint32Array;
    readonly c: BigInt64Array;
    readonly d: BigUint64Array;
    readonly h: Uint16Array | Float16View;
    readonly x: Float32Array;
    readonly y: Float64Array;
    readonly p: Uint8Array;
  }
>(true);
same<InferParams<typeof scaled>, { readonly k: number }>(true);
same<
  InferOutputs<typeof scaled>,
  {
    readonly sum: Float32Array<ArrayBuffer>;
    readonly big: BigInt64Array<ArrayBuffer>;
    readonly less: Uint8Array<ArrayBuffer>;
    readonly slots: Float32Array<ArrayBuffer>;
    readonly at: Int32Array<ArrayBuffer>;
  }
>(true);

const values: InferValues<typeof scaled> = {} as InferInputs<typeof scaled> & { k: number };
void values;

// Composition is typed by inputs and outputs.
const half = pipeline("half", { v: f32, by: param(f32) }, ({ v, by }) => ({ halved: v.mul(by) }));
pipeline("composed", { x: f32, n: u32 }, ({ x, n }) => {
  const { halved } = half({ v: x, by: 0.5 });
  same<typeof halved, F32Value>(true);
  half({ v: x, by: x.reduce("max") });
  // @ts-expect-error another type
  half({ v: n, by: 1 });
  // @ts-expect-error an input is a value
  half({ v: 1, by: 1 });
  // @ts-expect-error one is missing
  half({ v: x });
  // @ts-expect-error one too many
  half({ v: x, by: 1, w: x });
  // @ts-expect-error there is no such output
  half({ v: x, by: 1 }).doubled;
  return { halved };
});

// Operators on records.
const body = operator(
  "body",
  { at: { x: f32, y: f32 }, mass: f32, ids: arrayOf(u32, 3) },
  {
    combine: (left, right) => {
      same<
        typeof left,
        {
          readonly at: { readonly x: F32Value; readonly y: F32Value };
          readonly mass: F32Value;
          readonly ids: readonly [U32Value, U32Value, U32Value];
        }
      >(true);
      // @ts-expect-error there is no such field
      left.weight;
      return { at: right.at, mass: left.mass.add(right.mass), ids: [left.ids[0], 1, right.ids[2]] };
    },
    identity: { at: { x: 0, y: 0 }, mass: 0, ids: [0, 0, 0] },
  },
);
operator("scalar", i64, { combine: (left, right) => left.max(right), identity: -(2n ** 63n) });
// @ts-expect-error a record has element types
operator("untyped", { x: "u32" }, { combine: (left: never) => left, identity: { x: 0 } });
operator(
  "short",
  { x: u32, y: f32 },
  {
    // @ts-expect-error a field is missing
    combine: (left) => ({ x: left.x }),
    identity: { x: 0, y: 0 },
  },
);
operator(
  "mixed",
  { x: u32 },
  {
    // @ts-expect-error a field of another type
    combine: (left) => ({ x: left.x.toF32() }),
    identity: { x: 0 },
  },
);
operator(
  "wide",
  { x: i64 },
  {
    combine: (left) => left,
    // @ts-expect-error bigint for 64 bits
    identity: { x: 0 },
  },
);
pipeline("operated", { x: f32, u: u32, p: bool }, ({ x, u, p }) => {
  const record = { at: { x, y: 0 }, mass: x, ids: [u, u, 0] } as const;
  const all = body.reduce(record, { seed: record, segments: p, scope: "work-group" });
  same<typeof all.at.y, F32Value>(true);
  const { before, total } = body.scanWithTotal(record, { keys: [x, u], reverse: true });
  same<typeof before.ids, readonly [U32Value, U32Value, U32Value]>(true);
  // @ts-expect-error lists have a length
  total.ids[3];
  // @ts-expect-error a value of another type
  body.reduce({ ...record, mass: u });
  // @ts-expect-error a field is missing
  body.scanInclusive({ at: { x, y: 0 }, mass: x });
  // @ts-expect-error a seed is a record
  body.scanInclusive(record, { seed: 0 });
  // @ts-expect-error folds have one order
  body.reduce(record, { order: "any" });
  // @ts-expect-error segments are told by truth values
  x.scanInclusive("add", { segments: u });
  // @ts-expect-error a seed has the values' type
  u.scanInclusive("add", { seed: x });
  const sums = u.scanWithTotal("add", { seed: 1 });
  same<typeof sums.total, U32Value>(true);
  // @ts-expect-error a record is no output
  pipeline("record", { x: f32 }, () => ({ all }));
  const named = outputs({ all, x });
  same<typeof named.all_at_x, F32Value>(true);
  same<typeof named.all_ids_2, U32Value>(true);
  same<typeof named.x, F32Value>(true);
  // @ts-expect-error there is no such output
  named.all_at_z;
  return { ...named, ...fields("before", before), total: total.mass };
});

// Arrays of other lengths.
const lookUp = pipeline("look-up", { i: u32, wide: table(i64), p: param(f32) }, ({ i, wide }) => {
  same<typeof wide, Table<"i64">>(true);
  same<ReturnType<typeof wide.at>, I64Value>(true);
  same<typeof wide.length, U32Value>(true);
  // @ts-expect-error a table is no value
  wide.add(1n);
  // @ts-expect-error nor an operand
  i.add(wide);
  const found = wide.at(i);
  same<ReturnType<typeof found.at>, I64Value>(true);
  return { found, last: wide.at(wide.length.sub(1)) };
});
same<InferTables<typeof lookUp>, { readonly wide: BigInt64Array }>(true);
same<InferInputs<typeof lookUp>, { readonly i: Uint32Array }>(true);
same<InferValues<typeof lookUp>["wide"], BigInt64Array>(true);
// Bitmaps: values are bool, arrays are words.
const bitmaps = pipeline("bitmaps", { mask: bits, set: table(bits), x: u32 }, ({ mask, set, x }) => {
  same<typeof mask, BoolValue>(true);
  same<ReturnType<typeof set.at>, BoolValue>(true);
  const out = bits(mask.and(set.at(x)));
  // @ts-expect-error an output is no value
  out.not();
  // @ts-expect-error integers are no truth values
  bits(x);
  // @ts-expect-error a bitmap is a table, which has no length in bits
  set.length;
  // @ts-expect-error bits combine in one way
  bits(mask).scatter({ to: x, combine: "xor" });
  // @ts-expect-error parameters have no bits
  param(bits);
  return { out, there: bits(mask).scatter({ to: x }) };
});
same<InferInputs<typeof bitmaps>, { readonly x: Uint32Array }>(true);
same<InferTables<typeof bitmaps>, { readonly mask: Uint32Array; readonly set: Uint32Array }>(true);
same<
  InferOutputs<typeof bitmaps>,
  { readonly out: Uint32Array<ArrayBuffer>; readonly there: Uint32Array<ArrayBuffer> }
>(true);
// Arrays of narrow elements: values are wider.
const narrow = pipeline("narrow", { text: u8, half: bf16, t: table(i16) }, ({ text, half, t }, { index }) => {
  same<typeof text, U32Value>(true);
  same<typeof half, F32Value>(true);
  same<ReturnType<typeof t.at>, I32Value>(true);
  const low = u8(text, { saturate: true });
  // @ts-expect-error an output is no value
  low.add(1);
  // @ts-expect-error floats are converted first
  u8(half);
  // @ts-expect-error nor are integers floats
  bf16(text);
  // @ts-expect-error narrow types have no constants
  u8(5);
  // @ts-expect-error nor parameters
  param(u8);
  // @ts-expect-error bytes do not combine
  u8(text).scatter({ to: index(), combine: "add" });
  return { low, rounded: bf16(half), there: i8(t.at(text)).scatter({ to: index() }), text: text.add(1) };
});
same<InferInputs<typeof narrow>, { readonly text: Uint8Array; readonly half: Uint16Array }>(true);
same<InferTables<typeof narrow>, { readonly t: Int16Array }>(true);
same<
  InferOutputs<typeof narrow>,
  {
    readonly low: Uint8Array<ArrayBuffer>;
    readonly rounded: Uint16Array<ArrayBuffer>;
    readonly there: Int8Array<ArrayBuffer>;
    readonly text: Uint32Array<ArrayBuffer>;
  }
>(true);

pipeline("applied", { j: u32, wide: table(i64), narrow: table(i32) }, ({ j, wide, narrow }) => {
  // @ts-expect-error a table of another type
  lookUp({ i: j, wide: narrow, p: 1 });
  // @ts-expect-error a value is no table
  lookUp({ i: j, wide: j, p: 1 });
  return lookUp({ i: j, wide, p: 1 });
});
