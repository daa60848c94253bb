import { type Capabilities, GroupwiseError } from "@groupwise/core";
import { type CoreChunks, errorOf, type LookBack, type TileSize } from "@groupwise/core/target";
import { type Found, findOpenCl, found } from "@groupwise/testkit/devices";
import {
  capabilitiesOf,
  listOpenClDevices,
  type OpenClDevice,
  type OpenClOptions,
  type OpenClRuntime,
  openclRuntime,
} from "../src/runtime.ts";
import { gpuCapabilities } from "./as-gpu.ts";

/**
 * A runtime on PoCL with the capabilities of a GPU, whose texts run on no other device of the tests. The loader reads the environment at the process's first
 * OpenCL call.
 */
export async function pocl(options: OpenClOptions = {}): Promise<Found<OpenClRuntime>> {
  return poclAs(gpuCapabilities, options);
}

/** A runtime on PoCL as users open it: each work-item runs a chunk of the range. @param chunks shorter ones */
export async function poclInChunks(chunks?: CoreChunks): Promise<Found<OpenClRuntime>> {
  return poclAs((info) => ({ ...capabilitiesOf(info), ...(chunks && { chunks }) }));
}

/** {@link pocl} whose scans look back, through work-group memory, with two levels of slots: 1024 tiles of 4096 items. */
export async function poclLookingBack(
  more: Partial<LookBack> = {},
  maxItems: number = 1024 * 4096,
): Promise<Found<OpenClRuntime>> {
  const lookBack: LookBack = { workGroupSize: 128, rows: 8, groups: 3, polls: 16, ...more };
  return poclAs((info) => ({ ...gpuCapabilities(info), lookBack, maxItems }));
}

/** {@link pocl} with halves that the language's functions convert. */
export const poclConverting = (): Promise<Found<OpenClRuntime>> =>
  poclAs((info) => ({ ...gpuCapabilities(info), halfConversions: "exact" }));

/** {@link pocl} with tiles of another size. */
export const poclInTiles = (tile: TileSize): Promise<Found<OpenClRuntime>> =>
  poclAs((info) => ({ ...gpuCapabilities(info), tile }));

export async function poclAs(
  capabilitiesFor: (info: OpenClDevice) => Capabilities,
  options: OpenClOptions = {},
): Promise<Found<OpenClRuntime>> {
  const platform = findOpenCl("pocl");
  if (!platform.found) return platform;
  Object.assign(process.env, platform.value.env);
  const [info] = await listOpenClDevices();
  if (!info) return found(await openclRuntime(options));
  return found(await openclRuntime({ capabilities: capabilitiesFor(info), ...options }));
}

/** For a process of its own. PoCL 6 dies of the header's texts if it does not optimise ("isGVarUsedByFunction"). */
export const OPTIMISED = { POCL_EXTRA_BUILD_FLAGS: undefined };

/** The error that a promise or a function ends with. */
export async function errorFrom(act: () => unknown): Promise<GroupwiseError> {
  try {
    await act();
  } catch (error) {
    if (error instanceof GroupwiseError) return error;
    throw error;
  }
  throw errorOf("bad-usage", { reason: "nothing was thrown" });
}

/** Floats at which languages differ. */
export const FLOATS: readonly number[] = [
  ...[0, 1, 0.5, 1.5, 3, 7, 0.1, 2 ** 31, 2 ** 32, 2 ** 32 - 256, 2 ** 31 - 128, 8388607.5, 16777216, 1e10],
  ...[2 ** -149, 1e-40, 2 ** -126, 3.4028234663852886e38, Number.POSITIVE_INFINITY],
]
  .flatMap((x) => [Math.fround(x), -Math.fround(x)])
  .concat(Number.NaN);
