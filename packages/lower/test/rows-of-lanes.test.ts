/** Rows folded across lanes together, with an operator that shows which values are combined and in what order. */

import { Names } from "@groupwise/ir/base/names.js";
import { Code, SharedArrays } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, builtin, mul, ne, u32 } from "@groupwise/kernel/language/make-expr.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import { verify } from "@groupwise/kernel/language/verify.js";
import { describe, expect, test } from "vitest";
import { runGroup } from "../../kernel/test/kernel-interpreter.ts";
import { bufferWith, kernelWith, moduleWith } from "../../kernel/test/modules.ts";
import type { Lanes } from "../src/lanes/lanes.ts";
import { ascendRows, descendRows, keptOf, rowOfLane } from "../src/lanes/rows-of-lanes.ts";
import type { Monoid } from "../src/parts/monoid.ts";
import { before, both, LANES, monoidOf, odd, total } from "./uneven.ts";

/** Stores the total of the lane's row, and the prefix before the lane in each row. `later` is 1 if a prefix precedes the first row. */
function kernelOf(rows: number, monoid: Monoid): Kernel {
  const names = new Names();
  const shared = new SharedArrays(names);
  const code = new Code(names);
  const lane = code.let("lane", builtin("local-id"));
  const lanes: Lanes = { size: LANES, lane, shared };
  const of = { lanes, monoid, rows };
  const array = (name: string) => ({ space: "storage", name, type: "u32" }) as const;
  const at = (row: Expr): Expr => add(mul(row, u32(LANES)), lane);
  const values = Array.from({ length: rows }, (_, r) => [
    code.let("x", code.load(array("x"), at(u32(r)))) as Expr,
  ]);
  const { total, lower } = ascendRows(code, of, values);
  expect(lower).toHaveLength(keptOf(of));
  const row = code.let("row", rowOfLane(of));
  code.store(array("total"), lane, total[0] as Expr);
  const later = ne(code.load(array("later"), u32(0)), u32(0));
  const seed = code.let("seed", code.load(array("seeds"), row));
  const starts = descendRows(code, of, { values: [seed], present: later, lower });
  for (const [r, [start]] of starts.entries()) code.store(array("y"), at(u32(r)), start as Expr);
  return kernelWith(code.stmts, { workGroupSize: LANES, shared: shared.arrays });
}

const reversed = (lane: number, bits: number): number =>
  Array.from({ length: bits }, (_, i) => ((lane >> i) & 1) << (bits - 1 - i)).reduce((a, b) => a + b, 0);

describe.each([
  ["commutes", true, odd],
  ["does not commute", false, both],
] as const)("rows of 32 lanes, where the operator %s", (_, commutative, op) => {
  const random = (i: number): number => Math.imul(i + 1, 0x9e3779b1) >>> 0;
  test.each([1, 2, 4, 8, 16, 32])("%i rows", (rows) => {
    const kernel = kernelOf(rows, monoidOf(commutative));
    const buffers = ["x", "seeds", "later", "total", "y"].map((name) =>
      bufferWith(name, name === "y" || name === "total" ? "output" : "input"),
    );
    verify(moduleWith([kernel], { buffers }));
    const x = Array.from({ length: rows * LANES }, (_, i) => random(i));
    const rowOf = (r: number): number[] => x.slice(r * LANES, (r + 1) * LANES);
    const seeds = Array.from({ length: rows }, (_, r) => random(1000 + r));
    for (const later of [0, 1]) {
      const [y, totals] = [Array(rows * LANES).fill(-1), Array(LANES).fill(-1)];
      const storage = { x, seeds, later: [later], total: totals, y };
      runGroup(kernel, { size: LANES, subgroupSize: LANES, storage });
      expect(totals).toEqual(x.slice(0, LANES).map((_, l) => total(rowOf(reversed(l, Math.log2(rows))), op)));
      const want = x.map((_, i) => {
        const r = Math.floor(i / LANES);
        return before(rowOf(r), i % LANES, r > 0 || later ? seeds[r] : undefined, op);
      });
      // Nothing precedes the first item of all.
      expect(y.slice(1)).toEqual(want.slice(1));
      if (later) expect(y[0]).toBe(seeds[0]);
    }
  });
});
