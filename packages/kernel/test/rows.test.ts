/** Vec4s of arrays that kernels also use by element, on kernels written by hand. */
import { Names } from "@groupwise/ir/base/names.js";
import { describe, expect, it, test } from "vitest";
import { fc } from "../../ir/test/fast-check.ts";
import type { Code } from "../src/language/build.ts";
import type { Expr } from "../src/language/expr.ts";
import { add, builtin, load, mul, u32 } from "../src/language/make-expr.ts";
import type { Buffer, Kernel, Module } from "../src/language/module.ts";
import type { LoadRowStmt, StoreRowStmt } from "../src/language/stmt.ts";
import { mixedArrays, rowArrays } from "../src/language/uses.ts";
import { verify } from "../src/language/verify.ts";
import type { Around } from "../src/passes/base/pass.ts";
import { expandRows, unmixRows } from "../src/passes/rows.ts";
import { splitArrays } from "../src/passes/split.ts";
import { runGroup } from "./kernel-interpreter.ts";
import { SIMT } from "./simt.ts";
import { kernel, moduleOf, X, Y } from "./two-arrays.ts";

const base = mul(builtin("local-id"), u32(4));
const next = load("storage", "x", "u32", add(base, u32(4)));
const Z = { ...X, name: "z" };

/** A row of the input and the element after it; a row of the output and single elements. */
const READS = kernel("k", (code) => {
  const row = code.loadRow("row", X, base);
  code.storeRow(Y, base, [...row.slice(1), next]);
});
const WRITES = kernel("k", (code) => {
  code.storeRow(Y, base, code.loadRow("row", X, base));
  code.store(Y, builtin("local-id"), u32(1));
});
const COPIES = kernel("copies", (code) => code.storeRow(Y, base, code.loadRow("row", Z, base)));
const BESIDE = kernel("beside", (code) => {
  code.storeRow(Y, base, [...code.loadRow("row", X, base).slice(1), next]);
  code.store(Y, u32(64), code.loadRow("other", Z, base)[0] as Expr);
});

/** A module with a further input z. */
function three(more: Partial<Buffer>, ...kernels: Kernel[]): Module {
  const { buffers, ...module } = moduleOf(...kernels);
  const z: Buffer = { name: "z", role: "input", type: "u32", elements: "n", cleared: false };
  return { ...module, buffers: [...buffers.map((one) => (one.name === "x" ? { ...one, ...more } : one)), z] };
}
type Device = Partial<Around["capabilities"]> & Pick<Around, "wishes">;
/** The arrays of each kernel that are still read or written as vec4s. */
function rowsAfter(module: Module, { wishes, ...device }: Device): string[][] {
  const made = unmixRows(module, { capabilities: { ...SIMT, ...device }, ...(wishes && { wishes }) });
  return made.kernels.map((one) => [...rowArrays([one]).keys()].sort());
}

describe("vec4s of an array that a kernel also uses by element", () => {
  it("are found", () => {
    expect([...mixedArrays([READS])]).toEqual(["x"]);
    expect([...mixedArrays([WRITES])]).toEqual(["y"]);
  });
  it.each<readonly [string, Module, Device, readonly string[][]]>([
    ["stay where both are possible", moduleOf(READS), { mixedRows: 3 }, [["x", "y"]]],
    ["stay in a table, too", three({ role: "table" }, READS), { mixedRows: 3 }, [["x", "y"]]],
    ["become elements where they are not", moduleOf(READS), {}, [["y"]]],
    ["become elements in no other kernel", three({}, READS, COPIES), {}, [["y"], ["y", "z"]]],
    [
      "become elements if the arrays are too many with the second use",
      moduleOf(READS),
      { mixedRows: 2 },
      [["y"]],
    ],
    [
      "become elements if the arrays of one of the kernels are too many",
      three({}, READS, COPIES),
      { mixedRows: 2 },
      [["y"], ["y", "z"]],
    ],
    [
      "stay if only arrays with both uses have a second one",
      three({}, BESIDE),
      { mixedRows: 4 },
      [["x", "z"]],
    ],
    [
      "become elements where an output has the array",
      moduleOf(READS),
      { mixedRows: 3, wishes: { y: "x" } },
      [["y"]],
    ],
    [
      "stay where any array may be accessed in both ways",
      moduleOf(WRITES),
      { mixedRows: "any" },
      [["x", "y"]],
    ],
    ["become elements where they are written", moduleOf(WRITES), { mixedRows: 9 }, [["x"]]],
    ["stay where elements share words", three({ type: "u8" }, READS), { narrow: "words" }, [["x", "y"]]],
  ])("%s", (_, module, device, want) => {
    expect(rowsAfter(module, device)).toEqual(want);
  });
  it("stay in parts of an array, and become elements of one that has no second binding", () => {
    const split = { partBytes: 256, parts: { x: 2, y: 2 } };
    const { kernels } = splitArrays(moduleOf(READS), { split });
    expect([...rowArrays(kernels).keys()]).toEqual(["y_0", "y_1"]);
    const both = splitArrays(moduleOf(READS), { split: { ...split, twice: ["x"] } });
    expect([...rowArrays(both.kernels).keys()]).toEqual(["x_0", "x_1", "y_0", "y_1"]);
    expect([...mixedArrays(both.kernels, both.functions)]).toEqual(["x_0", "x_1"]);
  });
});

