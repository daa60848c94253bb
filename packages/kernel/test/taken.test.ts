/** What functions take of their kernels, and what remains of routines whose results are not read. */

import { expect, test } from "vitest";
import type { RoutineArrays } from "../src/capabilities/capabilities.ts";
import type { Code } from "../src/language/build.ts";
import type { Expr } from "../src/language/expr.ts";
import { add, builtin, load, u32 } from "../src/language/make-expr.ts";
import type { Module } from "../src/language/module.ts";
import { walk } from "../src/language/walk.ts";
import { shareArrays, sharedArrays } from "../src/routines/arrays.ts";
import { outline } from "../src/routines/outline.ts";
import { takenBy, takenNames } from "../src/routines/taken.ts";
import { bufferWith, kernelWith, moduleWith, stmtsOf } from "./modules.ts";

const OUT = { space: "storage", name: "y", type: "u32" } as const;

/** Each kernel has its work-group array, of another length. */
function moduleOf(builds: readonly ((code: Code) => void)[]): Module {
  const kernels = builds.map((build, i) => {
    const shared = [{ name: "lanes", type: "u32", length: 32 * (i + 1) } as const];
    return kernelWith(stmtsOf(build, [], true), { name: `k${i}`, workGroupSize: 32, shared });
  });
  const params = ["n", "unused"].map((name) => ({ name, type: "u32", role: "user" }) as const);
  const buffers = ["x", "y"].map((name) => bufferWith(name, "scratch", "u32", 32));
  return moduleWith(kernels, { params, buffers });
}

/** A routine of one value, with some statements. */
const routine = (code: Code, title: string, value: Expr, inner: (code: Code, value: Expr) => Expr): Expr => {
  const { result } = code.routine({ title, doc: "" }, { value: [value] }, ({ value: [v] }) => ({
    result: [inner(code, v as Expr)],
  }));
  return result[0] as Expr;
};
const twice = (build: (code: Code, value: Expr) => void) => (code: Code) => {
  const lane = code.let("lane", builtin("local-id"));
  build(code, lane);
  build(code, add(lane, u32(1)));
};

const changes = (code: Code, value: Expr): Expr =>
  routine(code, "changes", value, (inner, v) => {
    inner.store(OUT, v, load("work-group", "lanes", "u32", v));
    return add(v, { kind: "param", name: "n", type: "u32" });
  });
const calls = (code: Code, value: Expr): Expr =>
  routine(code, "calls", value, (inner, v) => add(changes(inner, v), load("storage", "x", "u32", v)));
const outer = (code: Code, value: Expr): Expr =>
  routine(code, "outer", value, (inner, v) => add(calls(inner, v), load("storage", "y", "u32", v)));
const alone = (code: Code, value: Expr): Expr => routine(code, "alone", value, (_, v) => add(v, v));

test("a function takes what the functions use that its callees call", () => {
  const build = twice((code, value) => {
    code.store(OUT, value, add(outer(code, value), alone(code, value)));
  });
  const taken = takenBy(outline(moduleOf([build])));
  expect([...taken.keys()].sort()).toEqual(["alone", "calls", "changes", "outer"]);
  const of = (name: string) => {
    const found = taken.get(name);
    if (!found) throw new Error(name);
    return {
      names: takenNames(found),
      read: found.buffers.filter(({ isRead }) => isRead).map((b) => b.buffer.name),
    };
  };
  expect(of("alone")).toEqual({ names: [], read: [] });
  expect(of("changes")).toEqual({ names: ["lanes", "y", "n"], read: [] });
  expect(of("calls")).toEqual({ names: ["lanes", "x", "y", "n"], read: ["x"] });
  expect(of("outer")).toEqual({ names: ["lanes", "x", "y", "n"], read: ["x"] });
});

test("arrays of several lengths are one argument, but two arrays of a module", () => {
  const build = (code: Code): void => {
    const lane = code.let("lane", builtin("local-id"));
    code.store(OUT, lane, changes(code, lane));
  };
  const shared = (arrays: RoutineArrays) => shareArrays(moduleOf([build, build]), arrays);
  expect(sharedArrays(shared("array-parameters")).map(({ name }) => name)).toEqual(["lanes"]);
  expect(outline(shared("array-parameters")).functions.map(({ name }) => name)).toEqual(["changes"]);
  expect(sharedArrays(shared("module-arrays")).map(({ name }) => name)).toEqual(["lanes", "lanes_2"]);
  expect(outline(shared("module-arrays")).functions).toEqual([]);
});

test("calls without effects are removed if nothing reads their results; others remain", () => {
  const meets = (code: Code, value: Expr): Expr =>
    routine(code, "meets", value, (inner, v) => {
      inner.barrier();
      return v;
    });
  const remaining = (each: (code: Code, value: Expr) => Expr): readonly string[] => {
    const { kernels } = outline(moduleOf([twice((code, value) => void each(code, value))]));
    const body = kernels.flatMap((kernel) => walk(kernel.body));
    return body.flatMap((stmt) => (stmt.kind === "let" && stmt.value.kind === "call" ? [stmt.value.fn] : []));
  };
  expect(remaining(alone)).toEqual([]);
  expect(remaining(meets)).toEqual(["meets", "meets"]);
  expect(remaining(changes)).toEqual(["changes", "changes"]);
  expect(remaining((code, value) => routine(code, "around", value, meets))).toEqual(["around", "around"]);
});
