/** Constants reach every use through names, and stop where a name means something else. */

import { BINARY } from "@groupwise/ir/tables/expr-op.js";
import { decodeLiteral } from "@groupwise/ir/tables/literal.js";
import { SCALARS, type ScalarValue } from "@groupwise/ir/tables/scalar.js";
import { describe, expect, test } from "vitest";
import { fc, test as property } from "../../ir/test/fast-check.ts";
import type { Code } from "../src/language/build.ts";
import type { Expr, VarExpr } from "../src/language/expr.ts";
import { fold } from "../src/language/fold-expr.ts";
import { add, binary, builtin, constant, eq, select, u32 } from "../src/language/make-expr.ts";
import type { Stmt } from "../src/language/stmt.ts";
import { foldConstants } from "../src/passes/base/fold.ts";
import { runGroup } from "./kernel-interpreter.ts";
import { kernelWith, moduleWith, stmtsOf } from "./modules.ts";

const INTEGER_OPS = ["add", "sub", "mul", "min", "max", "and", "or", "xor", "shl", "shr"] as const;

const out = { space: "storage", name: "out", type: "u32" } as const;
const named = (name: string): VarExpr => ({ kind: "var", name, type: "u32" });

const folded = (body: readonly Stmt[]): readonly Stmt[] =>
  foldConstants(moduleWith([kernelWith(body)])).kernels[0]?.body ?? [];
const built = (build: (code: Code) => void): readonly Stmt[] => folded(stmtsOf(build));

const storing = (array: typeof out, index: Expr, value: Expr): readonly Stmt[] => [
  { kind: "store", space: array.space, array: array.name, index, value },
];

/** What the stores hold, in order, those of inner blocks included. */
const stored = (stmts: readonly Stmt[]): Expr[] =>
  stmts.flatMap((stmt) => {
    if (stmt.kind === "store") return [stmt.value];
    if (stmt.kind === "for") return stored(stmt.body);
    return stmt.kind === "if" ? [...stored(stmt.then), ...stored(stmt.otherwise)] : [];
  });

test("a constant is propagated through names, operations and inner blocks", () => {
  const body = built((code) => {
    const three = code.let("three", add(u32(1), u32(2)));
    const six = code.let("six", add(three, three));
    code.if(eq(builtin("local-id"), six), (then) => then.store(out, three, six));
  });
  expect(stored(body)).toEqual([u32(6)]);
  expect(body.at(-1)).toMatchObject({ condition: { right: u32(6) }, then: [{ index: u32(3) }] });
});

test("the sign of a zero is kept", () => {
  const body = built((code) => {
    const zero = code.let("zero", binary("mul", constant("f32", 1e10), constant("f32", -0)));
    code.store({ ...out, type: "f32" }, u32(0), select(eq(zero, zero), zero, constant("f32", 1)));
  });
  expect(stored(body)).toEqual([constant("f32", -0)]);
});

test("a variable is not a constant", () => {
  const body = built((code) => {
    const sum = code.var("sum", u32(1));
    code.store(out, u32(0), add(sum, u32(1)));
    code.assign(sum, u32(2));
  });
  expect(stored(body)).toEqual([add(named("sum"), u32(1))]);
});

test("a name that an inner block declares again has the value of that block", () => {
  const store: Stmt = { kind: "store", ...out, array: "out", index: u32(0), value: named("x") };
  const x: Stmt = { kind: "let", name: "x", value: u32(1) };
  const again: Stmt = { kind: "let", name: "x", value: builtin("local-id") };
  const loop: Stmt = { kind: "for", name: "x", from: u32(0), below: u32(9), step: 1, body: [store] };
  const taken: Stmt = {
    kind: "atomic-add",
    name: "x",
    space: "storage",
    array: "status",
    index: u32(0),
    value: u32(1),
  };
  const inner = (stmt: Stmt): Stmt => ({
    kind: "if",
    condition: eq(u32(0), builtin("local-id")),
    then: [stmt, store],
    otherwise: [],
  });
  expect(stored(folded([x, store, inner(again), store]))).toEqual([u32(1), named("x"), u32(1)]);
  expect(stored(folded([x, loop, store]))).toEqual([named("x"), u32(1)]);
  expect(stored(folded([x, inner(taken), store]))).toEqual([named("x"), u32(1)]);
});

test("a name that a loop declares hides no other constant", () => {
  const body = built((code) => {
    const three = code.let("three", u32(3));
    code.for("i", u32(0), u32(2), (inner, i) => inner.store(out, i, three));
  });
  expect(stored(body)).toEqual([u32(3)]);
  const [x, y] = ["x", "y"].map((name, i): Stmt => ({ kind: "let", name, value: u32(i) })) as [Stmt, Stmt];
  const ways = storing(out, u32(0), named("y"));
  const loop: Stmt = { kind: "for", name: "x", from: u32(0), below: u32(9), step: 1, body: ways };
  expect(stored(folded([x, y, loop]))).toEqual([u32(1)]);
});

