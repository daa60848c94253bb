import { isSupported } from "@groupwise/core/target";
import { js as jsTarget } from "@groupwise/target-js";
import { gpujs } from "@groupwise/target-js/gpu-js";
import { checksOf, opsOf, TYPES } from "@groupwise/testkit";
import { isFullRun } from "@groupwise/testkit/conformance";
import { describe, expect, it } from "vitest";
import { type Equivalence, equivalence, isEqual } from "../src/equivalence.ts";
import { tableParts } from "../src/functions.ts";
import { printEquivalence, printSuite } from "../src/report.ts";
import { isPassed, suite } from "../src/suite.ts";

const nothing: Equivalence = {
  surroundings: { date: "d", commit: "c", node: "20", platform: "p", cpu: "c", cores: 1, memoryGiB: 1 },
  effort: "reduced",
  data: {},
  shapes: { "1D": { workGroupSize: [64], ranges: [[1], [257]] } },
  devices: [
    {
      label: "D",
      target: "wgsl",
      name: "d",
      driver: "1",
      seconds: 1,
    },
  ],
  absent: [{ name: "OpenCL", reason: "no loader" }],
  rows: [],
};
const row = { function: "add_reduce", type: "i32", scope: "device", shape: "1D" } as const;

describe("equivalence", () => {
  it("has a row for every function, type, scope and shape", () => {
    // Operators × kinds, the broadcast, and the votes of the types that have predicates.
    const functions = TYPES.map(
      (type) => opsOf(type).length * 3 + 1 + (opsOf(type).includes("logical-and") ? 2 : 0),
    );
    const each = functions.reduce((a, b) => a + b);
    const sample = tableParts(false, "sample");
    expect(new Set(sample.map(({ scope }) => scope)).size).toBe(3);
    expect(sample.length).toBe(3);
    const rows = (isFull: boolean): number =>
      tableParts(isFull).reduce((sum, part) => sum + part.functions.length, 0);
    // Four shapes, one of them at both scopes; five of them at both in full runs.
    expect(rows(false)).toBe(each * 5 + 4 * 11);
    expect(rows(true)).toBe(each * 10 + 5 * 11);
  });

  it("fills the table for a device, and names the device", async () => {
    const result = await equivalence({
      only: ["javascript", "gpu.js cpu"],
      share: isFullRun() ? "whole" : "sample",
    });
    const [js, gpu] = result.devices;
    expect(js).toMatchObject({ label: "JavaScript", target: "js" });
    for (const { type, cells } of result.rows) {
      expect(cells).toHaveLength(result.devices.length);
      const wide = !isSupported(jsTarget.capabilities.scalars[type]);
      expect(cells[0]?.status, type).toBe(wide ? "not supported" : "equal");
      if (!gpu) continue;
      const lacking = gpujs.capabilities.scalars[type];
      expect(cells[1], type).toMatchObject(
        isSupported(lacking)
          ? { status: "equal" }
          : { status: "not supported", detail: expect.stringContaining(lacking.unsupported) },
      );
    }
    expect(result.surroundings.commit).toMatch(/^[0-9a-f]{40}|unknown/);
    expect(isEqual(result)).toBe(true);
    expect(printEquivalence(result, true)).toContain(
      `| work-group | add_reduce | f32 | ${isFullRun() ? "1D 2D 3D groups of 1" : "3D"} | equal |`,
    );
  });

  it("lists the differences and their shapes", () => {
    const differs = { status: "differs", detail: "3: [0] is 1, not 2" } as const;
    const rows = [
      { ...row, cells: [differs] },
      { ...row, shape: "2D", cells: [{ status: "equal" }] },
    ] as const;
    const result = { ...nothing, rows };
    expect(isEqual(result)).toBe(false);
    const text = printEquivalence(result, false);
    expect(text).toContain("1D DIFFERS, 2D equal");
    expect(text).toContain("D differs in add_reduce of i32, device, 1D: 3: [0] is 1, not 2");
    expect(text).toContain("not here: OpenCL: no loader");
    expect(text).toContain("1 equal, 1 differ, 0 not supported");
  });

  it("with an empty cell fails", () => {
    expect(isEqual({ ...nothing, rows: [{ ...row, cells: [{ status: "equal" }] }] })).toBe(true);
    expect(isEqual({ ...nothing, rows: [{ ...row, cells: [] }] })).toBe(false);
    expect(isEqual({ ...nothing, rows: [{ ...row, cells: [undefined as never] }] })).toBe(false);
  });

  it("of no device fails", async () => {
    expect(isEqual(await equivalence({ only: ["no such device"] }))).toBe(false);
  });
});

describe("the suite", () => {
  it("runs every check, and gives the reason for skipped ones", async () => {
    // The whole suite of gpu.js is in `target-js/test/gpu-js-conformance.test.ts`.
    const words = isFullRun() ? [] : ["of f32", "of u32"];
    const result = await suite({ only: ["gpu.js cpu"], checks: words });
    const [device] = result.devices;
    if (!device) return expect(result.absent).not.toEqual([]);
    const names = checksOf("quick").map(({ name }) => name);
    expect(device.checks.map(({ name }) => name)).toEqual(
      names.filter((name) => isFullRun() || words.some((word) => name.includes(word))),
    );
    expect(device.passed + device.skipped).toBe(device.checks.length);
    expect(device.passed).toBeGreaterThan(5);
    for (const { status, details } of device.checks) expect(details === undefined).toBe(status === "passed");
    expect(isPassed(result)).toBe(true);
    expect(printSuite(result, true)).toContain("| gpu.js cpu");
  });

  it("of no device fails", async () => {
    expect(isPassed(await suite({ only: ["no such device"] }))).toBe(false);
  });
});
