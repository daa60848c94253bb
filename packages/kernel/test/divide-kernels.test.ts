import type { ScalarValue } from "@groupwise/ir/tables/scalar.js";
import { expect, test } from "vitest";
import type { Code } from "../src/language/build.ts";
import type { Expr } from "../src/language/expr.ts";
import { add, builtin, load, lt, u32 } from "../src/language/make-expr.ts";
import type { Kernel, Module } from "../src/language/module.ts";
import { arraysOf } from "../src/language/uses.ts";
import { verify } from "../src/language/verify.ts";
import { divideKernels } from "../src/passes/divide-kernels.ts";
import { runKernels } from "./kernel-interpreter.ts";
import { bufferWith, kernelWith, moduleWith, stmtsOf } from "./modules.ts";
import { SIMT } from "./simt.ts";

const ref = (name: string) => ({ space: "storage", name, type: "u32" }) as const;
const own = { space: "work-group", name: "own", type: "u32" } as const;
const NAMES = ["x", "a", "b", "c", "d", "e"];
const lane = builtin("local-id");
const x = (index: Expr): Expr => load("storage", "x", "u32", index);

function moduleOf(write: (code: Code) => void): Module {
  const stmts = stmtsOf(write, [...NAMES, "own", "k"], true);
  const kernel = kernelWith(stmts, { workGroupSize: 4, shared: [{ name: "own", type: "u32", length: 4 }] });
  return moduleWith([kernel], { buffers: NAMES.map((name) => bufferWith(name, "output", "u32", 16)) });
}
const divided = ({ ...module }: Module, arraysPerKernel?: number): Module =>
  divideKernels(module, {
    capabilities: { ...SIMT, ...(arraysPerKernel !== undefined && { arraysPerKernel }) },
  });
const arraysIn = (module: Module): string[][] =>
  module.kernels.map((kernel) => arraysOf(kernel, module.buffers, []).map(({ name }) => name));
function resultsOf(module: Module): Record<string, ScalarValue[]> {
  const storage = Object.fromEntries(
    NAMES.map((name) => [name, Array.from({ length: 16 }, (_, i) => i * 7)]),
  );
  runKernels(module, 4, { storage });
  return storage;
}

/** Writes four arrays, each in another way. */
function writeFour(code: Code): void {
  code.store(own, lane, u32(0));
  code.atomic("add", own, u32(0), lane);
  code.barrier();
  const first = code.let("first", add(x(lane), code.load(own, u32(0))));
  code.for("i", u32(0), u32(4), (body, i) => {
    body.store(ref("a"), add(lane, i), first);
    body.store(own, lane, i);
  });
  code.if(lt(lane, u32(2)), (body) => body.storeRow(ref("b"), u32(4), [first, lane, first, u32(3)]));
  code.atomic("max", ref("c"), u32(2), first);
  const { sum } = code.routine({ title: "sum", doc: "" }, { value: [first] }, ({ value: [value] }) => {
    code.store(ref("d"), lane, value as Expr);
    return { sum: [add(value as Expr, u32(1))] };
  });
  code.store(ref("d"), add(lane, u32(8)), sum[0] as Expr);
}

test.each([
  [5, [["x", "a", "b", "c", "d"]]],
  [
    4,
    [
      ["x", "a", "b"],
      ["x", "c", "d"],
    ],
  ],
  [
    3,
    [
      ["x", "a", "b"],
      ["x", "c", "d"],
    ],
  ],
  [2, ["a", "b", "c", "d"].map((name) => ["x", name])],
  // As few as they can have.
  [1, ["a", "b", "c", "d"].map((name) => ["x", name])],
])("with %i arrays at most, each writes some of them", (most, arrays) => {
  const given = moduleOf(writeFour);
  const made = divided(given, most);
  verify(made);
  expect(arraysIn(made)).toEqual(arrays);
  expect(new Set(made.kernels.map(({ name }) => name)).size).toBe(arrays.length);
  expect(made.kernels[0]?.name).toBe("k");
  expect(resultsOf(made)).toEqual(resultsOf(given));
  // Outlining knows routines by their statements.
  const routines = made.kernels.flatMap(({ body }) => body.filter(({ kind }) => kind === "routine"));
  expect(new Set(routines).size).toBe(routines.length);
});

test("an uneven number of arrays is divided, too, and other kernels stay", () => {
  const three = moduleOf((code) => {
    for (const name of ["a", "b", "c"]) code.store(ref(name), lane, x(lane));
  });
  const one = moduleOf((code) => code.store(ref("d"), lane, u32(1))).kernels[0] as Kernel;
  const made = divided({ ...three, kernels: [...three.kernels, { ...one, name: "one" }] }, 3);
  expect(arraysIn(made)).toEqual([["x", "a", "b"], ["x", "c"], ["d"]]);
  expect(made.kernels[2]).toEqual({ ...one, name: "one" });
});

test.each<[string, (code: Code) => void]>([
  ["reads what it writes", (code) => code.store(ref("d"), lane, code.load(ref("a"), lane))],
  [
    "reads vec4s of what it writes",
    (code) => code.store(ref("d"), lane, code.loadRow("row", ref("b"), u32(0))[1] as Expr),
  ],
  ["counts", (code) => code.store(ref("d"), code.atomicAdd("slot", ref("e"), u32(0), u32(1)), lane)],
  ["waits for others", (code) => code.store(ref("d"), lane, code.atomicLoad("flag", "e", u32(0)))],
  ["publishes", (code) => code.atomicStore("e", u32(0), lane)],
])("a kernel stays whole that %s", (_, more) => {
  const given = moduleOf((code) => {
    writeFour(code);
    more(code);
  });
  expect(divided(given, 2)).toEqual(given);
});

test("kernels stay where the device binds all arrays, or has no limit", () => {
  const given = moduleOf(writeFour);
  expect([divided(given), divided(given, 5)]).toEqual([given, given]);
});
