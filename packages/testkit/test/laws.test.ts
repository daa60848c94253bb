import { check } from "@groupwise/core";
import { pipelineLaws, printLaws } from "@groupwise/core/laws";
import { describe, expect, it } from "vitest";
import { CASES } from "../src/cases/index.ts";

/**
 * Operators of the cases that break a law on purpose; every target still returns the same: one shows the order of its
 * operands, one drops NaN depending on its side.
 */
const LAWLESS: ReadonlySet<string> = new Set(["mixed-records", "argmax"]);
const own = CASES.filter(({ ir }) => ir.operators?.length);

describe("operators of the cases", () => {
  it("exist", () => expect(own.length).toBeGreaterThan(LAWLESS.size + 5));
  it.each(own)("$name satisfy their laws, or are known not to", ({ name, ir }) => {
    const found = pipelineLaws(check(ir));
    const broken = found.filter(({ laws }) => laws.some(({ ok }) => !ok));
    expect(broken.length > 0, broken.map(printLaws).join("")).toBe(LAWLESS.has(name));
  });
});
