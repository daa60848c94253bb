import { expect, test } from "vitest";
import type { Code } from "../src/language/build.ts";
import type { Expr, VarExpr } from "../src/language/expr.ts";
import {
  add,
  and,
  binary,
  call,
  cast,
  constant,
  load,
  lt,
  mul,
  sub,
  u32,
  unary,
} from "../src/language/make-expr.ts";
import { useRanges } from "../src/passes/ranges.ts";
import { linesOf } from "./kernel-text.ts";
import { kernelWith, moduleWith, stmtsOf } from "./modules.ts";

const out = { space: "storage", name: "out", type: "u32" } as const;
const f = (value: number): Expr => constant("f32", value);
const within = (v: Expr): Expr => and(binary("ge", v, f(0)), lt(v, f(256)));
const CONDITION = "if and(ge(v, 0), lt(v, 256))";

/** The lines after `let v x[0]`. */
function linesAfter(write: (code: Code, v: VarExpr) => void, hasRoutines = false): string[] {
  const all = (code: Code): void => write(code, code.let("v", load("storage", "x", "f32", 0)));
  const { kernels } = useRanges(moduleWith([kernelWith(stmtsOf(all, [], hasRoutines))]));
  return linesOf(kernels[0]?.body ?? []).slice(1);
}
const not = (e: Expr): Expr => unary("not", e);
const stored = (code: Code, value: Expr): void => code.store(out, 0, value);
const whole = (v: Expr): Expr => cast("u32", v);

test("a conversion that only the block reads moves there, with what else its value has", () => {
  const lines = linesAfter((code, v) => {
    const w = code.let("w", add(whole(v), 1));
    code.if(within(v), (then) => stored(then, add(w, w)));
  });
  expect(lines).toEqual([CONDITION, "  let w add(cast-in-range(v), 1)", "  store out 0 add(w, w)"]);
});

test("conditions are found by their names, within others, and with a limit that is included", () => {
  const named = linesAfter((code, v) => code.if(code.let("c", within(v)), (then) => stored(then, whole(v))));
  expect(named.at(-1)).toBe("  store out 0 cast-in-range(v)");
  const [up, low, high] = [binary("le", v(), f(255)), binary("gt", v(), f(-1)), binary("ge", v(), f(0))];
  const under = (condition: Expr, type: "u32" | "i32" = "u32"): string | undefined =>
    linesAfter((code) => code.if(condition, (then) => stored(then, cast(type, v())))).at(-1);
  expect(under(and(and(up, high), lt(u32(0), load("storage", "n", "u32", 0))))).toBe(
    "  store out 0 cast-in-range(v)",
  );
  expect(
    under(not(binary("or", lt(v(), f(0)), binary("or", binary("gt", v(), f(255)), binary("ne", v(), v()))))),
  ).toBe("  store out 0 cast-in-range(v)");
  // Without the comparison with itself it may be NaN.
  expect(under(not(binary("or", lt(v(), f(0)), binary("gt", v(), f(255)))))).toBe("  store out 0 cast(v)");
  expect(under(and(up, low))).toBe("  store out 0 cast(v)");
  expect(under(and(up, low), "i32")).toBe("  store out 0 cast-in-range(v)");
});
function v(): Expr {
  return { kind: "var", name: "v", type: "f32" };
}

test("what follows from a value by sums and products with constants is in range too, in a row and by other names", () => {
  const lines = (scale: number): string[] =>
    linesAfter((code) => {
      const [x] = code.loadRow("row", { ...out, name: "x", type: "f32" }, 0) as [Expr];
      const difference = code.let("difference", sub(x, f(-1)));
      const w = code.let("w", whole(mul(f(scale), difference)));
      const slot = code.let("slot", binary("min", w, u32(7)));
      code.if(and(binary("ge", x, f(-1)), binary("le", x, f(1))), (then) => stored(then, slot));
    });
  expect(lines(2 ** 30).slice(-5)).toEqual([
    "let difference sub(row.0, -1)",
    "if and(ge(row.0, -1), le(row.0, 1))",
    "  let w cast-in-range(mul(1073741824, difference))",
    "  let slot min(w, 7)",
    "  store out 0 slot",
  ]);
  // 2^31 · 2 is no u32; no product is negative but that of a negative number.
  for (const scale of [2 ** 31, -1]) expect(lines(scale).join()).not.toContain("cast-in-range");
});

test.each<[string, (code: Code, v: VarExpr) => void]>([
  [
    "its value is read after it",
    (code, of) => {
      const w = code.let("w", whole(of));
      code.if(within(of), (then) => stored(then, w));
      stored(code, w);
    },
  ],
  [
    "the other block reads it",
    (code, of) => {
      const w = code.let("w", whole(of));
      code.if(
        within(of),
        (then) => stored(then, w),
        (otherwise) => stored(otherwise, w),
      );
    },
  ],
  ...(
    [
      ["what is loaded", () => load("storage", "x", "u32", 0)],
      ["a call", () => call("g", "u32", [])],
      ["a variable", (code) => code.var("u", u32(3))],
    ] as [string, (code: Code) => Expr][]
  ).map(([about, other]): [string, (code: Code, v: VarExpr) => void] => [
    `its value also has ${about}, which may change`,
    (code, of) => {
      const more = other(code);
      const w = code.let("w", add(whole(of), more));
      code.if(within(of), (then) => stored(then, w));
    },
  ]),
  [
    "another block declares its name",
    (code, of) => {
      const w = code.let("w", whole(of));
      code.if(within(of), (then) => stored(then, w));
      code.for("i", u32(0), u32(2), (body) => body.stmts.push({ kind: "let", name: "w", value: u32(1) }));
    },
  ],
  [
    "it is an argument",
    (code, of) => {
      const w = code.let("w", whole(of), "argument");
      code.if(within(of), (then) => stored(then, w));
    },
  ],
])("a conversion stays where it is if %s", (_, write) => {
  const lines = linesAfter(write);
  expect(lines.find((line) => line.startsWith("let w "))).toMatch(/\bcast\(v\)/);
  expect(lines).toContain("  store out 0 w");
});

test("what does not convert stays, and conversions outside of the block saturate", () => {
  const lines = linesAfter((code, of) => {
    const w = code.let("w", add(u32(1), load("storage", "x", "u32", 0)));
    const other = code.let("other", add(w, 1));
    code.if(
      within(of),
      (then) => stored(then, add(other, whole(of))),
      (otherwise) => stored(otherwise, whole(of)),
    );
    stored(code, whole(of));
  });
  expect(lines).toEqual([
    "let w add(1, x[0])",
    "let other add(w, 1)",
    CONDITION,
    "  store out 0 add(other, cast-in-range(v))",
    "  store out 0 cast(v)",
    "store out 0 cast(v)",
  ]);
});

test("a variable may change, and limits that are no constants say nothing", () => {
  const changing = linesAfter((code, of) => {
    const u = code.var("u", of);
    code.if(within(u), (then) => {
      then.assign(u, f(-5));
      stored(then, whole(u));
    });
  });
  expect(changing.at(-1)).toBe("  store out 0 cast(u)");
  const unknown = linesAfter((code, of) => {
    const w = code.let("w", load("storage", "x", "f32", 1));
    code.if(and(binary("ge", of, w), lt(of, w)), (then) => stored(then, whole(of)));
  });
  expect(unknown.at(-1)).toBe("  store out 0 cast(v)");
});
