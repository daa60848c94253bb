/** The items that passes without collectives access at once. */

import { check } from "@groupwise/ir/document/check.js";
import { reference } from "@groupwise/ir/reference/reference.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import { walk } from "@groupwise/kernel/language/walk.js";
import { expect, test } from "vitest";
import { cast, documentOf, input, output } from "../../ir/test/support.ts";
import { SIMT } from "../../kernel/test/simt.ts";
import { lower } from "../src/lower.ts";
import { resultsOf } from "./pipeline-interpreter.ts";

const NATIVE: Capabilities = {
  ...SIMT,
  scalars: { ...SIMT.scalars, i64: "native", f32: "native", f64: "native" },
  tile: { workGroupSize: 4, itemsPerWorkItem: 4 },
};

test.each<readonly [of: Scalar, to: Scalar, width: number]>([
  ["u32", "f32", 4],
  ["i64", "f64", 2],
  ["i64", "u32", 4],
  ["u32", "i64", 4],
])("of %s to %s: %i, and the results of the reference", (type, to, width) => {
  const checked = check(documentOf([input(type), cast(to, 0), output(1)]));
  const [map] = lower(checked, NATIVE).module.kernels;
  const stored = [...walk(map?.body ?? [])].filter((stmt) => stmt.kind === "store-row");
  expect(stored.map(({ values }) => values.length)).toEqual([width]);
  for (const n of [0, 1, 2, 3, 4, 7, 8, 9, 16, 17]) {
    const x = Array.from({ length: n }, (_, i) => (type === "i64" ? BigInt(i * 5) : i * 5)) as number[];
    expect(resultsOf(checked, NATIVE, x)).toEqual(reference(checked, { n, inputs: { x } }));
  }
});
