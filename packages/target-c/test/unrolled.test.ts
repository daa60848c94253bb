/** Which loops have a hint to unroll them. */
import { emit, type Pipeline } from "@groupwise/core";
import { f32, pipeline, u32 } from "@groupwise/dsl";
import { expect, test } from "vitest";
import { c } from "../src/index.ts";

const textOf = (definition: { readonly ir: Pipeline }): string =>
  emit(definition, c).files.find(({ path }) => path.endsWith(".c"))?.text ?? "";
/** What is before the loops over the items. */
const hintsOf = (definition: { readonly ir: Pipeline }): readonly string[] =>
  [...textOf(definition).matchAll(/^ *(.*)for \(uint32_t i = /gm)].map(([, hint = ""]) => hint.trim());

test.each([
  ["a reduce", pipeline("total", { x: u32 }, ({ x }) => ({ y: x.reduce("add") })), "GW_UNROLL_VECTORS"],
  ["a scan", pipeline("most", { x: u32 }, ({ x }) => ({ y: x.scanInclusive("max") })), "GW_UNROLL"],
  ["a map, which carries nothing", pipeline("twice", { x: u32 }, ({ x }) => ({ y: x.add(x) })), ""],
  [
    "compaction, which has a branch",
    pipeline("kept", { x: u32 }, ({ x }) => {
      const keep = x.gt(9);
      const { before, total } = keep.toU32().scanWithTotal("add");
      return { y: x.scatter({ to: before, where: keep, length: total }) };
    }),
    "",
  ],
])("%s", (_, definition, hint) => {
  expect(hintsOf(definition)).toEqual([hint]);
  expect(textOf(definition).includes(`#define ${hint || "GW_UNROLL"}\n`)).toBe(hint !== "");
});

test("a file has the macros that its functions use", () => {
  const text = textOf(pipeline("most", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("max") })));
  expect(text.indexOf("#define GW_LIKELY")).toBeGreaterThan(0);
  expect(text.indexOf("#define GW_LIKELY")).toBeLessThan(text.indexOf("GW_LIKELY(a >= b"));
});
