import { conformance, isFullRun } from "@groupwise/testkit/conformance";
import { openclCapabilities } from "../src/index.ts";
import { pocl } from "./support.ts";

// Outside of full runs the other checks of the sample run as interpreted kernels and in JavaScript, at more sizes. CI has all here.
// In full runs PoCL optimises these, and not those of `conformance-rest.test.ts`.
conformance("PoCL", () => pocl(), {
  slowCompiler: true,
  effort: isFullRun() ? "normal" : "quick",
  share: "few",
  fullShare: "sample",
});
// Each operator has the same code in work-groups of every size: floats and what represents the other checks show the sizes.
if (isFullRun())
  conformance("PoCL, every operator at more sizes", () => pocl(), {
    slowCompiler: true,
    effort: "full",
    only: (name) => /^every (work-group|device) collective of (f32|i64)/.test(name),
  });
// What is emitted where no device is known: doubles in words, halves in f32, the language's own functions by choice. All
// checks of emulated types run in JavaScript and on lavapipe.
conformance("PoCL without native doubles", () => pocl({ capabilities: openclCapabilities() }), {
  slowCompiler: true,
  effort: isFullRun() ? "normal" : "quick",
  share: "sample",
  fullShare: "sample",
  // In other runs JavaScript and lavapipe have the emulated types.
  only: (name) =>
    (isFullRun() || /^wide-mix/.test(name)) &&
    /\b(f64|f16|every type)\b|^(doubles|halves|wide-mix|unread-wide|constants-in-halves):/.test(name),
});
