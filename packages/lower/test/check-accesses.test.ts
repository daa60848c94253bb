/** Kernels of debug runs report accesses outside and reads of what nothing wrote, and nothing else. */

import { type Formula, formula } from "@groupwise/ir/base/formula.js";
import { type Checked, check } from "@groupwise/ir/document/check.js";
import { reference } from "@groupwise/ir/reference/reference.js";
import { type Capabilities, debugging } from "@groupwise/kernel/capabilities/capabilities.js";
import { type Code, storageRef } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, binary, builtin, eq, mul, select, u32, unary } from "@groupwise/kernel/language/make-expr.js";
import type { Kernel, Module } from "@groupwise/kernel/language/module.js";
import { verify } from "@groupwise/kernel/language/verify.js";
import { checkAccesses } from "@groupwise/kernel/passes/check-accesses.js";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { type Draft, documentOf } from "../../ir/test/support.ts";
import { runKernels, storageOf } from "../../kernel/test/kernel-interpreter.ts";
import { bufferWith, kernelWith, moduleWith, stmtsOf } from "../../kernel/test/modules.ts";
import { SIMT } from "../../kernel/test/simt.ts";
import { lower } from "../src/lower.ts";

/**
 * The arrays after a run over the items of x, and what the status says.
 * @param unwritten what is in memory that nothing wrote; undefined: the interpreter refuses to read it
 */
function ran(module: Module, x: readonly number[], unwritten?: number) {
  verify(module);
  const arrays = storageOf(module, x.length, x, unwritten);
  runKernels(module, x.length, { storage: arrays });
  const { name = "" } = module.buffers.find(({ role }) => role === "status") ?? {};
  const words = arrays[name] as number[];
  const reports = (module.checks ?? []).filter((_, bit) => ((words[bit >> 5] as number) >>> (bit & 31)) & 1);
  return { arrays, reports: reports.map(({ array, problem }) => `${problem} ${array}`).sort() };
}

const LANES = 8;
const lane = builtin("local-id");
const [x, y, z] = [storageRef("x", "u32"), storageRef("y", "u32"), storageRef("z", "u32")];
const capabilities = debugging(SIMT, true);

/** One work-group over an input of n elements, an output y of n, and scratch z of another number. */
function unchecked(elements: Formula, fill: (code: Code) => void): Module {
  const buffers = [
    bufferWith("x", "input"),
    bufferWith("y", "output"),
    bufferWith("z", "scratch", "u32", elements),
  ];
  const params = [{ name: "n", type: "u32", role: "length" }] as const;
  const kernel = kernelWith(stmtsOf(fill, [], true), { workGroupSize: LANES });
  return moduleWith([kernel], { params, buffers });
}
const checked = (module: Module): Module => checkAccesses(module, { capabilities });
const moduleOf = (elements: Formula, fill: (code: Code) => void): Module =>
  checked(unchecked(elements, fill));
const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

