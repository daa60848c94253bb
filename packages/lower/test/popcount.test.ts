/** Counts of bits on an implementation without a count, whose 64-bit integers are native. */

import { check } from "@groupwise/ir/document/check.js";
import { UNARY } from "@groupwise/ir/tables/expr-op.js";
import type { ScalarValue } from "@groupwise/ir/tables/scalar.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import { verify } from "@groupwise/kernel/language/verify.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyOf, documentOf } from "../../ir/test/support.ts";
import { runGroup } from "../../kernel/test/kernel-interpreter.ts";
import { SIMT } from "../../kernel/test/simt.ts";
import { lower } from "../src/lower.ts";

const CAPABILITIES: Capabilities = {
  ...SIMT,
  scalars: { ...SIMT.scalars, i64: "native", u64: "native" },
  expand: ["popcount"],
};

test.each(["i32", "u32", "i64", "u64"] as const)("of %s are those of the reference", (type) => {
  const source = documentOf([
    { kind: "input", name: "x", type },
    { kind: "unary", op: "popcount", of: 0 },
    { kind: "output", name: "y", of: 1 },
  ]);
  const { module } = lower(check(source), CAPABILITIES);
  expect(() => verify(module)).not.toThrow();
  const [kernel] = module.kernels;
  if (!kernel) return expect.fail("there is no kernel");
  fc.assert(
    fc.property(fc.array(anyOf(type), { minLength: 4, maxLength: 4 }), (x) => {
      const storage: Record<string, ScalarValue[]> = { x, y: [0, 0, 0, 0] };
      runGroup(kernel, {
        size: kernel.workGroupSize,
        storage,
        params: { n: 4 },
        functions: module.functions,
      });
      expect(storage.y).toEqual(x.map((value) => UNARY.popcount.apply(type, value)));
    }),
  );
});
