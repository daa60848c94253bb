/** Runtimes that compute parts of one range together. */
import { errorOf } from "@groupwise/ir/base/errors.js";
import type { Checked } from "@groupwise/ir/document/check.js";
import { arraySpec } from "@groupwise/ir/tables/narrow.js";
import type { HostArray, ScalarValue } from "@groupwise/ir/tables/scalar.js";
import type { RunOptions } from "@groupwise/runtime/api/runtime.js";
import type { RunOutputs, RunResults, RunValues } from "@groupwise/runtime/api/typed.js";
import { optionsOf, recordOf } from "@groupwise/runtime/checks/arguments.js";
import { prepareRun } from "@groupwise/runtime/checks/host.js";
import { END } from "@groupwise/runtime/checks/range.js";
import type { Binding, Manifest } from "@groupwise/runtime/plan/manifest.js";
import type { State } from "../../state/state.ts";
import { partOf } from "../state/compiled.ts";
import { divisorsOf } from "../state/divisors.ts";
import type { Crew, Parted, PartedLoops, PartedStep, PartPiece, RunPartPiece } from "../state/parted.ts";
import { type CallerValues, laterOf } from "../state/pieces.ts";
import { joinArrays } from "../state/results.ts";
import { disposeAll, type Member, type MemberLoops } from "./member.ts";

/** The inputs of a run that were read, and its results. */
interface Range {
  /** Copies of the arrays, and the parameters. */
  readonly values: CallerValues;
  readonly n: number;
  /** The outputs of items by name. */
  readonly whole: Readonly<Record<string, HostArray>>;
  /** The elements that pieces write, by the name of the compaction. */
  readonly elements: ReadonlyMap<string, Elements[]>;
  /** By input: the first items after the range, if it is a chunk. */
  readonly after?: CallerValues;
}

/** Elements of the items from a number on. */
interface Elements {
  readonly from: number;
  readonly array: HostArray;
}

/** Parameters by name. */
type Params = Readonly<Record<string, ScalarValue>>;

export class Team {
  readonly checked: Checked;
  readonly parted: Parted;
  private readonly members: readonly Member[];
  private readonly shares: number | readonly number[];
  /** The manifest of the pipeline, without its state. */
  readonly manifest: Manifest;
  /** That of steps: each runtime checks its part against its own limit. */
  readonly stepManifest: Manifest;
  /** The parameters that divide the number of items. */
  readonly divisors: readonly string[];
  private isDisposed = false;

  constructor(
    checked: Checked,
    parted: Parted,
    members: readonly Member[],
    shares: number | readonly number[],
  ) {
    this.checked = checked;
    this.parted = parted;
    this.members = members;
    this.shares = shares;
    this.divisors = divisorsOf(checked);
    this.manifest = withoutState(parted, members[0] as Member, this.divisors);
    this.stepManifest = { ...this.manifest, maxItems: END };
  }

  /** See `AcrossExecutable`. */
  async run(given: unknown, options: unknown): Promise<RunOutputs> {
    const range = this.read(given, options);
    return joined(range, await this.parted.run(range.n, this.crewOf(range)));
  }

  /** See `Stepper.step`. @param start the state of all items before the chunk @param after by input: the first items after it */
  async step(given: unknown, options: unknown, start: State, after?: CallerValues): Promise<PartedStep> {
    const range = { ...this.read(given, options, freely(this.manifest)), ...(after && { after }) };
    const { outputs, state } = await this.parted.advance(range.n, { ...this.crewOf(range), start });
    return { outputs: joined(range, outputs), state };
  }

  private crewOf(range: Range): Crew {
    const { shares, takesBlocks } = this;
    const runPiece = (piece: PartPiece): Promise<RunResults> => this.runPiece(range, piece);
    return { shares, runPiece, params: range.values as Params, takesBlocks, keepsElements: true };
  }

  /** Runs parts in place, and returns the outputs with one value for the range. @param cuts the first item of each member, and n */
  runCut(n: number, cuts: readonly number[], runPiece: RunPartPiece, params: Params): Promise<RunResults> {
    const { takesBlocks } = this;
    const { length: shares } = this.members;
    return this.parted.run(n, { shares, cuts, runPiece, params, takesBlocks, keepsElements: true });
  }

