/** Conditions on one float as tests of its bits, against comparisons of floats. */
import { BINARY, type CompareOp } from "@groupwise/ir/tables/expr-op.js";
import { expect, test } from "vitest";
import type { Code } from "../src/language/build.ts";
import type { Expr } from "../src/language/expr.ts";
import { foldWith } from "../src/language/fold-expr.ts";
import { and, binary, constant, load, u32, unary } from "../src/language/make-expr.ts";
import { testBits } from "../src/passes/bit-tests.ts";
import { linesOf } from "./kernel-text.ts";
import { kernelWith, moduleWith, stmtsOf } from "./modules.ts";
import { SIMT } from "./simt.ts";

const out = { space: "storage", name: "out", type: "u32" } as const;
const around = { capabilities: { ...SIMT, expand: ["float-compare"] } } as const;
const f = (value: number): Expr => constant("f32", value);
const v: Expr = { kind: "var", name: "v", type: "f32" };
const or = (a: Expr, b: Expr): Expr => binary("or", a, b);
const not = (e: Expr): Expr => unary("not", e);
const compare = (op: CompareOp, x: number): Expr => binary(op, v, f(x));
const isNaNOf = (e: Expr): Expr => binary("ne", e, e);

/** The lines after `let v x[0]`. */
function linesAfter(write: (code: Code) => void, given: Expr = load("storage", "x", "f32", 0)): string[] {
  const all = (code: Code): void => {
    code.let("v", given);
    write(code);
  };
  return linesOf(testBits(moduleWith([kernelWith(stmtsOf(all))]), around).kernels[0]?.body ?? []).slice(1);
}
const stored = (code: Code, value: number): void => code.store(out, 0, u32(value));
const tested = (condition: Expr): Expr => {
  const all = (code: Code): void => {
    code.let("v", load("storage", "x", "f32", 0));
    code.if(condition, (then) => stored(then, 1));
  };
  const body = testBits(moduleWith([kernelWith(stmtsOf(all))]), around).kernels[0]?.body ?? [];
  const stmt = body.at(-1);
  return stmt?.kind === "if" ? stmt.condition : f(0);
};

const CONSTANTS = [0, -0, 1, -1, 2 ** -149, -(2 ** -149), 2 ** -126, 3.5, -3.5, Infinity, -Infinity].map(
  Math.fround,
);
const words = new Uint32Array([
  ...CONSTANTS.flatMap((x) => {
    const [bits] = new Uint32Array(Float32Array.of(x).buffer) as unknown as [number];
    return [bits - 1, bits, bits + 1];
  }),
  ...[0x7fc00000, 0x7fffffff, 0xffc00000, 0xffffffff, 0x7f800001, 0xff800001],
]);
const holds = (condition: Expr, bits: number): unknown => {
  const [x] = new Float32Array(Uint32Array.of(bits).buffer) as unknown as [number];
  const at = (e: Expr): Expr => {
    if (e.kind === "bitcast") return u32(bits);
    if (e.kind === "binary") {
      const [a, b] = [at(e.left), at(e.right)];
      return binary(e.op, a, b);
    }
    if (e.kind === "unary") return unary(e.op, at(e.of));
    return e.kind === "var" ? f(x) : e;
  };
  const value = foldWith(at(condition), new Map());
  return value.kind === "const" ? value.value : value;
};

test("tests of bits hold for the same floats as comparisons", () => {
  const ops = (Object.keys(BINARY) as CompareOp[]).filter((op) => BINARY[op].compares);
  for (const op of ops)
    for (const x of CONSTANTS)
      for (const [other, join] of [
        [compare("lt", 2), or],
        [binary("lt", f(-2), v), and],
        [isNaNOf(v), or],
      ] as const)
        for (const condition of [join(compare(op, x), other), not(join(other, compare(op, x)))]) {
          const made = tested(condition);
          expect(made).not.toEqual(condition);
          for (const bits of words)
            expect([op, x, bits, holds(made, bits)]).toEqual([op, x, bits, holds(condition, bits)]);
        }
});

test("of conditions of which at most one holds, each is tested where those before it do not hold", () => {
  const lines = linesAfter((code) => {
    const [isBelow, isAbove] = [code.let("below", compare("lt", -1)), code.let("above", compare("gt", 1))];
    const isNone = code.let("none", isNaNOf(v));
    code.if(not(or(or(isBelow, isAbove), isNone)), (then) => stored(then, 0));
    code.if(isBelow, (then) => stored(then, 1));
    code.if(isAbove, (then) => stored(then, 2));
    code.if(isNone, (then) => stored(then, 3));
    // It may hold where the one before it does.
    code.if(compare("ne", 5), (then) => stored(then, 4));
  });
  expect(lines.slice(3)).toEqual([
    "if or(lt(bitcast(v), 1065353217), lt(sub(bitcast(v), 2147483648), 1065353217))",
    "  store out 0 0",
    "  if below",
    "    store out 0 1",
    "    if above",
    "      store out 0 2",
    "      if none",
    "        store out 0 3",
    "if ne(v, 5)",
    "  store out 0 4",
  ]);
});

test("one comparison, other values, and computed ones beside 0 are compared as floats", () => {
  const condition = (given: Expr, e: Expr): string | undefined =>
    linesAfter((code) => code.if(e, (then) => stored(then, 1)), given)[0];
  const read = load("storage", "x", "f32", 0);
  const computed = binary("mul", read, read);
  expect(condition(read, compare("lt", 1))).toBe("if lt(v, 1)");
  expect(condition(read, and(compare("ge", 0), compare("lt", 1)))).toMatch("bitcast(v)");
  expect(condition(computed, and(compare("ge", 1), compare("lt", 2)))).toMatch("bitcast(v)");
  expect(condition(computed, and(compare("ge", 0), compare("lt", 1)))).toBe("if and(ge(v, 0), lt(v, 1))");
  const w: Expr = { kind: "var", name: "w", type: "f32" };
  expect(condition(read, and(compare("ge", 0), binary("lt", w, f(1))))).toBe("if and(ge(v, 0), lt(w, 1))");
  const variable = linesAfter((code) => {
    const u = code.var("u", v);
    code.if(and(binary("ge", u, f(0)), binary("lt", u, f(1))), (then) => stored(then, 1));
  });
  expect(variable[1]).toBe("if and(ge(u, 0), lt(u, 1))");
});
