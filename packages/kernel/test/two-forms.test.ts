/** Which rows of sums and products have two forms, and what these test, on kernels written by hand; `subnormals.test.ts` of lowerings has the results. */
import { expect, test } from "vitest";
import type { Capabilities } from "../src/capabilities/capabilities.ts";
import type { Code } from "../src/language/build.ts";
import type { Expr, VarExpr } from "../src/language/expr.ts";
import {
  add,
  binary,
  builtin,
  call,
  cast,
  constant,
  lt,
  mul,
  param,
  select,
  sub,
  u32,
  unary,
} from "../src/language/make-expr.ts";
import { GUARD_NAMES } from "../src/passes/guards/guard-rounding.ts";
import { keepSubnormals } from "../src/passes/subnormals.ts";
import { linesOf } from "./kernel-text.ts";
import { SIMT } from "./simt.ts";
import { kernel, moduleOf } from "./two-arrays.ts";

const DEVICE: Capabilities = {
  ...SIMT,
  scalars: { ...SIMT.scalars, f32: "native" },
  subnormals: "exact",
};
const X = { space: "storage", name: "x", type: "f32" } as const;
const Y = { ...X, name: "y" } as const;
const lane = builtin("local-id");
const f = (value: number): Expr => constant("f32", value);
/** A power of two. */
const two = (exponent: number): Expr => f(2 ** exponent);
const named = (name: string): VarExpr => ({ kind: "var", name, type: "f32" });
const [a, b, c, d] = ["a", "b", "c", "d"].map(named) as [VarExpr, VarExpr, VarExpr, VarExpr];
/** An operation that the device's own does right. */
const promised = (e: Expr): Expr => ({ ...e, normal: true }) as Expr;
/** A sum of that many operations, of numbers that do not make it right on every device. */
const sums = (e: Expr, count: number = 16): Expr => (count === 0 ? e : add(sums(e, count - 1), two(-101)));

/** The statements after the pass, for values a, b, c, d and w from memory. */
function linesAfter(write: (code: Code, w: Expr) => void, more: Partial<Capabilities> = {}): string[] {
  const given = kernel("k", (code) => {
    const values = ["a", "b", "c", "d", "w"].map((name, i) => code.let(name, code.load(X, i)));
    write(code, values[4] as Expr);
  });
  const { kernels } = keepSubnormals(moduleOf(given), { capabilities: { ...DEVICE, ...more } });
  return linesOf(kernels[0]?.body ?? [])
    .slice(5)
    .map((line) =>
      line
        .replace(/^(\s*routine \w+ \w+) .*/, "$1")
        .replaceAll(/sub\(shl\(bitcast\((\w+(?:\.\d)?)\), 1\), 1\)/g, "size($1)")
        .replaceAll(/(?:(add\w*)\(){16}w(?:, [\d.]+e-31(?:, \w+)?\)){16}/g, "$1(w)"),
    );
}

/** What is tested beside w for a value in a row of its own; undefined if there is one form. */
function testedFor(e: Expr): string | undefined {
  const lines = linesAfter((code, w) => {
    const values = [code.let("s", e), code.let("v", sums(w))];
    for (const [i, value] of values.entries()) code.store(Y, i, value);
  });
  const condition = lines.find((line) => line.startsWith("if "));
  return (
    condition &&
    [...condition.matchAll(/size\(([^)]+)\)/g)]
      .map(([, name]) => name?.replace(/^(factor)_.*/, "$1"))
      .join(" ")
  );
}