/** Each is a block that reads rows of one name, and stores four values from a slot on. */
const BLOCKS: readonly ((code: Code, slot: Expr) => void)[] = [
  (code, slot) => code.storeRow(Y, slot, code.loadRow("row", X, slot)),
  (code, slot) => code.storeRow(Y, slot, code.loadRow("row", Z, slot)),
  (code, slot) => {
    const row = code.loadRow("row", X, u32(4));
    for (const [i, part] of row.entries()) code.store(Y, add(slot, i), add(mul(part, part), u32(i)));
  },
  (code, slot) => {
    // A name that an element of the row has not.
    const taken = code.let("row0", u32(77));
    const [first, second] = code.loadRow("row", X, slot) as [Expr, Expr];
    const index = code.loadRow("other", X, u32(0))[1] as Expr;
    code.storeRow(Y, slot, [taken, load("storage", "x", "u32", index), add(first, second), first]);
  },
  (code, slot) => {
    const row = code.loadRow("row", X, slot);
    code.for("i", u32(0), u32(2), (body, i) => body.store(Y, add(slot, i), row[3] as Expr));
    code.stmts.push({ kind: "load-row", name: "pair", array: "x", type: "u32", index: u32(6), width: 2 });
    code.store(Y, add(slot, 3), { kind: "part", of: "pair", index: 1, type: "u32" });
  },
];

test("elements in place of vec4s have the same values in all blocks", () => {
  const blocks = fc.array(fc.constantFrom(...BLOCKS), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(blocks, (chosen) => {
      const work = kernel("work", (code) => {
        // Both outputs and inputs are used by element, too.
        code.store(Y, u32(28), load("storage", "x", "u32", u32(1)));
        for (const [i, write] of chosen.entries())
          code.for("k", u32(0), u32(2), (body) => write(body, u32(4 * i)));
      });
      const given = three({}, work);
      const made = unmixRows(given, { capabilities: SIMT });
      verify(made);
      expect([...rowArrays(made.kernels).keys()].filter((array) => array !== "z")).toEqual([]);
      const run = (module: Module): unknown => {
        const y = Array<number>(32).fill(0);
        const x = Array.from({ length: 32 }, (_, i) => (i * 7 + 3) % 32);
        const storage = { x, y, z: x.map((value) => 100 + value) };
        runGroup(module.kernels[0] as Kernel, { size: 1, storage });
        return y;
      };
      expect(run(made)).toEqual(run(given));
    }),
    { numRuns: process.env.GROUPWISE_FULL ? 60 : 30 },
  );
});

test("elements keep the form in memory, and the array that they had in a common one", () => {
  const place = { array: "x", index: u32(0), memory: "f16", held: "s" } as const;
  const row: LoadRowStmt = { kind: "load-row", name: "row", type: "f32", ...place };
  const values = [0, 1, 2, 3].map((index): Expr => ({ kind: "part", of: "row", index, type: "f32" }));
  const store: StoreRowStmt = { kind: "store-row", values, ...place };
  const made = expandRows({ ...READS, body: [row, store] }, new Names(), () => true);
  const { index: _, ...kept } = place;
  expect(made.body).toMatchObject([
    ...values.map(() => ({ kind: "let", value: { type: "f32", ...kept } })),
    ...values.map(() => ({ kind: "store", ...kept })),
  ]);
});
