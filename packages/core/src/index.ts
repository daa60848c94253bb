export * from "./errors.ts";
export * from "./ir/check.ts";
export * from "./ir/expr-op.ts";
export * from "./ir/node.ts";
export * from "./literal.ts";
export * from "./op.ts";
export * from "./reference.ts";
export * from "./scalar.ts";