  /** The names of the outputs whose elements are those of the items that write. */
  get compactions(): readonly string[] {
    return [...this.parted.items.carried.appended.keys()];
  }

  loopsOf(by: number, loops: PartedLoops): MemberLoops {
    return this.members[by]?.get(loops) as MemberLoops;
  }

  /** @throws GroupwiseError `disposed` */
  check(): void {
    if (this.isDisposed) throw errorOf("disposed", { what: this.checked.pipeline.name });
  }

  dispose(): void {
    this.isDisposed = true;
    disposeAll(this.members);
  }

  private readonly takesBlocks = (by: number, loops: PartedLoops): boolean =>
    this.loopsOf(by, loops).executable.plan.carries === "blocks";

  /** A copy of the values of a run, checked as a run of the pipeline checks them. */
  private read(given: unknown, options: unknown, manifest: Manifest = this.manifest): Range {
    const { name } = this.checked.pipeline;
    const values = recordOf(given, "the values of a run", name) as RunValues;
    const { inputs, n } = prepareRun(
      manifest,
      values,
      optionsOf(options, ["n"], "the options of a run", name) as RunOptions,
    );
    const copied = [...inputs].map(([name, array]) => [name, array.slice()]);
    const { compactions } = this;
    const made = this.manifest.bindings
      .filter((binding) => isOfItems(binding) && !compactions.includes(binding.name))
      .map(({ name, type }) => [name, new (arraySpec(type).array)(n)]);
    return {
      values: { ...values, ...Object.fromEntries(copied) },
      n,
      whole: Object.fromEntries(made),
      elements: new Map(compactions.map((name) => [name, []])),
    };
  }

  private async runPiece(
    { values, whole, elements, after }: Range,
    { by, loops, from, to, own }: PartPiece,
  ): Promise<RunResults> {
    const { executable } = this.loopsOf(by, loops);
    const inputs = this.checked.inputs.map(({ name }) => name);
    const later = laterOf(loops.carried, values, { to, ...(after && { after }) });
    const cut = { ...partOf(values, inputs, from, to), ...own, ...later } as RunValues;
    const outputs: RunResults = await executable.run(cut, { n: to - from });
    if (loops !== this.parted.items) return outputs;
    for (const [name, array] of Object.entries(whole)) array.set(outputs[name] as never, from);
    for (const [name, all] of elements) all.push({ from, array: outputs[name] as HostArray });
    return outputs;
  }
}

/** A chunk may have any number of items. */
const freely = (manifest: Manifest): Manifest => ({
  ...manifest,
  params: manifest.params.map(({ divides, ...param }) => param),
});

/** The elements of all items in their order; pieces end in any order. */
const inOrder = (elements: readonly Elements[]): HostArray =>
  joinArrays([...elements].sort((a, b) => a.from - b.from).map(({ array }) => array));

/** The outputs of a range. @param outputs those with one value */
const joined = ({ whole, elements }: Range, outputs: RunResults): RunOutputs => ({
  ...(outputs as RunOutputs),
  ...whole,
  ...Object.fromEntries([...elements].map(([name, all]) => [name, inOrder(all)])),
});

/** An output of items. */
export const isOfItems = ({ role, uniformity }: Binding): boolean =>
  role === "output" && uniformity === "item";

/** The manifest of the pipeline, from that of the carried pipeline: the whole range is checked. An array for a compaction may have any length. */
function withoutState({ items }: Parted, member: Member, divisors: readonly string[]): Manifest {
  const { scans, place, first, appended, after } = items.carried;
  const later = after?.tables.values() ?? [];
  const own = new Set([place, first, ...later, ...scans.flatMap(({ from, to }) => [...from, ...to])]);
  const { manifest } = (member.get(items) as MemberLoops).executable;
  return {
    ...manifest,
    bindings: manifest.bindings
      .filter(({ name, hidden }) => !own.has(name) && !hidden)
      .map((binding) => (appended.has(binding.name) ? { ...binding, elements: 0 } : binding)),
    params: manifest.params
      .filter(({ name, table }) => !own.has(name) && (table === undefined || !own.has(table)))
      .map((param) => (divisors.includes(param.name) ? { ...param, divides: true } : param)),
  };
}
