/** A pipeline that runs chunk after chunk, from state to state. */
import { CarriedState } from "../../compiler/carry/state.ts";
import { errorOf } from "../../ir/base/errors.ts";
import { check } from "../../ir/document/check.ts";
import { type Carried, carriedOf } from "../../ir/state/carry.ts";
import { requireState } from "../../ir/state/fit.ts";
import { refuseParts } from "../../ir/state/parts.ts";
import {
  emptyState,
  kindOfState,
  LAST_ITEM,
  mergeStates,
  type State,
  type StateOperator,
} from "../../ir/state/state.ts";
import type { HostArray, ScalarValue } from "../../ir/tables/scalar.ts";
import type { Executable, Runtime } from "../api/runtime.ts";
import { type PipelineSource, pipelineOf } from "../api/target.ts";
import type { InferOutputs, InferValues, RunResults } from "../api/typed.ts";
import { optionsOf, recordOf } from "../checks/arguments.ts";
import { alignmentOf, arraysOf, movedState, namesOf, PIECE, placeOf, scanAfter, within } from "./arrays.ts";
import { joinResults } from "./results.ts";

/** Options of a step. */
export interface ChunkOptions {
  /** The state of all items before the chunk; default: the chunk is the first. */
  readonly state?: State;
  /** Number of items, if no input determines it. */
  readonly n?: number;
}

/** Which part of a range. */
export interface PartOptions {
  /** The number of the part's first item in the range. */
  readonly from: bigint;
  /** Number of items, if no input determines it. */
  readonly n?: number;
}

/** What a step gives. */
export interface Step<P> {
  /** What the whole range has there; of a reduce, its result up to the end of the chunk. */
  readonly outputs: InferOutputs<P>;
  /** The state up to the end of the chunk. */
  readonly state: State;
}

/** A pipeline compiled to run chunk after chunk. `P` is the type of the pipeline. */
export interface Stepper<P extends PipelineSource = PipelineSource> {
  /** The state before the first item. */
  readonly start: State;
  /**
   * Runs a chunk, of any length. A step does not change the stepper: steps from one state give equal bits.
   * @param values an array for each input, of the chunk's length; tables and parameters of the whole range
   * @throws GroupwiseError `bad-state`; `too-many-items` where numbers of items are read and leave u32; as `Executable.run`
   */
  step(values: InferValues<P>, options?: ChunkOptions): Promise<Step<P>>;
  /**
   * The state of the items of a part alone, wherever it begins: parts can be computed side by side, and `mergeStates` joins them.
   * @param values as of `step`
   * @throws GroupwiseError `not-carried` if a collective of the pipeline reads another one; as `step`
   */
  stateOf(values: InferValues<P>, options: PartOptions): Promise<State>;
  /** Frees what the runtime compiled. */
  dispose(): void;
}

/**
 * Compiles a pipeline to run chunk after chunk with the bits of the whole range, wherever chunks begin.
 * @throws GroupwiseError `not-carried` if a part of the pipeline needs other chunks; `unsupported` if the runtime has no loops that
 * carry a state; as `Runtime.compile`
 */
export async function stepper<P extends PipelineSource>(runtime: Runtime, source: P): Promise<Stepper<P>> {
  const carried = carriedOf(check(pipelineOf(source)));
  const scalars = (source as { readonly scalars?: unknown }).scalars;
  const executable = await runtime.compile(
    { ir: carried.pipeline, ...(scalars !== undefined && { scalars }) },
    { carrying: new CarriedState(carried) },
  );
  const steps = new Steps(carried, executable);
  return {
    start: steps.start,
    step: (values, options) => steps.step(values, options) as Promise<Step<P>>,
    stateOf: (values, options) => steps.stateOf(values, options),
    dispose: () => executable.dispose(),
  };
}

/** Whether a state is a cover: chunks of an operator that is associative exactly are cut for no other reason than their length. */
const isOfBlocks = (operator: StateOperator): boolean => kindOfState(operator) === "cover";

type Values = Readonly<Record<string, unknown>>;

class Steps {
  readonly start: State;
  private readonly carried: Carried;
  private readonly executable: Executable;
  private readonly inputs: readonly string[];
  private readonly operators: readonly StateOperator[];

  constructor(carried: Carried, executable: Executable) {
    const { pipeline, scans } = carried;
    this.carried = carried;
    this.executable = executable;
    this.inputs = pipeline.nodes.flatMap((node) => (node.kind === "input" ? [node.name] : []));
    this.operators = scans.map(({ operator }) => operator);
    this.start = emptyState(pipeline.name, this.operators);
  }

