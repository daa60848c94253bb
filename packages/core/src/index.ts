/**
 * The core of groupwise: element types and operators as tables, the Pipeline IR with its rules and its
 * reference meaning, what targets, artifacts and runtimes are, manifests, and errors as data.
 * The Kernel IR and what printers share stand in `@groupwise/core/kernel`, JSON documents in
 * `@groupwise/core/schema`.
 * @module
 */
export * from "./capabilities.ts";
export * from "./errors.ts";
export * from "./explain.ts";
export * from "./formula.ts";
export * from "./host.ts";
export * from "./ir/check.ts";
export * from "./ir/expr-op.ts";
export * from "./ir/node.ts";
export * from "./ir/operator.ts";
export * from "./ir/operator-apply.ts";
export * from "./ir/query.ts";
export * from "./ir/rate.ts";
export type { Memory } from "./kernel/memory.ts";
export * from "./literal.ts";
export type { Split } from "./lower/legalise/split.ts";
export type { OutputFacts } from "./lower/lengths.ts";
export { type Plan, splitPlan } from "./lower/lower.ts";
export {
  alignedBytes,
  type Binding,
  LEAST_SUBGROUP,
  type Manifest,
  type Pass,
  printManifest,
  SCRATCH_ALIGNMENT,
} from "./manifest.ts";
export * from "./op.ts";
export { printable } from "./quote.ts";
export * from "./reference.ts";
export { compileOptionsOf, foreignExecutable, optionsOf, recordOf } from "./runtime/arguments.ts";
export * from "./runtime/cache.ts";
export * from "./runtime/checks.ts";
export * from "./runtime/content-key.ts";
export * from "./runtime/host-array.ts";
export * from "./runtime/host-device.ts";
export * from "./runtime/layout.ts";
export * from "./runtime/none.ts";
export { checkedItems, checkedSides, type Lengths, type Range } from "./runtime/range.ts";
export * from "./runtime/scratch.ts";
export * from "./runtime/step.ts";
export * from "./runtime.ts";
export * from "./scalar.ts";
export {
  type SubgroupTrials,
  subgroupProblem,
  trySubgroups,
} from "./subgroups.ts";
export * from "./target.ts";
