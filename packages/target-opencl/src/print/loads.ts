/** Atomic loads, which OpenCL C 1.2 lacks. */
import { type Module, statementsOf, type Text } from "@groupwise/core/kernel";

/** The function that loads a word which other work-items may change. */
export const LOAD = "load_atomic";

/** Whether a module's kernels load such words. */
export const loadsAtomics = (module: Module): boolean =>
  statementsOf(module).some(({ kind }) => kind === "atomic-load");

/**
 * An atomic operation that changes nothing is a load everywhere, but takes turns with those of the same word. NVIDIA's compiler makes `ld.volatile` of a
 * volatile load: an atomic one, relaxed (PTX ISA, 9.7.9.8).
 */
export function printLoad(text: Text): void {
  text.block(`uint ${LOAD}(volatile __global uint* const address) {`, () => {
    text.bare("#ifdef __NV_CL_C_VERSION");
    text.line("return *address; // relaxed and atomic");
    text.bare("#else");
    text.line("return atomic_or(address, 0u);");
    text.bare("#endif");
  });
}
