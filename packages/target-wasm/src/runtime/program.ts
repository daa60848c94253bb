/** Calls of an instantiated module. */
import type { HostArray, Manifest } from "@groupwise/core";
import { type Call, errorOf } from "@groupwise/core/target";
import { IMPORTS } from "../encode/tree.ts";
import type { ModuleMemory } from "./module-memory.ts";

export const DEVICE = "WebAssembly";

/** The loops: launch scalars, then the byte offset of each array. */
export type Loops = (...args: readonly (number | bigint | boolean)[]) => void;

/** Calls the loops with arrays that lie in the module's memory. */
export const callOf =
  ({ bindings }: Manifest, kernel: Loops): Call =>
  ({ params }, arrays) =>
    kernel(
      ...params.map(({ value }) => value),
      ...bindings.map(({ name }) => (arrays.get(name) as HostArray).byteOffset),
    );

/**
 * The loops of a module.
 * @param frame the byte offset of the memory that they may write
 * @throws GroupwiseError `no-modules`
 */
export async function instantiate(
  bytes: Uint8Array<ArrayBuffer>,
  { memory }: ModuleMemory,
  frame: number,
  pipeline: string,
): Promise<Loops> {
  const imports = {
    [IMPORTS.memory]: memory,
    [IMPORTS.frame]: new WebAssembly.Global({ value: "i32" }, frame),
  };
  try {
    const { instance } = await WebAssembly.instantiate(bytes, { [IMPORTS.module]: imports });
    return instance.exports.kernel as Loops;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw refused(reason, pipeline, cause);
  }
}

/** `(module (func (result v128) (i8x16.splat (i32.const 0))))` */
const VECTORS = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0],
  ...[1, 5, 1, 96, 0, 1, 123],
  ...[3, 2, 1, 0],
  ...[10, 8, 1, 6, 0, 65, 0, 253, 15, 11],
);

/** Why this engine does not run modules with vectors; undefined if it does. A policy forbids them at the first one that is compiled. */
export function refusalHere(): string | undefined {
  if (typeof WebAssembly !== "object") return "it has no object WebAssembly";
  try {
    if (!WebAssembly.validate(VECTORS)) return "it has no vectors of 128 bits";
    new WebAssembly.Module(VECTORS);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** @throws GroupwiseError `no-modules` */
export function requireEngine(): void {
  const reason = refusalHere();
  if (reason !== undefined) throw refused(reason, "");
}

function refused(reason: string, where: string, cause?: unknown): Error {
  const remedy =
    "allow 'wasm-unsafe-eval' in the content security policy, or use `cpuRuntime` of @groupwise/cpu, which takes JavaScript then";
  return errorOf("no-modules", { what: DEVICE, reason, remedy }, where, cause);
}
