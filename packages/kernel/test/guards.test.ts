import { expect, test } from "vitest";
import type { ArrayRef, Code } from "../src/language/build.ts";
import type { Expr } from "../src/language/expr.ts";
import {
  add,
  and,
  binary,
  bitcast,
  builtin,
  call,
  cast,
  constant,
  join,
  load,
  lt,
  mul,
  ne,
  param,
  select,
  sub,
  u32,
  unary,
  word,
} from "../src/language/make-expr.ts";
import { HALF_NAMES } from "../src/library/types/half-names.ts";
import { guardRounding } from "../src/passes/guards/guard-rounding.ts";
import { linesOf } from "./kernel-text.ts";
import { stmtsOf } from "./modules.ts";

const storage = (name: string): ArrayRef<"storage"> => ({ space: "storage", name, type: "f32" });
const [out, other] = [storage("out"), storage("other")];
const own = { space: "work-group", name: "own", type: "f32" } as const;
const words = { ...out, type: "u32" } as const;
const [x, y] = ["x", "y"].map((name) => load("storage", name, "f32", 0)) as [Expr, Expr];
/** Native halves. */
const [p, q] = ["p", "q"].map((name) => load("storage", name, "f16", 0)) as [Expr, Expr];
const bits = load("storage", "bits", "u32", 0);
/** Emulated halves. */
const [h, k] = [0, 1].map((i) => halfOf(load("storage", "bits", "u32", i))) as [Expr, Expr];
const lane = builtin("local-id");
const first = lt(lane, 1);
const xy = mul(x, y);

function halfOf(of: Expr): Expr {
  return call(HALF_NAMES.ofBits, "f32", [of]);
}
const sum = (a: Expr, b: Expr, op: "add" | "sub" = "add"): Expr =>
  call(HALF_NAMES.sum, "f32", [binary(op, a, b)]);
const f = (value: number): Expr => constant("f32", value);
const neg = (e: Expr): Expr => unary("neg", e);
const minusZero = call("f32_of_bits", "f32", [u32(0x80000000)]);
const param32 = param("param", "f32");
const floatOf = (e: Expr): Expr => bitcast("f32", e);
const bitsOf = (e: Expr): Expr => bitcast("u32", e);

const GUARDS = { param: param("always_zero", "u32"), hint: "zero", minusZero: false, zeros: false };
/** The statements with guards, without the zero that these take. */
function guarded(
  write: (code: Code) => void,
  kinds: { minusZero?: boolean; zeros?: boolean } = {},
): string[] {
  const lines = linesOf(guardRounding(stmtsOf(write, [], true), { ...GUARDS, ...kinds }));
  // The zero is read if a guard takes it.
  const isRead = lines[0] === "let zero always_zero";
  expect(isRead).toBe(lines.slice(1).some((line) => line.includes(", zero)")));
  return lines.slice(isRead ? 1 : 0).map((line) =>
    line
      .replaceAll(/(rounded|opaque)_f(?:32|16)/g, "$1")
      .replaceAll(", zero)", ")")
      .replaceAll(/([xypq])\[0\]/g, "$1")
      .replaceAll("f32_of_f16_bits(bits[0])", "h")
      .replaceAll("f32_of_f16_bits(bits[1])", "k")
      .replaceAll("round_sum_f16", "sum"),
  );
}
const textOf = (e: Expr): string | undefined =>
  guarded((code) => code.store({ ...out, type: e.type }, 0, e))
    .at(-1)
    ?.replace("store out 0 ", "");

