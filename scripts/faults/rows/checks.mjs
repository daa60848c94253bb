/** Faults of what checks documents, kernels and launches. */
const SRC = "packages/core/src";
const TEST = "packages/core/test";

export const CHECKS = [
  {
    id: "check-identity",
    about: "any identity of a collective is accepted",
    file: `${SRC}/ir/check.ts`,
    find: "if (this.applies(node, OPS, type)) this.identity(node, type);",
    replace: "this.applies(node, OPS, type);",
    tests: [`${TEST}/check.test.ts`],
  },
  {
    id: "verify-barrier",
    about: "a barrier is accepted where not every work-item comes",
    file: `${SRC}/kernel/verify.ts`,
    find: "this.together = before && uniform;",
    replace: "this.together = before;",
    tests: [`${TEST}/verify.test.ts`],
  },
  {
    id: "interval-remainder",
    about: "a remainder is thought to stay below the divisor by two",
    file: `${SRC}/kernel/interval.ts`,
    find: "Math.min(a[1], b[1] - 1)",
    replace: "Math.min(a[1], b[1] - 2)",
    tests: [`${TEST}/interval.test.ts`],
  },
  {
    id: "interval-or",
    about: "a bitwise or is thought to stay below the greater operand",
    file: `${SRC}/kernel/interval.ts`,
    find: "or: (a, b) => [Math.max(a[0], b[0]), bitsAbove(a[1], b[1])]",
    replace: "or: (a, b) => [Math.max(a[0], b[0]), Math.max(a[1], b[1])]",
    tests: [`${TEST}/interval.test.ts`],
  },
  {
    id: "cache-freed-early",
    about: "what two users share is freed after the first of them",
    file: `${SRC}/runtime/cache.ts`,
    find: "      if (entry.users > 0) return;\n",
    replace: "",
    tests: [`${TEST}/runtime.test.ts`],
    expects: "a cache whose users share things",
  },
  {
    id: "cache-keeps-failures",
    about: "what could not be made stays in the cache",
    file: `${SRC}/runtime/cache.ts`,
    find: "      release();\n      throw error;",
    replace: "      throw error;",
    tests: [`${TEST}/runtime.test.ts`],
    expects: "keeps no failure",
  },
];
