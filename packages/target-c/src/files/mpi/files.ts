/** The files of `groupwise emit --target c --mpi`. */
import type { Artifact, EmitOptions, PipelineSource, SourceFile } from "@groupwise/core";
import { pipelineOf } from "@groupwise/core/target";
import { fileOf } from "../../print/names.ts";
import type { DeviceWriter } from "../state/device.ts";
import { spelled } from "../state/files.ts";
import { ranksOf } from "../state/ranks.ts";
import { printProject } from "./cmake.ts";
import { printMpiCode } from "./code.ts";
import { printMpiHeader } from "./header.ts";
import { printProgram } from "./program/main.ts";

/**
 * A pipeline over the ranks of an MPI communicator: functions that a host calls collectively, a program on files, and their
 * CMake project. Each rank computes the state of its items, MPI combines states in the order of ranks, and each rank continues from
 * the state before its items. If items need results of all items, the items are read once more for each round of such results. If scans
 * begin at the last item, the last rank is the first one. Deterministic.
 * @param device writes the files of a device, which runs long pieces in place of the loops
 * @throws GroupwiseError `not-carried` if a part of the pipeline needs items of other ranks; as `emit`
 * @example
 * ```ts
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { emitMpi } from "@groupwise/target-c/mpi";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const { files } = emitMpi(sums);
 * console.log(files[0]?.path); // "gw_sums.c"
 * ```
 */
export function emitMpi(source: PipelineSource, options: EmitOptions = {}, device?: DeviceWriter): Artifact {
  const { ranks, files } = ranksOf(pipelineOf(source), options, device);
  const { manifest } = ranks.given.artifact;
  const base = fileOf(manifest.pipeline);
  const own: SourceFile[] = [
    { path: `${base}_mpi.h`, text: spelled(printMpiHeader(ranks)) },
    { path: `${base}_mpi.c`, text: spelled(printMpiCode(ranks)) },
    { path: `${base}_mpi_main.c`, text: spelled(printProgram(ranks)) },
  ];
  const sources = [...files, ...own].map(({ path }) => path).filter((path) => path.endsWith(".c"));
  const project = { path: "CMakeLists.txt", text: printProject(manifest, sources, ranks.given.device) };
  return { manifest, files: [...files, ...own, project] };
}
