/** Calls of an instantiated module. */

import type { HostArray, Manifest, Plan } from "@groupwise/core";
import { type Call, errorOf, type Launch, requireArguments } from "@groupwise/core/target";
import { binaryOf, type MemoryKind } from "../encode/binary.ts";
import { IMPORTS } from "../encode/tree.ts";
import { assemble } from "../print/emit.ts";
import type { ModuleMemory } from "./module-memory.ts";

export const DEVICE = "WebAssembly";

/** The loops: launch scalars, then the byte offset of each array. */
export type Loops = (...args: readonly (number | bigint | boolean)[]) => void;

/** Loops that are compiled, and what is known of them. */
export interface CompiledLoops {
  readonly manifest: Manifest;
  readonly module: WebAssembly.Module;
  /** Bytes of memory that each instance may write. */
  readonly frame: number;
}

/** The arguments of the loops, for arrays that lie in their memory. */
export const argumentsFor = (
  { bindings }: Manifest,
  { params }: Pick<Launch, "params">,
  arrays: ReadonlyMap<string, HostArray>,
): readonly (number | bigint | boolean)[] => [
  ...params.map(({ value }) => value),
  ...bindings.map(({ name }) => (arrays.get(name) as HostArray).byteOffset),
];

/** Calls the loops with arrays that lie in the module's memory. */
export const callOf =
  (manifest: Manifest, kernel: Loops): Call =>
  (launch, arrays) =>
    kernel(...argumentsFor(manifest, launch, arrays));

/**
 * The loops of a plan.
 * @param memory whether threads share the memory that they use
 * @throws GroupwiseError `no-modules`; `bad-kernel` if the engine runs WebAssembly, but not this module
 */
export async function compiledLoops(plan: Plan, memory: MemoryKind): Promise<CompiledLoops> {
  const { manifest, module: tree } = assemble(plan);
  try {
    const module = await WebAssembly.compile(binaryOf(tree, memory));
    return { manifest, module, frame: tree.frame };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const isOurs = cause instanceof WebAssembly.CompileError && wasmRefusal() === undefined;
    throw isOurs
      ? errorOf("bad-kernel", { reason }, manifest.pipeline, cause)
      : refused(reason, manifest.pipeline, cause);
  }
}

/**
 * An instance of the loops on a memory.
 * @param frame the byte offset of the memory that they may write
 */
export async function instanceOf(
  { module }: CompiledLoops,
  { memory }: ModuleMemory,
  frame: number,
): Promise<Loops> {
  const own = {
    [IMPORTS.memory]: memory,
    [IMPORTS.frame]: new WebAssembly.Global({ value: "i32" }, frame),
  };
  return (await WebAssembly.instantiate(module, { [IMPORTS.module]: own })).exports.kernel as Loops;
}

/** `(module (func (result v128) (i8x16.splat (i32.const 0))))` */
const VECTORS = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0],
  ...[1, 5, 1, 96, 0, 1, 123],
  ...[3, 2, 1, 0],
  ...[10, 8, 1, 6, 0, 65, 0, 253, 15, 11],
);

/**
 * Why this engine does not run WebAssembly: it has none or none with vectors, or a content security policy forbids it.
 * @returns undefined if it does
 * @example
 * ```ts
 * import { wasmRefusal } from "@groupwise/target-wasm/runtime";
 *
 * console.log(wasmRefusal()); // undefined
 * ```
 */
export function wasmRefusal(): string | undefined {
  requireArguments(arguments, "wasmRefusal", []);
  if (typeof WebAssembly !== "object") return "it has no object WebAssembly";
  try {
    if (!WebAssembly.validate(VECTORS)) return "it has no vectors of 128 bits";
    // A policy forbids the first one that is compiled.
    new WebAssembly.Module(VECTORS);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** @throws GroupwiseError `no-modules` */
export function requireEngine(): void {
  const reason = wasmRefusal();
  if (reason !== undefined) throw refused(reason, "");
}

function refused(reason: string, where: string, cause?: unknown): Error {
  const remedy =
    "allow 'wasm-unsafe-eval' in the content security policy, or use `cpuRuntime` of @groupwise/cpu, which takes JavaScript then";
  return errorOf("no-modules", { what: DEVICE, reason, remedy }, where, cause);
}
