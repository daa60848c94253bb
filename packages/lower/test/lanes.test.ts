import { prefixes } from "@groupwise/ir/base/fenwick.js";
import { Names } from "@groupwise/ir/base/names.js";
import { OPS, type Op } from "@groupwise/ir/tables/op.js";
import type { Scalar, ScalarValue } from "@groupwise/ir/tables/scalar.js";
import type { Subgroups } from "@groupwise/kernel/capabilities/capabilities.js";
import { Code, SharedArrays } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { binary, builtin, eq, sub, u32 } from "@groupwise/kernel/language/make-expr.js";
import type { Kernel, Module } from "@groupwise/kernel/language/module.js";
import { verify } from "@groupwise/kernel/language/verify.js";
import { describe, expect, test } from "vitest";
import { runGroup } from "../../kernel/test/kernel-interpreter.ts";
import { bufferWith, kernelWith, moduleWith } from "../../kernel/test/modules.ts";
import { announce, ascend, descend, type Lanes, nearRounds, placeInSubgroup } from "../src/lanes/lanes.ts";
import { monoidOf, nothing } from "../src/parts/monoid.ts";

/** Scans and the reduce of one value a lane. */
function kernelOf(
  op: Op,
  type: Scalar,
  bound: number,
  runTime: boolean,
  near?: Subgroups,
  byPlace = false,
): Kernel {
  const names = new Names();
  const shared = new SharedArrays(names);
  const code = new Code(names);
  const lane = builtin("local-id");
  const size: Lanes["size"] = runTime ? { value: builtin("group-size"), bound } : bound;
  const place = near && byPlace ? placeInSubgroup(code, lane, near) : undefined;
  const lanes: Lanes = { size, lane, shared, near: near && nearRounds(code, bound, near), place };
  const monoid = monoidOf(op, type);
  const array = (name: string) => ({ space: "storage", name, type }) as const;
  const mine = code.let("mine", code.load(array("x"), lane));
  const ascent = ascend(code, lanes, monoid, [mine], true);
  const { exclusive, inclusive } = descend(code, lanes, monoid, ascent, nothing(monoid));
  const count = runTime ? builtin("group-size") : u32(bound);
  const isLast = eq(lane, sub(count, u32(1)));
  const total = monoid.reassociable ? ascent.total : announce(code, lanes, isLast, inclusive);
  const picked = announce(code, lanes, eq(lane, binary("div", count, u32(2))), [mine]);
  const store = (name: string, [value]: readonly Expr[]): void =>
    code.store(array(name), lane, value as Expr);
  store("exclusive", exclusive.values);
  store("inclusive", inclusive);
  store("total", total);
  store("picked", picked);
  return kernelWith(code.stmts, { workGroupSize: bound, shared: shared.arrays });
}

const moduleOf = (kernel: Kernel, type: Scalar): Module =>
  moduleWith([kernel], {
    buffers: ["x", "exclusive", "inclusive", "total", "picked"].map((name) =>
      bufferWith(name, name === "x" ? "input" : "output", type),
    ),
  });

function check(kernel: Kernel, op: Op, type: Scalar, size: number, subgroupSize = 1): void {
  // Sums of these are rounded at every step: another bracketing has other bits.
  const x = Array.from({ length: size }, (_, i) => OPS.add.apply(type, ((i * 7919) % 101) / 3, 0));
  const make = (): ScalarValue[] => Array(size).fill(0);
  const out = { exclusive: make(), inclusive: make(), total: make(), picked: make() };
  runGroup(kernel, { size, subgroupSize, storage: { x, ...out } });
  const want = prefixes(x, (a, b) => OPS[op].apply(type, a, b));
  expect(out.inclusive).toEqual(want);
  expect(out.exclusive.slice(1)).toEqual(want.slice(0, -1));
  expect(out.total).toEqual(make().fill(want[size - 1] as ScalarValue));
  expect(out.picked).toEqual(make().fill(x[Math.floor(size / 2)] as ScalarValue));
}

const CASES = [
  ["add", "f32"],
  ["add", "u32"],
  ["min", "f32"],
] as const;

describe.each(CASES)("prefixes and totals across lanes, %s of %s", (op, type) => {
  test.each([1, 2, 3, 5, 8, 24, 33])("in work-groups of %i, known when emitting", (size) => {
    const kernel = kernelOf(op, type, size, false);
    verify(moduleOf(kernel, type));
    check(kernel, op, type, size);
  });

  test.each([2, 8, 64])("in work-groups of %i, the nearest siblings without memory", (size) => {
    const kernel = kernelOf(op, type, size, false, { minSize: 1, maxSize: 128 });
    verify(moduleOf(kernel, type));
    for (const subgroupSize of [1, 2, 4, 32, 128]) {
      check(kernel, op, type, size, subgroupSize);
      const one = kernelOf(op, type, size, false, { minSize: subgroupSize, maxSize: subgroupSize });
      verify(moduleOf(one, type));
      check(one, op, type, size, subgroupSize);
    }
  });

  // Lanes fold 1, 1, 1, 2, 4 and 4 totals; 32 are too many for four lanes.
  test.each([
    [16, 4, true],
    [64, 8, true],
    [256, 32, true],
    [32, 4, true],
    [64, 4, true],
    [256, 8, true],
    [128, 4, false],
  ])("in work-groups of %i by subgroups of %i, whose totals meet at once: %s", (size, width, isOnce) => {
    const kernel = kernelOf(op, type, size, false, { minSize: width, maxSize: width }, true);
    verify(moduleOf(kernel, type));
    check(kernel, op, type, size, width);
    const loops = kernel.body.filter((stmt) => stmt.kind === "for");
    expect(loops.some(({ body }) => body.some(({ kind }) => kind === "barrier"))).toBe(!isOnce);
  });

  test.each([1, 2, 7, 40])("in work-groups of any size up to %i, known at launch", (bound) => {
    const kernel = kernelOf(op, type, bound, true);
    verify(moduleOf(kernel, type));
    for (let size = 1; size <= bound; size++) check(kernel, op, type, size);
    expect(kernel.shared.map(({ length }) => length)).toEqual([bound === 1 ? 1 : 2 * bound]);
  });
});
