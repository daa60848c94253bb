/** Faults of arithmetic that devices lack: integers of two words, floats on words, halves, functions. */
import { type Fault, replaceExport, replaceIn } from "./fault.ts";
import { changeFn, replacePass } from "./kernels.ts";

const pairs = () => import("../../../core/src/compiler/soft/base/pair.ts");
const expressions = () => import("../../../core/src/compiler/kernel/make-expr.ts");
const order = () => import("../../../core/src/compiler/soft/double/order.ts");

const INT64 = ["packages/target-js/test/wide/int64.test.ts"];
const DOUBLE = ["packages/target-js/test/wide/double.test.ts"];
const HALF = ["packages/target-js/test/wide/half.test.ts"];
const EXPANSIONS = ["packages/target-js/test/expansions.test.ts"];

export const NUMBERS: readonly Fault[] = [
  {
    id: "int64-carry",
    about: "a sum of 64 bits loses the carry of its low words",
    tests: INT64,
    expects: "i64 on words operators agree on 50000 pairs",
    break: async () => {
      const { add } = await expressions();
      await replaceExport(pairs(), "addPair", (real) => (code, a, b) => ({
        ...real(code, a, b),
        hi: add(a.hi, b.hi),
      }));
    },
  },
  {
    id: "int64-borrow",
    about: "a difference of 64 bits loses the borrow of its low words",
    tests: INT64,
    expects: "i64 on words operators agree on 50000 pairs",
    break: async () => {
      const { sub } = await expressions();
      await replaceExport(pairs(), "subPair", (real) => (code, a, b) => ({
        ...real(code, a, b),
        hi: sub(a.hi, b.hi),
      }));
    },
  },
  {
    id: "int64-compare-low",
    about: "a comparison of 64 bits takes low words although the high ones differ",
    tests: INT64,
    expects: "i64 on words operators agree on 50000 pairs",
    break: async () => {
      const { binary } = await expressions();
      await replaceExport(pairs(), "below", () => (_, op, a, b) => binary(op, a.lo, b.lo));
    },
  },
  {
    id: "int64-wrong-word",
    about: "a shift by 32 or more leaves bits in the word where they were",
    tests: INT64,
    expects: "i64 on words operators agree on 50000 pairs",
    break: async () => {
      const { SHL_U64 } = await import("../../../core/src/compiler/soft/base/int64.ts");
      await changeFn(SHL_U64, (e) => (e.kind === "select" ? e.otherwise : undefined));
    },
  },
  {
    id: "int64-shift-sign",
    about: "a signed shift brings in zeros",
    tests: INT64,
    expects: "i64 on words operators agree on 50000 pairs",
    break: async () => {
      const { SHR_I64, SHR_U64 } = await import("../../../core/src/compiler/soft/base/int64.ts");
      replaceIn(SHR_I64 as { body: typeof SHR_I64.body }, "body", () => SHR_U64.body);
    },
  },
  {
    id: "double-zero-signs",
    about: "-0 and +0 are not equal as doubles on words",
    tests: DOUBLE,
    expects: "doubles on words the other operators agree",
    break: async () => {
      const { EQ_F64 } = await order();
      const { bool } = await expressions();
      // The last operand of the disjunction asks whether both are zeros.
      await changeFn(EQ_F64, (e) =>
        e.kind === "binary" && e.op === "or" && e.type === "bool" ? { ...e, right: bool(false) } : undefined,
      );
    },
  },
  {
    id: "double-compare-nan",
    about: "NaN is less or equal as a double on words",
    tests: DOUBLE,
    expects: "doubles on words the other operators agree",
    break: async () => {
      const { LE_F64 } = await order();
      await changeFn(LE_F64, (e) =>
        e.kind === "binary" && e.op === "and" && e.type === "bool" ? e.right : undefined,
      );
    },
  },
  {
    id: "half-unrounded",
    about: "sums of emulated halves keep the digits of f32",
    tests: HALF,
    expects: "halves in floats sums of every two exponents round to the nearest one, ties to even, whatever the distance from the tie",
    break: () => replaceExport(import("../../../core/src/compiler/soft/half.ts"), "roundHalfSum", () => (x) => x),
  },
  {
    id: "half-bits",
    about: "the bits of a half are read as those of a bf16",
    tests: HALF,
    expects: "halves in floats all 65,536 are converted from floats and back, for any upper bits",
    break: async () => {
      const { floatOfBfloatBits } = await import("../../../core/src/compiler/soft/bfloat.ts");
      await replaceExport(
        import("../../../core/src/compiler/soft/half.ts"),
        "floatOfHalfBits",
        () => floatOfBfloatBits,
      );
    },
  },
  {
    id: "bfloat-ties",
    about: "kernels round ties of bf16 down",
    tests: ["packages/target-js/test/wide/bfloat.test.ts"],
    expects: "floats next to and between two of them, of either sign, are rounded to the nearest; NaNs of any bits too",
    break: async () => {
      const { BFLOAT_FUNCTIONS } = await import("../../../core/src/compiler/soft/bfloat.ts");
      await changeFn(BFLOAT_FUNCTIONS[0], (e) =>
        e.kind === "binary" && e.op === "add" && e.left.kind === "binary" ? e.left : undefined,
      );
    },
  },
  {
    id: "expansions-skipped",
    about: "operations that a device computes inexactly stay as they are",
    tests: EXPANSIONS,
    expects: "expansions agree with exact integers",
    break: () => replacePass("expand", () => (module) => module),
  },
  {
    id: "integer-divide-by-zero",
    about: "the divisor of an integer's quotient is 0 where the language leaves that undefined",
    tests: ["packages/target-js/test/expansions.test.ts"],
    expects: "expansions agree with exact integers",
    break: async () => {
      const { DIVIDE_FUNCTIONS } = await import("../../../core/src/compiler/soft/divide.ts");
      for (const fn of DIVIDE_FUNCTIONS.slice(1))
        await changeFn(fn, (e) => (e.kind === "select" ? e.otherwise : undefined));
    },
  },
];
