/** Less work-group memory where a translator zeroes it by a store for each word. */
import { type Capabilities, GroupwiseError, type Manifest } from "@groupwise/core";
import type { Earned } from "@groupwise/core/target";
import { QUIRKS } from "../print/quirks.ts";

const { row, bytes, workGroupMemory, workGroupSize } = QUIRKS.zeroedWords.value;

/** Whether the device takes long to compile the kernels because of their work-group memory. */
export async function zeroesWords(earned: Earned, { passes, pipeline }: Manifest): Promise<boolean> {
  if (passes.every(({ workGroupBytes }) => workGroupBytes <= bytes)) return false;
  return (await earned.failed({ assumes: [row], pipeline })).length > 0;
}

export const inFewWords = (known: Capabilities): Capabilities => ({
  ...known,
  workGroupMemory: Math.min(known.workGroupMemory, workGroupMemory),
  tile: { ...known.tile, workGroupSize: Math.min(known.tile.workGroupSize, workGroupSize) },
});

/** The plan in few words, or the other one if these are too few for it. */
export async function orWithMore<T>(few: Promise<T>, other: T): Promise<T> {
  try {
    return await few;
  } catch (error) {
    if (error instanceof GroupwiseError && error.code === "device-limit") return other;
    throw error;
  }
}