test.each<[string, Expr]>([
  // What memory or a launch has, and constants to which no rule applies.
  ["add(x, y)", add(x, y)],
  ["add(x, param)", add(x, param32)],
  ["add(x, 3)", add(x, f(3))],
  ["add(x, 1.1754943508222875e-38)", add(x, f(2 ** -126))],
  ["add(select(lt(local-id, 1), x, y), x)", add(select(first, x, y), x)],
  ["add(select(lt(local-id, 1), 1, 2), x)", add(select(first, f(1), f(2)), x)],
  ["add(select(lt(mul(x, y), x), x, y), x)", add(select(lt(xy, x), x, y), x)],
  // Other constants, and what an expression computes.
  ["add(x, rounded(0))", add(x, f(0))],
  ["add(x, rounded(-0))", add(x, f(-0))],
  ["add(x, rounded(inf))", add(x, f(Number.POSITIVE_INFINITY))],
  ["add(x, rounded(-inf))", add(x, f(Number.NEGATIVE_INFINITY))],
  ["add(x, rounded(nan))", add(x, f(Number.NaN))],
  ["add(x, rounded(5.877471754111438e-39))", add(x, f(2 ** -127))],
  ["add(p, rounded(0.000030517578125))", binary("add", p, constant("f16", 2 ** -15))],
  ["add(p, 0.00006103515625)", binary("add", p, constant("f16", 2 ** -14))],
  ["add(rounded(mul(x, y)), x)", add(xy, x)],
  ["mul(rounded(add(x, y)), rounded(add(y, x)))", mul(add(x, y), add(y, x))],
  ["div(x, rounded(mul(x, y)))", binary("div", x, xy)],
  ["add(rounded(add(p, q)), p)", binary("add", binary("add", p, q), p)],
  ["add(rounded(select(lt(local-id, 1), x, mul(x, y))), x)", add(select(first, x, xy), x)],
  ["add(rounded(select(lt(local-id, 1), 0, 2)), x)", add(select(first, f(0), f(2)), x)],
  ["add(rounded(min(mul(x, y), x)), x)", add(binary("min", xy, x), x)],
  ["add(rounded(bitcast(bitcast(mul(x, y)))), x)", add(floatOf(bitsOf(xy)), x)],
  ["add(rounded(cast(add(local-id, 1))), x)", add(cast("f32", add(lane, 1)), x)],
  ["cast(rounded(add(p, q)))", cast("f32", binary("add", p, q))],
  ["cast(rounded(mul(x, y)))", cast("f16", xy)],
  // No rounding reads these.
  ["cast(p)", cast("f32", p)],
  ["cast(mul(x, y))", cast("i32", xy)],
  ["cast(mul(x, y))", cast("bool", xy)],
  ["bitcast(mul(x, y))", bitsOf(xy)],
  ["lt(mul(x, y), x)", lt(xy, x)],
  ["min(mul(x, y), x)", binary("min", xy, x)],
  ["select(lt(local-id, 1), mul(x, y), x)", select(first, xy, x)],
  ["add(cast(mul(x, y)), 1)", add(cast("f64", xy), constant("f64", 1))],
  ["x[cast(add(rounded(mul(x, y)), x))]", load("storage", "x", "f32", cast("u32", add(xy, x)))],
  ["add(bitcast(add(rounded(mul(x, y)), x)), 1)", add(bitsOf(add(xy, x)), 1)],
  // What is subtracted could be equal, unless one is a constant.
  ["sub(x, opaque(y))", sub(x, y)],
  ["sub(x, 3)", sub(x, f(3))],
  ["sub(3, x)", sub(f(3), x)],
  ["sub(x, opaque(0))", sub(x, f(0))],
  ["sub(rounded(mul(x, y)), opaque(add(x, y)))", sub(xy, add(x, y))],
  ["sub(3, opaque(mul(x, y)))", sub(f(3), xy)],
  // So could a negative that is added.
  ["add(rounded(neg(x)), y)", add(neg(x), y)],
  ["add(rounded(neg(mul(x, y))), param)", add(neg(xy), param32)],
  ["add(rounded(neg(mul(x, y))), 2)", add(neg(xy), f(2))],
  ["add(rounded(neg(mul(x, y))), opaque(mul(x, y)))", add(neg(xy), xy)],
  ["add(rounded(mul(x, y)), opaque(neg(mul(x, y))))", add(xy, neg(xy))],
  ["add(rounded(neg(mul(p, q))), opaque(mul(p, q)))", add(neg(binary("mul", p, q)), binary("mul", p, q))],
  ["add(rounded(mul(x, -1)), opaque(mul(x, y)))", add(mul(x, f(-1)), xy)],
  ["add(rounded(mul(x, 2)), rounded(mul(x, y)))", add(mul(x, f(2)), xy)],
  ["add(rounded(abs(mul(x, y))), rounded(mul(x, y)))", add(unary("abs", xy), xy)],
  [
    "add(rounded(cast(neg(bitcast(local-id)))), rounded(mul(x, y)))",
    add(cast("f32", neg(bitcast("i32", lane))), xy),
  ],
  [
    "add(rounded(min(x[cast(neg(mul(x, y)))], y)), rounded(mul(x, y)))",
    add(binary("min", load("storage", "x", "f32", cast("u32", neg(xy))), y), xy),
  ],
  [
    "add(rounded(select(lt(neg(mul(x, y)), x), mul(x, y), y)), rounded(mul(x, y)))",
    add(select(lt(neg(xy), x), xy, y), xy),
  ],
  [
    "add(rounded(select(lt(local-id, 1), y, neg(mul(x, y)))), opaque(mul(x, y)))",
    add(select(first, y, neg(xy)), xy),
  ],
  ["mul(rounded(neg(mul(x, y))), rounded(mul(x, y)))", mul(neg(xy), xy)],
  ["add(rounded(mul(x, rounded(0))), rounded(mul(x, y)))", add(mul(x, f(0)), xy)],
  [
    "add(rounded(bitcast(bits[sub(local-id, 1)])), rounded(mul(x, y)))",
    add(floatOf(load("storage", "bits", "u32", sub(lane, u32(1)))), xy),
  ],
  [
    "add(rounded(join(xor(word(mul(p, q)), 32768))), opaque(mul(p, q)))",
    add(join("f16", [binary("xor", word(0, mul(p, q)), 0x8000)]), mul(p, q)),
  ],
  ["g(add(rounded(sum(add(h, k))), rounded(h)))", call("g", "f32", [add(sum(h, k), h)])],
  // Sums of emulated halves read one another, and what is loaded.
  ["sum(add(h, k))", sum(h, k)],
  ["sum(add(h, 3))", sum(h, f(3))],
  ["sum(add(h, rounded(0)))", sum(h, f(0))],
  ["sum(add(k, sum(add(h, k))))", sum(k, sum(h, k))],
  [
    "sum(abs(add(sum(add(h, k)), h)))",
    call(HALF_NAMES.sum, "f32", [unary("abs", binary("add", sum(h, k), h))]),
  ],
  ["sum(sub(sum(add(h, k)), opaque(k)))", sum(sum(h, k), k, "sub")],
  ["sum(sub(sum(add(h, k)), 3))", sum(sum(h, k), f(3), "sub")],
  ["sum(sub(3, sum(add(h, k))))", sum(f(3), sum(h, k), "sub")],
  ["sum(add(rounded(neg(sum(add(h, k)))), opaque(sum(add(h, k)))))", sum(neg(sum(h, k)), sum(h, k))],
  ["sum(add(rounded(mul(rounded(h), rounded(k))), k))", sum(mul(h, k), k)],
  ["mul(rounded(sum(add(h, k))), rounded(h))", mul(sum(h, k), h)],
  ["sum(add(rounded(g(h)), h))", sum(call("g", "f32", [h]), h)],
  // A compiler may know the sum of constants, and what is computed of bits.
  ["sum(add(rounded(sum(add(3, 2))), h))", sum(sum(f(3), f(2)), h)],
  ["sum(add(sum(add(param, 1)), h))", sum(sum(param32, f(1)), h)],
  [
    "sum(add(rounded(sum(add(select(lt(local-id, 1), 3, k), 1))), h))",
    sum(sum(select(first, f(3), k), f(1)), h),
  ],
  ["sum(add(sum(add(select(lt(local-id, 1), h, k), 1)), h))", sum(sum(select(first, h, k), f(1)), h)],
  ["sum(add(select(lt(local-id, 1), sum(add(h, k)), k), h))", sum(select(first, sum(h, k), k), h)],
  ["sum(add(rounded(select(lt(local-id, 1), mul(x, y), k)), h))", sum(select(first, xy, k), h)],
  ["sum(add(rounded(select(lt(local-id, 1), k, mul(x, y))), h))", sum(select(first, k, xy), h)],
  ["sum(add(rounded(f32_of_f16_bits(not(bits[0]))), k))", sum(halfOf(unary("not", bits)), k)],
])("%s", (text, e) => {
  expect(textOf(e)).toBe(text);
});

