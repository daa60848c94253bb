/**
 * Tests that only the full run includes, each with the reason for its duration, or with the test that covers the same in
 * `npm test`.
 * `tests` is matched with the full names of the tests of `file`.
 */
export const FULL_ONLY = [
  {
    file: "packages/bench/test/cost.test.ts",
    tests: /^opencl /,
    why: "counted for WGSL, whose lowering is the same",
  },
  {
    file: "packages/bench/test/emit-cost.test.ts",
    tests: /^'?opencl'? calls/,
    why: "counted for WGSL, whose lowering is the same",
  },
  {
    file: "packages/bench/test/emit-cost.test.ts",
    tests: /^'?c'? calls/,
    why: "counted for JavaScript, whose lowering is the same",
  },
  {
    file: "packages/dsl/test/consumers.test.ts",
    tests: /^'?TypeScript 6'? takes the declarations by '?bundler/,
    why: "TypeScript 7 takes them by bundler, TypeScript 6 by nodenext",
  },
  {
    file: "packages/bench/test/documents.test.ts",
    tests: /hidden-lengths-beyond-the-limit-of-nodes/,
    why: "ten seconds of emitting 4,096 nodes",
  },
  {
    file: "packages/bench/test/lengths.test.ts",
    tests: /./,
    why: "arrays in parts are in the tests of target-wgsl",
  },
  {
    file: "packages/target-c/test/sanitized.test.ts",
    tests: /^C without the compiler's own functions/,
    why: "gcc's sanitizers run the same loops",
  },
  {
    file: "packages/target-opencl/test/small-tiles.test.ts",
    tests: /./,
    why: "small tiles run in JavaScript by the interpreter of kernels, and on Oclgrind",
  },
  {
    file: "packages/target-opencl/test/conformance.test.ts",
    tests: /^PoCL without native doubles conforms (?!wide-mix|every device collective of f16)/,
    why: "emulated types run in JavaScript and on lavapipe",
  },
  {
    file: "packages/target-opencl/test/header.test.ts",
    tests: /^'?(u32|i64|bool|f16|f32|u64)'? overloads/,
    why: "i32 and f64 have every overload",
  },
  {
    file: "packages/target-opencl/test/host.test.ts",
    tests: /^the demonstration tells where none/,
    why: "the demonstration before it takes the same way",
  },
  {
    file: "packages/target-opencl/test/recording.test.ts",
    tests: /in place: (a scan|a scan of work-groups|two of two)$/,
    why: "a scan of words, and lavapipe, take the same ways",
  },
  {
    file: "packages/target-opencl/test/pocl6.test.ts",
    tests: /operator on|function on|line-index|exclusive minima|gather-grid/,
    why: "PoCL 3.1 runs the same texts",
  },
  {
    file: "packages/target-opencl/test/pocl6-random.test.ts",
    tests: /trees of f16|small pipelines/,
    why: "PoCL 3.1 runs the same texts",
  },
  {
    file: "packages/target-opencl/test/any-order.test.ts",
    tests: /within the bound: f(16|64)$/,
    why: "f32 here, all types in JavaScript",
  },
  {
    file: "packages/target-opencl/test/lengths.test.ts",
    tests: /^every one of more than 2\^31 items/,
    why: "JavaScript has as many",
  },
  {
    file: "packages/target-wgsl/test/look-back.test.ts",
    tests: /^tiles that never publish maps/,
    why: "sums show the same walk; maps run on Oclgrind and in the suite",
  },
  {
    file: "packages/target-wgsl/test/recording.test.ts",
    tests: /^WGSL on lavapipe without optional features/,
    why: "the kernels of a device with them, and PoCL's",
  },
  {
    file: "packages/target-wgsl/test/suite-limits.test.ts",
    tests: /operator on f64|argmax|line-index|no-algebra|gather-grid|sort-bytes/,
    why: "the texts are those of a device with the features",
  },
  {
    file: "packages/target-wgsl/test/browser.test.ts",
    tests: /operator on f64|work-group collective of f32|function on|line-index|gather-grid|exclusive minima/,
    why: "SwiftShader runs the same texts in Node",
  },
  {
    file: "packages/target-wgsl/test/suite-swiftshader.test.ts",
    tests: /operator on f64|line-index|exclusive minima/,
    why: "lavapipe and SwiftShader's look-back run them",
  },
  {
    file: "packages/target-wgsl/test/look-back-suite.test.ts",
    tests: /exclusive minima|sort-bytes/,
    why: "they do not look back, and run on SwiftShader without it",
  },
  {
    file: "packages/target-wgsl/test/run.test.ts",
    tests: /^several levels of totals tiles of (2 x 1|8 x 4)/,
    why: "tiles of 4 x 2 and 1 x 2 have as many levels",
  },
  {
    file: "packages/target-wgsl/test/lengths.test.ts",
    tests: /of bool$|^any limits/,
    why: "u32 and i64 are split into parts as well; three minutes of compiling for random limits",
  },
  {
    file: "packages/target-wgsl/test/any-order.test.ts",
    tests: /sums in the fixed order beside it/,
    why: "PoCL and JavaScript show it",
  },
  {
    file: "apps/docs/test/adapters.test.ts",
    tests: /^at work/,
    why: "npm fetches both libraries",
  },
  {
    file: "apps/docs/test/tutorials.test.ts",
    tests: /in an empty folder$/,
    why: "npm's installations, compilers and servers",
  },
  {
    file: "packages/target-wgsl/test/suite.test.ts",
    tests: /sort-bytes/,
    why: "SwiftShader runs the same text; ten seconds of compiling",
  },
];

/** The reason why a test is left to the full run; undefined if it is not. */
export function whyLater(path, name) {
  const row = FULL_ONLY.find(({ file, tests }) => path.endsWith(`/${file}`) && tests.test(name));
  return row && `in the full run: ${row.why}`;
}
