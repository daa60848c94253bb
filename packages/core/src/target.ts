/** What a target is, and what it emits; `runtime.ts` has what runs it. */
import { type Capabilities, lackingSubgroups, lookBackFor, type Subgroups } from "./capabilities.ts";
import { errorOf } from "./errors.ts";
import { type Checked, check } from "./ir/check.ts";
import type { Pipeline } from "./ir/node.ts";
import type { Split } from "./lower/legalise/split.ts";
import { lower, type Plan, splitPlan } from "./lower/lower.ts";
import type { Manifest } from "./manifest.ts";
import type { CompileOptions } from "./runtime.ts";
import type { Scalar } from "./scalar.ts";

/** The version that emitted texts carry. */
export const GENERATOR = "groupwise 0.1.0";

/** One emitted text; the path is relative and has no folders. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** What a target makes of a pipeline: sources, and a manifest that tells a host how to run them. */
export interface Artifact {
  readonly manifest: Manifest;
  readonly files: readonly SourceFile[];
}

/** What emitting can be told; nothing is needed. */
export interface EmitOptions {
  /** The command that makes the files again, for their first lines. */
  readonly command?: string;
  /** What the device at hand can do, instead of what the target assumes of any device. */
  readonly capabilities?: Capabilities;
  /** False: no functions of whole work-groups that the language itself may have, and a smaller text. */
  readonly native?: boolean;
  /**
   * True: the text needs a device whose subgroups are as expected, which runtimes try out. A number: with so many
   * work-items at least, a power of two.
   */
  readonly subgroups?: boolean | number;
  /**
   * True: scans run in one walk that looks back at other work-groups' totals. It is right on any device, and fast
   * where work-groups make progress and subgroups have 32 work-items.
   */
  readonly lookBack?: boolean;
  /** Outputs that stand in an input's array: `{ sums: "values" }`. */
  readonly inPlace?: Readonly<Record<string, string>>;
  /** Types that the device at hand has, of the target's `optionalTypes`; without, they are emulated. */
  readonly types?: readonly Scalar[];
  /** Arrays that are too large for one binding of the device at hand. */
  readonly split?: Split;
}

/** A language to emit. Emitting is pure and needs no device. */
export interface Target {
  /** Short name, as the command line takes it. */
  readonly name: string;
  /** Name for people. */
  readonly title: string;
  /** What any device of the target has. */
  readonly capabilities: Capabilities;
  /** Types that some devices have: what changes where they are native. */
  readonly optionalTypes: Readonly<Partial<Record<Scalar, (capabilities: Capabilities) => Capabilities>>>;
  /** Words that an input, a parameter or an output cannot be named. */
  readonly reserved: ReadonlySet<string>;
  /** The files of a plan that was lowered for this target. Deterministic; no device is touched. */
  print(plan: Plan, options: EmitOptions): Artifact;
}

/** A pipeline document, or anything that carries one as the builder's pipelines do. */
export type PipelineSource = Pipeline | { readonly ir: Pipeline };

/** The document of a source. */
export function pipelineOf(source: PipelineSource): Pipeline {
  return "ir" in source ? source.ir : source;
}

/**
 * Checks and lowers a pipeline for a target.
 * @throws GroupwiseError what `check` and `lower` throw, and `reserved-name`
 */
export function plan(source: PipelineSource, target: Target, options: EmitOptions = {}): Plan {
  const checked = check(pipelineOf(source));
  checkReserved(checked, target);
  const made = lower(checked, capabilitiesFor(target, options), options.inPlace);
  return options.split ? splitPlan(made, options.split) : made;
}

// What languages allow where a device is not known.
const anySubgroups = (minSize: number): Subgroups => ({ minSize, maxSize: 128 });

function capabilitiesFor(target: Target, options: EmitOptions): Capabilities {
  const { native, subgroups = false, lookBack, types = [] } = options;
  const given = options.capabilities ?? target.capabilities;
  return {
    ...types.reduce((known, type) => target.optionalTypes[type]?.(known) ?? known, given),
    ...(native === false && { groupFunctions: [] }),
    ...(subgroups !== false && { subgroups: anySubgroups(Number(subgroups)) }),
    ...(lookBack && { lookBack: lookBackFor(given.maxWorkGroupSize) }),
  };
}

/** The emitted files of a pipeline for a target. Takes milliseconds; needs no device. */
export function emit(source: PipelineSource, target: Target, options: EmitOptions = {}): Artifact {
  return target.print(plan(source, target, options), options);
}

/**
 * Plans and prints for a device that is tried out: once more without subgroups where it turns those down.
 * The plan's capabilities tell which it was.
 * @param wanted what compiling was told
 * @param obstacleOf why the device's subgroups cannot run an artifact; undefined where they can
 */
export async function planTried(
  source: PipelineSource,
  target: Target,
  capabilities: Capabilities,
  obstacleOf: (manifest: Manifest) => Promise<string | undefined>,
  wanted: CompileOptions = {},
): Promise<{ readonly plan: Plan; readonly artifact: Artifact }> {
  const make = (options: EmitOptions): { plan: Plan; artifact: Artifact } => {
    const made = plan(source, target, { ...wanted, ...options });
    return { plan: made, artifact: target.print(made, {}) };
  };
  const first = make({ capabilities });
  const obstacle = await obstacleOf(first.artifact.manifest);
  return obstacle === undefined ? first : make({ capabilities: lackingSubgroups(capabilities, obstacle) });
}

function checkReserved(checked: Checked, target: Target): void {
  for (const node of [...checked.inputs, ...checked.params, ...checked.tables, ...checked.sinks]) {
    if (target.reserved.has(node.name)) {
      throw errorOf("reserved-name", { name: node.name, target: target.title }, node.at ?? `node ${node.id}`);
    }
  }
}
