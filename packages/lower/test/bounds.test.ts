/** Indexes of arrays of values are proven to be below the lengths. */

import { formula } from "@groupwise/ir/base/formula.js";
import { check } from "@groupwise/ir/document/check.js";
import { launchesOf, verifyBounds } from "@groupwise/kernel/bounds/verify-bounds.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import { type Code, storageRef } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import {
  add,
  and,
  binary,
  builtin,
  lt,
  mul,
  param,
  select,
  sub,
  u32,
} from "@groupwise/kernel/language/make-expr.js";
import type { Buffer, Kernel, Module } from "@groupwise/kernel/language/module.js";
import { describe, expect, it } from "vitest";
import {
  collective,
  constant,
  type Draft,
  documentOf,
  gather,
  input,
  output,
} from "../../ir/test/support.ts";
import { runKernels } from "../../kernel/test/kernel-interpreter.ts";
import { bufferWith, kernelWith, moduleWith, stmtsOf } from "../../kernel/test/modules.ts";
import { SIMT } from "../../kernel/test/simt.ts";
import { lower } from "../src/lower.ts";

const SIZE = 8;
const n = param("n", "u32");
const lane = builtin("local-id");
const group = builtin("group-id");
const item = add(mul(group, u32(SIZE)), lane);
const groups = formula("ceil-div", "n", SIZE);
const x = storageRef("x", "u32");
const y = storageRef("of_group", "u32");
const records = storageRef("records", "u32");
const fieldOf = (at: Expr, field: number): Expr => add(mul(at, u32(3)), u32(field));

type Fill = (code: Code) => void;

function moduleOf(fill: Fill, more: Partial<Kernel> = {}): Module {
  return moduleWith([kernelWith(stmtsOf(fill), { workGroupSize: SIZE, groups, ...more })], {
    params: [
      { name: "n", type: "u32", role: "length" },
      { name: "p", type: "u32", role: "user" },
    ],
    buffers: [
      bufferWith("x", "output"),
      bufferWith("of_group", "output", "u32", groups),
      bufferWith("records", "output", "u32", formula("mul", groups, 3)),
    ],
  });
}

const LAUNCHES = { surplusGroups: false, needsItems: false };
const store =
  (index: Expr, to = x): Fill =>
  (code) =>
    code.store(to, index, u32(0));
const where =
  (condition: Expr, then: Fill): Fill =>
  (code) =>
    code.if(condition, then);
const last = sub(n, u32(1));
const block = binary("and", item, u32(0xfffffff8));

describe("an index inside its array", () => {
  it.each<[string, Fill, Partial<Kernel>?]>([
    ["the first element", store(u32(0)), { groups: 1 }],
    ["an item below n", where(lt(item, n), store(item))],
    ["an item of a whole tile", store(item), { groups: formula("floor-div", "n", SIZE) }],
    ["a clamped item", store(binary("min", item, last))],
    ["any number, clamped", store(binary("min", param("p", "u32"), last))],
    ["the one after, checked", where(lt(add(item, u32(1)), n), store(add(item, u32(1))))],
    ["a choice of two", where(lt(item, n), store(select(lt(lane, u32(2)), item, u32(0))))],
    ["a work-group", store(group, y)],
    ["the last field of a record", store(fieldOf(group, 2), records)],
    ["the work-group of an item", where(lt(item, n), store(binary("div", item, u32(SIZE)), y))],
    ["a loop", (code) => code.for("i", u32(0), n, (body, i) => body.store(x, i, u32(0))), { groups: 1 }],
    [
      "a loop of eight items at a time",
      (code) => {
        const whole = code.let("whole", sub(n, and(n, u32(7))));
        code.for("i", u32(0), whole, (body, i) => body.store(x, add(i, u32(7)), u32(0)), 8);
      },
      { groups: 1 },
    ],
    [
      "a variable that a condition of its loop bounds",
      (code) => {
        const i = code.var("i", u32(0));
        code.while(lt(i, n), (body) => {
          body.store(x, i, u32(0));
          body.assign(i, add(i, u32(3)));
        });
      },
      { groups: 1 },
    ],
  ])("%s", (_, fill, more) => {
    expect(() => verifyBounds(moduleOf(fill, more), LAUNCHES)).not.toThrow();
  });
});

