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
  requireEngine(pipeline);
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

/** @throws GroupwiseError `no-modules` */
export function requireEngine(where = ""): void {
  if (typeof WebAssembly !== "object") throw refused("it has no object WebAssembly", where);
}

function refused(reason: string, where: string, cause?: unknown): Error {
  const remedy =
    "allow 'wasm-unsafe-eval' in the content security policy, or use `jsRuntime` of @groupwise/target-js/runtime";
  return errorOf("no-modules", { what: DEVICE, reason, remedy }, where, cause);
}
