/** The files of a pipeline over chunks, with states as values of C. */
import type { EmitOptions, Pipeline, SourceFile } from "@groupwise/core";
import { spellNames } from "@groupwise/core/kernel";
import { fileOf } from "../../print/names.ts";
import { isReserved } from "../../print/spelling/keywords.ts";
import { type CarriedC, carriedInC } from "./carried.ts";
import { printStateCode } from "./code.ts";
import { type DeviceWriter, deviceCall, printDeviceHeader } from "./device.ts";
import { printStateHeader } from "./header.ts";

/** The emitted files for chunks, and the parts from which further files are printed. */
export interface ChunkFiles {
  readonly given: CarriedC;
  readonly files: readonly SourceFile[];
}

/** What loops over a chunk depend on, besides the pipeline and the options. */
export interface ChunkChoice {
  /** Writes the files of the device that runs long pieces. */
  readonly device?: DeviceWriter | undefined;
  /** Whether the first item is the last element of arrays. */
  readonly isTurned?: boolean;
}

/** @throws GroupwiseError `not-carried`; as `emit` */
export function chunkFiles(
  pipeline: Pipeline,
  options: EmitOptions,
  { device, isTurned = false }: ChunkChoice = {},
): ChunkFiles {
  const loops = carriedInC(pipeline, options, isTurned);
  const given = device ? { ...loops, device: device(deviceCall(loops, pipeline, options)) } : loops;
  return filesOf(given);
}

/** The files of loops over a chunk. */
export function filesOf(given: CarriedC): ChunkFiles {
  const { artifact, blocks, totals, totalsOnly } = given;
  const base = fileOf(artifact.manifest.pipeline);
  const sources = [
    artifact,
    ...[totalsOnly, blocks, totals].flatMap((part) => (part ? [part.artifact] : [])),
  ];
  return {
    given,
    files: [
      ...sources.flatMap(({ files }) => files),
      { path: `${base}_state.c`, text: spelled(printStateCode(given)) },
      { path: `${base}_state.h`, text: spelled(printStateHeader(given)) },
      ...deviceFiles(given, base),
    ],
  };
}

function deviceFiles(given: CarriedC, base: string): readonly SourceFile[] {
  const { device } = given;
  if (!device) return [];
  return [
    { path: `${base}_device.c`, text: spelled(device.code) },
    { path: `${base}_device.h`, text: spelled(printDeviceHeader(given)) },
    ...device.files,
  ];
}

/** The text with the names of the document. */
export const spelled = (text: string): string => spellNames(text, isReserved);
