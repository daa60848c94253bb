import { evaluate, printFormula } from "@groupwise/ir/base/formula.js";
import { check } from "@groupwise/ir/document/check.js";
import { reference } from "@groupwise/ir/reference/reference.js";
import { walk } from "@groupwise/kernel/language/walk.js";
import { lower } from "@groupwise/lower/lower.js";
import { describe, expect, it } from "vitest";
import { binary, type Draft, documentOf, errorFrom } from "../../ir/test/support.ts";
import { SIMT } from "../../kernel/test/simt.ts";
import { prepareRun } from "../src/checks/host.ts";
import { manifestOf, OWN_ARRAYS } from "../src/plan/manifest.ts";

const x: Draft = { kind: "input", name: "x", type: "u32" };
const t: Draft = { kind: "table", name: "t", type: "u32" };
const output = (of: number, name = "out"): Draft => ({ kind: "output", name, of });

describe("a capacity", () => {
  const nodes: Draft[] = [
    x,
    t,
    { kind: "param", name: "k", type: "u32" },
    { kind: "table-length", of: 1 },
    binary("sub", 3, 2),
    { kind: "scatter", name: "out", value: 0, slot: 0, capacity: 4 },
  ];
  const checked = check(documentOf(nodes));
  const parts = {
    ...{ generator: "test", command: "", target: "", file: "", requires: [], flags: {} },
    arrays: OWN_ARRAYS,
  };
  const manifest = manifestOf(lower(checked, SIMT), parts);
  const run = (length: number, k: number) =>
    prepareRun(manifest, { x: Uint32Array.of(0), t: new Uint32Array(length), k });

  it("is a formula that hosts evaluate", () => {
    const binding = manifest.bindings.find(({ name }) => name === "out");
    const elements = binding?.elements ?? 0;
    expect(printFormula(elements)).toBe("(length(t) - k)");
    expect(evaluate(elements, run(10, 3))).toBe(7);
    expect(evaluate(elements, 1)).toBeNaN();
  });

  it("must fit in 32 bits, in every term, for hosts and for the reference", () => {
    const of = (length: number, k: number) =>
      reference(checked, {
        n: 0,
        inputs: { x: [] },
        params: { k },
        tables: { t: new Array(length).fill(0) },
      });
    for (const make of [run, of]) expect(errorFrom(() => make(3, 5)).code).toBe("bad-capacity");
    expect(of(5, 3).out).toEqual([0, 0]);
  });

  it("may not exceed the range of indexes, nor may tables", () => {
    const small = { ...manifest, maxItems: 4 };
    const act = (length: number, k: number): unknown =>
      errorFrom(() => prepareRun(small, { x: Uint32Array.of(0), t: new Uint32Array(length), k })).code;
    expect(act(5, 3)).toBe("table-too-long");
    expect(() => act(4, 1)).toThrow("nothing was thrown");
  });
});

describe("gathers of gathers", () => {
  /** Each round reads the one before at places that the earlier one computes. */
  const jumps = (rounds: number): Draft[] => [
    x,
    ...Array.from({ length: rounds }, (_, i): Draft => ({ kind: "gather", of: i, index: i })),
    output(rounds),
  ];

  it("are linear in the length of the text", () => {
    const sizeOf = (rounds: number): number => {
      const { module } = lower(check(documentOf(jumps(rounds))), SIMT);
      return module.kernels.reduce((sum, { body }) => sum + [...walk(body)].length, 0);
    };
    expect(sizeOf(40) - sizeOf(20)).toBeLessThan(30 * 20);
  });

  it("read the result of an earlier pass", () => {
    const { module } = lower(check(documentOf(jumps(3))), SIMT);
    const scratch = module.buffers.filter(({ role }) => role === "scratch");
    expect(scratch.map(({ name }) => name)).toEqual(["value_1", "value_2"]);
  });
});
