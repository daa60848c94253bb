/** The call of the loops that an emitted ES module exports. */
import type { Binding, Manifest } from "../plan/manifest.ts";

/** A manifest with the call of `kernel`: launch scalars, then the arrays of all bindings, in the types that they have in memory. */
export function withKernelCall(manifest: Manifest): Manifest {
  const written = (role: Binding["role"]): boolean => role !== "input" && role !== "table";
  const scalars = manifest.params.map(({ name, type }) => ({ name, scalar: type }));
  const arrays = manifest.bindings.map(
    ({ name, role }) => ({ name, array: written(role) ? "read-write" : "read" }) as const,
  );
  return {
    ...manifest,
    calls: [{ function: "kernel", arguments: [...scalars, ...arrays], scratch: "host" }],
  };
}