describe("one work-group", () => {
  const small = fc.integer({ min: 0, max: 80 });
  it("reports a read where some index is at or past the length, and a write in the same way", () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 80 }), small, small, (count, first, step) => {
        const at = add(u32(first), mul(lane, u32(step)));
        const isPast = first + (LANES - 1) * step >= count;
        const read = moduleOf(1, (code) => void code.let("v", code.load(x, at)));
        expect(ran(read, upTo(count)).reports).toEqual(isPast ? ["reads x"] : []);
        const write = moduleOf(1, (code) => code.store(y, at, lane));
        expect(ran(write, upTo(count)).reports).toEqual(isPast ? ["writes y"] : []);
      }),
    ));

  it("reports a read of an element that no lane wrote, and reads the others", () =>
    fc.assert(
      fc.property(fc.integer({ min: 9, max: 80 }), small, small, (count, written, read) => {
        const module = moduleOf("n", (code) => {
          const isFirst = eq(lane, u32(0));
          code.if(isFirst, (one) => one.store(z, u32(written), u32(7)));
          code.if(isFirst, (one) => one.store(y, u32(0), one.load(z, u32(read))));
        });
        const wanted = [
          ...(read >= count ? ["reads z"] : []),
          ...(Math.min(read, count - 1) === written ? [] : ["unwritten z"]),
          ...(written >= count ? ["writes z"] : []),
        ];
        expect(ran(module, upTo(count), 0).reports).toEqual(wanted.sort());
      }),
    ));

  const few = (fill: (code: Code) => void) => ran(moduleOf("n", fill), upTo(LANES)).reports;
  const inside = binary("lt", lane, u32(LANES - 1));
  const next = (code: Code): Expr => code.load(x, add(lane, u32(1)));
  test.each<[string, readonly string[], (code: Code) => void]>([
    ["the choice that is used", [], (c) => c.store(y, lane, select(inside, next(c), u32(0)))],
    ["the other choice", ["reads x"], (c) => c.store(y, lane, select(inside, u32(0), next(c)))],
    [
      "the right side of a condition, where the left decides",
      [],
      (c) => c.if(binary("and", inside, eq(next(c), u32(0))), (then) => then.store(y, lane, lane)),
    ],
    [
      "the right side of an alternative, where the left decides",
      [],
      (c) =>
        c.if(binary("or", unary("not", inside), eq(next(c), u32(0))), (then) => then.store(y, lane, lane)),
    ],
    [
      "the right side, where the left does not decide",
      ["reads x"],
      (c) => c.if(binary("or", inside, eq(next(c), u32(0))), (then) => then.store(y, lane, lane)),
    ],
    [
      "the right side of a condition in a choice",
      [],
      (c) => {
        const both = binary("and", inside, eq(next(c), u32(0)));
        c.store(y, lane, select(eq(lane, lane), select(both, u32(1), u32(2)), u32(0)));
      },
    ],
    [
      "both sides of a difference",
      ["reads x"],
      (c) =>
        c.if(binary("xor", unary("not", inside), eq(next(c), u32(0))), (then) => then.store(y, lane, lane)),
    ],
    ["bits of both", ["reads x"], (c) => c.store(y, lane, binary("and", u32(0), next(c)))],
    ["an index that is read outside", ["reads x"], (c) => c.store(y, lane, c.load(x, next(c)))],
    [
      "a condition of a loop, after the last round",
      ["reads x"],
      (c) => {
        const i = c.var("i", u32(0));
        c.while(binary("lt", c.load(x, i), u32(LANES - 1)), (body) => body.assign(i, add(i, u32(5))));
      },
    ],
    ["a row whose end is past the length", ["reads x"], (c) => void c.loadRow("r", x, u32(LANES - 3))],
    ["a row inside", [], (c) => void c.loadRow("r", x, u32(LANES - 4))],
    [
      "a row outside where its condition does not hold",
      [],
      (c) => {
        const row = { index: u32(4 * LANES), width: 4, condition: eq(lane, u32(LANES)) } as const;
        c.atomicLoadRow("r", "x", row);
      },
    ],
    [
      "a row that is written and read",
      [],
      (c) => {
        c.storeRow(z, mul(lane, u32(4)), [u32(1), u32(2), u32(3), u32(4)]);
        c.store(y, lane, c.loadRow("r", z, mul(lane, u32(4)))[3] as Expr);
      },
    ],
  ])("%s", (name, reports, fill) => {
    const module = moduleOf(name.includes("written and read") ? 4 * LANES : "n", fill);
    expect(ran(module, upTo(LANES)).reports).toEqual(reports);
  });
  test.each<[string, string, (code: Code) => void]>([
    ["an output", "y", (c) => c.store(z, lane, c.load(y, lane))],
    ["what an atomic operation changes", "z", (c) => c.atomic("add", z, lane, lane)],
    [
      "an element between two others",
      "z",
      (c) => {
        c.store(z, mul(lane, u32(2)), lane);
        c.barrier();
        c.store(y, lane, c.load(z, u32(1)));
      },
    ],
  ])("reports that nothing wrote %s", (_, array, fill) => {
    expect(ran(moduleOf("n", fill), upTo(2 * LANES), 0).reports).toEqual([`unwritten ${array}`]);
  });
  test("elements of two words", () => {
    const given = unchecked("n", (c) => c.store(y, add(mul(lane, u32(2)), u32(1)), lane));
    const buffers = given.buffers.map((one) => ({ ...one, type: "u64", memory: "u32" }) as const);
    expect(ran(checked({ ...given, buffers }), upTo(LANES)).reports).toEqual([]);
  });
  test("nothing, where nothing is asked for", () => {
    expect(few(() => {})).toEqual([]);
    const module = moduleOf("n", () => {});
    expect(module.buffers.map(({ name }) => name)).toEqual(["x", "y", "z", "status"]);
    expect(checkAccesses(module, { capabilities: SIMT })).toBe(module);
  });
  test("a check for each kernel, array and problem, after the words of scatters", () => {
    const status = { name: "status", role: "status", type: "u32", cleared: true } as const;
    const given = unchecked("n", (c) => {
      c.store(z, lane, add(c.load(y, lane), c.load(y, lane)));
      c.atomic("or", storageRef("status", "u32"), 0, 1);
    });
    const [k] = given.kernels as [Kernel];
    const [, output] = given.buffers;
    const buffers = given.buffers.map((one) => (one === output ? { ...one, scatter: true as const } : one));
    const module = checked({
      ...given,
      buffers: [...buffers, { ...status, elements: 1 }],
      kernels: [k, { ...k, name: "l" }],
    });
    const own = (["reads y", "unwritten y", "writes z", "writes status"] as const).map((one) =>
      one.split(" "),
    );
    expect(module.checks).toEqual(
      ["k", "l"].flatMap((kernel) => own.map(([problem, array]) => ({ kernel, array, problem }))),
    );
    // Only what is read and empty at first has marks.
    const words = formula("add", formula("floor-div", "n", 32), 1);
    expect(module.buffers).toEqual([
      ...buffers,
      { ...status, elements: 2 },
      { name: "written", role: "scratch", type: "u32", elements: words, cleared: true },
    ]);
    expect(ran(module, upTo(LANES), 0).arrays.status).toEqual([1, 0b00100010]);
    const inPlace = given.buffers.map((one) => (one === output ? { ...one, inPlace: "x" } : one));
    expect(checked({ ...given, buffers: [...inPlace, { ...status, elements: 1 }] }).buffers).toHaveLength(4);
  });
  test("routines are their statements", () => {
    const module = moduleOf("n", (c) => {
      const heading = { title: "twice", doc: "" };
      const { sum } = c.routine(heading, { a: [lane] }, ({ a }) => ({ sum: [mul(a[0] as Expr, u32(2))] }));
      c.store(y, lane, sum[0] as Expr);
    });
    expect(JSON.stringify(module.kernels)).not.toMatch(/"(routine|results|role)"/);
    expect(ran(module, upTo(LANES)).arrays.y).toEqual(upTo(LANES).map((i) => 2 * i));
  });
});