const ab = mul(a, b);
const first = lt(lane, 1);
const guarded = call([...GUARD_NAMES][0] as string, "f32", [ab, param("always_zero", "u32")]);
test.each<[string | undefined, Expr]>([
  ["a b w", add(a, b)],
  ["a w", add(a, a)],
  ["a factor w", sub(a, unary("neg", b))],
  // Constants by which products of what is tested are large enough, and those that are too small for it.
  ...[two(-74), f(-1.5 * 2 ** -74), f(0), f(-0), f(Number.NaN), f(Number.POSITIVE_INFINITY), f(3)].flatMap(
    (one): [string, Expr][] => [
      ["a w", mul(a, one)],
      ["a w", mul(one, a)],
    ],
  ),
  [undefined, mul(a, two(-75))],
  [undefined, mul(two(-75), a)],
  // The same for sums.
  ...[two(-125), f(1.5 * 2 ** -124), f(1), f(0)].map((one): [string, Expr] => ["a w", add(one, a)]),
  [undefined, add(a, two(-126))],
  [undefined, sub(a, f(1.5 * 2 ** -125))],
  // What is computed from what is tested: sums of products, and products.
  ["a b c w", add(ab, c)],
  ["a b c w", add(mul(ab, f(1)), c)],
  ["a b factor c w", add(mul(ab, f(0.5)), c)],
  ["a b w", mul(ab, two(-23))],
  ["a b factor w", mul(ab, two(-24))],
  ["a b factor w", mul(two(-24), ab)],
  ["a b factor w", mul(ab, two(-74))],
  [undefined, mul(ab, two(-75))],
  ["a b c d factor factor w", mul(ab, mul(c, d))],
  ["a b c d factor factor w", mul(mul(ab, two(-20)), mul(c, d))],
  ["c d a b factor factor w", mul(mul(c, d), mul(ab, two(-20)))],
  ["a b c d factor w", mul(ab, add(c, d))],
  ["a b w", mul(add(a, b), two(-51))],
  ["a b factor w", mul(add(a, b), two(-52))],
  ["a w", mul(add(a, two(-80)), two(-45))],
  ["a w", mul(sub(two(-80), a), two(-45))],
  ["a factor w", mul(add(a, two(-80)), two(-46))],
  // What keeps magnitudes, or chooses, and what has any.
  ["a b c w", add(unary("neg", ab), c)],
  ["a b c w", add(unary("abs", ab), c)],
  ["a b c w", add(guarded, c)],
  ["a b c d w", add(select(first, ab, mul(a, c)), d)],
  ["a b factor c w", add(select(first, ab, c), c)],
  ["a b factor c w", add(select(first, c, ab), c)],
  ["a b factor c w", add(select(first, ab, two(-126)), c)],
  ["a b factor c w", add(select(first, two(-126), ab), c)],
  ["a factor w", mul(select(first, two(-75), f(2)), a)],
  ["a factor w", mul(a, select(first, f(2), two(-75)))],
  ["a w", mul(select(first, two(-74), f(2)), a)],
  ["a b factor c w", add(call("other", "f32", [ab]), c)],
  ["factor a w", mul(cast("f32", lane), a)],
  ["factor a w", mul(binary("max", a, b), a)],
  ["factor c w", add(promised(add(a, b)), c)],
])("tested are %s", (tested, e) => {
  expect(testedFor(e)).toBe(tested);
});

const inOneForm = (write: (code: Code, w: Expr) => void): boolean =>
  !linesAfter(write).some((line) => line.startsWith("if "));

test("there are at least 16 operations, and no more tests than operations", () => {
  const few = [15, 16].map((count) => inOneForm((code, w) => code.store(Y, 0, sums(w, count))));
  expect(few).toEqual([true, false]);
  const products = (others: number) => (code: Code) => {
    const values = Array.from({ length: 16 }, (_, i) => code.let("v", code.load(X, 5 + i)));
    const results = values.map((v, i) => code.let("p", i < others ? mul(v, a) : mul(v, f(2))));
    for (const [i, p] of results.entries()) code.store(Y, i, p);
  };
  expect([0, 1].map((others) => inOneForm(products(others)))).toEqual([false, true]);
});

test("only sums and products of one f32 without a promise count", () => {
  const wide = (e: Expr): Expr => ({ ...e, width: 2 }) as Expr;
  const half = constant("f16", 1);
  for (const one of [wide(add(a, b)), promised(add(a, b)), binary("div", a, b), add(half, half)])
    expect(inOneForm((code, w) => code.store(Y, 0, add(cast("f32", one), sums(w, 14))))).toBe(true);
});

test("rows come after what they read, and each value that is read later is a variable", () => {
  const lines = linesAfter((code, w) => {
    const v = code.let("v", sums(w));
    code.comment("a row");
    const i = code.let("i", add(lane, 1));
    const [r, q] = code.loadRow("row", X, i) as [Expr, Expr];
    const [s, t] = [code.let("s", add(a, r)), code.let("t", add(b, q))];
    const both = code.let("both", sub(t, s));
    code.let("unread", unary("neg", t));
    code.store(Y, 0, v);
    code.store(Y, cast("u32", s), mul(both, b));
  });
  expect(lines).toEqual([
    ...["let i add(local-id, 1)", "load-row row x f32 i"],
    ...["let v_2 add(w)", "let s_2 add(a, row.0)", "let t_2 add(b, row.1)"],
    ...["let both_2 sub(t_2, s_2)", "let unread_2 neg(t_2)"],
    ...["var v v_2", "var s s_2", "var both both_2"],
    "if lt(min(size(w), min(min(min(size(a), size(row.0)), size(b)), size(row.1))), 419430399)",
    ...["  let v_3 add_f32(w)", "  let s_3 add_f32(a, row.0)", "  let t_3 add_f32(b, row.1)"],
    ...["  let both_3 sub_f32(t_3, s_3)", "  let unread_3 neg(t_3)"],
    ...["  assign v v_3", "  assign s s_3", "  assign both both_3"],
    ...["store y 0 v", "store y cast(s) mul_f32(both, b)"],
  ]);
});