  async step(given: unknown, options: unknown): Promise<{ outputs: RunResults; state: State }> {
    const { name } = this.carried.pipeline;
    const values = recordOf(given, "the values of a step", name);
    const { state: told, n } = optionsOf(options, ["state", "n"], "the options of a step", name);
    const before = (told ?? this.start) as State;
    requireState(before, { pipeline: name, operators: this.operators });
    if (before.from !== 0n)
      throw errorOf("bad-state", { reason: `it begins at item ${before.from}, not at 0` });
    const count = this.countOf(values, n);
    this.requireNumbers(before.to + BigInt(count));
    return this.pieces(values, before, count, n as number | undefined);
  }

  async stateOf(given: unknown, options: unknown): Promise<State> {
    refuseParts(this.carried.pipeline);
    const { name } = this.carried.pipeline;
    const values = recordOf(given, "the values of a part", name);
    const { from, n } = optionsOf(options, ["from", "n"], "the options of a part", name);
    if (typeof from !== "bigint" || from < 0n)
      throw errorOf("bad-argument", { what: "from", want: "a bigint from 0 on", got: String(from) }, name);
    const count = this.countOf(values, n);
    this.requireNumbers(from + BigInt(count));
    let state = emptyState(name, this.operators, from);
    // A piece begins where a block of at least its length does, so that its blocks are those of a range from 0.
    for (let at = 0; at < count; ) {
      const start = from + BigInt(at);
      const length = Math.min(alignmentOf(start), count - at);
      const alone = await this.piece(this.partOf(values, at, at + length), this.start, length, length, start);
      state = mergeStates(state, movedState(alone.state, start));
      at += length;
    }
    return state;
  }

  /** The most items of a piece that begins at an item. */
  private roomAt(item: bigint): number {
    const isByBlocks = this.executable.plan.carries === "blocks" && this.operators.some(isOfBlocks);
    return isByBlocks ? alignmentOf(item) : PIECE - within(item);
  }

  /** The chunk in pieces that end where a block of 2^30 items does, or where the largest block ends that begins where they do. */
  private async pieces(
    values: Values,
    before: State,
    count: number,
    n: number | undefined,
  ): Promise<{ outputs: RunResults; state: State }> {
    if (count <= this.roomAt(before.to)) return this.piece(values, before, n, count);
    const parts: RunResults[] = [];
    let state = before;
    for (let at = 0; at < count; ) {
      const to = Math.min(at + this.roomAt(state.to), count);
      const part = await this.piece(this.partOf(values, at, to), state, to - at, to - at);
      parts.push(part.outputs);
      ({ state } = part);
      at = to;
    }
    return { outputs: joinResults(this.executable.plan.checked, parts), state };
  }

  /** @param number of the piece's first item in the whole range */
  private async piece(
    values: Values,
    before: State,
    n: number | undefined,
    count: number,
    number: bigint = before.to,
  ): Promise<{ outputs: RunResults; state: State }> {
    const { scans, place, first, edges } = this.carried;
    const from = before.to;
    const own: Record<string, HostArray | ScalarValue> = { [place]: placeOf(from) };
    if (first !== undefined) own[first] = Number(edges ? BigInt(number > 0n) : BigInt.asUintN(32, number));
    for (const [i, scan] of scans.entries()) {
      const arrays = arraysOf(before.scans[i] as never);
      scan.from.forEach((table, field) => {
        own[table] = arrays[field] as HostArray;
      });
    }
    for (const name of Object.keys(values))
      if (Object.hasOwn(own, name)) throw errorOf("unknown-input", { name, known: this.inputs });
    const all = await this.executable.run({ ...values, ...own } as never, n === undefined ? {} : { n });
    const to = from + BigInt(count);
    const states = scans.map((scan, i) => {
      const given = scan.to.map((output) => (all as Values)[output] as HostArray);
      return scanAfter(before.scans[i] as never, given, from, to);
    });
    const hidden = namesOf(scans);
    const outputs = Object.fromEntries(Object.entries(all).filter(([name]) => !hidden.has(name)));
    return { outputs: outputs as RunResults, state: { ...before, to, scans: states } };
  }

  private partOf(values: Values, from: number, to: number): Values {
    const cut = this.inputs.map((name) => [name, (values[name] as HostArray).subarray(from, to)]);
    return { ...values, ...Object.fromEntries(cut) };
  }

  /** The number of items; what is wrong with it is left to the run. */
  private countOf(values: Values, n: unknown): number {
    const given = n ?? (values[this.inputs[0] ?? ""] as HostArray | undefined)?.length ?? 0;
    return Number.isSafeInteger(given) && (given as number) >= 0 ? (given as number) : 0;
  }

  private requireNumbers(end: bigint): void {
    const { first, edges } = this.carried;
    if (end > LAST_ITEM) throw errorOf("bad-state", { reason: `item ${end} is past 2^64` });
    if (first === undefined || edges || end <= 2n ** 32n) return;
    const why = "the pipeline reads numbers of items, which are u32 and";
    throw errorOf("too-many-items", { n: Number(end), limit: 2 ** 32, why }, this.carried.pipeline.name);
  }
}
