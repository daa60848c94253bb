/** OpenCL C's features for the work-group functions that a compiler may have. */
import { GROUP_FEATURES, type GroupFeature } from "@groupwise/core/target";

interface OpenClFeature {
  /** Conditions of the preprocessor, one of which holds if the compiler guarantees the functions. */
  readonly promises: readonly string[];
  /** The extension to enable. */
  readonly extension?: string;
  /** The macro of an emitted file, and the end of that of a header. */
  readonly macro: string;
  readonly headerMacro: string;
}

export const OPENCL_FEATURES: Readonly<Record<GroupFeature, OpenClFeature>> = {
  "common-operators": {
    // A part of OpenCL C 2.x; a feature since 3.0.
    promises: [
      "defined(__opencl_c_work_group_collective_functions)",
      "(__OPENCL_C_VERSION__ >= 200 && __OPENCL_C_VERSION__ < 300)",
    ],
    macro: "GROUPWISE_COLLECTIVES",
    headerMacro: "NATIVE_COLLECTIVES",
  },
  "other-operators": {
    promises: ["defined(cl_khr_work_group_uniform_arithmetic)"],
    extension: "cl_khr_work_group_uniform_arithmetic",
    macro: "GROUPWISE_UNIFORM_ARITHMETIC",
    headerMacro: "NATIVE_ARITHMETIC",
  },
};

const define = (macro: string, { promises, extension }: OpenClFeature): readonly string[] => [
  `#if ${promises.join(" || \\\n    ")}`,
  ...(extension ? [`#pragma OPENCL EXTENSION ${extension} : enable`] : []),
  `#define ${macro} 1`,
  "#endif",
];

/** Lines of a header that define the macros of all features. */
export const headerFeatures = (macro: string): string =>
  GROUP_FEATURES.map((name) => OPENCL_FEATURES[name])
    .flatMap((feature) => define(macro + feature.headerMacro, feature))
    .join("\n");
