/** A pipeline that runs chunk by chunk, from state to state. */
import { requireArguments } from "@groupwise/ir/base/arguments.js";
import { check } from "@groupwise/ir/document/check.js";
import type { Runtime } from "@groupwise/runtime/api/runtime.js";
import { type PipelineSource, pipelineOf } from "@groupwise/runtime/api/target.js";
import type { InferOutputs, InferValues } from "@groupwise/runtime/api/typed.js";
import { carriedOf } from "../../state/carry.ts";
import type { State } from "../../state/state.ts";
import { compileCarried } from "./compiled.ts";
import { divisorsOf } from "./divisors.ts";
import { joinResults } from "./results.ts";
import { ChunkSteps } from "./steps.ts";

/** Options of a step. */
export interface ChunkOptions {
  /** The state of all items before the chunk; default: the chunk is the first. */
  readonly state?: State;
  /** Number of items, if no input determines it. */
  readonly n?: number;
  /** Outputs of earlier steps that are no longer needed, as for a run. */
  readonly spare?: Readonly<Record<string, unknown>>;
  /** By input: the first items after the chunk, as many as `ahead` of the stepper, or all if fewer follow. Required if that is not 0. */
  readonly after?: Readonly<Record<string, unknown>>;
}

/** The position of a part in a range. */
export interface PartOptions {
  /** The number of the part's first item in the range. */
  readonly from: bigint;
  /** Number of items, if no input determines it. */
  readonly n?: number;
}

/** The result of a step. */
export interface Step<P> {
  /** The outputs of a run over the whole range for these items; of a reduce, the result up to the end of the chunk. */
  readonly outputs: InferOutputs<P>;
  /** The state up to the end of the chunk. */
  readonly state: State;
}

/** A pipeline compiled to run chunk by chunk. `P` is the type of the pipeline. */
export interface Stepper<P extends PipelineSource = PipelineSource> {
  /** The state before the first item. */
  readonly start: State;
  /** The number of items after a chunk that a step reads, as `x.next(0, 2)` reads two; usually 0. */
  readonly ahead: number;
  /** The parameters that divide the number of items of the whole range: a step and a part refuse 0, and a stream a remainder at its end. */
  readonly divisors: readonly string[];
  /**
   * Runs a chunk, of any length. A step does not change the stepper: steps from one state return equal bits.
   * @param values an array for each input, of the chunk's length; tables and parameters of the whole range
   * @throws GroupwiseError `bad-state`; `bad-divisor`; `too-many-items` if the pipeline reads indexes of items and these exceed u32; as `Executable.run`
   */
  step(values: InferValues<P>, options?: ChunkOptions): Promise<Step<P>>;
  /**
   * The state of the items of a part alone, which may begin at any item: parts can be computed side by side, and `mergeStates` merges their states.
   * @param values as for `step`
   * @throws GroupwiseError `not-carried` if a collective of the pipeline reads another one; as `step`
   */
  stateOf(values: InferValues<P>, options: PartOptions): Promise<State>;
  /** Frees the compiled objects. */
  dispose(): void;
}

/** Several runtimes that compute chunks together, as `acrossRuntimes` returns. */
export interface ChunkRuntimes {
  /** See `stepper`. */
  stepper<P extends PipelineSource>(source: P): Promise<Stepper<P>>;
}

/**
 * Compiles a pipeline to run chunk by chunk with the bits of the whole range. Chunks may begin at any item.
 * @param runtime one runtime, or several that `acrossRuntimes` returns, each of which computes a part of every chunk
 * @throws GroupwiseError `not-carried` if a part of the pipeline needs other chunks; `unsupported` if the runtime has no loops that
 * carry a state; as `Runtime.compile`
 * @example
 * ```ts
 * import { f32, pipeline, scalar } from "@groupwise/dsl";
 * import { stepper } from "@groupwise/core/state";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const total = pipeline("total", { x: f32 }, ({ x }) => ({ sum: scalar(x.reduce("add")) }));
 * const steps = await stepper(jsRuntime(), total);
 * const first = await steps.step({ x: Float32Array.of(1, 2) });
 * const { outputs } = await steps.step({ x: Float32Array.of(3) }, { state: first.state });
 * console.log(outputs.sum); // 6
 * ```
 */
export async function stepper<P extends PipelineSource>(
  runtime: Runtime | ChunkRuntimes,
  source: P,
): Promise<Stepper<P>> {
  requireArguments(arguments, "stepper", ["runtime", "source"]);
  if (isSeveral(runtime)) return runtime.stepper(source);
  const given = check(pipelineOf(source));
  const whole = await compileCarried(runtime, carriedOf(given), source);
  const { executable, pieces } = whole;
  const { checked } = executable.plan;
  const divisors = divisorsOf(given);
  const steps = new ChunkSteps({ whole: pieces, divisors, join: (parts) => joinResults(checked, parts) });
  return {
    start: steps.start,
    ahead: steps.ahead,
    divisors,
    step: (values, options) => steps.step(values, options) as Promise<Step<P>>,
    stateOf: (values, options) => steps.stateOf(values, options),
    dispose: () => executable.dispose(),
  };
}

const isSeveral = (runtime: Runtime | ChunkRuntimes): runtime is ChunkRuntimes =>
  typeof (runtime as Partial<ChunkRuntimes> | undefined)?.stepper === "function";
