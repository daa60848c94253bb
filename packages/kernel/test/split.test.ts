/** Programs over arrays in parts give the same as over whole ones, and touch nothing outside of a part. */

import { evaluate } from "@groupwise/ir/base/formula.js";
import { Names } from "@groupwise/ir/base/names.js";
import type { ScalarValue } from "@groupwise/ir/tables/scalar.js";
import { describe, expect, test } from "vitest";
import { fc } from "../../ir/test/fast-check.ts";
import { errorFrom } from "../../ir/test/support.ts";
import { Code, storageRef } from "../src/language/build.ts";
import type { Expr } from "../src/language/expr.ts";
import { add, binary, call, load, lt, select, u32 } from "../src/language/make-expr.ts";
import { elementBytes, unitsOf } from "../src/language/memory.ts";
import type { Buffer, Fn, Kernel, Module } from "../src/language/module.ts";
import type { Stmt } from "../src/language/stmt.ts";
import { verify } from "../src/language/verify.ts";
import { allExprs } from "../src/language/walk.ts";
import type { Split } from "../src/passes/base/pass.ts";
import { splitArrays } from "../src/passes/split.ts";
import { runGroup } from "./kernel-interpreter.ts";
import { kernelWith, moduleWith } from "./modules.ts";

const PART = 256;
/** What a part may be: indexes in parts of the last two are no bits of an index. */
const SIZES = [PART, 768, 1280];
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
  buffer("bits", "scratch", { type: "f16", memory: "u16" }),
  buffer("y", "output"),
  buffer("sums", "output", { cleared: true }),
  buffer("rows", "input"),
  buffer("turned", "output"),
  buffer("status", "status", { elements: 1, cleared: true }),
];

const DOUBLE: Fn = {
  ...{ name: "double", doc: "", params: [{ name: "index", type: "u32" }], returns: "u32", width: 1 },
  body: [
    {
      kind: "return",
      values: [
        binary("mul", load("storage", "x", "u32", { kind: "var", name: "index", type: "u32" }), u32(2)),
      ],
    },
  ],
};

/** Copies elements, a permutation away, and chooses one of two loads. */
function moduleOf(n: number, stride: number): Module {
  const code = new Code(new Names([...BUFFERS.map(({ name }) => name), "x_0", "local_x"]));
  const at = (array: string, type: "u32" | "f32", index: Expr): Expr => load("storage", array, type, index);
  code.for("i", u32(0), u32(n), (body, i) => {
    const other = body.let("other", binary("rem", add(binary("mul", i, u32(stride)), u32(1)), u32(n)));
    const even = body.let("even", binary("mul", i, u32(2)));
    const sum = add(at("x", "u32", i), at("x", "u32", other));
    body.store({ space: "storage", name: "wide", type: "u32" }, even, sum);
    body.store({ space: "storage", name: "wide", type: "u32" }, add(even, u32(1)), at("x", "u32", other));
    body.store({ space: "storage", name: "half", type: "f32" }, other, at("half", "f32", i));
    const bits = { space: "storage", name: "bits", type: "u32", memory: "u16" } as const;
    body.store(bits, i, add(body.load(bits, other), call("double", "u32", [other])));
    const chosen = select(lt(at("x", "u32", i), u32(100)), at("wide", "u32", add(even, u32(1))), sum);
    body.if(lt(i, at("x", "u32", u32(0))), (inner) =>
      inner.store({ space: "storage", name: "y", type: "u32" }, other, chosen),
    );
    const first = body.let("first", binary("and", other, u32(2 ** 32 - 4)));
    body.if(lt(add(first, u32(3)), u32(n)), (inner) => {
      const row = inner.loadRow("row", storageRef("rows", "u32"), first);
      inner.storeRow(storageRef("turned", "u32"), first, row.toReversed());
    });
    body.atomic("add", { space: "storage", name: "sums", type: "u32" }, other, at("x", "u32", other));
  });
  return moduleWith([kernelWith(code.stmts, { name: "work" })], { buffers: BUFFERS, functions: [DOUBLE] });
}

const unitsIn = (one: Buffer, n: number): number => (one.name === "status" ? 1 : n * unitsOf(one));
const countOf = (one: Buffer, n: number, partBytes: number): number =>
  Math.ceil((n * elementBytes(one)) / partBytes);

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
        fc.oneof(
          fc.integer({ min: 2, max: 300 }),
          // Around the ends of parts.
          fc
            .integer({ min: -4, max: 4 })
            .chain((by) => fc.constantFrom(192, 320, 640, 960).map((n) => n + by)),
        ),
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 200 }),
        fc.constantFrom(...SIZES),
        fc.subarray(["x", "wide", "half", "bits", "y", "sums", "rows", "turned"]),
        (n, stride, seed, partBytes, chosen) => {
          const module = moduleOf(n, stride);
          const parts = Object.fromEntries(
            BUFFERS.map((b): [string, number] => [b.name, countOf(b, n, partBytes)]).filter(
              ([name, count]) => chosen.includes(name) && count > 1,
            ),
          );
          const split = splitArrays(module, { split: { partBytes, parts } });
          verify(split);
          const run = (of: Module): Record<string, ScalarValue[]> => {
            const storage = memoryFor(of, n, seed);
            runGroup(of.kernels[0] as Kernel, { size: 1, storage, functions: of.functions });
            return joined(of, storage);
          };
          expect(run(split)).toEqual(run(module));
          const ofParts = split.buffers.filter((b) => b.part);
          expect(ofParts).toHaveLength(Object.values(parts).reduce((sum, count) => sum + count, 0));
          const storage = memoryFor(split, n, seed);
          for (const b of ofParts) {
            const { length } = storage[b.name] as ScalarValue[];
            expect(evaluate(b.elements, n) * unitsOf(b)).toBe(length);
            expect((b.part?.elements ?? 0) * elementBytes(b)).toBe(partBytes);
          }
          // Readers are there for arrays in parts that are read, and all ways through them return.
          const readers = split.functions.filter(({ name }) => name !== "double");
          expect(readers.map(({ name }) => name)).toEqual(
            Object.keys(parts)
              .filter((name) => !["y", "sums", "rows", "turned"].includes(name))
              .map((name) => `${name}_at`),
          );
          for (const { body } of readers) expect(body.at(-1)?.kind).toBe("return");
          const calls = split.kernels.flatMap(({ body }) => allExprs(body).filter((e) => e.kind === "call"));
          for (const one of calls) if (one.fn !== "double") expect(one.loads).toBe(true);
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

  test("may have indexes up to 2^32, and other arrays and rows stay", () => {
    const module = moduleOf(200, 3);
    expect(() => splitArrays(module, { split: { partBytes: 2 ** 31, parts: { wide: 8 } } })).not.toThrow();
    expect(splitArrays(module, {})).toBe(module);
    const [given] = module.kernels as [Kernel];
    const row: Stmt = { kind: "load-row", name: "row", array: "z", type: "u32", index: u32(0) };
    const rows = { ...module, kernels: [{ ...given, body: [...given.body, row] }] };
    const split = splitArrays(rows, { split: { partBytes: PART, parts: { x: 4 } } });
    expect(split.kernels[0]?.body.at(-1)).toEqual(row);
  });

  const refused: readonly [string, Split][] = [
    ["a size at whose multiples no binding may begin", { partBytes: 1000, parts: { x: 2 } }],
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
