/** Targets and emitted files; `runtime.ts` has the interfaces for running them. */

import {
  BOOLEAN,
  having,
  isPowerOfTwo,
  NUMBER,
  OBJECT,
  oneOf,
  optionsOf,
  requireArgument,
  TEXT,
  TEXTS,
  type Wanted,
  whole,
} from "@groupwise/ir/base/arguments.js";
import { errorOf, GroupwiseError } from "@groupwise/ir/base/errors.js";
import { type Checked, check } from "@groupwise/ir/document/check.js";
import type { Pipeline } from "@groupwise/ir/document/node.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import {
  type Capabilities,
  hasWideSubgroups,
  lookBackFor,
  type Subgroups,
} from "@groupwise/kernel/capabilities/capabilities.js";
import { chunksFor } from "@groupwise/kernel/capabilities/chunks.js";
import { allowingFlush } from "@groupwise/kernel/capabilities/subnormals.js";
import { type Tiles, withTiles } from "@groupwise/kernel/capabilities/tiles.js";
import type { Split } from "@groupwise/kernel/passes/base/pass.js";
import { lower, type Plan, splitPlan } from "@groupwise/lower/lower.js";
import type { Carrying } from "@groupwise/lower/parts/strategy.js";
import type { Manifest } from "../plan/manifest.ts";
import { capabilitiesOfTuned, tilesFor } from "../tuning/select.ts";
import type { Tuning } from "../tuning/tuning.ts";
import { kindOf } from "./host-view.ts";
import type { CompileOptions } from "./runtime.ts";

/** The version that emitted texts carry. */
export const GENERATOR = "groupwise 0.1.0";

/** One emitted text; the path is relative and has no folders. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** The result of emitting: sources, and a manifest that describes to a host how to run them. */
export interface Artifact {
  readonly manifest: Manifest;
  readonly files: readonly SourceFile[];
}

/** Options of emitting; all are optional. */
export interface EmitOptions {
  /** The command that regenerates the files, for their first lines. */
  readonly command?: string;
  /** The capabilities of a device, instead of those that the target assumes of any device. */
  readonly capabilities?: Capabilities;
  /** False: do not use the language's own work-group functions; the text is smaller. */
  readonly native?: boolean;
  /**
   * True: the text needs a device with subgroups of consecutive work-items, which runtimes test. A number:
   * with at least that many work-items, a power of two.
   */
  readonly subgroups?: boolean | number;
  /**
   * True: scans use look-back, in one pass. It is correct on any device, and fast if work-groups make
   * progress and subgroups have 32 work-items.
   */
  readonly lookBack?: boolean;
  /**
   * For a device of few wide cores, such as a CPU: their number, from 1 to 4096. Each work-item runs a chunk of the range as one loop, where
   * the pipeline allows it. It is correct on any device.
   */
  readonly cores?: number;
  /** Outputs that use an input's array: `{ sums: "values" }`. */
  readonly inPlace?: Readonly<Record<string, string>>;
  /**
   * `"flush"`: sums and products are the device's own operations, and results that depend on subnormal numbers may differ on a device that flushes
   * them. By default results are exact on every device, and texts for those that may flush are longer.
   */
  readonly subnormals?: "flush";
  /** Types of the target's `optionalTypes` that the device has; others are emulated. */
  readonly types?: readonly Scalar[];
  /** Makes a pipeline over a chunk take and return its state: see `Chunks` of `@groupwise/core/state`. */
  readonly carrying?: Carrying;
  /** Arrays that are too large for one binding of the device. */
  readonly split?: Split;
  /**
   * Measured sizes of tiles. Without `capabilities`, the device's limits, subgroups and look-back are those of the tuned device.
   * Pipelines over chunks (`carrying`) and those that rank items keep the sizes of the capabilities.
   */
  readonly tuning?: Tuning;
  /** The number of items for which `tuning` has sizes; by default a large one. Any number may run. */
  readonly items?: number;
  /** Sizes of tiles, in the place of those of the capabilities and of `tuning`. */
  readonly tiles?: Tiles;
}

const EMIT_OPTIONS: { readonly [K in keyof Required<EmitOptions>]: Wanted } = {
  command: TEXT,
  capabilities: OBJECT,
  native: BOOLEAN,
  subgroups: {
    want: "true, false or a number of work-items",
    is: (value) => BOOLEAN.is(value) || NUMBER.is(value),
  },
  lookBack: BOOLEAN,
  cores: NUMBER,
  inPlace: OBJECT,
  subnormals: /*@__PURE__*/ oneOf("flush"),
  types: TEXTS,
  carrying: OBJECT,
  split: OBJECT,
  tuning: OBJECT,
  items: /*@__PURE__*/ whole(0),
  tiles: OBJECT,
};

