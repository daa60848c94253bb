/**
 * Parts of the names of test files that have more to run in a full run: all checks on the devices that are slow to
 * compile for, and longer sweeps of numerics, shapes and options. `npm run test:full -- conformance races` runs those
 * named. Vitest looks for a part within a package; one with a slash begins at the root.
 */
export const LONGER = {
  /** The files that CI runs. */
  ci: ["conformance", "expansions", "wide", "header", "look-back.test", "races", "exact"],
  /** The devices that compile slowest, and tests that find few faults that the others do not. */
  rest: [
    "packages/target-wgsl/test/suite.test",
    "suite-rest",
    "sanitized",
    "packages/target-c/test/mpi",
    "packages/target-opencl/test/mpi",
    "warnings",
    "suite-limits",
    "suite-swiftshader",
    "look-back-suite",
    "pocl6",
    "random",
    "documents",
    "cost",
    "names",
    "browser",
    "equivalence",
    "report.test",
    "guard.test",
    "packages/bench/test/lengths",
    "packages/bench/test/passes",
    "packages/bench/test/sweeps.test",
    "packages/cli/test/explain",
    "packages/dsl/test/consumers",
    "packages/bench/test/hashes",
    "packages/bench/test/states",
    "packages/target-opencl/test/any-order",
    "packages/target-opencl/test/emit",
    "packages/target-opencl/test/host",
    "packages/target-opencl/test/lengths",
    "packages/target-opencl/test/native",
    "packages/target-opencl/test/recording",
    "packages/target-wgsl/test/emit",
    "packages/target-wgsl/test/run.test",
    "packages/target-wgsl/test/lengths",
    "packages/target-wgsl/test/recording",
    "packages/target-wgsl/test/any-order",
    "packages/target-wgsl/test/counts",
    "packages/target-wgsl/test/deno",
    "packages/primitives/test/devices",
    "packages/arrow/test/devices",
    "packages/primitives/test/select",
    "radix-sort",
    "examples/test",
    "small-tiles",
    "goldens",
    "millions",
    "packages/core/test/functions",
    "packages/primitives/test/properties",
    "packages/target-js/test/functions",
    "apps/docs/test/tutorials",
    "apps/docs/test/adapters",
    "packages/target-js/test/engines",
    "packages/create-groupwise/test/projects",
    "scripts/registry",
    "scripts/release",
  ],
};

/** The files of a full run: those that are named, CI's part for `ci`, or all. */
export const longer = (args) =>
  args.length === 0
    ? [...LONGER.ci, ...LONGER.rest]
    : args.flatMap((arg) => (arg === "ci" ? LONGER.ci : [arg]));