describe("an index that is not proven is refused", () => {
  it.each<[string, Fill, Partial<Kernel>?]>([
    ["an item of a last tile", store(item)],
    ["an item in the array of work-groups", where(lt(item, n), store(item, y))],
    ["the one after", where(lt(item, n), store(add(item, u32(1))))],
    ["the field after the last one of a record", store(fieldOf(group, 3), records)],
    ["n itself", store(n)],
    ["a parameter", store(param("p", "u32"))],
    ["a clamp to the length", store(binary("min", item, n))],
    ["the wrong branch", where(lt(n, item), store(item))],
    ["a work-group where more may run", store(group, y)],
    ["an index that may wrap below 0", where(lt(item, n), store(sub(item, u32(1))))],
    ["a last element of no item", store(last), { groups: 1 }],
    ["a block of which the end is cut off", where(lt(block, n), store(add(block, u32(7))))],
    ["the choice that is not checked", store(select(lt(item, n), u32(0), item))],
    [
      "a variable after an assignment",
      (code) => {
        const i = code.var("i", item);
        code.if(lt(i, n), (then) => {
          then.assign(i, add(i, u32(1)));
          then.store(x, i, u32(0));
        });
      },
    ],
    [
      "nine items of a loop of eight",
      (code) => {
        const whole = code.let("whole", sub(n, and(n, u32(7))));
        code.for("i", u32(0), whole, (body, i) => body.store(x, add(i, u32(8)), u32(0)), 8);
      },
      { groups: 1 },
    ],
  ])("%s", (name, fill, more) => {
    const launches = { ...LAUNCHES, surplusGroups: name.endsWith("more may run") };
    expect(() => verifyBounds(moduleOf(fill, more), launches)).toThrow(
      expect.objectContaining({ code: "bad-kernel" }),
    );
  });
});

const GATHERED: readonly Draft[] = [
  ...[input("u32"), input("u32", "k")],
  collective("reduce", "min", "u32", 1, "work-group"),
  ...[gather(0, 2), constant(9), gather(3, 4), output(3, "a"), output(5)],
];

describe("a value of a work-group that is an output and is gathered", () => {
  const checked = check(documentOf(GATHERED, [16]));
  const { module } = lower(checked, SIMT);
  const launches = launchesOf(checked, SIMT);
  it("is read from an array of one element an item", () => {
    expect(() => verifyBounds(module, launches)).not.toThrow();
  });
  it("is refused where that array has one element a work-group", () => {
    const short = ({ name, elements }: Buffer): Buffer["elements"] =>
      name.startsWith("value") ? formula("ceil-div", "n", 16) : elements;
    const buffers = module.buffers.map((one) => ({ ...one, elements: short(one) }));
    expect(() => verifyBounds({ ...module, buffers }, launches)).toThrow("value_3");
  });
});

const SUMS: readonly Draft[] = [input("u32"), collective("scan-inclusive", "add", "u32"), output(1)];

describe("the arrays of strategies", () => {
  const checked = check(documentOf(SUMS, [16]));
  const lookBack = { workGroupSize: 64, rows: 4, groups: 3, polls: 2 };
  it.each<[string, Capabilities, string | undefined]>([
    ["totals of tiles", SIMT, "tile_totals_add"],
    ["the status of look-back", { ...SIMT, subgroups: { minSize: 32, maxSize: 32 }, lookBack }, undefined],
    ["totals of chunks", { ...SIMT, chunks: { most: 16, least: 8 } }, "totals_add"],
    ["aggregates of blocks", { ...SIMT, execution: "per-output" }, "totals"],
  ])("%s: indexes are inside, and refused in half of an array", (_, capabilities, name) => {
    const { module } = lower(checked, capabilities);
    const launches = launchesOf(checked, capabilities);
    expect(() => verifyBounds(module, launches)).not.toThrow();
    // Those of slots of look-back are inside for a reason that stands where they are made.
    if (name === undefined) return;
    const buffers = module.buffers.map((one) =>
      one.name.startsWith(name) ? { ...one, elements: formula("floor-div", one.elements, 2) } : one,
    );
    expect(() => verifyBounds({ ...module, buffers }, launches)).toThrow(name);
  });
});

describe("a run by the interpreter of kernels", () => {
  const reading = (index: Expr): Module =>
    moduleOf((code) => code.if(lt(item, n), (then) => then.store(x, item, then.load(y, index))));
  it.each<[string, Expr, string]>([
    ["of memory that nobody wrote", binary("div", item, u32(SIZE)), "nobody wrote it"],
    ["outside of its array", item, "index"],
  ])("refuses a read %s", (_, index, reason) => {
    const storage = { x: Array(16), of_group: Array(2) };
    expect(() => runKernels(reading(index), 16, { storage })).toThrow(reason);
  });
});