test.each<[isNegative: boolean, name: string, (bits: Expr) => Expr]>([
  [true, "xor", (e) => binary("xor", e, u32(0x80000000))],
  [true, "add", (e) => add(e, 1)],
  [true, "not", (e) => unary("not", e)],
  [true, "or with the sign", (e) => binary("or", e, u32(0x80000000))],
  [true, "or of the sign", (e) => binary("or", u32(0x80000000), e)],
  [true, "or of a negative", (e) => bitsOf(binary("or", bitcast("i32", e), constant("i32", -1)))],
  [false, "or of others", (e) => binary("or", e, u32(0x7fffffff))],
  [false, "and", (e) => binary("and", e, u32(0xffffffff))],
  [false, "and with a negative", (e) => bitsOf(binary("and", bitcast("i32", e), constant("i32", -2)))],
  [false, "shl", (e) => binary("shl", e, 1)],
  [false, "shr", (e) => binary("shr", e, 1)],
  [true, "and of a negative", (e) => binary("and", binary("xor", e, u32(0x80000000)), u32(0xffffffff))],
])("a sum of what has a negative among its parts: %s, %s", (isNegative, _, change) => {
  const right = isNegative ? "opaque(mul(x, y))" : "rounded(mul(x, y))";
  expect(textOf(add(floatOf(change(bitsOf(xy))), xy))?.endsWith(`, ${right})`)).toBe(true);
});

