/** Which arrays kernels read as vec4s although they also read single elements, on kernels written by hand. */
import { describe, expect, it } from "vitest";
import { Code } from "../src/compiler/kernel/build.ts";
import { add, builtin, load, mul, u32 } from "../src/compiler/kernel/make-expr.ts";
import type { Kernel, Module } from "../src/compiler/kernel/module.ts";
import { mixedArrays, rowArrays } from "../src/compiler/kernel/uses.ts";
import type { Around } from "../src/compiler/passes/base/pass.ts";
import { unmixRows } from "../src/compiler/passes/rows.ts";
import { splitArrays } from "../src/compiler/passes/split.ts";
import { Names } from "../src/ir/base/names.ts";
import { SIMT } from "./simt.ts";

const X = { space: "storage", name: "x", type: "u32" } as const;
const Y = { space: "storage", name: "y", type: "u32" } as const;
const base = mul(builtin("local-id"), u32(4));
const next = load("storage", "x", "u32", add(base, u32(4)));

function kernel(write: (code: Code) => void): Kernel {
  const code = new Code(new Names(["x", "y"]));
  write(code);
  return { name: "k", doc: [], workGroupSize: 4, groups: 1, shared: [], body: code.stmts };
}
const moduleOf = (...kernels: Kernel[]): Module => ({
  name: "test",
  params: [],
  buffers: [
    { name: "x", role: "input", type: "u32", elements: "n", cleared: false },
    { name: "y", role: "output", type: "u32", elements: "n", cleared: false },
  ],
  functions: [],
  kernels,
});

/** A row of the input and the element after it; a row of the output and single elements. */
const READS = kernel((code) => {
  const row = code.loadRow("row", X, base);
  code.storeRow(Y, base, [...row.slice(1), next]);
});
const WRITES = kernel((code) => {
  code.storeRow(Y, base, code.loadRow("row", X, base));
  code.store(Y, builtin("local-id"), u32(1));
});
const rowsAfter = (
  one: Kernel,
  around: Partial<Around["capabilities"]> & Pick<Around, "wishes">,
): string[] => {
  const { wishes, ...capabilities } = around;
  const made = unmixRows(moduleOf(one), {
    capabilities: { ...SIMT, ...capabilities },
    ...(wishes && { wishes }),
  });
  return [...rowArrays(made.kernels)].sort();
};

describe("vec4s of an array that a kernel also uses by element", () => {
  it("are found", () => {
    expect([...mixedArrays([READS])]).toEqual(["x"]);
    expect([...mixedArrays([WRITES])]).toEqual(["y"]);
  });
  it.each<readonly [string, Kernel, Parameters<typeof rowsAfter>[1], readonly string[]]>([
    ["stay where both are possible", READS, { mixedRows: 3 }, ["x", "y"]],
    ["become elements where they are not", READS, {}, ["y"]],
    ["become elements if the arrays are too many with the second use", READS, { mixedRows: 2 }, ["y"]],
    ["become elements where an output has the array", READS, { mixedRows: 3, wishes: { y: "x" } }, ["y"]],
    ["become elements where they are written", WRITES, { mixedRows: 9 }, ["x"]],
  ])("%s", (_, one, around, want) => {
    expect(rowsAfter(one, around)).toEqual(want);
  });
  it("become elements where an array is split into parts", () => {
    const split = { partBytes: 256, parts: { y: 2 } };
    expect([...rowArrays(splitArrays(moduleOf(READS), { split }).kernels)]).toEqual([]);
  });
});
