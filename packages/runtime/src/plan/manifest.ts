/** The manifest: plain data that tells a host how to run emitted files. */

import { OBJECT, requireArgument, requireArguments } from "@groupwise/ir/base/arguments.js";
import { errorOf } from "@groupwise/ir/base/errors.js";
import { type Formula, formula, sumOf } from "@groupwise/ir/base/formula.js";
import type { Uniformity } from "@groupwise/ir/document/uniformity.js";
import type { ArrayType } from "@groupwise/ir/tables/narrow.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import { elementBytes, hostForm, type MemoryType } from "@groupwise/kernel/language/memory.js";
import type { AccessCheck, LaunchParam } from "@groupwise/kernel/language/module.js";
import { type ArrayUse, paramsOf } from "@groupwise/kernel/language/uses.js";
import { usesSubgroups } from "@groupwise/kernel/language/walk.js";
import type { Plan } from "@groupwise/lower/lower.js";
import { type PassUse, passUsesIn, wholesOf } from "./parts-of-arrays.ts";

/** The version of manifests that this release writes. Version 2: `memory` of every array, `bytes`, `alignment`, `calls`, `paramBlock`. */
export const MANIFEST_VERSION: Manifest["version"] = 2;

/** An array that a run uses. */
export interface Binding {
  readonly name: string;
  /** An input has n elements, the length of a table comes from the run. */
  readonly role: "input" | "table" | "output" | "scratch" | "status";
  /** The element type of the pipeline. */
  readonly type: ArrayType;
  /**
   * The type in memory, which functions of the emitted files take or kernels are declared with. Of a bool `u8` or `u32`, 0 or 1 (any
   * other number of an input is true only where it is `u8`); of 64 bits that a device lacks `u32`, two words, the low one first; of
   * several narrow elements or two f16 in a word `u32`, the first in its low bits, which are the bytes of the narrow array; of an f16
   * or bf16 `u16`, its 16 bits; `f32` may also be an f16 or a bool that a host converts.
   */
  readonly memory: MemoryType;
  /** Bytes of one element of `type`, as they lie in memory. */
  readonly bytesPerElement: number;
  /** Number of elements, a formula of the run. */
  readonly elements: Formula;
  /** Bytes to allocate: those of the elements, of one if there are none, rounded up to what the language can bind. */
  readonly bytes: Formula;
  /** The address, or the offset in a buffer, is a multiple of it. A device may ask for more. */
  readonly alignment: number;
  /** Whether the array must hold zeros before the first pass of every run. */
  readonly cleared: boolean;
  /** Outputs: items write to slots that they compute, which the status word reports if they are outside. */
  readonly scatter?: true;
  /** Number of bindings of the array, if more than one; their slots are consecutive. */
  readonly parts?: number;
  /** Elements in every part but the last. */
  readonly partElements?: number;
  /**
   * The number of the array in the sources, if they number arrays.
   */
  readonly slot?: number;
  /** The number at which passes that use the array have it a second time, as vec4s; absent if they do not. */
  readonly rowSlot?: number;
  /** Outputs: the uniformity of the value; elements belong to items, work-groups or the range. */
  readonly uniformity?: Uniformity;
  /** Scatters: the output whose only element is the number of valid elements. */
  readonly lengthFrom?: string;
  /** An output that exists only for another's `lengthFrom`. */
  readonly hidden?: boolean;
  /** Outputs: the value needs an item, so it does not exist over an empty range. */
  readonly needsItems?: boolean;
  /** Outputs: the input that shares the array; it has no array of its own. */
  readonly inPlace?: string;
}

/** A scalar of a run. */
export interface ManifestParam extends LaunchParam {
  /** The type in memory; a bool is 0 or 1. Calls take values of their language instead. */
  readonly memory: MemoryType;
  /** Bytes from the beginning of the parameter block, where there is one. */
  readonly offset?: number;
}

/** The uniform buffer that holds all scalars of a run, little-endian. */
export interface ParamBlock {
  readonly binding: number;
  /** Bytes to allocate; those that belong to no scalar have no meaning. */
  readonly bytes: number;
  readonly alignment: number;
}

/** An argument of a call: a scalar by value, or an array as a pointer or a view. */
export type CallArgument = CallScalar | CallArray;

/** A scalar among the arguments of a call. Its name is that of a parameter of the pipeline or of a scalar of the manifest. */
export interface CallScalar {
  readonly name: string;
  /** `size` is C's `size_t`, `u16` the bits of an f16; a bool is one of the language. */
  readonly scalar: Scalar | "u16" | "size";
  /** The table whose number of elements it is. */
  readonly table?: string;
}

