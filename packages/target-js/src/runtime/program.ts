/** Calls of an imported module. */
import type { Binding, HostArray, Manifest, ScalarValue } from "@groupwise/core";
import { type Call, errorOf, type Launch } from "@groupwise/core/target";

/** The exports of an emitted module that a runtime needs. */
export interface JsModule {
  /** The loops: launch scalars, then arrays, in the manifest's order. */
  readonly kernel: (...args: (ScalarValue | HostArray)[]) => void;
}

export const DEVICE = "JavaScript";

/** The arguments of a module's loops, from arrays of the manifest's types. */
export const argumentsFor = (
  { bindings }: Manifest,
  { params }: Pick<Launch, "params">,
  arrays: ReadonlyMap<string, HostArray>,
): readonly (ScalarValue | HostArray)[] => [
  ...params.map(({ value }) => value),
  ...bindings.map((binding) => viewOf(binding, arrays.get(binding.name) as HostArray)),
];

/** Calls the module's loops. */
export const callOf =
  (manifest: Manifest, { kernel }: JsModule): Call =>
  (launch, arrays) =>
    kernel(...argumentsFor(manifest, launch, arrays));

/** The view that kernels use: the words of 64-bit integers. */
function viewOf({ type, memory }: Binding, array: HostArray): HostArray {
  if (memory !== "u32" || type === "u32") return array;
  if (new Uint8Array(Uint32Array.of(1).buffer)[0] !== 1)
    throw errorOf("unsupported", {
      what: type,
      reason: "its words are accessible on little-endian machines only",
    });
  return new Uint32Array(array.buffer, array.byteOffset, 2 * array.length);
}