/** A routine of two arguments, by default what is computed and what is loaded. */
const routine =
  (
    body: (code: Code, a: Expr, b: Expr) => Expr,
    then: (code: Code, r: Expr) => void,
    given: readonly Expr[] = [xy, x],
  ) =>
  (code: Code): void => {
    const [a, b] = given as [Expr, Expr];
    const { r } = code.routine({ title: "t", doc: "" }, { a: [a], b: [b] }, ({ a: [c], b: [d] }) => ({
      r: [body(code, c as Expr, d as Expr)],
    }));
    then(code, r[0] as Expr);
  };
const stored = (code: Code, r: Expr): void => code.store(out, 0, r);
const added = (code: Code, r: Expr): void => code.store(out, 0, add(r, x));
const named = (e: Expr, then: (code: Code, e: Expr) => void) => (code: Code) => then(code, code.let("v", e));

test.each<[about: string, (code: Code) => void, lines: readonly string[]]>([
  ["a name that no rounding reads", named(xy, stored), ["let v mul(x, y)", "store out 0 v"]],
  [
    "its bits",
    named(xy, (c, v) => {
      c.store(words, 0, add(bitsOf(v), 1));
      stored(c, add(xy, x));
    }),
    ["let v mul(x, y)", "store out 0 add(bitcast(v), 1)", "store out 0 add(rounded(mul(x, y)), x)"],
  ],
  [
    "an index",
    named(xy, (c, v) => c.store(out, cast("u32", v), x)),
    ["let v mul(x, y)", "store out cast(v) x"],
  ],
  [
    "a condition",
    named(xy, (c, v) => c.if(lt(v, x), (b) => added(b, y))),
    ["let v mul(x, y)", "if lt(v, x)", "  store out 0 add(y, x)"],
  ],
  ["a name that a rounding reads", named(xy, added), ["let v rounded(mul(x, y))", "store out 0 add(v, x)"]],
  [
    "a name of its name",
    named(xy, (c, v) => added(c, c.let("w", v))),
    ["let v rounded(mul(x, y))", "let w v", "store out 0 add(w, x)"],
  ],
  [
    "a conversion",
    named(xy, (c, v) => stored(c, cast("f32", cast("f16", v)))),
    ["let v rounded(mul(x, y))", "store out 0 cast(rounded(cast(v)))"],
  ],
  [
    "a variable",
    (c) => {
      const v = c.var("v", x);
      c.for("i", u32(0), u32(4), (b) => b.assign(v, add(v, y)));
    },
    ["var v x", "for i 0 4 1", "  assign v rounded(add(v, y))"],
  ],
  [
    "an array of a work-item's own",
    (c) => {
      const a = c.array("a", "f32", 2);
      c.store(a, 0, xy);
      c.store(a, 1, x);
      added(c, c.load(a, 0));
    },
    ["array a f32 2", "store a 0 rounded(mul(x, y))", "store a 1 x", "store out 0 add(a[0], x)"],
  ],
  [
    "an array of device memory",
    (c) => {
      stored(c, xy);
      c.store(other, 0, add(c.load(out, 0), x));
    },
    ["store out 0 rounded(mul(x, y))", "store other 0 add(out[0], x)"],
  ],
  [
    "rows of it",
    (c) => {
      c.storeRow(out, 0, [xy, x, y, x]);
      c.store(other, 0, add(c.loadRow("r", out, 0)[1] as Expr, x));
    },
    ["store-row out 0 rounded(mul(x, y)) x y x", "load-row r out f32 0", "store other 0 add(r.1, x)"],
  ],
  [
    "rows that no rounding reads",
    (c) => {
      c.storeRow(out, 0, [xy, x, y, x]);
      c.store(other, 0, c.loadRow("r", out, 0)[1] as Expr);
    },
    ["store-row out 0 mul(x, y) x y x", "load-row r out f32 0", "store other 0 r.1"],
  ],
  [
    "memory of the work-group",
    (c) => {
      c.store(own, 0, xy);
      added(c, c.load(own, 0));
    },
    ["store own 0 mul(x, y)", "store out 0 add(own[0], x)"],
  ],
  [
    "a variable that other work-items get, too, where a rounding reads it",
    (c) => {
      const v = c.var("v", xy);
      c.store(own, 0, v);
      c.assign(v, add(v, x));
    },
    ["var v mul(x, y)", "store own 0 v", "assign v add(rounded(v), x)"],
  ],
  [
    "a variable that siblings get",
    (c) => {
      const v = c.var("v", xy);
      const w = c.intrinsic("shuffle", "w", [v, u32(1)]);
      c.assign(v, add(v, w));
    },
    ["var v mul(x, y)", "intrinsic shuffle w v 1", "assign v add(rounded(v), w)"],
  ],
  [
    "a variable that a function of the work-group gets",
    (c) => {
      const v = c.var("v", xy);
      c.native(c.var("w", x), { fn: "reduce", op: "add", value: v, source: undefined });
      c.assign(v, add(v, y));
    },
    ["var v mul(x, y)", "var w x", "native w reduce add v undefined", "assign v add(rounded(v), y)"],
  ],
  [
    "a name of such a name",
    named(xy, (c, v) => {
      c.store(own, 0, v);
      added(c, c.let("w", v));
    }),
    ["let v mul(x, y)", "store own 0 v", "let w rounded(v)", "store out 0 add(w, x)"],
  ],
  [
    "what is loaded, and given to others",
    named(x, (c, v) => {
      c.store(own, 0, v);
      added(c, v);
    }),
    ["let v x", "store own 0 v", "store out 0 add(v, x)"],
  ],
  [
    "an array that is given to others",
    (c) => {
      const a = c.array("a", "f32", 2);
      c.store(a, 0, xy);
      c.store(own, 0, c.load(a, 0));
      added(c, c.load(a, 0));
    },
    ["array a f32 2", "store a 0 rounded(mul(x, y))", "store own 0 a[0]", "store out 0 add(a[0], x)"],
  ],
  [
    "integers",
    (c) => c.store(words, 0, mul(add(lane, 1), lane)),
    ["store out 0 mul(add(local-id, 1), local-id)"],
  ],
  [
    "a negative by its name",
    named(neg(xy), (c, n) => c.store(out, 0, add(n, c.let("w", xy)))),
    ["let v rounded(neg(mul(x, y)))", "let w rounded(mul(x, y))", "store out 0 add(v, opaque(w))"],
  ],
  ...[x, param32, f(3)].map((given): [string, (code: Code) => void, string[]] => [
    "a negative, and a name of what is given",
    named(neg(xy), (c, n) => c.store(out, 0, add(n, c.let("w", given)))),
    [
      "let v rounded(neg(mul(x, y)))",
      `let w ${given === x ? "x" : given === param32 ? "param" : 3}`,
      "store out 0 add(v, w)",
    ],
  ]),
  [
    "a negative, and what the kernel also writes",
    (c) => {
      c.store(storage("x"), 1, y);
      c.store(out, 0, add(neg(xy), x));
    },
    ["store x 1 y", "store out 0 add(rounded(neg(mul(x, y))), opaque(x))"],
  ],
  [
    "a negative, and what other work-items have",
    (c) => {
      c.store(own, 1, y);
      c.store(out, 0, add(neg(xy), c.load(own, 0)));
    },
    ["store own 1 y", "store out 0 add(rounded(neg(mul(x, y))), own[0])"],
  ],
  [
    "a negative, and a row",
    (c) => c.store(out, 0, add(neg(xy), c.loadRow("r", storage("x"), 0)[0] as Expr)),
    ["load-row r x f32 0", "store out 0 add(rounded(neg(mul(x, y))), r.0)"],
  ],
  [
    "a negative, and a row that the kernel also writes",
    (c) => {
      c.storeRow(out, 0, [y, y, y, y]);
      c.store(other, 0, add(neg(xy), c.loadRow("r", out, 0)[0] as Expr));
    },
    [
      "store-row out 0 y y y y",
      "load-row r out f32 0",
      "store other 0 add(rounded(neg(mul(x, y))), opaque(r.0))",
    ],
  ],
  [
    "a row with a negative",
    (c) => {
      c.storeRow(out, 0, [neg(xy), x, y, x]);
      c.store(other, 0, add(c.loadRow("r", out, 4)[1] as Expr, xy));
    },
    [
      "store-row out 0 rounded(neg(mul(x, y))) x y x",
      "load-row r out f32 4",
      "store other 0 add(r.1, opaque(mul(x, y)))",
    ],
  ],
  [
    "the bits of a negative in an array",
    (c) => {
      const a = c.array("a", "u32", 2);
      c.store(a, 0, bitsOf(neg(xy)));
      c.store(out, 0, add(floatOf(c.load(a, 1)), xy));
    },
    [
      "array a u32 2",
      "store a 0 bitcast(neg(mul(x, y)))",
      "store out 0 add(rounded(bitcast(a[1])), opaque(mul(x, y)))",
    ],
  ],
  [
    "a negative of the round before",
    (c) => {
      const v = c.var("v", xy);
      c.for("i", u32(0), u32(3), (b) => {
        stored(b, add(b.let("w", binary("max", v, x)), xy));
        b.assign(v, neg(v));
      });
    },
    [
      "var v rounded(mul(x, y))",
      "for i 0 3 1",
      "  let w rounded(max(v, x))",
      "  store out 0 add(w, opaque(mul(x, y)))",
      "  assign v rounded(neg(v))",
    ],
  ],
  [
    "a name that another block gives to an integer",
    (c) => {
      const v: Expr = { kind: "var", name: "v", type: "f32" };
      c.for("i", u32(0), u32(2), (b) => b.stmts.push({ kind: "let", name: "v", value: sub(lane, u32(1)) }));
      c.for("i", u32(0), u32(2), (b) => b.stmts.push({ kind: "let", name: "v", value: xy }));
      stored(c, add(v, xy));
    },
    [
      ...["for i 0 2 1", "  let v sub(local-id, 1)", "for i 0 2 1", "  let v rounded(mul(x, y))"],
      ...["store out 0 add(v, rounded(mul(x, y)))"],
    ],
  ],
  [
    "a sum of halves by a name",
    named(sum(h, k), (c, v) => stored(c, sum(v, h))),
    ["let v sum(add(h, k))", "store out 0 sum(add(v, h))"],
  ],
  [
    "a product by a name, for a sum of halves",
    named(mul(x, y), (c, v) => stored(c, sum(v, h))),
    ["let v mul(x, y)", "store out 0 sum(add(rounded(v), h))"],
  ],
  [
    "a sum of halves for a product and a sum",
    named(sum(h, k), (c, v) => {
      stored(c, mul(v, x));
      stored(c, sum(v, h));
    }),
    ["let v rounded(sum(add(h, k)))", "store out 0 mul(v, x)", "store out 0 sum(add(v, h))"],
  ],
  [
    "a product that a product and a sum of halves read",
    named(xy, (c, v) => {
      stored(c, mul(v, x));
      stored(c, sum(v, h));
    }),
    ["let v rounded(mul(x, y))", "store out 0 mul(v, x)", "store out 0 sum(add(v, h))"],
  ],
  [
    "and that others get",
    named(xy, (c, v) => {
      c.store(own, 0, v);
      stored(c, mul(v, x));
      stored(c, sum(v, h));
    }),
    [
      ...["let v mul(x, y)", "store own 0 v", "store out 0 mul(rounded(v), x)"],
      "store out 0 sum(add(rounded(v), h))",
    ],
  ],
  [
    "a product that a routine and a sum of halves read",
    named(xy, (c, v) => {
      routine((_, a) => sum(a, v), stored, [h, k])(c);
      stored(c, sum(v, h));
    }),
    [
      ...["let v rounded(mul(x, y))", "let a h argument", "let b k argument", "routine t "],
      ...["let r sum(add(a, v)) result", "results r", "store out 0 r", "store out 0 sum(add(v, h))"],
    ],
  ],
  [
    "a sum of constants by their names",
    named(f(3), (c, v) => stored(c, sum(c.let("w", sum(v, f(2))), h))),
    ["let v 3", "let w sum(add(v, 2))", "store out 0 sum(add(rounded(w), h))"],
  ],
  [
    "bits by a name",
    named(bits, (c, v) => stored(c, sum(halfOf(v), k))),
    ["let v bits[0]", "store out 0 sum(add(rounded(f32_of_f16_bits(v)), k))"],
  ],
  [
    "a variable of halves",
    (c) => {
      const v = c.var("v", h);
      c.for("i", u32(0), u32(3), (b) => b.assign(v, sum(v, k)));
    },
    ["var v h", "for i 0 3 1", "  assign v sum(add(v, k))"],
  ],
  [
    "a variable that begins with a constant",
    (c) => {
      const v = c.var("v", f(1));
      c.for("i", u32(0), u32(3), (b) => b.assign(v, sum(v, f(2))));
    },
    ["var v 1", "for i 0 3 1", "  assign v sum(add(rounded(v), 2))"],
  ],
  [
    "rows of halves",
    (c) => {
      c.storeRow(out, 0, [sum(h, k), h, k, h]);
      c.store(other, 0, sum(c.loadRow("r", out, 0)[0] as Expr, h));
    },
    ["store-row out 0 sum(add(h, k)) h k h", "load-row r out f32 0", "store other 0 sum(add(r.0, h))"],
  ],
  [
    "rows of products, for a sum of halves",
    (c) => {
      c.storeRow(out, 0, [xy, h, k, h]);
      c.store(other, 0, sum(c.loadRow("r", out, 0)[0] as Expr, h));
    },
    ["store-row out 0 mul(x, y) h k h", "load-row r out f32 0", "store other 0 sum(add(rounded(r.0), h))"],
  ],
  [
    "arguments of a routine, and its result where a rounding reads it",
    routine((_, a, b) => add(a, b), added),
    [
      ...[
        "let a rounded(mul(x, y)) argument",
        "let b x argument",
        "routine t ",
        "let r add(a, b) result",
        "results r",
      ],
      "store out 0 add(rounded(r), x)",
    ],
  ],
  [
    "a result that no rounding reads, and a name inside",
    routine((c, a, b) => add(c.let("v", mul(a, b)), b), stored),
    [
      ...["let a rounded(mul(x, y)) argument", "let b x argument", "routine t ", "let v rounded(mul(a, b))"],
      ...["let r add(v, b) result", "results r", "store out 0 r"],
    ],
  ],
  [
    "a name from outside",
    named(xy, (c, v) => routine((_, a, b) => mul(add(a, b), v), stored, [x, y])(c)),
    [
      ...["let v rounded(mul(x, y))", "let a x argument", "let b y argument", "routine t "],
      ...["let r mul(rounded(add(a, b)), v) result", "results r", "store out 0 r"],
    ],
  ],
  [
    "a routine of sums of halves, whose arguments may be sums",
    routine((_, a, b) => sum(a, b), stored, [sum(h, k), mul(x, y)]),
    [
      ...["let a sum(add(h, k)) argument", "let b rounded(mul(x, y)) argument", "routine t "],
      ...["let r sum(add(a, b)) result", "results r", "store out 0 r"],
    ],
  ],
  [
    "one with a product, whose arguments are guarded",
    routine((_, a, b) => sum(mul(a, b), b), stored, [sum(h, k), h]),
    [
      ...["let a rounded(sum(add(h, k))) argument", "let b rounded(h) argument", "routine t "],
      ...["let r sum(add(rounded(mul(a, b)), b)) result", "results r", "store out 0 r"],
    ],
  ],
  [
    "one with a product between others",
    routine(
      (c, a, b) => {
        c.store(own, lane, mul(a, b));
        return binary("min", a, b);
      },
      stored,
      [sum(h, k), h],
    ),
    [
      ...["let a rounded(sum(add(h, k))) argument", "let b rounded(h) argument", "routine t "],
      ...["store own local-id mul(a, b)", "let r min(a, b) result", "results r", "store out 0 r"],
    ],
  ],
  [
    "one with a conversion",
    routine((_, a, b) => select(lt(a, b), cast("f32", cast("f16", b)), b), stored, [sum(h, k), x]),
    [
      ...["let a rounded(sum(add(h, k))) argument", "let b x argument", "routine t "],
      ...["let r select(lt(a, b), cast(rounded(cast(b))), b) result", "results r", "store out 0 r"],
    ],
  ],
  [
    "a name that a routine reads as an integer, and another block gives to a float",
    (code) => {
      const v = code.let("v", add(lane, 1));
      routine(
        (_, a) => add(a, v),
        (c, r) => c.store(words, 0, r),
        [lane, lane],
      )(code);
      code.stmts.push({
        kind: "if",
        condition: first,
        then: [{ kind: "let", name: "v", value: xy }],
        otherwise: [],
      });
    },
    [
      ...["let v add(local-id, 1)", "let a local-id argument", "let b local-id argument", "routine t "],
      ...["let r add(a, v) result", "results r", "store out 0 r", "if lt(local-id, 1)", "  let v mul(x, y)"],
    ],
  ],
  [
    "routines in a loop and in one another",
    (code) =>
      code.for("i", u32(0), u32(3), (loop) =>
        routine((c, a, b) => {
          const { e } = c.routine({ title: "u", doc: "" }, { d: [mul(a, b)] }, ({ d: [d] }) => ({
            e: [add(d as Expr, d as Expr)],
          }));
          return add(e[0] as Expr, a);
        }, added)(loop),
      ),
    [
      "for i 0 3 1",
      "  let a rounded(mul(x, y)) argument",
      "  let b x argument",
      "  routine t ",
      "  let d rounded(mul(a, b)) argument",
      "  routine u ",
      "  let e add(d, d) result",
      "  results e",
      "  let r add(rounded(e), a) result",
      "  results r",
      "  store out 0 add(rounded(r), x)",
    ],
  ],
  [
    "an argument that other work-items get, too",
    (c) => {
      const v = c.var("v", xy);
      c.store(own, 0, v);
      routine(
        (_, a, b) => add(a, b),
        (code, r) => code.assign(v, r),
        [v, x],
      )(c);
    },
    [
      ...["var v mul(x, y)", "store own 0 v", "let a rounded(v) argument", "let b x argument"],
      ...["routine t ", "let r add(a, b) result", "results r", "assign v r"],
    ],
  ],
])("%s", (_, write, lines) => {
  expect(guarded(write)).toEqual(lines);
});

