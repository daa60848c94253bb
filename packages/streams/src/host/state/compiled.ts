/** Carried pipelines that a runtime compiled. */

import { errorOf } from "@groupwise/ir/base/errors.js";
import type { Pipeline } from "@groupwise/ir/document/node.js";
import type { HostArray } from "@groupwise/ir/tables/scalar.js";
import type { Carrying } from "@groupwise/lower/parts/strategy.js";
import { kindOf } from "@groupwise/runtime/api/host-view.js";
import type { Executable, RunOptions, Runtime } from "@groupwise/runtime/api/runtime.js";
import type { PipelineSource } from "@groupwise/runtime/api/target.js";
import { CarriedState } from "../../carry/state.ts";
import type { Carried } from "../../state/carry.ts";
import { type CallerValues, Pieces, type RunPiece } from "./pieces.ts";

/** A carried pipeline on a runtime. */
export interface CompiledCarried {
  readonly executable: Executable;
  readonly pieces: Pieces;
}

/**
 * Compiles a pipeline over a chunk.
 * @param source the pipeline with the names of scalar outputs
 * @throws GroupwiseError `bad-argument` if it is no runtime; as `Runtime.compile`
 */
async function compileLoops(
  runtime: Runtime,
  ir: Pipeline,
  carrying: Carrying,
  source?: PipelineSource,
): Promise<Executable> {
  requireRuntime(runtime);
  const scalars = (source as { readonly scalars?: unknown } | undefined)?.scalars;
  return runtime.compile({ ir, ...(scalars !== undefined && { scalars }) }, { carrying });
}

/** @throws GroupwiseError `bad-argument` */
function requireRuntime(runtime: Runtime): void {
  if (typeof runtime?.compile === "function" && runtime.device) return;
  const want = "a runtime, for example jsRuntime(), or what acrossRuntimes returns";
  throw errorOf("bad-argument", { what: "the runtime", want, got: kindOf(runtime) });
}

/**
 * Compiles a carried pipeline.
 * @param source the pipeline with the names of scalar outputs
 * @throws GroupwiseError `unsupported` if the runtime has no loops that carry a state; as `Runtime.compile`
 */
export async function compileCarried(
  runtime: Runtime,
  carried: Carried,
  source?: PipelineSource,
): Promise<CompiledCarried> {
  const executable = await compileLoops(runtime, carried.pipeline, new CarriedState(carried), source);
  const inputs = carried.pipeline.nodes.flatMap((node) => (node.kind === "input" ? [node.name] : []));
  const run: RunPiece = (values, { from, to, isChunk, n, spare }, own) => {
    const options = { ...(n !== undefined && { n }), ...(spare !== undefined && { spare }) };
    const cut = isChunk ? values : partOf(values, inputs, from, to);
    return executable.run({ ...cut, ...own } as never, options as RunOptions);
  };
  const pieces = new Pieces(carried, run, executable.plan.carries === "blocks");
  return { executable, pieces };
}

/** The values with some items of each input. */
export function partOf(
  values: CallerValues,
  inputs: readonly string[],
  from: number,
  to: number,
): CallerValues {
  const cut = inputs.map((name) => [name, (values[name] as HostArray).subarray(from, to)]);
  return { ...values, ...Object.fromEntries(cut) };
}