/** An array among the arguments of a call; its form is that of the binding of this name. */
export interface CallArray {
  readonly name: string;
  readonly array: ArrayUse["access"];
}

/** A function of the emitted files, which a host calls in place of dispatches; its arguments in order. */
export interface ManifestCall {
  readonly function: string;
  readonly arguments: readonly CallArgument[];
  /**
   * Who allocates the arrays of roles `scratch` and `status`, and clears the `cleared` ones: the function itself, or the host, which
   * then passes them. Dispatches always use the host's.
   */
  readonly scratch: "host" | "function";
}

/** One dispatch. */
export interface Pass {
  readonly entryPoint: string;
  readonly file: string;
  readonly workGroupSize: number;
  /** Total number of work-groups; the pass is skipped if it is 0. */
  readonly groups: Formula;
  /** Names of the scalars that it uses, in order. Arguments of a kernel are these, then `bindings`. */
  readonly params: readonly string[];
  readonly bindings: readonly PassUse[];
  readonly workGroupBytes: number;
}

/**
 * How a host runs emitted files, as plain data: arrays to make, scalars to pass, passes to dispatch in order.
 * Sizes are formulas of n, the number of items; sizes of outputs may also depend on parameters and lengths of
 * tables.
 */
export interface Manifest {
  readonly format: "groupwise-manifest";
  readonly version: 2;
  readonly generator: string;
  readonly command: string;
  readonly pipeline: string;
  readonly target: string;
  /** Work-items of a work-group of the pipeline, per dimension. */
  readonly workGroupSize: readonly number[];
  readonly maxItems: number;
  readonly strategy: string;
  /** All scalars of a run, in order. */
  readonly params: readonly ManifestParam[];
  /** Where kernels take scalars in a buffer. */
  readonly paramBlock?: ParamBlock;
  /** Where hosts call functions of the emitted files. */
  readonly calls?: readonly ManifestCall[];
  readonly bindings: readonly Binding[];
  readonly passes: readonly Pass[];
  /** Bytes of all scratch arrays together, each rounded up to 256, for a host that makes one allocation of them. */
  readonly scratchBytes: Formula;
  /** Features that the device must support. */
  readonly requires: readonly string[];
  /**
   * What the text takes from its language as exact: rows of the table of probes, by id. Absent for languages that need no probe. Runtimes of this
   * project probe the device; another host may, or trusts it.
   */
  readonly assumes?: readonly string[];
  /** In debug runs: what the bits of the status say, from the first word after those of scatters on. */
  readonly checks?: readonly AccessCheck[];
  /** The chosen variants. */
  readonly flags: Readonly<Record<string, string | number | boolean>>;
}

/** The additions of a target to the manifest of its plan. */
export interface ManifestParts {
  readonly generator: string;
  readonly command: string;
  readonly target: string;
  readonly file: string;
  readonly requires: readonly string[];
  readonly assumes?: Manifest["assumes"];
  readonly flags: Manifest["flags"];
  readonly arrays: ArrayRules;
}

/** How a language takes arrays. */
export interface ArrayRules {
  /** Bytes, or those of an element in memory. */
  readonly alignment: number | "element";
  /** Sizes are multiples of so many bytes. */
  readonly unit: 1 | 4;
}

/** Arrays of the process itself. */
export const OWN_ARRAYS: ArrayRules = { alignment: "element", unit: 1 };

/** Scratch arrays may share one allocation: each begins at a multiple of this. */
export const SCRATCH_ALIGNMENT = 256;

/** The manifest of a plan whose kernels are all in one file. */
export function manifestOf(plan: Plan, parts: ManifestParts): Manifest {
  const { checked, module } = plan;
  const bindings = bindingsOf(plan, parts.arrays);
  const uses = passUsesIn(module);
  return {
    format: "groupwise-manifest",
    version: MANIFEST_VERSION,
    generator: parts.generator,
    command: parts.command,
    pipeline: checked.pipeline.name,
    target: parts.target,
    workGroupSize: checked.pipeline.workGroupSize,
    maxItems: plan.maxItems,
    strategy: plan.strategy,
    params: module.params.map((param) => ({
      ...param,
      memory: hostForm(param, plan.capabilities.boolMemory).memory,
    })),
    bindings,
    passes: module.kernels.map((kernel) => ({
      entryPoint: kernel.name,
      file: parts.file,
      workGroupSize: kernel.workGroupSize,
      groups: kernel.groups,
      params: paramsOf(kernel, module.params).map(({ name }) => name),
      bindings: uses(kernel),
      workGroupBytes: kernel.shared.reduce((sum, array) => sum + array.length * elementBytes(array), 0),
    })),
    scratchBytes: sumOf(bindings.filter((b) => b.role === "scratch").map(alignedBytes)),
    requires: parts.requires,
    ...(parts.assumes && { assumes: parts.assumes }),
    ...(module.checks && { checks: module.checks }),
    flags: { ...parts.flags, ...leastSubgroup(plan) },
  };
}

