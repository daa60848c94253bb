/** Emitted files that run over a chunk. */

import { recordOf, requireArgument } from "@groupwise/ir/base/arguments.js";
import { check } from "@groupwise/ir/document/check.js";
import type { Plan } from "@groupwise/lower/lower.js";
import {
  type Artifact,
  type EmitOptions,
  emit,
  type PipelineSource,
  pipelineOf,
  plan,
  type Target,
} from "@groupwise/runtime/api/target.js";
import { CarriedState } from "../../carry/state.ts";
import { CARRIED, type Carried, carriedOf } from "../../state/carry.ts";

/**
 * The emitted files of a pipeline over a chunk, for hosts without any other part of groupwise. Besides the arguments of the pipeline
 * the function takes `place`, the index of the chunk's first item; `first`, the same number, if the pipeline reads indexes; and
 * tables `…_before`, which hold the state; it has outputs `…_after`. For the next chunk the outputs are the tables, and `place` is larger by the
 * number of items. In the first chunk the tables hold the identity. A chunk ends at item 2^30 at the latest; `stepper` continues from there.
 * If the strategy uses work-groups, and an operator is not exactly associative, a chunk that does not begin at item 0 has at
 * most as many items as the largest power of two that divides `place`; `explain` of `planChunks` reports this.
 * @throws GroupwiseError `not-carried`; as `emit`
 * @example
 * ```ts
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { emitChunks } from "@groupwise/core/state";
 * import { js } from "@groupwise/target-js";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const { files } = emitChunks(sums, js);
 * console.log(files[0]?.path); // "sums.mjs"
 * ```
 */
export function emitChunks(source: PipelineSource, target: Target, options: EmitOptions = {}): Artifact {
  return emitCarried(carriedOf(check(pipelineOf(source))), target, options);
}

/**
 * The emitted files of a carried pipeline; see {@link emitChunks}.
 * @throws GroupwiseError as `emit`
 * @category Authors
 */
export function emitCarried(carried: Carried, target: Target, options: EmitOptions = {}): Artifact {
  requireArgument(carried, CARRIED, "the pipeline");
  return emit(carried.pipeline, target, carrying(options, carried));
}

/**
 * The plan of a pipeline over a chunk, for `explain`.
 * @throws GroupwiseError `not-carried`; as `plan`
 * @category Authors
 */
export function planChunks(source: PipelineSource, target: Target, options: EmitOptions = {}): Plan {
  const carried = carriedOf(check(pipelineOf(source)));
  return plan(carried.pipeline, target, carrying(options, carried));
}

const carrying = (options: EmitOptions, carried: Carried): EmitOptions => ({
  ...recordOf(options, "the options", carried.pipeline.name),
  carrying: new CarriedState(carried),
});
