/** A select of elements of two tables: what kernels give, by an interpreter of kernels, and that one of them is read. */

import { check } from "@groupwise/ir/document/check.js";
import { reference } from "@groupwise/ir/reference/reference.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import { allExprs, statementsOf, walk } from "@groupwise/kernel/language/walk.js";
import { describe, expect, it } from "vitest";
import { fc, test } from "../../ir/test/fast-check.ts";
import { constant, type Draft, documentOf } from "../../ir/test/support.ts";
import { runKernels, storageOf } from "../../kernel/test/kernel-interpreter.ts";
import { SIMT } from "../../kernel/test/simt.ts";
import { lower, type Plan } from "../src/lower.ts";

const FORMS: Readonly<Record<string, Capabilities>> = {
  "one read": { ...SIMT, windows: true },
  "a loop": { ...SIMT, execution: "sequential" },
};

/** The element of `t` at `p`, or of `u` at `q`, the greater index, and the other table's next. @param of the second table */
const nodesOf = (of: number): Draft[] => [
  { kind: "input", name: "p", type: "u32" },
  { kind: "input", name: "q", type: "u32" },
  { kind: "table", name: "t", type: "u32" },
  { kind: "table", name: "u", type: "u32" },
  { kind: "binary", op: "lt", left: 0, right: 1 },
  { kind: "gather", of: 2, index: 0 },
  { kind: "gather", of, index: 1 },
  { kind: "select", condition: 4, then: 5, otherwise: 6 },
  { kind: "select", condition: 4, then: 7, otherwise: 1 },
  { kind: "select", condition: 4, then: 0, otherwise: 7 },
  { kind: "output", name: "x", of: 7 },
  { kind: "output", name: "y", of: 8 },
  { kind: "output", name: "z", of: 9 },
  constant(0),
];
const planOf = (capabilities: Capabilities, of: number): Plan =>
  lower(check(documentOf(nodesOf(of))), capabilities);
const branchesOf = ({ module }: Plan): number =>
  statementsOf(module).filter((one) => one.kind === "if" && one.otherwise.length > 0).length;

describe.each(Object.keys(FORMS))("%s", (form) => {
  const plan = planOf(FORMS[form] as Capabilities, 3);
  const list = (least: number) => fc.array(fc.nat(9), { minLength: least, maxLength: 5 });
  test("the results are those of the reference, of empty tables too", () =>
    fc.property(fc.array(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 20 }), list(0), list(0), (pq, t, u) => {
      const [p, q] = [pq.map(([one]) => one), pq.map(([, other]) => other)] as const;
      const n = p.length;
      const { module, checked } = plan;
      // An empty array has an element of any content.
      const held = (one: readonly number[]): readonly number[] => (one.length > 0 ? one : [77]);
      const storage = storageOf(module, n, { p, q, t: held(t), u: held(u) }, 77);
      const lengths = { t: t.length, u: u.length };
      const params = Object.fromEntries(
        module.params
          .filter(({ role }) => role === "table-length")
          .map(({ name, table }) => [name, lengths[table as "t" | "u"]]),
      );
      runKernels(module, n, { storage, params });
      const want = reference(checked, { n, inputs: { p, q }, tables: { t, u } });
      for (const name of ["x", "y", "z"])
        expect([...(storage[name] ?? [])].slice(0, n)).toEqual([...(want[name] as number[])]);
    }));

  it("a branch decides which table is read", () => {
    for (const { body } of plan.module.kernels) {
      const branches = walk(body).filter((one) => one.kind === "if" && one.otherwise.length > 0);
      const reads = (name: string, within = body) =>
        allExprs(within).filter((one) => one.kind === "load" && one.array === name).length;
      expect(branches.length).toBe(reads("t"));
      for (const one of branches)
        if (one.kind === "if")
          expect([one.then, one.otherwise].map((part) => [reads("t", part), reads("u", part)])).toEqual([
            [1, 0],
            [0, 1],
          ]);
    }
  });

  it("elements of one table are both read", () => {
    expect(branchesOf(planOf(FORMS[form] as Capabilities, 2))).toBe(0);
  });
});

it("both tables are read where items wait for one another at a branch", () => {
  expect(branchesOf(planOf(SIMT, 3))).toBe(0);
});