test("values of a statement are named, and blocks have rows of their own", () => {
  const lines = linesAfter((code, w) => {
    const t = code.let("t", add(a, b));
    code.store(Y, cast("u32", sums(w)), t);
    const more = code.let("more", add(t, code.load(X, cast("u32", t))));
    code.if(
      lt(t, sums(w)),
      (then) => then.store(Y, 1, add(sums(w), more)),
      (otherwise) => otherwise.store(Y, 2, t),
    );
    code.let("kept", sums(w), "argument");
    code.for("k", u32(0), cast("u32", sums(w)), (body) => body.store(Y, 3, t));
  });
  expect(lines).toEqual([
    ...["let t_2 add(a, b)", "let value_2 cast(add(w))", "var t t_2", "var value value_2"],
    "if lt(min(min(size(a), size(b)), size(w)), 419430399)",
    ...["  let t_3 add_f32(a, b)", "  let value_3 cast(add_f32(w))"],
    ...["  assign t t_3", "  assign value value_3"],
    ...["store y value t", "let more add_f32(t, x[cast(t)])"],
    ...["let value_4_2 lt(t, add(w))", "var value_4 value_4_2", "if lt(size(w), 419430399)"],
    ...["  let value_4_3 lt(t, add_f32(w))", "  assign value_4 value_4_3"],
    ...["if value_4", "  let value_5_2 add(add(w), more)", "  var value_5 value_5_2"],
    "  if lt(min(size(w), size(more)), 419430399)",
    ...["    let value_5_3 add_f32(add_f32(w), more)", "    assign value_5 value_5_3"],
    ...["  store y 1 value_5", "  store y 2 t"],
    ...["let kept add_f32(w) argument", "for k 0 cast(add_f32(w)) 1", "  store y 3 t"],
  ]);
});

test("statements in one form stay in order", () => {
  const lines = linesAfter((code, w) => {
    const s = code.let("s", add(a, b));
    const i = code.let("i", add(lane, 1));
    code.store(Y, i, s);
    const v = code.let("v", sums(w));
    const u = code.let("u", code.load(X, cast("u32", v)));
    code.let("unread", add(u, v));
    const m = code.var("m", a);
    const sum = code.let("sum", add(m, sums(w)));
    code.assign(m, f(0));
    code.store(Y, 0, sum);
    code.comment("");
  });
  expect(lines).toEqual([
    ...["let s add_f32(a, b)", "let i add(local-id, 1)", "store y i s"],
    ...["let v_2 add(w)", "var v v_2", "if lt(size(w), 419430399)"],
    ...["  let v_3 add_f32(w)", "  assign v v_3"],
    ...["let u x[cast(v)]", "let unread add_f32(u, v)"],
    ...["var m a", "let sum_2 add(m, add(w))", "var sum sum_2", "if lt(min(size(w), size(m)), 419430399)"],
    ...["  let sum_3 add_f32(m, add_f32(w))", "  assign sum sum_3", "assign m 0", "store y 0 sum"],
  ]);
});

test("functions have a condition if some operation has one; no pass is needed where none is flushed", () => {
  const normal = { kind: "var", name: "n", type: "bool" } as const;
  const lines = linesAfter((code) => {
    code.store(Y, 0, { ...add(a, b), normal } as Expr);
    code.store(Y, 1, mul(a, b));
  });
  expect(lines).toEqual(["store y 0 add_f32_unless(a, b, n)", "store y 1 mul_f32_unless(a, b, false)"]);
  const own = linesAfter((code) => code.store(Y, 0, sub(promised(add(a, b)), b)));
  expect(own).toEqual(["store y 0 sub_f32(add(a, b), b)"]);
  const module = moduleOf(kernel("k", (code) => code.store(Y, 0, sums(a))));
  expect(keepSubnormals(module, { capabilities: { ...DEVICE, subnormals: "flush" } })).toBe(module);
});

test("where kernels have routines, both forms are calls of one", () => {
  const lines = linesAfter(
    (code, w) => {
      const [r] = code.loadRow("row", X, 8) as [Expr];
      code.store(Y, 0, unary("neg", add(sums(w), add(r, r))));
    },
    { routines: {} as never },
  );
  const ofForm = (isOwn: boolean, [x, normal, sum, result, smallest]: readonly string[]): string[] => [
    `let ${x} row.0 argument`,
    `let ${normal} ${isOwn} argument`,
    "routine values_of_item values",
    `let ${sum} neg(add_f32_unless(add_f32_unless(w), add_f32_unless(${x}, ${x}, ${normal}), ${normal}))`,
    `let ${result} ${sum} result`,
    `let ${smallest} min(size(w), size(${x})) result`,
    `results ${result} ${smallest}`,
  ];
  const again = ofForm(false, ["x_3", "normal_2", "value_4", "value_5", "smallest_2"]);
  expect(lines).toEqual([
    "load-row row x f32 8",
    ...ofForm(true, ["x_2", "normal", "value_2", "value_3", "smallest"]),
    "var value value_3",
    "if lt(smallest, 419430399)",
    ...again.map((line) => `  ${line}`),
    ...["  assign value value_5", "store y 0 value"],
  ]);
});