const X: Draft = { kind: "input", name: "x", type: "u32" };
const scan = (of: number): Draft =>
  ({
    ...{ kind: "scan-inclusive", of, op: "add", type: "u32", identity: 0 },
    ...{ scope: "device", order: "fixed" },
  }) as Draft;
const pipelineOf = (...nodes: Draft[]): Checked => check(documentOf([X, ...nodes], [16]));
const PIPELINES: Readonly<Record<string, Checked>> = {
  "a scan of a scan": pipelineOf(scan(0), scan(1), { kind: "output", name: "y", of: 2 }),
  "a scan that is gathered": pipelineOf(
    scan(0),
    { kind: "gather", of: 1, index: 0 },
    { kind: "output", name: "y", of: 2 },
  ),
};
const lookBack = { workGroupSize: 64, rows: 4, groups: 3, polls: 2 };
const FORMS: Readonly<Record<string, Capabilities>> = {
  tiles: SIMT,
  "look-back": { ...SIMT, subgroups: { minSize: 32, maxSize: 32 }, surplusGroups: false, lookBack },
  "one thread": { ...SIMT, execution: "sequential" },
};

describe.each(Object.entries(FORMS))("kernels of %s", (_, form) => {
  test.each(Object.entries(PIPELINES))("of %s report nothing", (_name, pipeline) => {
    for (const count of [0, 1, 100, 2100]) {
      const values = upTo(count);
      const { arrays, reports } = ran(lower(pipeline, debugging(form, true)).module, values);
      expect(reports).toEqual([]);
      const want = reference(pipeline, { globalSize: [count], inputs: { x: values } });
      expect(arrays.y?.slice(0, count)).toEqual(want.y);
    }
  });
});
