/** The manifest: plain data that tells a host how to run emitted files. */

import { elementBytes, type Memory } from "../../compiler/kernel/memory.ts";
import type { AccessCheck, LaunchParam } from "../../compiler/kernel/module.ts";
import { type ArrayUse, arraysOf, paramsOf } from "../../compiler/kernel/uses.ts";
import { usesSubgroups } from "../../compiler/kernel/walk.ts";
import type { Plan } from "../../compiler/lower.ts";
import { type Formula, formula, sumOf } from "../../ir/base/formula.ts";
import type { Uniformity } from "../../ir/document/uniformity.ts";
import type { ArrayType } from "../../ir/tables/narrow.ts";
import { wholesOf, wholeUses } from "./parts-of-arrays.ts";

/** An array of device memory. */
export interface Binding {
  readonly name: string;
  /** An input has n elements, the length of a table comes from the run. */
  readonly role: "input" | "table" | "output" | "scratch" | "status";
  /** The element type; a bool is 32 bits, 0 or 1, in device memory. */
  readonly type: ArrayType;
  /**
   * The form of elements in device memory, if it differs from their type: `u32`, two words for 64 bits, the
   * low one first, or a word for several narrow elements or two f16, the first in its low bits, which are the bytes of the host's array;
   * `u16`, the 16 bits of an f16 or bf16; `f32`, an f16 in 32 bits, which a host converts.
   */
  readonly memory?: Memory;
  readonly bytesPerElement: number;
  /** Number of elements, a formula of the run. A host allocates one element if it is 0. */
  readonly elements: Formula;
  /** Whether the array must hold zeros before the first pass of every run. */
  readonly cleared: boolean;
  /** Outputs: items write to slots that they compute, which the status word reports if they are outside. */
  readonly scatter?: true;
  /** Number of bindings of the array, if more than one; their slots are consecutive. */
  readonly parts?: number;
  /** Elements in every part but the last, a power of two. */
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

/** One dispatch. */
export interface Pass {
  readonly entryPoint: string;
  readonly file: string;
  readonly workGroupSize: number;
  /** Total number of work-groups; the pass is skipped if it is 0. */
  readonly groups: Formula;
  /** Names of the scalars that it uses, in order. */
  readonly params: readonly string[];
  readonly bindings: readonly ArrayUse[];
  readonly workGroupBytes: number;
}

/**
 * How a host runs emitted files, as plain data: arrays to make, scalars to pass, passes to dispatch in order.
 * Sizes are formulas of n, the number of items; sizes of outputs may also depend on parameters and lengths of
 * tables.
 */
export interface Manifest {
  readonly format: "groupwise-manifest";
  readonly version: 1;
  readonly generator: string;
  readonly command: string;
  readonly pipeline: string;
  readonly target: string;
  /** Work-items of a work-group of the pipeline, per dimension. */
  readonly workGroupSize: readonly number[];
  readonly maxItems: number;
  readonly strategy: string;
  /** All scalars of a run, in order. */
  readonly params: readonly LaunchParam[];
  readonly bindings: readonly Binding[];
  readonly passes: readonly Pass[];
  /** Bytes of all scratch arrays together, each rounded up to 256. */
  readonly scratchBytes: Formula;
  /** Features that the device must support. */
  readonly requires: readonly string[];
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
  readonly flags: Manifest["flags"];
}

/** Scratch arrays may share one allocation: each begins at a multiple of this. */
export const SCRATCH_ALIGNMENT = 256;

/** The manifest of a plan whose kernels are all in one file. */
export function manifestOf(plan: Plan, parts: ManifestParts): Manifest {
  const { checked, module } = plan;
  const inParts = new Map(module.buffers.flatMap(({ name, part }) => (part ? [[name, part] as const] : [])));
  const bindings = bindingsOf(plan);
  return {
    format: "groupwise-manifest",
    version: 1,
    generator: parts.generator,
    command: parts.command,
    pipeline: checked.pipeline.name,
    target: parts.target,
    workGroupSize: checked.pipeline.workGroupSize,
    maxItems: plan.maxItems,
    strategy: plan.strategy,
    params: module.params,
    bindings,
    passes: module.kernels.map((kernel) => ({
      entryPoint: kernel.name,
      file: parts.file,
      workGroupSize: kernel.workGroupSize,
      groups: kernel.groups,
      params: paramsOf(kernel, module.params).map(({ name }) => name),
      bindings: wholeUses(inParts, arraysOf(kernel, module.buffers, module.functions)),
      workGroupBytes: kernel.shared.reduce((sum, array) => sum + array.length * elementBytes(array), 0),
    })),
    scratchBytes: sumOf(bindings.filter((b) => b.role === "scratch").map(alignedBytes)),
    requires: parts.requires,
    ...(module.checks && { checks: module.checks }),
    flags: { ...parts.flags, ...leastSubgroup(plan) },
  };
}

/** The arrays of a plan, each once. */
function bindingsOf({ checked, module, outputs }: Plan): Binding[] {
  const sinks = new Map(checked.sinks.map((node) => [node.name, node]));
  return wholesOf(module.buffers).map(({ buffer, part }): Binding => {
    const sink = sinks.get(buffer.name);
    return {
      name: buffer.name,
      role: buffer.role,
      type: buffer.type,
      ...(buffer.memory && { memory: buffer.memory }),
      bytesPerElement: elementBytes(buffer),
      elements: buffer.elements,
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

/** Bytes of an array, rounded up so that another may follow it. */
export function alignedBytes(binding: Pick<Binding, "elements" | "bytesPerElement">): Formula {
  const bytes = formula("mul", formula("max", binding.elements, 1), binding.bytesPerElement);
  return formula("mul", formula("ceil-div", bytes, SCRATCH_ALIGNMENT), SCRATCH_ALIGNMENT);
}

/** The text of a manifest file: deterministic, one binding and one pass a line. */
export function printManifest(manifest: Manifest): string {
  const rows = Object.entries(manifest).map(([key, value]) => {
    const isTable = Array.isArray(value) && value.some((row) => typeof row === "object");
    if (!isTable) return `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`;
    return `  ${JSON.stringify(key)}: [\n${(value as unknown[]).map((row) => `    ${JSON.stringify(row)}`).join(",\n")}\n  ]`;
  });
  return `{\n${rows.join(",\n")}\n}\n`;
}
