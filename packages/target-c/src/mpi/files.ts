/** The files of `groupwise emit --target c --mpi`. */
import type { Artifact, EmitOptions, PipelineSource, SourceFile } from "@groupwise/core";
import { refuseParts } from "@groupwise/core/state";
import { pipelineOf } from "@groupwise/core/target";
import { fileOf } from "../print/names.ts";
import type { DeviceWriter } from "../state/device.ts";
import { chunkFiles, spelled } from "../state/files.ts";
import { printProject } from "./cmake.ts";
import { printMpiCode } from "./code.ts";
import { printMpiHeader } from "./header.ts";
import { printProgram } from "./program/main.ts";

/**
 * A pipeline over the ranks of an MPI communicator: functions that a host calls collectively, a program on files, and their
 * CMake project. Each rank computes the state of its items, MPI combines states in the order of ranks, and each rank continues from
 * the state before its items. Deterministic.
 * @param device writes the files of a device, which runs long pieces in place of the loops
 * @throws GroupwiseError `not-carried` if a part of the pipeline needs items of other ranks; as `emit`
 */
export function emitMpi(source: PipelineSource, options: EmitOptions = {}, device?: DeviceWriter): Artifact {
  const pipeline = pipelineOf(source);
  const { given, files } = chunkFiles(pipeline, options, device);
  refuseParts(pipeline);
  refuseParts(given.carried.pipeline);
  const { manifest } = given.artifact;
  const base = fileOf(manifest.pipeline);
  const own: SourceFile[] = [
    { path: `${base}_mpi.h`, text: spelled(printMpiHeader(given)) },
    { path: `${base}_mpi.c`, text: spelled(printMpiCode(given)) },
    { path: `${base}_mpi_main.c`, text: spelled(printProgram(given)) },
  ];
  const sources = [...files, ...own].map(({ path }) => path).filter((path) => path.endsWith(".c"));
  const project = { path: "CMakeLists.txt", text: printProject(manifest, sources, given.device) };
  return { manifest, files: [...files, ...own, project] };
}