/** The arrays of a plan, each once. */
function bindingsOf({ checked, module, outputs, capabilities }: Plan, rules: ArrayRules): Binding[] {
  const sinks = new Map(checked.sinks.map((node) => [node.name, node]));
  return wholesOf(module.buffers).map(({ buffer, part }): Binding => {
    const sink = sinks.get(buffer.name);
    const form = hostForm(buffer, capabilities.boolMemory);
    const bytesPerElement = elementBytes(form);
    return {
      name: buffer.name,
      role: buffer.role,
      ...form,
      bytesPerElement,
      elements: buffer.elements,
      bytes: bytesIn(buffer.elements, bytesPerElement, rules.unit),
      alignment: rules.alignment === "element" ? elementBytes({ type: form.memory }) : rules.alignment,
      cleared: buffer.cleared,
      ...(buffer.scatter && { scatter: true as const }),
      ...(buffer.inPlace !== undefined && { inPlace: buffer.inPlace }),
      ...(part && { parts: part.count, partElements: part.elements }),
      ...(sink && {
        uniformity:
          sink.kind === "scatter" ? ("item" as const) : (checked.uniformities[sink.id] as Uniformity),
      }),
      ...outputs.get(buffer.name),
    };
  });
}

/** The flag of a manifest for the number of consecutive work-items that its kernels rely on; default 1. */
export const LEAST_SUBGROUP = "subgroup";

/** The subgroup size that kernels rely on; if it can vary, kernels read it at run time. */
function leastSubgroup({ strategy, module, capabilities: { subgroups } }: Plan): Manifest["flags"] {
  if ("unsupported" in subgroups || !usesSubgroups(module)) return {};
  const isFixed = strategy === "look-back" || subgroups.minSize === subgroups.maxSize;
  return isFixed ? { [LEAST_SUBGROUP]: subgroups.minSize } : {};
}

/** Bytes of an array, which has an element at least. @param unit what they are rounded up to */
function bytesIn(elements: Formula, bytesPerElement: number, unit: number): Formula {
  const bytes = formula("mul", formula("max", elements, 1), bytesPerElement);
  return bytesPerElement % unit === 0 ? bytes : formula("mul", formula("ceil-div", bytes, unit), unit);
}

/** Bytes of an array where a language binds whole words. */
export const wordBytes = ({
  elements,
  bytesPerElement,
}: Pick<Binding, "elements" | "bytesPerElement">): Formula => bytesIn(elements, bytesPerElement, 4);

/** Bytes of an array, rounded up so that another may follow it. */
export function alignedBytes(binding: Pick<Binding, "elements" | "bytesPerElement">): Formula {
  return bytesIn(binding.elements, binding.bytesPerElement, SCRATCH_ALIGNMENT);
}

/**
 * Refuses a manifest of another version, which a release may have written earlier.
 * @throws GroupwiseError `bad-version`
 */
export function requireVersion(manifest: { readonly version: unknown }): void {
  requireArgument(manifest, OBJECT, "the manifest");
  const { version } = manifest;
  if (version !== MANIFEST_VERSION)
    throw errorOf("bad-version", { version, supported: MANIFEST_VERSION }, "version");
}

/**
 * The text of a manifest file: deterministic, one binding and one pass a line.
 * @example
 * ```ts
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { emit, printManifest } from "@groupwise/core";
 * import { js } from "@groupwise/target-js";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const text = printManifest(emit(sums, js).manifest);
 * console.log(JSON.parse(text).pipeline); // "sums"
 * ```
 */
export function printManifest(manifest: Manifest): string {
  requireArguments(arguments, "printManifest", { manifest: OBJECT });
  const rows = Object.entries(manifest).map(([key, value]) => {
    const isTable = Array.isArray(value) && value.some((row) => typeof row === "object");
    if (!isTable) return `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`;
    return `  ${JSON.stringify(key)}: [\n${(value as unknown[]).map((row) => `    ${JSON.stringify(row)}`).join(",\n")}\n  ]`;
  });
  return `{\n${rows.join(",\n")}\n}\n`;
}
