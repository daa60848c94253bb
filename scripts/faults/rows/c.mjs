/** Faults of the C target: undefined behaviour, and the checked function around the loops. */
const SANITIZED = ["packages/target-c/test/sanitized.test.ts"];
const STATUSES = ["packages/target-c/test/statuses.test.ts"];
const THREADS = ["packages/target-c/test/openmp.test.ts"];
const OPENMP = "packages/target-c/src/openmp";
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
  {
    id: "openmp-merge-turned",
    about: "the state of a part is merged before that of the parts before it",
    file: `${OPENMP}/code.ts`,
    find: "&states[part - 1], &states[part], &states[part]",
    replace: "&states[part], &states[part - 1], &states[part]",
    tests: THREADS,
    name: "every operator by gcc",
  },
  {
    id: "openmp-alone",
    about: "a part continues the state of the part before it alone",
    file: `${OPENMP}/code.ts`,
    find: "part < threads && status == GW_OK; part++",
    replace: "part < 2 && status == GW_OK; part++",
    tests: THREADS,
    name: "every operator by gcc",
  },
  {
    id: "openmp-first-items",
    about: "each thread reads and writes the first items of the range",
    file: `${OPENMP}/code.ts`,
    find: "$" + "{name} + from` : name",
    replace: "$" + "{name}` : name",
    tests: THREADS,
    name: "every kind of pipeline",
  },
  {
    id: "openmp-first-totals",
    about: "the result of a reduce is that of the items before the last part",
    file: `${OPENMP}/code.ts`,
    find: 'count: "count", isLast: "part == threads" }',
    replace: 'count: "count", isLast: "part == threads - 1" }',
    tests: THREADS,
    name: "every kind of pipeline",
  },
  {
    id: "openmp-in-one",
    about: "a pipeline whose parts need one another runs in parts",
    file: "packages/core/src/ir/state/division.ts",
    find: "  refuseParts(checked.pipeline);\n",
    replace: "",
    tests: THREADS,
    name: "every kind of pipeline",
  },
];
