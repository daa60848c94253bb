/** Which arrays kernels read as vec4s although they also read single elements, on kernels written by hand. */
import { describe, expect, it } from "vitest";
import { add, builtin, load, mul, u32 } from "../src/language/make-expr.ts";
import type { Kernel } from "../src/language/module.ts";
import { mixedArrays, rowArrays } from "../src/language/uses.ts";
import type { Around } from "../src/passes/base/pass.ts";
import { unmixRows } from "../src/passes/rows.ts";
import { splitArrays } from "../src/passes/split.ts";
import { SIMT } from "./simt.ts";
import { kernel, moduleOf, X, Y } from "./two-arrays.ts";

const base = mul(builtin("local-id"), u32(4));
const next = load("storage", "x", "u32", add(base, u32(4)));

/** A row of the input and the element after it; a row of the output and single elements. */
const READS = kernel("k", (code) => {
  const row = code.loadRow("row", X, base);
  code.storeRow(Y, base, [...row.slice(1), next]);
});
const WRITES = kernel("k", (code) => {
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
  return [...rowArrays(made.kernels).keys()].sort();
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
    ["stay where any array may be accessed in both ways", WRITES, { mixedRows: "any" }, ["x", "y"]],
    ["become elements where they are written", WRITES, { mixedRows: 9 }, ["x"]],
  ])("%s", (_, one, around, want) => {
    expect(rowsAfter(one, around)).toEqual(want);
  });
  it("become elements where an array is split into parts", () => {
    const split = { partBytes: 256, parts: { y: 2 } };
    expect([...rowArrays(splitArrays(moduleOf(READS), { split }).kernels)]).toEqual([]);
  });
});
