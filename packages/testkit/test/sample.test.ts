/** The checks that represent the others exist, and together they cover every strategy, type and kind of node. */
import { check, type PipelineNode } from "@groupwise/core";
import { describe, expect, test } from "vitest";
import { CASES } from "../src/cases/index.ts";
import { checksOf } from "../src/checks/index.ts";
import { TYPES } from "../src/data/collectives.ts";
import { isIn, SAMPLED } from "../src/sample.ts";

const chosen = CASES.filter(({ name, covers }) => isIn("sample", `${name}: ${covers}`));
const nodesOf = (cases: typeof CASES): PipelineNode[] => cases.flatMap(({ ir }) => [...ir.nodes]);

describe("the sample", () => {
  test.each(["quick", "normal", "full"] as const)("names checks that exist, at effort %s", (effort) => {
    const names = checksOf(effort).map(({ name }) => name);
    for (const start of SAMPLED)
      expect(
        names.filter((name) => name.startsWith(start)),
        start,
      ).not.toEqual([]);
  });

  test("contains the checks of `some`, which contain those of `few`", () => {
    for (const { name } of checksOf("full")) {
      expect(isIn("sample", name) || !isIn("some", name), name).toBe(true);
      expect(isIn("some", name) || !isIn("few", name), name).toBe(true);
    }
  });

  test("has every kind of node that the named pipelines have", () => {
    const kinds = (cases: typeof CASES): string[] =>
      [...new Set(nodesOf(cases).map(({ kind }) => kind))].sort();
    expect(kinds(chosen)).toEqual(kinds(CASES));
  });

  test("has every type, collectives of both scopes, and several dimensions", () => {
    const types = new Set(chosen.flatMap(({ ir }) => check(ir).types));
    expect(TYPES.filter((type) => !types.has(type))).toEqual([]);
    const scopes = new Set(nodesOf(chosen).flatMap((node) => ("scope" in node ? [node.scope] : [])));
    expect([...scopes].sort()).toEqual(["device", "work-group"]);
    expect(new Set(chosen.map(({ ir }) => ir.workGroupSize.length))).toContain(3);
  });
});
