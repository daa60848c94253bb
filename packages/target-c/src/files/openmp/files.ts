/** The files of `groupwise emit --target c --openmp`. */
import {
  type Artifact,
  check,
  type EmitOptions,
  emit,
  GroupwiseError,
  type Manifest,
  type Pipeline,
  type PipelineSource,
  printManifest,
} from "@groupwise/core";
import { unmarked } from "@groupwise/core/kernel";
import {
  type Carried,
  carriedIn,
  type Division,
  divisionOf,
  refuseParts,
  totalsOnly,
} from "@groupwise/core/state";
import { pipelineOf, withoutUnread } from "@groupwise/core/target";
import { callOf } from "../../print/calls.ts";
import { fileOf, symbolOf } from "../../print/names.ts";
import { c } from "../../print/target.ts";
import { type CarriedC, carriedInC } from "../state/carried.ts";
import { filesOf, spelled } from "../state/files.ts";
import { printParallelCode } from "./code.ts";
import { parallelArguments, printParallelHeader } from "./header.ts";

/** A pipeline whose parts are computed in parallel. */
export interface DividedPipeline {
  readonly division: Division;
  /** Its loops over a part. */
  readonly loops: CarriedC;
  /** Given for the parts of a chunk, which goes on from a state. */
  readonly chunk?: Carried;
}

/**
 * A pipeline on one thread and on several: besides the files of `emit`, `gw_NAME_parallel.h` declares a function with the same arguments
 * and a number of threads, which computes parts of the range in parallel through OpenMP. Results are those of one thread, bit for bit.
 * A pipeline whose parts need one another otherwise than by scans and reduces runs on one thread; the header states the reason. Deterministic.
 * @param options with `carrying`, both functions take the state before a chunk and return the state after it
 * @throws GroupwiseError as `emit`
 * @example
 * ```ts
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { emitOpenMp } from "@groupwise/target-c/openmp";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const { files } = emitOpenMp(sums);
 * console.log(files[0]?.path); // "gw_sums.c"
 * ```
 */
export function emitOpenMp(source: PipelineSource, options: EmitOptions = {}): Artifact {
  const pipeline = pipelineOf(source);
  const whole = emit(pipeline, c, options);
  const file = fileOf(whole.manifest.pipeline);
  const { carrying, ...rest } = options;
  const chunk = carriedIn(carrying);
  // Callers pass what the function on one thread reads; states before a chunk have values of all scans.
  const made = dividedOrWhy(chunk?.source.pipeline ?? withoutUnread(check(pipeline)).pipeline, rest);
  const divided = typeof made === "string" || !chunk ? made : { ...made, chunk };
  const parts = typeof divided === "string" ? [] : filesOf(divided.loops).files.filter(isCode);
  const texts = [
    { path: `${file}_parallel.h`, text: spelled(printParallelHeader(whole.manifest, divided)) },
    { path: `${file}_parallel.c`, text: spelled(printParallelCode(whole.manifest, divided)) },
    ...parts,
  ];
  const sources = [...whole.files, ...texts].map(({ path }) => path).filter((path) => path.endsWith(".c"));
  const parallel = `${symbolOf(whole.manifest)}_parallel`;
  const manifest: Manifest = {
    ...whole.manifest,
    calls: [
      ...(whole.manifest.calls ?? []),
      callOf(whole.manifest, parallel, parallelArguments(whole.manifest), "function"),
    ],
    flags: {
      ...whole.manifest.flags,
      buildOptions: `${whole.manifest.flags.buildOptions} -fopenmp`,
      ...(typeof divided !== "string" && { division: divided.division }),
      parallel,
      parallelHeader: `${file}_parallel.h`,
      sources: sources.join(";"),
    },
  };
  const files = whole.files.map((one) => (isCode(one) ? one : { ...one, text: printManifest(manifest) }));
  return { manifest, files: [...files, ...texts] };
}

const isCode = ({ path }: { readonly path: string }): boolean => /\.[ch]$/.test(path);

/** The loops over parts, or the reason why there are none. */
function dividedOrWhy(pipeline: Pipeline, options: EmitOptions): DividedPipeline | string {
  try {
    const name = partsName(pipeline.name);
    const loops = carriedInC({ ...pipeline, name }, options);
    const division = divisionFor(pipeline, loops);
    if (division === "map") return { division, loops };
    const { inPlace: _, ...rest } = options;
    const totals = totalsOnly(check({ ...pipeline, name: `${name}-states` })).pipeline;
    return { division, loops: { ...loops, totalsOnly: onlyGiven(carriedInC(totals, rest)) } };
  } catch (error) {
    if (error instanceof GroupwiseError && REFUSALS.includes(error.code)) return error.what;
    throw error;
  }
}

/** The kind of a pipeline. Elements that items append are at positions that need the states of earlier parts. */
function divisionFor(pipeline: Pipeline, { appended, carried }: CarriedC): Division {
  if (appended.length === 0) return divisionOf(pipeline);
  refuseParts(pipeline);
  refuseParts(carried.pipeline);
  return "scan";
}

/** `emit` accepts the pipeline, so these are about its parts. */
const REFUSALS: readonly string[] = ["not-carried", "in-place-refused", "unsupported"];

/** The name of the pipeline over parts, to which endings are appended; names have at most 64 characters. */
const partsName = (name: string): string => `${name.slice(0, 44).replace(/-+$/, "")}-parts`;

/** Without the outputs, which callers do not pass. */
const onlyGiven = (loops: CarriedC): CarriedC => {
  const { bindings } = loops.artifact.manifest;
  const outputs = bindings.filter(({ role }) => role === "output").map(({ name }) => name);
  return { ...loops, own: loops.own.filter(({ name }) => !outputs.includes(unmarked(name))) };
};
