/** Loops on arrays that do not lie in the memory: copies of them do, for one call. */
import type { HostArray, Manifest } from "@groupwise/core";
import { type ArrayMemory, copyOf, errorOf, hostZeros, type Launch } from "@groupwise/core/target";
import { roomFor } from "../print/places.ts";
import { argumentsFor, DEVICE, type Loops } from "./program.ts";
import type { RunMemory } from "./run-memory.ts";

/** By name. */
export type ArraysByName = ReadonlyMap<string, HostArray>;

const isRead = ({ role, inPlace }: Manifest["bindings"][number]): boolean =>
  role === "input" || role === "table" || inPlace !== undefined;

/** Copies the arrays into the memory, calls the loops, and copies the outputs back. */
export function callOnCopies(
  manifest: Manifest,
  kernel: Loops,
  memory: RunMemory,
  launch: Pick<Launch, "params">,
  arrays: ArraysByName,
): void {
  const { bindings } = manifest;
  memory.begin(bindings.reduce((sum, { name }) => sum + roomFor(arrays.get(name)?.byteLength ?? 0), 0));
  const copies = new Map(
    bindings.map((binding) => {
      const array = arrays.get(binding.name) as HostArray;
      return [binding.name, isRead(binding) ? memory.copy(array) : memory.make(binding, array.length)];
    }),
  );
  kernel(...argumentsFor(manifest, launch, copies));
  for (const { name, role } of bindings)
    if (role === "output") arrays.get(name)?.set(copies.get(name) as never);
  memory.free();
}

/** Arrays of this process, in copies, because callers may change theirs as soon as `run` returns. */
export const COPIED: ArrayMemory = {
  make: ({ type }, length) => hostZeros(type, length, DEVICE),
  has: () => false,
  copy: (array) => {
    try {
      return copyOf(array);
    } catch (cause) {
      const reason = `there is no memory for a copy of ${array.length} elements`;
      throw errorOf("device-error", { device: DEVICE, reason }, "", cause);
    }
  },
  give: (array) => array,
  free: () => {},
};
