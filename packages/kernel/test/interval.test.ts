import { BINARY, type BinaryOp } from "@groupwise/ir/tables/expr-op.js";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Expr } from "../src/language/expr.ts";
import { EVERYTHING, type Interval, intervalOf } from "../src/language/interval.ts";
import { binary, builtin, select, u32 } from "../src/language/make-expr.ts";

const OPERATORS: BinaryOp[] = [
  "add",
  "sub",
  "mul",
  "div",
  "rem",
  "min",
  "max",
  "absdiff",
  "gcd",
  "and",
  "or",
  "xor",
  "shl",
  "shr",
];
const small = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 0xffffffff }));

const { expr } = fc.letrec<{ expr: Expr }>((tie) => ({
  expr: fc.oneof(
    { depthSize: "small" },
    small.map((value): Expr => u32(value)),
    fc.constant<Expr>(builtin("local-id")),
    fc.tuple(fc.constantFrom(...OPERATORS), tie("expr"), tie("expr")).map(([op, a, b]) => binary(op, a, b)),
    fc.tuple(tie("expr"), tie("expr")).map(([a, b]) => select(binary("lt", a, b), a, b)),
  ),
}));

function value(e: Expr, lane: number): number {
  if (e.kind === "const") return Number(e.value);
  if (e.kind === "builtin") return lane;
  if (e.kind === "select") return value(e.condition, lane) ? value(e.then, lane) : value(e.otherwise, lane);
  if (e.kind !== "binary") throw new Error(e.kind);
  return Number(BINARY[e.op].apply("u32", value(e.left, lane), value(e.right, lane)));
}

it("an expression never leaves its interval", () => {
  const around = { variable: () => EVERYTHING, workGroupSize: 64 };
  fc.assert(
    fc.property(expr, fc.integer({ min: 0, max: 63 }), (e, lane) => {
      const [low, high] = intervalOf(e, around);
      const got = value(e, lane);
      expect(got >= low && got <= high, `${got} in ${low}…${high}`).toBe(true);
    }),
    { numRuns: 5000 },
  );
});

it("what a condition keeps below a bound is below it where the condition holds", () => {
  const next = { kind: "var", name: "next", type: "u32" } as const;
  const around = { variable: (): Interval => [1, 30], workGroupSize: 64 };
  expect(intervalOf(select(binary("lt", next, u32(30)), next, u32(0)), around)).toEqual([0, 29]);
  expect(intervalOf(select(binary("lt", next, u32(30)), u32(0), next), around)).toEqual([0, 30]);
});

it.each(OPERATORS)("%s of a lane and a number never leaves its interval", (op) => {
  const around = { variable: () => EVERYTHING, workGroupSize: 64 };
  const lane = builtin("local-id");
  for (const number of [0, 1, 2, 3, 5, 8, 31, 63, 64, 100, 0x80000000, 0xffffffff])
    for (const e of [binary(op, lane, u32(number)), binary(op, u32(number), lane)]) {
      const [low, high] = intervalOf(e, around);
      for (let i = 0; i < 64; i++) {
        const got = value(e, i);
        expect(got >= low && got <= high, `${op} ${number}, lane ${i}: ${got} in ${low}…${high}`).toBe(true);
      }
    }
});