export const TARGET: Wanted = /*@__PURE__*/ having("a target, as a target package exports it", "print");

/** A language to emit. Emitting is pure and needs no device. */
export interface Target {
  /** Short name, for the command line. */
  readonly name: string;
  /** Name in documentation and messages. */
  readonly title: string;
  /** The capabilities of every device of the target. */
  readonly capabilities: Capabilities;
  /** Types that some devices have: the changes of the capabilities if they are native. */
  readonly optionalTypes: Readonly<Partial<Record<Scalar, (capabilities: Capabilities) => Capabilities>>>;
  /** The changes of the capabilities for devices whose subgroups have at least 32 work-items. */
  readonly inWideSubgroups?: (capabilities: Capabilities) => Capabilities;
  /** The files of a plan that was lowered for this target. Deterministic; no device is touched. */
  print(plan: Plan, options: EmitOptions): Artifact;
}

/** A pipeline document, or an object that contains one, such as the builder's pipelines. */
export type PipelineSource = Pipeline | { readonly ir: Pipeline };

/**
 * The document of a source.
 * @throws GroupwiseError `bad-argument`, `bad-document` if it is obviously not a document
 */
export function pipelineOf(source: PipelineSource): Pipeline {
  const isObject = (typeof source === "object" && source !== null) || typeof source === "function";
  if (!isObject) {
    const details = { what: "the pipeline", want: "a pipeline or its document", got: kindOf(source) };
    throw errorOf("bad-argument", details);
  }
  if (typeof (source as { then?: unknown }).then === "function") {
    const details = { what: "the pipeline", want: "a pipeline or its document", got: kindOf(source) };
    throw errorOf("bad-argument", details);
  }
  const document = "ir" in source ? source.ir : source;
  if (Array.isArray(document?.nodes)) return document;
  throw errorOf("bad-document", { reason: "it has no list of nodes" });
}

/**
 * Checks and lowers a pipeline for a target.
 * @throws GroupwiseError what `check` and `lower` throw
 * @example
 * ```ts
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { plan } from "@groupwise/core";
 * import { wgsl } from "@groupwise/target-wgsl";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * console.log(plan(sums, wgsl).strategy); // "reduce-then-scan"
 * ```
 */
export function plan(source: PipelineSource, target: Target, given?: EmitOptions): Plan {
  const checked = check(pipelineOf(source));
  requireArgument(target, TARGET, "the target", checked.pipeline.name);
  // Runtimes pass the options of compile.
  const options = optionsOf(given, EMIT_OPTIONS, "the options", checked.pipeline.name, [
    "waitFor",
    "small",
  ]) as EmitOptions;
  return explained(target, options, checked.pipeline.name, () => {
    const capabilities = tiled(checked, capabilitiesFor(target, options, checked.pipeline.name), options);
    const made = lower(checked, capabilities, options.inPlace, options.carrying);
    return options.split ? splitPlan(made, options.split) : made;
  });
}

/** Does work with the capabilities of a caller, which only TypeScript checks: if it fails, what they lack of the target's is the reason. */
function explained<T>(target: Target, { capabilities }: EmitOptions, where: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    // What is absent may also make a kernel that is refused.
    const isOther = cause instanceof GroupwiseError && cause.code !== "bad-kernel";
    const isOurs = isOther || capabilities === undefined;
    const name = isOurs ? undefined : strange(capabilities, full(target.capabilities));
    if (name === undefined) throw cause;
    const want = "those of a target or a runtime";
    throw errorOf(
      "bad-argument",
      { what: "the option capabilities", want, got: `an object with another ${name}` },
      where,
      cause,
    );
  }
}

/** Capabilities with all features, whose properties others must have unless they give a reason. */
const full = (known: Capabilities): Capabilities => ({
  ...known,
  subgroups: { minSize: 1, maxSize: MAX_SUBGROUP },
  lookBack: lookBackFor(known),
});

/** The first property that is absent or of another kind; undefined if there is none. */
function strange(given: object, known: object): string | undefined {
  const isReason = (value: object): boolean => "unsupported" in value;
  return Object.entries(known).find(([name, want]: [string, unknown]) => {
    const value = (given as Record<string, unknown>)[name];
    if (!OBJECT.is(value)) return OBJECT.is(want) || typeof value !== typeof want;
    if (!OBJECT.is(want)) return !isReason(value as object);
    return [value, want].every((one) => !isReason(one as object)) && strange(value as object, want as object);
  })?.[0];
}

