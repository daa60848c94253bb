/** Scratch arrays in one array: results, and the number of arrays of a kernel. */

import { check } from "@groupwise/ir/document/check.js";
import { reference } from "@groupwise/ir/reference/reference.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import { arraysOf } from "@groupwise/kernel/language/uses.js";
import { describe, expect, it } from "vitest";
import { binary, cast, collective, type Draft, documentOf, input } from "../../ir/test/support.ts";
import { SIMT } from "../../kernel/test/simt.ts";
import { lower } from "../src/lower.ts";
import { resultsOf } from "./pipeline-interpreter.ts";

const DEVICE: Capabilities = {
  ...SIMT,
  scalars: { ...SIMT.scalars, f32: "native" },
  // Rows of four elements and single elements are read in one kernel.
  tile: { workGroupSize: 8, itemsPerWorkItem: 4 },
};
const scan = (op: string, type: string, of: number, identity: unknown): Draft =>
  ({ kind: "scan-exclusive", op, type, identity, of, scope: "device", order: "fixed" }) as Draft;

/** Collectives of several types at three stages, whose values other passes gather and scan again. */
const checked = check(
  documentOf([
    ...[input("u32"), cast("f32", 0), cast("i32", 0), cast("bool", 0), scan("add", "u32", 0, 0)],
    ...[scan("add", "f32", 1, 0), scan("max", "i32", 2, -2147483648)],
    ...[scan("logical-or", "bool", 3, false), cast("u32", 6), binary("add", 4, 8)],
    ...[scan("max", "u32", 9, 0), collective("reduce", "add", "f32", 5)],
    ...[cast("u32", 11), binary("xor", 10, 12), scan("xor", "u32", 13, 0)],
    ...[4, 5, 6, 7, 10, 11, 14].map((of): Draft => ({ kind: "output", name: `y${of}`, of })),
  ]),
);

describe("a kernel with more arrays than the device binds", () => {
  it.each([0, 1, 3, 31, 32, 33, 1024, 1057])("has the reference's results over %i items", (n) => {
    const values = Array.from({ length: n }, (_, i) => (Math.imul(i, 0x9e3779b1) >>> 0) % 1000);
    const wanted = reference(checked, { inputs: { x: values }, globalSize: [n] });
    expect(resultsOf(checked, { ...DEVICE, arraysPerKernel: 1 }, values)).toEqual(wanted);
  });

  it("has one array of scratch, and where the device binds enough each keeps its own", () => {
    const scratch = (arraysPerKernel: number): number => {
      const { module } = lower(checked, { ...DEVICE, arraysPerKernel });
      const names = new Set(module.buffers.filter(({ role }) => role === "scratch").map(({ name }) => name));
      const counts = module.kernels.map(
        (kernel) =>
          arraysOf(kernel, module.buffers, module.functions).filter(({ name }) => names.has(name)).length,
      );
      return Math.max(...counts);
    };
    expect(scratch(1)).toBe(1);
    expect(scratch(99)).toBeGreaterThan(3);
  });
});