const comparison = fc.constantFrom("lt", "le", "gt", "ge", "eq", "ne");
property("a way that no work-item takes is removed, and no other one", () =>
  fc.property(
    comparison,
    fc.nat(17),
    fc.constantFrom(0, 1, 3, 7, 15),
    fc.boolean(),
    (op, x, mask, isNamed) => {
      const body = built((code) => {
        const condition = binary(op, u32(x), binary("and", builtin("local-id"), u32(mask)));
        const ways = {
          then: storing(out, builtin("local-id"), u32(1)),
          otherwise: storing(out, builtin("local-id"), u32(2)),
        };
        const named = isNamed ? code.let("condition", condition) : condition;
        code.stmts.push({ kind: "if", condition: named, ...ways });
      });
      const storage = { out: Array<number>(16) };
      runGroup(kernelWith(body, { workGroupSize: 16 }), { size: 16, storage });
      const isTrue = (lane: number): boolean => Boolean(BINARY[op].apply("u32", x, lane & mask));
      expect(storage.out).toEqual(Array.from({ length: 16 }, (_, lane) => (isTrue(lane) ? 1 : 2)));
      const removed = stored(body).length < 2;
      // What a name stands for is not searched, unless it is a constant; nor are comparisons but the one of bounds.
      if (mask === 0 || (!isNamed && op === "lt")) expect(removed).toBe(mask === 0 || x >= mask);
    },
  ),
);

test.each([true, false])("of a constant condition, the way that is taken stays: %s", (value) => {
  const ways = { then: storing(out, u32(0), u32(1)), otherwise: storing(out, u32(0), u32(2)) };
  const [one] = folded([{ kind: "if", condition: constant("bool", value), ...ways }]);
  expect(one).toMatchObject({ kind: "if", condition: constant("bool", value) });
  expect(stored([one as Stmt])).toEqual([u32(value ? 1 : 2)]);
});

test("an operation that changes nothing is removed for integers, and kept for floats", () => {
  const [x, y] = [named("x"), { kind: "var", name: "y", type: "f32" } as const];
  const kept = [
    add(x, u32(0)),
    add(u32(0), x),
    binary("mul", x, u32(1)),
    binary("shl", x, u32(0)),
    binary("sub", x, u32(0)),
  ];
  const others = [
    binary("sub", u32(0), x),
    binary("shr", u32(0), x),
    add(x, u32(1)),
    add(y, constant("f32", 0)),
    binary("mul", y, constant("f32", 1)),
  ];
  const store = (value: Expr): Stmt => ({ kind: "store", ...out, array: "out", index: u32(0), value });
  expect(stored(folded(kept.map(store)))).toEqual(kept.map(() => x));
  expect(stored(folded(others.map(store)))).toEqual(others);
});

describe("an operation with one constant operand", () => {
  const TYPES = ["u32", "i32", "u64", "i64", "bool"] as const;
  const OPS = {
    ...{ u32: INTEGER_OPS, i32: INTEGER_OPS, u64: INTEGER_OPS, i64: INTEGER_OPS },
    bool: ["and", "or", "xor"] as const,
  };
  const valuesOf = (type: (typeof TYPES)[number]): readonly ScalarValue[] =>
    [0, 1, -1, 2, 7]
      .map((value) => SCALARS[type].whole(value))
      .concat(SCALARS[type].lowest, SCALARS[type].highest);
  const cases = fc
    .constantFrom(...TYPES)
    .chain((type) =>
      fc.tuple(
        ...[fc.constant(type), fc.constantFrom(...OPS[type])],
        ...[fc.constantFrom(...valuesOf(type)), fc.constantFrom(...valuesOf(type)), fc.boolean()],
      ),
    );

  property("has the value that it had", () =>
    fc.property(cases, ([type, op, value, other, isLeft]) => {
      const x: VarExpr = { kind: "var", name: "x", type };
      const [left, right] = isLeft ? [constant(type, value), x] : [x, constant(type, value)];
      const evaluated = (e: Expr): ScalarValue => {
        if (e.kind === "var") return other;
        if (e.kind === "const") return decodeLiteral(e.type, e.value) as ScalarValue;
        return e.kind === "binary" ? BINARY[e.op].apply(type, evaluated(e.left), evaluated(e.right)) : NaN;
      };
      const e: Expr = { kind: "binary", op, left, right, type };
      expect(evaluated(fold(e))).toEqual(evaluated(e));
    }),
  );

  test.each([
    ["mul", 0, 0],
    ["and", 0, 0],
    ["and", -1, undefined],
    ["or", -1, -1],
    ["min", 0x7fffffff, undefined],
    ["min", -0x80000000, -0x80000000],
    ["max", -0x80000000, undefined],
    ["max", 0x7fffffff, 0x7fffffff],
  ] as const)("is decided by it: %s, %i of i32", (op, value, want) => {
    const x: VarExpr = { kind: "var", name: "x", type: "i32" };
    const c = constant("i32", value);
    const result = want === undefined ? x : constant("i32", want);
    expect(fold({ kind: "binary", op, left: x, right: c, type: "i32" })).toEqual(result);
    expect(fold({ kind: "binary", op, left: c, right: x, type: "i32" })).toEqual(result);
  });

  test("is kept for floats, which have NaN", () => {
    const x: VarExpr = { kind: "var", name: "x", type: "f32" };
    for (const e of [binary("mul", x, constant("f32", 0)), binary("min", x, constant("f32", Infinity))])
      expect(fold(e)).toEqual(e);
  });
});

test("a choice between a name and itself is that name", () => {
  const [x, y] = [named("x"), named("y")];
  expect(fold(select(eq(x, y), y, y))).toEqual(y);
  expect(fold(select(eq(x, y), x, y))).toEqual(select(eq(x, y), x, y));
});
