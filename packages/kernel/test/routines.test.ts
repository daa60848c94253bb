/** Routines: one function for those that are equal but for names, and nothing else of the kernel changes. */

import { expect, test } from "vitest";
import type { Code } from "../src/language/build.ts";
import type { Expr } from "../src/language/expr.ts";
import { add, binary, builtin, constant, u32 } from "../src/language/make-expr.ts";
import type { Fn, Module } from "../src/language/module.ts";
import type { Stmt } from "../src/language/stmt.ts";
import { walk } from "../src/language/walk.ts";
import { foldConstants } from "../src/passes/base/fold.ts";
import { outline } from "../src/routines/outline.ts";
import { kernelWith, moduleWith, stmtsOf } from "./modules.ts";

const out = { space: "storage", name: "out", type: "u32" } as const;

const moduleOf = (build: (code: Code) => void, hasRoutines: boolean = true): Module =>
  moduleWith([kernelWith(stmtsOf(build, [], hasRoutines), { workGroupSize: 32 })]);
const outlined = (build: (code: Code) => void): { body: readonly Stmt[]; functions: readonly Fn[] } => {
  const { kernels, functions } = outline(foldConstants(moduleOf(build)));
  return { body: kernels[0]?.body ?? [], functions };
};

/** a * b + c of whatever is given, as two results or one. */
function product(code: Code, a: Expr, b: Expr, both: boolean = true): readonly Expr[] {
  const { low, sum } = code.routine(
    { title: "product", doc: "" },
    { a: [a], b: [b] },
    ({ a: [x], b: [y] }) => {
      const found = code.let("found", binary("mul", x as Expr, y as Expr));
      return { low: [found], sum: both ? [add(found, x as Expr)] : [] };
    },
  );
  return [...low, ...sum];
}

test("equal routines become one function, also with constant arguments", () => {
  const { body, functions } = outlined((code) => {
    const lane = code.let("lane", builtin("local-id"));
    const first = product(code, lane, u32(3));
    const second = product(code, add(lane, u32(1)), first[1] as Expr);
    second.forEach((value, i) => {
      code.store(out, u32(i), value);
    });
  });
  expect(functions.map(({ name, params, results }) => ({ name, params, results }))).toEqual([
    {
      name: "product",
      params: [
        { name: "a", type: "u32" },
        { name: "b", type: "u32" },
      ],
      results: [
        { name: "low", type: "u32" },
        { name: "sum", type: "u32" },
      ],
    },
  ]);
  const calls = body.filter((stmt) => stmt.kind === "call");
  expect(calls.map(({ fn, args }) => ({ fn, kinds: args.map(({ kind }) => kind) }))).toEqual([
    { fn: "product", kinds: ["var", "const"] },
    { fn: "product", kinds: ["binary", "part"] },
  ]);
  const stored = body.flatMap((stmt) => (stmt.kind === "store" ? [stmt.value] : []));
  expect(stored).toMatchObject([
    { kind: "part", of: calls[1]?.name, index: 0, field: "low" },
    { kind: "part", of: calls[1]?.name, index: 1, field: "sum" },
  ]);
});

test("one result is the value of a call; a call without results is a statement", () => {
  const publish = (code: Code, value: Expr): void => {
    code.routine({ title: "publish", doc: "" }, { value: [value] }, ({ value: [v] }) => {
      code.atomicStore("status", u32(0), v as Expr);
      return {};
    });
  };
  const { body, functions } = outlined((code) => {
    const lane = code.let("lane", builtin("local-id"));
    for (const value of [lane, u32(7)]) publish(code, product(code, lane, value, false)[0] as Expr);
  });
  expect(functions.map(({ name, width }) => [name, width])).toEqual([
    ["product", 1],
    ["publish", 0],
  ]);
  expect(body.map(({ kind }) => kind)).toEqual(["let", "let", "call", "let", "call"]);
  expect(body[1]).toMatchObject({ name: "low", value: { kind: "call", fn: "product" } });
  expect(body[2]).toMatchObject({ fn: "publish", args: [{ kind: "var", name: "low" }] });
});

test("a unique routine stays in place; other types or other statements are other functions", () => {
  const build = (code: Code): void => {
    const lane = code.let("lane", builtin("local-id"));
    const half = code.let("half", constant("f32", 0.5));
    const found = [
      ...product(code, lane, lane),
      ...product(code, lane, lane, false),
      ...product(code, half, half),
      ...product(code, half, half),
    ];
    found.forEach((value, i) => {
      code.store({ ...out, type: value.type }, u32(i), value);
    });
    code.routine({ title: "product", doc: "" }, { a: [lane], b: [lane] }, ({ a: [x], b: [y] }) => ({
      low: [binary("mul", x as Expr, y as Expr)],
      sum: [binary("sub", x as Expr, y as Expr)],
    }));
  };
  const { body, functions } = outlined(build);
  expect(functions.map(({ name, returns }) => [name, returns])).toEqual([["product", "f32"]]);
  expect([...walk(body)].some(({ kind }) => kind === "routine" || kind === "results")).toBe(false);
  expect(body.filter((stmt) => stmt.kind === "let" && stmt.name.startsWith("found"))).toHaveLength(2);
});

test("routines within routines are functions that other functions call", () => {
  const outer = (code: Code, value: Expr): void => {
    code.routine({ title: "outer", doc: "" }, { value: [value] }, ({ value: [v] }) => ({
      result: product(code, v as Expr, v as Expr),
    }));
  };
  const { functions } = outlined((code) => {
    const lane = code.let("lane", builtin("local-id"));
    outer(code, lane);
    outer(code, u32(1));
  });
  expect(functions.map(({ name }) => name)).toEqual(["product", "outer"]);
  expect(functions[1]?.body.some((stmt) => stmt.kind === "call" && stmt.fn === "product")).toBe(true);
});

test("without routines the same statements are in the kernel", () => {
  const build = (code: Code): void => {
    const lane = code.let("lane", builtin("local-id"));
    code.store(out, u32(0), product(code, lane, add(lane, u32(1)))[1] as Expr);
  };
  const { kernels } = moduleOf(build, false);
  expect(kernels[0]?.body.map(({ kind }) => kind)).toEqual(["let", "let", "let", "store"]);
});
