/** Nodes that no output reads: what is lowered is the pipeline without them, and what callers pass stays. */

import { check } from "@groupwise/ir/document/check.js";
import { expect, it } from "vitest";
import { collective, type Draft, documentOf, gather, input, output } from "../../ir/test/support.ts";
import { SIMT } from "../../kernel/test/simt.ts";
import { lower } from "../src/lower.ts";

const x: Draft = { kind: "input", name: "x", type: "u32" };
const given: readonly Draft[] = [
  input("u32", "y"),
  { kind: "table", name: "table", type: "u32" },
  { kind: "param", name: "factor", type: "u32" },
];
/** A scan of the input, then one of that scan, after the nodes before it. */
const scans = (before: number): Draft[] => [
  ...[collective("scan-inclusive", "add", "u32"), collective("scan-exclusive", "add", "u32", before)],
  output(before + 1, "out"),
];
/** Scans that wait for one another, from a gather of another scan's items on. */
const unread: readonly Draft[] = [
  ...[collective("scan-inclusive", "add", "u32", 1), gather(4, 0)],
  ...[collective("scan-exclusive", "add", "u32", 5), collective("reduce", "add", "u32", 6)],
];

it("are not lowered, and arguments of callers do not change", () => {
  const all = lower(check(documentOf([x, ...given, ...unread, ...scans(8)])), SIMT);
  const few = lower(check(documentOf([x, ...given, ...scans(4)])), SIMT);
  expect(few.module.kernels.length).toBeGreaterThan(1);
  expect(all.module).toEqual(few.module);
  expect(all.checked.inputs.map(({ name }) => name)).toEqual(["x", "y"]);
  expect(all.checked.tables).toHaveLength(1);
  expect(all.checked.params).toHaveLength(1);
});
