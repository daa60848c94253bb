/** Programs over arrays in parts give the same as over whole ones, and touch nothing outside of a part. */

import { Names } from "@groupwise/ir/base/names.js";
import type { ScalarValue } from "@groupwise/ir/tables/scalar.js";
import { describe, expect, test } from "vitest";
import { fc } from "../../ir/test/fast-check.ts";
import { errorFrom } from "../../ir/test/support.ts";
import { Code } from "../src/language/build.ts";
import type { Expr } from "../src/language/expr.ts";
import { add, binary, load, lt, select, u32 } from "../src/language/make-expr.ts";
import { elementBytes, unitsOf } from "../src/language/memory.ts";
import type { Buffer, Kernel, Module } from "../src/language/module.ts";
import { verify } from "../src/language/verify.ts";
import type { Split } from "../src/passes/base/pass.ts";
import { splitArrays } from "../src/passes/split.ts";
import { runGroup } from "./kernel-interpreter.ts";

const PART = 256;
const buffer = (name: string, role: Buffer["role"], more: Partial<Buffer> = {}): Buffer => ({
  name,
  role,
  type: "u32",
  elements: "n",
  cleared: false,
  ...more,
});
/** Whole arrays, two words an element, and a form of their own. */
const BUFFERS: readonly Buffer[] = [
  buffer("x", "input"),
  buffer("wide", "scratch", { type: "i64", memory: "u32" }),
  buffer("half", "output", { type: "f16", memory: "f32" }),
  buffer("y", "output"),
  buffer("status", "status", { elements: 1, cleared: true }),
];

/** Copies elements, a permutation away, and chooses one of two loads. */
function moduleOf(n: number, stride: number): Module {
  const code = new Code(new Names(["x", "y", "wide", "half", "x_0", "local_x"]));
  const at = (array: string, type: "u32" | "f32", index: Expr): Expr => load("storage", array, type, index);
  code.for("i", u32(0), u32(n), (body, i) => {
    const other = body.let("other", binary("rem", add(binary("mul", i, u32(stride)), u32(1)), u32(n)));
    const even = body.let("even", binary("mul", i, u32(2)));
    const sum = add(at("x", "u32", i), at("x", "u32", other));
    body.store({ space: "storage", name: "wide", type: "u32" }, even, sum);
    body.store({ space: "storage", name: "wide", type: "u32" }, add(even, u32(1)), at("x", "u32", other));
    body.store({ space: "storage", name: "half", type: "f32" }, other, at("half", "f32", i));
    const chosen = select(lt(at("x", "u32", i), u32(100)), at("wide", "u32", add(even, u32(1))), sum);
    body.if(lt(i, at("x", "u32", u32(0))), (inner) =>
      inner.store({ space: "storage", name: "y", type: "u32" }, other, chosen),
    );
  });
  const kernel: Kernel = {
    name: "work",
    doc: [],
    workGroupSize: 1,
    groups: 1,
    shared: [],
    body: code.stmts,
  };
  return { name: "test", params: [], buffers: BUFFERS, functions: [], kernels: [kernel] };
}

const unitsIn = (one: Buffer, n: number): number => (one.name === "status" ? 1 : n * unitsOf(one));
const countOf = (one: Buffer, n: number): number => Math.ceil((n * elementBytes(one)) / PART);

function memoryFor(module: Module, n: number, seed: number): Record<string, ScalarValue[]> {
  const storage: Record<string, ScalarValue[]> = {};
  for (const one of module.buffers) {
    const whole = Array.from({ length: unitsIn(one.part?.of ?? one, n) }, (_, i) =>
      one.name.startsWith("half") ? i : (i * seed) % 211,
    );
    const units = (one.part?.elements ?? 0) * unitsOf(one);
    storage[one.name] = one.part ? whole.slice(one.part.index * units, (one.part.index + 1) * units) : whole;
  }
  return storage;
}

/** Parts put together again. */
const joined = (module: Module, storage: Record<string, ScalarValue[]>): Record<string, ScalarValue[]> =>
  Object.fromEntries(
    BUFFERS.map(({ name }) => [
      name,
      module.buffers
        .filter((b) => (b.part?.of.name ?? b.name) === name)
        .flatMap((b) => storage[b.name] ?? []),
    ]),
  );

describe("arrays in parts", () => {
  test("give the results of whole arrays", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 300 }),
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 200 }),
        fc.subarray(["x", "wide", "half", "y"]),
        (n, stride, seed, chosen) => {
          const module = moduleOf(n, stride);
          const parts = Object.fromEntries(
            BUFFERS.filter((b) => chosen.includes(b.name) && countOf(b, n) > 1).map((b) => [
              b.name,
              countOf(b, n),
            ]),
          );
          const split = splitArrays(module, { split: { partBytes: PART, parts } });
          verify(split);
          const run = (of: Module): Record<string, ScalarValue[]> => {
            const storage = memoryFor(of, n, seed);
            runGroup(of.kernels[0] as Kernel, { size: 1, storage, functions: of.functions });
            return joined(of, storage);
          };
          expect(run(split)).toEqual(run(module));
          for (const [name, count] of Object.entries(parts))
            expect(split.buffers.filter((b) => b.part?.of.name === name)).toHaveLength(count);
        },
      ),
    );
  });

  test("names of parts are unique", () => {
    const module = moduleOf(200, 3);
    const { buffers, functions } = splitArrays(
      { ...module, params: [{ name: "x_1", type: "u32", role: "user" }] },
      { split: { partBytes: PART, parts: { x: 4 } } },
    );
    const names = [...buffers, ...functions].map(({ name }) => name);
    expect(new Set([...names, "x_1"]).size).toBe(names.length + 1);
  });

  const refused: readonly [string, Split][] = [
    ["a size that is no power of two", { partBytes: 768, parts: { x: 2 } }],
    ["parts too small to be bound", { partBytes: 128, parts: { x: 2 } }],
    ["one part", { partBytes: PART, parts: { x: 1 } }],
    ["indexes past 2^32", { partBytes: 2 ** 31, parts: { wide: 9 } }],
    ["an array of flags", { partBytes: PART, parts: { status: 2 } }],
    ["an array that is not there", { partBytes: PART, parts: { z: 2 } }],
  ];
  test.each(refused)("refuse %s", (_, split) => {
    expect(errorFrom(() => splitArrays(moduleOf(200, 3), { split })).code).toBe("unsupported");
  });
});
