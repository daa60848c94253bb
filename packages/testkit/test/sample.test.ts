/** The checks that represent the others cover every strategy, type and kind of node. */
import { check, type PipelineNode } from "@groupwise/core";
import { describe, expect, test } from "vitest";
import { CASES } from "../src/cases/index.ts";
import { TYPES } from "../src/data/collectives.ts";
import { isIn } from "../src/data/share.ts";

const chosen = CASES.filter((one) => isIn("sample", one));
const nodesOf = (cases: typeof CASES): PipelineNode[] => cases.flatMap(({ ir }) => [...ir.nodes]);

describe("the sample", () => {
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
