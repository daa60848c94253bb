/** The totals of lanes as one value in each, and prefixes from them, with operators that show the order. */

import { Names } from "@groupwise/ir/base/names.js";
import { Code, SharedArrays } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { bool, builtin, ne, u32 } from "@groupwise/kernel/language/make-expr.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import { describe, expect, test } from "vitest";
import { runGroup } from "../../kernel/test/kernel-interpreter.ts";
import { kernelWith } from "../../kernel/test/modules.ts";
import type { Lanes } from "../src/lanes/lanes.ts";
import { descendTree, prefixBeforeLane, prefixesAt, treeOf } from "../src/lanes/tree.ts";
import type { Monoid } from "../src/parts/monoid.ts";
import { before, both, LANES, monoidOf, odd, total } from "./uneven.ts";

const OUTPUTS = ["total", "each", "first", "before", "after"] as const;

function kernelOf(monoid: Monoid): Kernel {
  const names = new Names();
  const shared = new SharedArrays(names);
  const code = new Code(names);
  const lane = code.let("lane", builtin("local-id"));
  const lanes: Lanes = { size: LANES, lane, shared };
  const array = (name: string) => ({ space: "storage", name, type: "u32" }) as const;
  const read = (name: string, at: Expr): Expr => code.let(name, code.load(array(name), at));
  const tree = treeOf(code, lanes, monoid, [read("x", lane)]);
  const present = ne(read("later", u32(0)), u32(0));
  const at = read("at", u32(0));
  const seed = { values: [read("seed", u32(0))], present };
  const { exclusive } = descendTree(code, lanes, monoid, { ending: tree.ending, seed });
  // Blocks that end after the lane are not needed, and are not combined.
  const { ending } = treeOf(code, lanes, monoid, [read("x", lane)], at);
  const first = prefixBeforeLane(code, lanes, monoid, { ending, seed }, at);
  const found = prefixesAt(code, lanes, monoid, { ending, seed }, { at, needsAfter: bool(true) });
  const results = { total: tree.total, each: exclusive.values, first, ...found };
  for (const name of OUTPUTS) code.store(array(name), lane, results[name][0] as Expr);
  return kernelWith(code.stmts, { workGroupSize: LANES, shared: shared.arrays });
}

describe.each([
  ["commutes", true, odd],
  ["does not commute", false, both],
] as const)("32 lanes, where the operator %s", (_, commutative, op) => {
  const kernel = kernelOf(monoidOf(commutative));
  const x = Array.from({ length: LANES }, (_, i) => Math.imul(i + 1, 0x9e3779b1) >>> 0);
  const seed = 12345;
  test.each([0, 1])("with %i values before them", (later) => {
    const start = later ? seed : undefined;
    const upTo = (lane: number): number | undefined =>
      lane < LANES
        ? before(x, lane, start, op)
        : start === undefined
          ? total(x, op)
          : op(start, total(x, op));
    for (let at = 0; at < LANES; at++) {
      const outputs = Object.fromEntries(OUTPUTS.map((name) => [name, Array<number>(LANES).fill(-1)]));
      const storage = { x, seed: [seed], later: [later], at: [at], ...outputs };
      runGroup(kernel, { size: LANES, subgroupSize: LANES, storage });
      expect(outputs.total).toEqual(x.map(() => total(x, op)));
      // Nothing precedes the first lane where no value does.
      const skipped = later ? 0 : 1;
      expect(outputs.each?.slice(skipped)).toEqual(x.map((_, lane) => upTo(lane)).slice(skipped));
      expect(outputs.after).toEqual(x.map(() => upTo(at + 1)));
      if (at < skipped) continue;
      expect(outputs.before).toEqual(x.map(() => upTo(at)));
      expect(outputs.first).toEqual(outputs.before);
    }
  });
});