/**
 * Subgroups of at least so many work-items: within what is known, or within the limit of the languages.
 * @throws GroupwiseError `bad-argument`
 */
function subgroupsFrom(given: boolean | number, { subgroups }: Capabilities, where: string): Subgroups {
  const known = "unsupported" in subgroups ? { minSize: 1, maxSize: MAX_SUBGROUP } : subgroups;
  const least = Number(given);
  if (least > known.maxSize || !isPowerOfTwo(least)) {
    const want = `true, false or a power of two up to ${known.maxSize}, the size of the largest subgroups`;
    throw errorOf("bad-argument", { what: "the option subgroups", want, got: String(given) }, where);
  }
  return { ...known, minSize: Math.max(known.minSize, least) };
}
/** Work-items of the largest subgroups that any language has. */
const MAX_SUBGROUP = 128;

function capabilitiesFor(target: Target, options: EmitOptions, where: string): Capabilities {
  const { native, subgroups = false, lookBack, cores, types = [] } = options;
  const known = options.capabilities ?? ofTarget(target, options.tuning);
  const given = options.subnormals === "flush" ? allowingFlush(known) : known;
  const made: Capabilities = {
    ...types.reduce((before, type) => target.optionalTypes[type]?.(before) ?? before, given),
    ...(native === false && { groupFunctions: [] }),
    ...(subgroups !== false && { subgroups: subgroupsFrom(subgroups, given, where) }),
    ...(lookBack && { lookBack: lookBackFor(given) }),
    ...(cores !== undefined && { chunks: chunksFor(cores) }),
  };
  const isKnown = options.capabilities !== undefined;
  return isKnown || !hasWideSubgroups(made) ? made : (target.inWideSubgroups?.(made) ?? made);
}

const ofTarget = (target: Target, tuning: Tuning | undefined): Capabilities =>
  tuning ? capabilitiesOfTuned(tuning, target.name, target.capabilities) : target.capabilities;

/** The capabilities with the sizes that options or a tuning have for the pipeline. */
function tiled(checked: Checked, capabilities: Capabilities, options: EmitOptions): Capabilities {
  const { tuning, items, tiles, carrying } = options;
  if (tiles) return withTiles(capabilities, tiles);
  const tuned = carrying || !tuning ? undefined : tilesFor(tuning, checked, capabilities, items);
  return tuned ? withTiles(capabilities, tuned) : capabilities;
}

/**
 * The emitted files of a pipeline for a target. Takes milliseconds; needs no device.
 * @example
 * ```ts
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { emit } from "@groupwise/core";
 * import { wgsl } from "@groupwise/target-wgsl";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const { files } = emit(sums, wgsl);
 * console.log(files.map(({ path }) => path)); // ["sums.wgsl", "sums.wgsl.json"]
 * ```
 */
export function emit(source: PipelineSource, target: Target, options: EmitOptions = {}): Artifact {
  const made = plan(source, target, options);
  return explained(target, options, made.module.name, () => target.print(made, options));
}

/** A property of devices that files may rely on, and that a test of the device may refute. */
export interface Trial {
  /** Why the device cannot run an artifact; undefined if it can. */
  obstacleOf(artifact: Artifact): Promise<string | undefined>;
  /** The capabilities of a device that lacks it, for this reason. */
  without(capabilities: Capabilities, reason: string): Capabilities | Promise<Capabilities>;
}

/**
 * Plans and prints for a tested device: again without each property that the device turns out to lack. The
 * returned capabilities show which. They are those of the device, without the sizes that a tuning has for the pipeline.
 * @param wanted the options of compile, and the tuning of the device
 */
export async function planTried(
  source: PipelineSource,
  target: Target,
  capabilities: Capabilities,
  trials: readonly Trial[],
  wanted: CompileOptions & Pick<EmitOptions, "tuning"> = {},
): Promise<Tried> {
  const make = (known: Capabilities): Tried => {
    const made = plan(source, target, { ...wanted, capabilities: known });
    return { plan: made, artifact: target.print(made, {}), capabilities: known };
  };
  let tried = make(capabilities);
  for (const { obstacleOf, without } of trials) {
    const obstacle = await obstacleOf(tried.artifact);
    if (obstacle !== undefined) tried = make(await without(tried.capabilities, obstacle));
  }
  return tried;
}

/** A plan and its files, and what is then known of the device. */
interface Tried {
  readonly plan: Plan;
  readonly artifact: Artifact;
  readonly capabilities: Capabilities;
}
