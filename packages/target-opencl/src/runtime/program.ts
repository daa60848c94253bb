/** A built program, and the runs of its kernels. */
import type { Manifest } from "@groupwise/core";
import { errorOf } from "@groupwise/core/target";
import { buildProgram } from "../device/build.ts";
import { CL } from "../device/constants.ts";
import type { OpenClDevice } from "../device/device.ts";
import type { Handle, OpenCl } from "../device/ffi.ts";
import type { Line } from "../device/line.ts";
import { type Owned, Pool } from "../device/owned.ts";
import type { Queues } from "../device/transfer.ts";
import { hasSubgroups } from "../print/capabilities.ts";
import { REDUX } from "../print/lane-reductions.ts";
import { EXTENSIONS } from "../print/spelling.ts";
import type { Arena } from "./scratch.ts";

/** The objects of a runtime that its programs use. */
export interface Session extends Queues {
  readonly cl: OpenCl;
  readonly info: OpenClDevice;
  readonly device: Handle;
  readonly line: Line;
  /** For runs and steps, which the queue does in order. */
  readonly scratch: Arena;
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

/** Kernels by entry point. */
export interface Built {
  /** The library, whose errors name the pipeline. */
  readonly cl: OpenCl;
  readonly kernels: ReadonlyMap<string, Handle>;
  readonly pool: Pool;
}

/**
 * Builds a program text.
 * @throws GroupwiseError `device-error` with the build log, `device-limit`, `unsupported`
 */
export async function build(session: Session, manifest: Manifest, text: string): Promise<Built> {
  const { context, device, info } = session;
  const cl = session.cl.for(session.cl.device, manifest.pipeline);
  for (const what of manifest.requires) {
    const has = FEATURES[what]?.(session.info) ?? false;
    const reason = `${session.info.name} does not support it`;
    if (!has) throw errorOf("unsupported", { what, reason }, manifest.pipeline);
  }
  for (const pass of manifest.passes) {
    limit("work-items in a work-group", pass.workGroupSize, session.info.maxWorkGroupSize, pass.entryPoint);
    limit("bytes of work-group memory", pass.workGroupBytes, session.info.localMemory, pass.entryPoint);
  }
  const pool = new Pool(cl);
  try {
    const options = buildOptions(manifest, info);
    const { program, status } = await buildProgram({ cl, context, info }, pool, text, options);
    if (status !== 0) {
      const log = cl.text("clGetProgramBuildInfo", program, device, CL.PROGRAM_BUILD_LOG);
      const reason = `it did not build the program: ${log}`;
      throw errorOf("device-error", { device: cl.device, reason }, cl.where);
    }
    const kernels = new Map<string, Handle>();
    for (const { entryPoint, workGroupSize } of manifest.passes) {
      const kernel = pool.add("kernel", cl.make("clCreateKernel", program, entryPoint));
      kernels.set(entryPoint, kernel);
      // The compiler accepted the size that the kernel requires: see QUIRKS.reportedSize.
      const sides = cl.integer("clGetKernelWorkGroupInfo", kernel, device, CL.KERNEL_COMPILE_WORK_GROUP_SIZE);
      if (Number(BigInt.asUintN(64, sides)) === workGroupSize) continue;
      const most = cl.integer("clGetKernelWorkGroupInfo", kernel, device, CL.KERNEL_WORK_GROUP_SIZE);
      limit("work-items in a work-group", workGroupSize, Number(most), entryPoint);
    }
    return { cl, kernels, pool };
  } catch (error) {
    pool.release();
    throw error;
  }
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

function limit(what: string, need: number, allowed: number, entryPoint: string): void {
  if (need > allowed) throw errorOf("device-limit", { what, need, limit: allowed }, `kernel ${entryPoint}`);
}

/** A built artifact, which is released when it is disposed and its last run is done. */
export interface Program {
  readonly manifest: Manifest;
  readonly built: Built;
  readonly owned: Owned;
}