test("a -0 that a choice gives is guarded where compilers take it for 0", () => {
  const halfOfBits = (value: number): Expr => call("f16_of_bits", "f16", [u32(value)]);
  const choice = (e: Expr): Expr => select(first, e, select(lt(x, minusZero), x, e));
  const linesFor = (e: Expr, minusZero: boolean) =>
    guarded((c) => c.store({ ...out, type: e.type }, 0, choice(e)), { minusZero });
  const text = (e: string) => [
    `store out 0 select(lt(local-id, 1), ${e}, select(lt(x, f32_of_bits(2147483648)), x, ${e}))`,
  ];
  const [zero, half] = ["f32_of_bits(2147483648)", "f16_of_bits(32768)"];
  expect(linesFor(minusZero, true)).toEqual(text(`rounded(${zero})`));
  expect(linesFor(minusZero, false)).toEqual(text(zero));
  expect(linesFor(halfOfBits(0x8000), true)).toEqual(text(`rounded(${half})`));
  for (const value of [0, 0x7c00, 0x80000000])
    expect(linesFor(halfOfBits(value), true)).toEqual(text(`f16_of_bits(${value})`));
  expect(linesFor(call("f32_of_bits", "f32", [u32(0x8000)]), true)).toEqual(text("f32_of_bits(32768)"));
  expect(linesFor(call("g", "f32", [u32(0x80000000)]), true)).toEqual(text("g(2147483648)"));
});

