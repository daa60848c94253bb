/** Scratch arrays in one array, on kernels written by hand: values of each type, by element and as vec4s, stay what they were. */
import { Names } from "@groupwise/ir/base/names.js";
import type { Scalar, ScalarValue } from "@groupwise/ir/tables/scalar.js";
import { expect, test } from "vitest";
import { fc } from "../../ir/test/fast-check.ts";
import { type ArrayRef, Code } from "../src/language/build.ts";
import type { Expr } from "../src/language/expr.ts";
import { add, bitcast, call, cast, load, lt, param, u32 } from "../src/language/make-expr.ts";
import type { Buffer, Fn, Kernel, Module } from "../src/language/module.ts";
import { arraysOf, mixedArrays, rowArrays } from "../src/language/uses.ts";
import { verify } from "../src/language/verify.ts";
import { shareScratch } from "../src/passes/share-scratch.ts";
import { type Step, stepsOver, writeStep } from "./array-programs.ts";
import { runGroup } from "./kernel-interpreter.ts";
import { kernelWith, moduleWith } from "./modules.ts";
import { SIMT } from "./simt.ts";

const N = 10;
/** The types of values; `w` has the words of integers of 64 bits. */
const TYPES = { f: "f32", w: "u32", i: "i32", u: "u32", b: "bool" } as const;
type Name = keyof typeof TYPES;
const array = (name: string, type: Scalar): ArrayRef<"storage"> => ({ space: "storage", name, type });
const buffer = (name: string, type: Buffer["type"], role: Buffer["role"] = "scratch"): Buffer => ({
  ...{ name, role, type, elements: "n", cleared: false },
});
const SHARED = Object.entries(TYPES).map(([name, type]): Buffer => {
  return name === "w" ? { ...buffer(name, "i64"), memory: "u32" } : buffer(name, type);
});
/** What stays: an array that a function reads, one that work-items change at once, one of several elements a word, one that is cleared, and arrays of hosts. */
const OTHERS: readonly Buffer[] = [
  buffer("read", "u32"),
  buffer("counts", "u32"),
  { ...buffer("bytes", "u8"), memory: "u32" },
  { ...buffer("zeros", "u32"), cleared: true },
  buffer("x", "u32", "input"),
  buffer("y", "u32", "output"),
];
const READ_AT: Fn = {
  ...{ name: "read_at", doc: "", params: [{ name: "index", type: "u32" }], returns: "u32", width: 1 },
  body: [
    { kind: "return", values: [load("storage", "read", "u32", { kind: "var", name: "index", type: "u32" })] },
  ],
};

/** A value of a type from a word. */
const VALUE: Readonly<Record<(typeof TYPES)[Name], (word: Expr) => Expr>> = {
  bool: (word) => lt(word, u32(40)),
  f32: (word) => cast("f32", word),
  i32: (word) => bitcast("i32", word),
  u32: (word) => word,
};
const x = (index: Expr): Expr => load("storage", "x", "u32", index);

function moduleOf(steps: readonly Step[]): Module {
  const code = new Code(new Names([...SHARED, ...OTHERS].map(({ name }) => name)));
  for (const [at, step] of steps.entries()) {
    const type = TYPES[step.name as Name];
    writeStep(code, step, array(step.name, type), at, VALUE[type]);
  }
  // The input is read in both ways, too.
  code.for("k", u32(0), u32(2), (body) =>
    body.store(
      array("y", "u32"),
      u32(8),
      add(body.loadRow("row", array("x", "u32"), u32(4))[1] as Expr, x(u32(3))),
    ),
  );
  code.store(array("read", "u32"), u32(0), u32(5));
  code.store(array("counts", "u32"), u32(0), u32(0));
  code.atomic("add", array("counts", "u32"), u32(0), call("read_at", "u32", [u32(0)]));
  code.store(array("y", "u32"), u32(9), add(code.load(array("counts", "u32"), u32(0)), param("n", "u32")));
  return moduleWith([kernelWith(code.stmts)], {
    ...{ buffers: [...SHARED, ...OTHERS], functions: [READ_AT] },
    params: [{ name: "n", type: "u32", role: "length" }],
  });
}
const shared = (module: Module, arraysPerKernel?: number): Module =>
  shareScratch(module, {
    capabilities: { ...SIMT, ...(arraysPerKernel !== undefined && { arraysPerKernel }) },
  }) as Module;
test("kernels give the same with one array of scratch", () => {
  fc.assert(
    fc.property(stepsOver(Object.keys(TYPES)), (chosen) => {
      const given = moduleOf(chosen);
      const made = shared(given, 1);
      verify(made);
      const run = (module: Module): unknown => {
        const storage: Record<string, ScalarValue[]> = Object.fromEntries(
          module.buffers.map(({ name, cleared }) => [
            name,
            cleared ? Array(N).fill(0) : Array(name === "scratch" ? 4 * 12 + 20 : 2 * N),
          ]),
        );
        storage.x = Array.from({ length: N }, (_, i) => (i * 29 + 11) % 64);
        runGroup(module.kernels[0] as Kernel, {
          size: 1,
          storage,
          params: { n: N },
          functions: module.functions,
        });
        return storage.y;
      };
      expect(run(made)).toEqual(run(given));
      // Vec4s stay where the kernel reads and writes nothing else in the array, and in arrays of hosts.
      expect(mixedArrays(made.kernels)).toEqual(new Set(["x"]));
      const elements = chosen.some(({ writesRow, readsRow }) => !writesRow || !readsRow);
      expect(rowArrays(made.kernels).has("scratch")).toBe(!elements);
    }),
    { numRuns: 40 },
  );
});

test("words of arrays that nobody reads elsewhere share one array, which nothing clears", () => {
  const made = shared(moduleOf([]), 1);
  expect(made.buffers.map(({ name }) => name)).toEqual([...OTHERS.map(({ name }) => name), "scratch"]);
  expect(made.buffers.at(-1)).toMatchObject({ role: "scratch", type: "u32", cleared: false, holds: SHARED });
});

test("arrays stay where the device binds as many as a kernel has, or one alone could be shared", () => {
  const given = moduleOf([{ name: "u", writesRow: true, readsRow: true }]);
  const [kernel] = given.kernels as [Kernel];
  const count = arraysOf(kernel, given.buffers, given.functions).length;
  expect(count).toBeLessThan(given.buffers.length);
  expect([shared(given), shared(given, count)]).toEqual([given, given]);
  expect(shared(given, count - 1)).not.toEqual(given);
  const few = (names: string): Module => ({
    ...given,
    buffers: given.buffers.filter((one) => OTHERS.includes(one) || names.includes(one.name)),
  });
  expect(shared(few("u"), 1)).toEqual(few("u"));
  expect(shared(few("ub"), 1).buffers.at(-1)?.holds).toHaveLength(2);
});
