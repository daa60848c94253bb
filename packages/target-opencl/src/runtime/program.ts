/** Programs of OpenCL. */
import type { Manifest } from "@groupwise/core";
import { type Handle, limit, type Pool } from "@groupwise/core/queue";
import { errorOf } from "@groupwise/core/target";
import type { KeptCode } from "@groupwise/target-c/native";
import { buildProgram } from "../device/build.ts";
import { CL } from "../device/constants.ts";
import type { OpenClDevice } from "../device/device.ts";
import type { OpenCl } from "../device/ffi.ts";
import { hasSubgroups } from "../print/capabilities.ts";
import { REDUX } from "../print/lane-reductions.ts";
import { EXTENSIONS } from "../print/spelling.ts";

/** A device that programs are built for, and its queue. */
export interface OpenedDevice {
  /** The library, whose errors name what it is used for. */
  readonly cl: OpenCl;
  readonly info: OpenClDevice;
  readonly device: Handle;
  readonly context: Handle;
  readonly queue: Handle;
  readonly kept?: KeptCode | undefined;
}

/** The requirements of manifests, and the tests of a device for them. */
const FEATURES: Readonly<Record<string, (info: OpenClDevice) => boolean>> = {
  "correctly-rounded-divide": (info) => info.floats.correctlyRoundedDivide,
  // Whether they are as kernels expect is tried out apart.
  subgroups: hasSubgroups,
  ...Object.fromEntries(
    EXTENSIONS.map(({ feature, name }) => [feature, (info: OpenClDevice) => info.extensions.includes(name)]),
  ),
};

/** Whether a device has what a manifest requires. */
export const hasFeature = (info: OpenClDevice, what: string): boolean => FEATURES[what]?.(info) ?? false;

/**
 * The kernels of a program text by entry point.
 * @param pool retains what is made
 * @throws GroupwiseError `device-error` with the build log, `device-limit`
 */
export async function kernelsOf(
  opened: OpenedDevice,
  manifest: Manifest,
  text: string,
  pool: Pool,
): Promise<ReadonlyMap<string, Handle>> {
  const { cl, device, info } = opened;
  const { program, status } = await buildProgram(opened, pool, text, buildOptions(manifest, info));
  if (status !== 0) {
    const log = cl.text("clGetProgramBuildInfo", program, device, CL.PROGRAM_BUILD_LOG);
    const reason = `it did not build the program: ${log}`;
    throw errorOf("device-error", { device: cl.device, reason }, cl.where);
  }
  const kernels = new Map<string, Handle>();
  for (const { entryPoint, workGroupSize } of manifest.passes) {
    const kernel = cl.own(pool, "clReleaseKernel", cl.make("clCreateKernel", program, entryPoint));
    kernels.set(entryPoint, kernel);
    // The compiler accepted the size that the kernel requires: see QUIRKS.reportedSize.
    const sides = cl.integer("clGetKernelWorkGroupInfo", kernel, device, CL.KERNEL_COMPILE_WORK_GROUP_SIZE);
    if (Number(BigInt.asUintN(64, sides)) === workGroupSize) continue;
    const most = cl.integer("clGetKernelWorkGroupInfo", kernel, device, CL.KERNEL_WORK_GROUP_SIZE);
    limit("work-items in a work-group", workGroupSize, Number(most), entryPoint);
  }
  return kernels;
}

/**
 * Options of the newest language version with the functions that the text could use: work-group functions are a feature of 3.0 and
 * part of 2.x, subgroups need more than 1.2. Otherwise those of 1.2. NVIDIA's devices may have an instruction besides.
 */
export function buildOptions(manifest: Manifest, info: OpenClDevice): string {
  const { buildOptionsRedux } = manifest.flags;
  const options = languageOptions(manifest, info);
  const hasRedux = info.computeCapability !== undefined && info.computeCapability >= REDUX.since;
  return buildOptionsRedux !== undefined && hasRedux ? `${options} ${buildOptionsRedux}` : options;
}

function languageOptions({ flags, requires }: Manifest, info: OpenClDevice): string {
  const { buildOptions: portable = "-cl-std=CL1.2", buildOptionsCL2, buildOptionsCL3 } = flags;
  const isListed =
    info.features.includes("__opencl_c_work_group_collective_functions") || requires.includes("subgroups");
  if (buildOptionsCL3 !== undefined && isListed && info.languages.includes("3.0"))
    return String(buildOptionsCL3);
  if (buildOptionsCL2 !== undefined && /^OpenCL C 2\./.test(info.languageVersion))
    return String(buildOptionsCL2);
  return String(portable);
}
