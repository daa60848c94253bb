import { check } from "@groupwise/core";
import { pipelineLaws, printLaws } from "@groupwise/core/laws";
import { describe, expect, it } from "vitest";
import { CASES } from "../src/cases/index.ts";

/** Shows the order and the brackets of its operands, and so keeps no law: every target gives the same even so. */
const LAWLESS = "mixed-records";
const own = CASES.filter(({ ir }) => ir.operators?.length);

describe("operators of the cases keep their laws", () => {
  it("there are some", () => expect(own.length).toBeGreaterThan(5));
  it.each(own.filter(({ name }) => name !== LAWLESS))("$name", ({ ir }) => {
    for (const found of pipelineLaws(check(ir)))
      expect(found.laws.filter(({ ok }) => !ok).length, printLaws(found)).toBe(0);
  });
});
