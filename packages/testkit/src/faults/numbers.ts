/** Faults of arithmetic that devices lack: integers of two words, floats on words, halves, functions. */
import { type Fault, replaceExport, replaceIn } from "./fault.ts";
import { changeFn, replacePass } from "./kernels.ts";

const pairs = () => import("@groupwise/kernel/library/types/base/pair.js");
const expressions = () => import("@groupwise/kernel/language/make-expr.js");

const INT64 = ["packages/target-js/test/wide/int64.test.ts"];
const DOUBLE = ["packages/target-js/test/wide/double.test.ts"];
const HALF = ["packages/target-js/test/wide/half.test.ts"];

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
    id: "int64-wrong-word",
    about: "a shift by 32 or more leaves bits in the word where they were",
    tests: INT64,
    expects: "i64 on words operators agree on 50000 pairs",
    break: async () => {
      const { SHL_U64 } = await import("@groupwise/kernel/library/types/base/int64.js");
      await changeFn(SHL_U64, (e) => (e.kind === "select" ? e.otherwise : undefined));
    },
  },
  {
    id: "int64-shift-sign",
    about: "a signed shift brings in zeros",
    tests: INT64,
    expects: "i64 on words operators agree on 50000 pairs",
    break: async () => {
      const { SHR_I64, SHR_U64 } = await import("@groupwise/kernel/library/types/base/int64.js");
      replaceIn(SHR_I64 as { body: typeof SHR_I64.body }, "body", () => SHR_U64.body);
    },
  },
  {
    id: "double-rounding",
    about: "digits that a shift drops are lost instead of sticky, so doubles round in the wrong direction",
    tests: DOUBLE,
    expects: "doubles on words sums and products agree on 300000 pairs",
    break: async () => {
      const { DIGIT_FUNCTIONS } = await import("@groupwise/kernel/library/types/double/digits.js");
      const { u32 } = await expressions();
      await changeFn(DIGIT_FUNCTIONS[0], (e) =>
        e.kind === "binary" && e.op === "min" && e.right.kind === "const" && e.right.value === 1
          ? u32(0)
          : undefined,
      );
    },
  },
  {
    id: "half-unrounded",
    about: "sums of emulated halves keep the digits of f32",
    tests: HALF,
    expects:
      "halves in floats sums of every two exponents round to the nearest one, ties to even, whatever the distance from the tie",
    break: () =>
      replaceExport(import("@groupwise/kernel/library/types/half.js"), "roundHalfSum", () => (x) => x),
  },
  {
    id: "bfloat-ties",
    about: "kernels round ties of bf16 down",
    tests: ["packages/target-js/test/wide/bfloat.test.ts"],
    expects:
      "floats next to and between two of them, of either sign, are rounded to the nearest; NaNs of any bits too",
    break: async () => {
      const { BFLOAT_FUNCTIONS } = await import("@groupwise/kernel/library/types/bfloat.js");
      await changeFn(BFLOAT_FUNCTIONS[0], (e) =>
        e.kind === "binary" && e.op === "add" && e.left.kind === "binary" ? e.left : undefined,
      );
    },
  },
  {
    id: "integer-divide-by-zero",
    about: "the divisor of an integer's quotient is 0 where the language leaves that undefined",
    tests: ["packages/target-js/test/expansions.test.ts"],
    expects: "expansions agree with exact integers",
    break: async () => {
      const { DIVIDE_FUNCTIONS } = await import("@groupwise/kernel/library/types/divide.js");
      for (const fn of DIVIDE_FUNCTIONS.slice(1))
        await changeFn(fn, (e) => (e.kind === "select" ? e.otherwise : undefined));
    },
  },
  {
    id: "subnormals-flushed",
    about: "sums and products stay as devices compute them that flush subnormal numbers",
    tests: ["packages/lower/test/subnormals.test.ts"],
    expects: "a pipeline gives the reference's bits where all operations of the device flush",
    break: () => replacePass("subnormals", () => (module) => module),
  },
  {
    id: "subnormals-untested",
    about: "no value is tested where sums and products have two forms",
    tests: ["packages/lower/test/subnormals.test.ts"],
    expects: "a reduce in tiles of sums, zeros: the reference's bits on a device that flushes",
    break: () => replaceExport(import("@groupwise/kernel/library/types/small.js"), "sizesOf", () => () => []),
  },
  {
    id: "guards-missing",
    about: "compilers may make one operation of a product and a sum",
    tests: ["packages/target-wgsl/test/guard.test.ts"],
    expects: "for any device broadcast: every operand is opaque",
    break: () => replacePass("guard", () => (module) => module),
  },
  {
    id: "square-root-down",
    about: "square roots on bits are cut off instead of rounded",
    tests: ["packages/target-js/test/functions.test.ts"],
    expects: "functions by bodies are those of the host for 30000 singles",
    break: async () => {
      const { DIGIT_BODIES } = await import("@groupwise/kernel/library/functions/digits.js");
      await changeFn(DIGIT_BODIES[0], (e) =>
        e.kind === "binary" && e.op === "add" && e.right.kind === "binary" && e.right.op === "and"
          ? e.left
          : undefined,
      );
    },
  },
  {
    id: "elementary-last-bit",
    about: "the first approximation of an elementary function is rounded, whether or not it decides",
    tests: ["packages/kernel/test/quick.test.ts"],
    expects: "returns e^x, and leaves at most one of a hundred numbers undecided",
    break: async () => {
      const { bool } = await expressions();
      await replaceExport(
        import("@groupwise/kernel/library/types/quick/parts.js"),
        "roundedSum",
        (real) =>
          (...given) => ({
            ...real(...given),
            isOpen: bool(false),
          }),
      );
    },
  },
];
