/** Converts device memory to the results of a caller. */

import { errorOf, type GroupwiseError } from "@groupwise/ir/base/errors.js";
import { arraySpec } from "@groupwise/ir/tables/narrow.js";
import { type HostArray, halfToNumber, numberToHalf } from "@groupwise/ir/tables/scalar.js";
import type { HostForm } from "@groupwise/kernel/language/memory.js";
import type { RunOutputs } from "../api/typed.ts";
import type { Manifest } from "../plan/manifest.ts";

/** The bits of a word. */
const BITS = 32;

/**
 * Checks the status words after a run.
 * @throws GroupwiseError `scatter-outside`; `bad-access` in debug runs
 */
export function checkStatus(manifest: Manifest, status: ArrayLike<number>): void {
  const error = statusError(manifest, status);
  if (error) throw error;
}

/** The error that `checkStatus` throws. */
export function statusError(manifest: Manifest, status: ArrayLike<number>): GroupwiseError | undefined {
  const isSet = (bit: number): boolean =>
    (((status[Math.floor(bit / BITS)] ?? 0) >>> (bit % BITS)) & 1) === 1;
  const scatters = manifest.bindings.filter((binding) => binding.scatter);
  const first = Math.ceil(scatters.length / BITS) * BITS;
  const failed = manifest.checks?.find((_, i) => isSet(first + i));
  if (failed) return errorOf("bad-access", failed, `${manifest.pipeline}: kernel ${failed.kernel}`);
  const outside = scatters.filter((_, i) => isSet(i));
  if (outside.length === 0) return undefined;
  return errorOf("scatter-outside", { names: outside.map((b) => b.name).join(", ") }, manifest.pipeline);
}

/**
 * Shapes the outputs of a device: truncates scatters to their lengths and drops hidden outputs.
 * @param raw every output of the manifest, `elementsOf` elements each
 * @param status the words of the status array, or none
 * @throws GroupwiseError `scatter-outside`
 */
export function finishRun(
  manifest: Manifest,
  raw: ReadonlyMap<string, HostArray>,
  status: ArrayLike<number>,
): RunOutputs {
  checkStatus(manifest, status);
  const outputs: RunOutputs = {};
  for (const binding of manifest.bindings) {
    if (binding.role !== "output" || binding.hidden) continue;
    const array = raw.get(binding.name) as HostArray;
    const length =
      binding.lengthFrom === undefined ? array.length : Number(raw.get(binding.lengthFrom)?.[0] ?? 0);
    outputs[binding.name] = length < array.length ? (array.slice(0, length) as HostArray) : array;
  }
  return outputs;
}

/** The form of the elements of a device array. */
export type InMemory = HostForm;
const isWidened = ({ type, memory }: InMemory): boolean => type === "f16" && memory === "f32";

/** Converts a host array for device memory: bools become 0 or 1, in 32 bits or 8, and halves are widened if the binding says so. */
export function toDevice(binding: InMemory, array: HostArray): HostArray {
  if (binding.type === "bool") {
    const zeroOrOne = (x: number): number => (x ? 1 : 0);
    const bools = array as Uint8Array;
    return binding.memory === "u8" ? Uint8Array.from(bools, zeroOrOne) : Uint32Array.from(bools, zeroOrOne);
  }
  return isWidened(binding) ? Float32Array.from(array as Uint16Array, halfToNumber) : array;
}

/** Converts device memory to a host array; copies the bytes. */
export function fromDevice(binding: InMemory, bytes: ArrayBuffer, elements: number): HostArray {
  const { type } = binding;
  if (type === "bool" && binding.memory !== "u8") return Uint8Array.from(new Uint32Array(bytes, 0, elements));
  if (isWidened(binding)) return Uint16Array.from(new Float32Array(bytes, 0, elements), numberToHalf);
  const array = arraySpec(type).array as unknown as new (
    buffer: ArrayBuffer,
    offset: number,
    length: number,
  ) => HostArray;
  return new array(bytes, 0, elements).slice() as HostArray;
}
