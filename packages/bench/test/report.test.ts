import { checksOf } from "@groupwise/testkit";
import { isFullRun } from "@groupwise/testkit/conformance";
import { describe, expect, it } from "vitest";
import { printSuite } from "../src/report.ts";
import { isPassed, suite } from "../src/suite.ts";

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
