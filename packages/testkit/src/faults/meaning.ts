/** Faults of what pipelines mean: order, identities, operators, conversions, the reference, laws and checks. */
import type { ScalarValue } from "@groupwise/core";
import { type Fault, replaceExport, replaceIn } from "./fault.ts";

const fenwick = () => import("@groupwise/ir/base/fenwick.js");
const ops = () => import("@groupwise/ir/tables/op.js");
const operators = () => import("@groupwise/ir/tables/expr-op.js");
const conversions = () => import("@groupwise/ir/tables/convert-value.js");
const referenceModule = () => import("@groupwise/ir/reference/reference.js");

const ORDER = ["packages/ir/test/reference.test.ts"];
const OPS_TESTS = ["packages/ir/test/op.test.ts"];
const EXPR = ["packages/ir/test/expr-op.test.ts"];

export const MEANING: readonly Fault[] = [
  {
    id: "combine-order",
    about: "operands of a prefix change sides",
    tests: ORDER,
    expects: "is the Fenwick order",
    break: () => replaceExport(fenwick(), "prefixes", (real) => (x, op) => real(x, (a, b) => op(b, a))),
  },
  {
    id: "identity-min",
    about: "the identity of a minimum of floats is finite",
    tests: OPS_TESTS,
    expects: "'min' on 'f32' returns a value unchanged with the identity",
    break: async () =>
      replaceIn((await ops()).OPS.min, "identity", (real) => (type) => (type === "f32" ? 3e38 : real(type))),
  },
  {
    id: "extremes-nan",
    about: "a NaN loses against a number in a minimum",
    tests: OPS_TESTS,
    expects: "NaN wins",
    break: async () =>
      replaceIn((await ops()).OPS.min, "apply", (real) => (type, a, b) => {
        if (Number.isNaN(a)) return b;
        return Number.isNaN(b) ? a : real(type, a, b);
      }),
  },
  {
    id: "extremes-zero",
    about: "the maximum of -0 and +0 is the first of them",
    tests: OPS_TESTS,
    expects: "-0 < +0 in min and max",
    break: async () =>
      replaceIn(
        (await ops()).OPS.max,
        "apply",
        (real) => (type, a, b) => (a === 0 && b === 0 ? a : real(type, a, b)),
      ),
  },
  {
    id: "divide-by-zero",
    about: "an integer divided by 0 gives 0 instead of itself",
    tests: EXPR,
    expects: "on u32 div is what exact integers give",
    break: async () =>
      replaceIn(
        (await operators()).BINARY.div,
        "apply",
        (real) => (type, a, b) => (type === "u32" && b === 0 ? 0 : real(type, a, b)),
      ),
  },
  {
    id: "shift-by-width",
    about: "a shift by the width gives 0",
    tests: EXPR,
    expects: "on u32 shl is what exact integers give",
    break: async () =>
      replaceIn(
        (await operators()).BINARY.shl,
        "apply",
        (real) => (type, a, by) => (Number(by) >= 32 && type === "u32" ? 0 : real(type, a, by)),
      ),
  },
  {
    id: "negative-zero",
    about: "the negative of +0 is +0",
    tests: EXPR,
    expects: "on f16 neg and abs change only the sign",
    break: async () =>
      replaceIn(
        (await operators()).UNARY.neg,
        "apply",
        (real) => (type, a) => (Object.is(a, 0) ? 0 : real(type, a)),
      ),
  },
  {
    id: "cast-nan",
    about: "NaN converts to the greatest integer",
    tests: EXPR,
    expects: "a cast from f64 to i32 truncates and saturates",
    break: () =>
      replaceExport(
        conversions(),
        "castValue",
        (real) => (from, to, value) => real(from, to, Number.isNaN(value) ? Infinity : value),
      ),
  },
  {
    id: "cast-rounds-twice",
    about: "a 64-bit integer is rounded to f64 and then to f32",
    tests: EXPR,
    expects: "a cast from a 64-bit integer to f32 rounds once, ties to even",
    break: () =>
      replaceExport(
        conversions(),
        "castValue",
        (real) => (from, to, value) =>
          to === "f32" && typeof value === "bigint" ? Math.fround(Number(value)) : real(from, to, value),
      ),
  },
  {
    id: "exclusive-scan",
    about: "an exclusive scan includes the item",
    tests: ORDER,
    expects: "the order is the Fenwick order for n = 1",
    break: async () => {
      const { Reference } = await referenceModule();
      replaceIn(
        Reference.prototype,
        "prefixes",
        (real) =>
          function (this: InstanceType<typeof Reference>, node, group) {
            const all: ScalarValue[] = real.call(this, node, group);
            return node.kind === "scan-exclusive" ? all.slice(1) : all;
          },
      );
    },
  },
  {
    id: "scatter-overwrites",
    about: "a scatter that combines keeps only what comes last",
    tests: ["packages/ir/test/reference-slots.test.ts"],
    expects: "a slot has the value of its last item",
    break: async () => {
      const { Reference } = await referenceModule();
      replaceIn(
        Reference.prototype,
        "scatter",
        (real) =>
          function (this: InstanceType<typeof Reference>, { combine: _, ...node }) {
            real.call(this, node);
          },
      );
    },
  },
  {
    id: "formula-ceil",
    about: "a last tile that is not full gets no work-group",
    tests: ["packages/ir/test/formula.test.ts"],
    expects: "formulas of n divide",
    break: () =>
      replaceExport(
        import("@groupwise/ir/base/formula.js"),
        "evaluate",
        (real) => (f, sides) =>
          typeof f === "object" && "op" in f && f.op === "ceil-div"
            ? Math.floor(real(f.args[0], sides) / real(f.args[1], sides))
            : real(f, sides),
      ),
  },
  {
    id: "narrow-bf16-ties",
    about: "values of bf16 are cut off instead of rounded",
    tests: ["packages/ir/test/narrow.test.ts"],
    expects: "bf16 rounds to the nearest, ties to even",
    break: () =>
      replaceExport(
        import("@groupwise/ir/tables/narrow.js"),
        "numberToBfloat",
        (real, { bfloatToNumber }) =>
          (x) => {
            const nearest = real(x);
            return Math.abs(bfloatToNumber(nearest)) > Math.abs(x) ? nearest - 1 : nearest;
          },
      ),
  },
];
