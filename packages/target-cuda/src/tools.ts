/**
 * The target for tools.
 * @module
 */
import { type DeviceSurvey, surveyMissing, type TargetTools } from "@groupwise/core/target";
import { cuda } from "./index.ts";

const survey = async (): Promise<DeviceSurvey> =>
  surveyMissing("a runtime of CUDA", "this release only emits CUDA C++", "nvcc, or --target opencl to run");

/** CUDA C++ for command lines and benchmarks. */
export const cudaTools: TargetTools = {
  target: cuda,
  isEverywhere: false,
  survey,
  quirks: {},
  hosts: {},
};
