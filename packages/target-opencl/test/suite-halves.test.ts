/** Halves that are held in f32 and rounded by the language's conversions, as on GPUs with subgroups of 32. */
import { conformance } from "@groupwise/testkit/conformance";
import { poclConverting } from "./support.ts";

conformance("PoCL, halves by conversions,", poclConverting, {
  slowCompiler: true,
  effort: "quick",
  only: (name) => /\bf16\b|\bhalf\b|\bhalves\b|^wide-mix|^long-types/.test(name),
});
