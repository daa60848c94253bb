/** Faults of element-wise functions: of the table, of the bodies, and of what targets print in their place. */
const TABLE = ["packages/core/test/functions.test.ts"];
const BODIES = ["packages/target-js/test/functions.test.ts"];

export const FUNCTIONS = [
  {
    id: "round-away",
    about: "ties go away from zero in the table",
    file: "packages/core/src/ir/functions/float.ts",
    find: "rest > 0.5 || (rest === 0.5 && below % 2 !== 0)",
    replace: "rest >= 0.5",
    tests: TABLE,
  },
  {
    id: "copysign-of-nan",
    about: "a NaN lends its sign",
    file: "packages/core/src/ir/functions/float.ts",
    find: "!Number.isNaN(y) && isNegative(y as number)",
    replace: "!(y as number >= 0)",
    tests: TABLE,
  },
  {
    id: "extract-unsigned",
    about: "fields of signed types are not extended",
    file: "packages/core/src/ir/functions/integer.ts",
    find: 'SCALARS[type].kind === "int" ? BigInt.asIntN(size, field) : field',
    replace: "field",
    tests: TABLE,
  },
  {
    id: "body-round-up",
    about: "ties go up in the body of round",
    file: "packages/core/src/compiler/functions/roundings.ts",
    find: "add(shr(below, 1), and(shr(x.magnitude, drop), wordOf(f, 1n)))",
    replace: "add(shr(below, 1), wordOf(f, 1n))",
    tests: BODIES,
  },
  {
    id: "body-sqrt-down",
    about: "square roots are cut off instead of rounded",
    file: "packages/core/src/compiler/functions/digits.ts",
    find: "shr(add(root, and(root, wordOf(f, 1n))), 1)",
    replace: "shr(root, 1)",
    tests: BODIES,
  },
  {
    id: "body-fma-sticky",
    about: "what fma shifts out of the addend is lost",
    file: "packages/core/src/compiler/functions/fma.ts",
    find: "(near) => near.assign(addend.lo, shiftedDown(f, addend.lo, by)),",
    replace: "(near) => near.assign(addend.lo, shr(addend.lo, by)),",
    tests: BODIES,
  },
  {
    id: "body-fmod-less",
    about: "a remainder leaves digits of the quotient out",
    file: "packages/core/src/compiler/functions/digits.ts",
    find: "inner.assign(left, sub(left, by));",
    replace: "inner.assign(left, sub(left, left));",
    tests: BODIES,
  },
  {
    id: "body-pack-subnormal",
    about: "subnormal results lose the digits that decide their rounding",
    file: "packages/core/src/compiler/functions/pack.ts",
    find: "then.assign(digits, or(shr(digits, by), lost));",
    replace: "then.assign(digits, shr(digits, by));",
    tests: ["packages/target-js/test/conformance.test.ts", ...BODIES],
  },
  {
    id: "own-in-words",
    about: "a language's own function is taken for a type that it has not",
    file: "packages/core/src/compiler/passes/define.ts",
    find: 'forms(type) === "native"',
    replace: 'forms(type) !== "rounded"',
    tests: ["packages/target-js/test/functions.test.ts"],
  },
];
