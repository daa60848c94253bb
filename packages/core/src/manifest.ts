/** The manifest: plain data that tells a host how to run emitted files. */
import { type ArrayUse, arraysOf, paramsOf } from "./emit/c-family.ts";
import { type Formula, formula, sumOf } from "./formula.ts";
import type { Rate } from "./ir/rate.ts";
import { elementBytes, type Memory } from "./kernel/memory.ts";
import { type Buffer, exchanges, type LaunchParam, type Part } from "./kernel/stmt.ts";
import type { Plan } from "./lower/lower.ts";
import type { Scalar } from "./scalar.ts";

/** An array of device memory. */
export interface Binding {
  readonly name: string;
  /** An input has n elements, a table as many as the run gives. */
  readonly role: "input" | "table" | "output" | "scratch" | "status";
  /** The element type; a bool is 32 bits, 0 or 1, in device memory. */
  readonly type: Scalar;
  /**
   * How elements stand in device memory, where that is not their type: `u32`, two words for 64 bits, the low one
   * first, which are the bytes of the host's array; `half` and `u16`, the 16 bits of an f16; `f32`, an f16 in 32
   * bits, which a host converts.
   */
  readonly memory?: Memory;
  readonly bytesPerElement: number;
  /** Number of elements, a formula of the run. A host allocates one element where it gives 0. */
  readonly elements: Formula;
  /** It must hold zeros before the first pass of every run. */
  readonly cleared: boolean;
  /** In how many bindings it stands, where that is more than one; their slots follow one another. */
  readonly parts?: number;
  /** Elements in every part but the last, a power of two. */
  readonly partElements?: number;
  /** The number by which sources name it, where they number arrays (WGSL: the binding in group 0, whose binding 0 has the params). */
  readonly slot?: number;
  /** Outputs: how often the value changes; it tells what the elements belong to. */
  readonly rate?: Rate;
  /** Scatters: the output whose only element tells how many elements are valid. */
  readonly lengthFrom?: string;
  /** An output that exists only for another's `lengthFrom`. */
  readonly hidden?: boolean;
  /** Outputs: the value needs an item, so that a run over none has no answer. */
  readonly needsItems?: boolean;
  /** Outputs: the input whose elements stand in the array when a run begins; it has no array of its own. */
  readonly inPlace?: string;
}

/** One dispatch. */
export interface Pass {
  readonly entryPoint: string;
  readonly file: string;
  readonly workGroupSize: number;
  /** Work-groups to run, in total; the pass is left out where it gives 0. */
  readonly groups: Formula;
  /** Names of the scalars that it uses, in order. */
  readonly params: readonly string[];
  readonly bindings: readonly ArrayUse[];
  readonly workGroupBytes: number;
}

/**
 * How a host runs emitted files, as plain data: arrays to make, scalars to pass, passes to dispatch one
 * after the other. Sizes are formulas of n, the number of items; those of outputs may be of parameters and lengths
 * of tables too.
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
  /** What a device must offer. */
  readonly requires: readonly string[];
  /** What was chosen among several ways to emit. */
  readonly flags: Readonly<Record<string, string | number | boolean>>;
}

/** What a target adds to the manifest of its plan. */
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

/** The manifest of a plan whose kernels all stand in one file. */
export function manifestOf(plan: Plan, parts: ManifestParts): Manifest {
  const { checked, module } = plan;
  const inParts = new Map(module.buffers.flatMap(({ name, part }) => (part ? [[name, part] as const] : [])));
  const sinks = new Map(checked.sinks.map((node) => [node.name, node]));
  const bindings = wholesOf(module.buffers).map(({ buffer, part }): Binding => {
    const sink = sinks.get(buffer.name);
    return {
      name: buffer.name,
      role: buffer.role,
      type: buffer.type,
      ...(buffer.memory && { memory: buffer.memory }),
      bytesPerElement: elementBytes(buffer),
      elements: buffer.elements,
      cleared: buffer.cleared,
      ...(buffer.inPlace !== undefined && { inPlace: buffer.inPlace }),
      ...(part && { parts: part.count, partElements: part.elements }),
      ...(sink && { rate: sink.kind === "scatter" ? ("item" as const) : (checked.rates[sink.id] as Rate) }),
      ...plan.outputs.get(buffer.name),
    };
  });
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
    flags: { ...parts.flags, ...leastSubgroup(plan) },
  };
}

/** The arrays of a module, each once: those in parts as they were, with their first part. */
function wholesOf(buffers: readonly Buffer[]): { readonly buffer: Buffer; readonly part?: Part }[] {
  return buffers.flatMap((buffer) => {
    const { part } = buffer;
    if (!part) return [{ buffer }];
    return part.index === 0 ? [{ buffer: part.of, part }] : [];
  });
}

/** A kernel that uses a part uses all of them, in the same way. */
function wholeUses(parts: ReadonlyMap<string, Part>, uses: readonly ArrayUse[]): ArrayUse[] {
  return uses.flatMap((use) => {
    const part = parts.get(use.name);
    if (!part) return [use];
    return part.index === 0 ? [{ ...use, name: part.of.name }] : [];
  });
}

/** The flag of a manifest for how many consecutive work-items its kernels count on; 1 where it is absent. */
export const LEAST_SUBGROUP = "subgroup";

/** What counts on subgroups of some size; where that can differ, kernels ask for it when they run. */
function leastSubgroup({ strategy, module, capabilities: { subgroups } }: Plan): Manifest["flags"] {
  if ("unsupported" in subgroups || !exchanges(module)) return {};
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
