/** Halves that are held in f32 and rounded by the language's conversions, as on GPUs with subgroups of 32. */
import { conformance, isFullRun } from "@groupwise/testkit/conformance";
import { poclConverting } from "./support.ts";

/** Outside of full runs every value, and collectives in a work-group: the other texts call the same functions. */
const FEW = /65,536|^every work-group collective of f16, work-groups of 7$/;

conformance("PoCL, halves by conversions,", poclConverting, {
  slowCompiler: true,
  effort: "quick",
  only: (name) =>
    (isFullRun() || FEW.test(name)) && /\bf16\b|\bhalf\b|\bhalves\b|^wide-mix|^long-types/.test(name),
});
