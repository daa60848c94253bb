/** Less work-group memory where a translator zeroes it by a store for each word. */
import { type Capabilities, GroupwiseError, type Manifest } from "@groupwise/core";
import type { Earned } from "@groupwise/core/target";

/** naga's translation to OpenGL ES leaves u32 / 0 to the device, which shows it. The reason and the sizes are in docs/decisions/zeroed-words.md. */
const ROW = "u32 div";
/** Bytes that are zeroed soon. */
export const SOON = 1024;
/** Bytes of work-group memory, and work-items of a tile, for kernels that have more. */
export const FEW = 4096;
const WORK_GROUP_SIZE = 64;

/** Whether the device is known to zero words: then a first plan is seldom the one that it compiles. */
export const isZeroing = ({ inexact }: Earned): boolean => inexact.includes(ROW);

/** Whether the device takes long to compile the kernels because of their work-group memory. */
export async function zeroesWords(earned: Earned, { passes, pipeline }: Manifest): Promise<boolean> {
  if (passes.every(({ workGroupBytes }) => workGroupBytes <= SOON)) return false;
  return (await earned.failed({ assumes: [ROW], pipeline })).length > 0;
}

export const inFewWords = (known: Capabilities): Capabilities => ({
  ...known,
  workGroupMemory: Math.min(known.workGroupMemory, FEW),
  tile: { ...known.tile, workGroupSize: Math.min(known.tile.workGroupSize, WORK_GROUP_SIZE) },
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