test("a computed float is guarded where its bits are tested for 0, if the device takes subnormal numbers for 0", () => {
  const magnitude = (e: Expr): Expr => and(bitsOf(e), u32(0x7fffffff));
  const linesFor = (test: Expr, zeros: boolean) =>
    guarded((c) => c.store(words, 0, select(test, 1, 2)), { zeros });
  const text = (test: string) => [`store out 0 select(${test}, 1, 2)`];
  const tested = (e: string) => `ne(and(bitcast(${e}), 2147483647), 0)`;
  expect(linesFor(ne(magnitude(xy), 0), true)).toEqual(text(tested("rounded(mul(x, y))")));
  expect(linesFor(ne(magnitude(xy), 0), false)).toEqual(text(tested("mul(x, y)")));
  // What memory gives, another mask and another number than 0 stay as they are.
  expect(linesFor(ne(magnitude(x), 0), true)).toEqual(text(tested("x")));
  expect(linesFor(ne(magnitude(xy), 1), true)[0]).not.toContain("rounded");
  // So is an operand of a comparison, where compilers can derive the test from a constant.
  const below = (fn: string, ...args: readonly Expr[]): Expr => call(fn, "bool", args);
  const least = call("f32_of_bits", "f32", [u32(1)]);
  expect(linesFor(below("le_f32", unary("abs", xy), f(0)), true)).toEqual(
    text("le_f32(rounded(abs(mul(x, y))), 0)"),
  );
  expect(linesFor(below("lt_f32", f(0), xy), true)).toEqual(text("lt_f32(0, rounded(mul(x, y)))"));
  expect(linesFor(below("lt_f32", xy, least), true)).toEqual(
    text("lt_f32(rounded(mul(x, y)), f32_of_bits(1))"),
  );
  expect(linesFor(below("lt_f32", xy, f(1)), true)[0]).not.toContain("rounded");
  expect(linesFor(below("lt_f32", xy, f(0)), false)[0]).not.toContain("rounded");
  expect(linesFor(ne(and(bitsOf(xy), u32(0x7f800000)), 0), true)[0]).not.toContain("rounded");
  expect(
    guarded(
      (c) => {
        const product = c.let("product", xy);
        c.store(out, 0, select(binary("eq", magnitude(product), u32(0)), x, y));
      },
      { zeros: true },
    )[0],
  ).toBe("let product rounded(mul(x, y))");
});

test("the zero has a name of its own, and functions of pairs of halves take it, too", () => {
  const linesFor = (write: (code: Code) => void): string[] => linesOf(guardRounding(stmtsOf(write), GUARDS));
  const product = call("mul_two_f16", "u32", [bits, bits]);
  expect(linesFor((c) => c.store(words, 0, add(call("add_two_f16", "u32", [product, bits]), 1)))).toEqual([
    "let zero always_zero",
    "store out 0 add(add_two_f16(mul_two_f16(bits[0], bits[0], zero), bits[0], zero), 1)",
  ]);
  expect(linesFor((c) => c.store(out, c.let("zero", lane), mul(xy, x)))).toEqual([
    "let zero_2 always_zero",
    "let zero local-id",
    "store out zero mul(rounded_f32(mul(x[0], y[0]), zero_2), x[0])",
  ]);
});
