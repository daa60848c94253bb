/** Faults of the C target: undefined behaviour, and the checked function around the loops. */
const SANITIZED = ["packages/target-c/test/sanitized.test.ts"];
const STATUSES = ["packages/target-c/test/statuses.test.ts"];
const SPELLING = "packages/target-c/src/spelling";
const PRINT = "packages/target-c/src/print";

export const C = [
  {
    id: "c-shift",
    about: "a shift by the width or more, which C leaves undefined",
    file: `${SPELLING}/operators.ts`,
    find: "`($" + "{by} & $" + "{SCALARS[type].bits - 1}u)`",
    replace: "by",
    tests: SANITIZED,
    name: "gcc.*every element-wise operator on i32",
  },
  {
    id: "c-overflow",
    about: "signed sums that overflow",
    file: `${SPELLING}/operators.ts`,
    find: "return unsigned ? to(type, infix(op)(to(unsigned, a), to(unsigned, b))) : infix(op)(a, b);",
    replace: "return unsigned ? infix(op)(a, b) : infix(op)(a, b);",
    tests: SANITIZED,
    name: "gcc.*every element-wise operator on i32",
  },
  {
    id: "c-contraction",
    about: "gcc may fuse a product and a sum",
    file: `${PRINT}/emit.ts`,
    find: '#pragma GCC optimize("fp-contract=off")',
    replace: '#pragma GCC optimize("fp-contract=fast")',
    tests: ["packages/target-c/test/floats.test.ts"],
  },
  {
    id: "c-restrict",
    about: "pointers that may overlap: loops are versioned instead of vectorised",
    file: `${PRINT}/arguments.ts`,
    find: 'declared(one, "restrict")',
    replace: 'declared(one, "")',
    tests: ["packages/target-c/test/floats.test.ts"],
  },
  {
    id: "c-clear",
    about: "outputs of scatters keep what they held",
    file: `${PRINT}/entry.ts`,
    find: "of manifest.bindings.filter(isCleared))",
    replace: "of manifest.bindings.filter(isScratch))",
    tests: SANITIZED,
    name: "gcc.*(combine|gather-grid):",
  },
  {
    id: "c-empty-table",
    about: "the first element of a table that has none is read",
    file: `${PRINT}/entry.ts`,
    find: "> 0 ? $" + "{name} :",
    replace: ">= 0 ? $" + "{name} :",
    tests: STATUSES,
  },
  {
    id: "c-capacity",
    about: "terms of capacities may wrap in 32 bits",
    file: `${PRINT}/checks.ts`,
    find: "[...tests, ",
    replace: "[",
    tests: STATUSES,
  },
];
