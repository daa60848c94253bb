/** The files of `groupwise emit --target opencl --mpi`. */

import type { Artifact, EmitOptions, PipelineSource, SourceFile } from "@groupwise/core";
import { emitCarried } from "@groupwise/core/state";
import { errorOf, OBJECT, pipelineOf, requireArgument } from "@groupwise/core/target";
import { type DeviceCall, type DeviceParts, emitMpi as emitLoops } from "@groupwise/target-c/mpi";
import { opencl } from "../../print/target.ts";
import { printHeader } from "../host/c-header.ts";
import { headerOf } from "../host/index.ts";
import { printDevice } from "./device.ts";

/** Options that the emitted functions do not support, with the reasons. */
const REFUSED = {
  subgroups: ["subgroups", "the emitted functions do not test those of a device, as runtimes do"],
  lookBack: [
    "look-back",
    "it is slower than two passes without subgroups, which the emitted functions do not test",
  ],
  split: ["arrays in parts", "the emitted functions cut long arrays themselves"],
  inPlace: ["outputs in place", "the items of a part are read twice"],
} as const;

/**
 * A pipeline over the ranks of an MPI communicator, each with an OpenCL device of its machine: functions that a host calls
 * collectively, a program on files, and their CMake project. Kernels compute aligned blocks of items; C computes shorter pieces and
 * merges states. Deterministic.
 * @throws GroupwiseError `not-carried` if a part of the pipeline needs items of other ranks; `unsupported` for options that need
 * a tested device; as `emit`
 * @example
 * ```ts
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { emitMpi } from "@groupwise/target-opencl/mpi";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const { files } = emitMpi(sums);
 * console.log(files[0]?.path); // "gw_sums.c"
 * ```
 */
export function emitMpi(source: PipelineSource, options: EmitOptions = {}): Artifact {
  const pipeline = pipelineOf(source);
  requireArgument(options, OBJECT, "the options", pipeline.name);
  for (const [option, [what, reason]] of Object.entries(REFUSED))
    if (options[option as keyof typeof REFUSED])
      throw errorOf("unsupported", { what, reason }, pipeline.name);
  const { command } = options;
  const loops = emitLoops(pipeline, command === undefined ? {} : { command }, (call) =>
    deviceParts(emitCarried(call.carried, opencl, options), call),
  );
  return { manifest: { ...loops.manifest, target: opencl.name }, files: loops.files };
}

function deviceParts(artifact: Artifact, call: DeviceCall): DeviceParts {
  const { manifest } = artifact;
  const header = headerOf(manifest);
  const text = printHeader(manifest, `${manifest.pipeline}.cl`, manifest.command);
  const files: SourceFile[] = [...artifact.files, { path: header, text }];
  return {
    code: printDevice(artifact, header, call),
    files,
    cmakePackage: "OpenCL",
    library: "OpenCL::OpenCL",
  };
}
