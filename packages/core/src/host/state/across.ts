/** One pipeline over several runtimes. */
import { errorOf, GroupwiseError } from "../../ir/base/errors.ts";
import { type Checked, check } from "../../ir/document/check.ts";
import { carriedOf } from "../../ir/state/carry.ts";
import { type Division, divisionOf } from "../../ir/state/division.ts";
import { totalsOnly } from "../../ir/state/totals.ts";
import type { HostArray } from "../../ir/tables/scalar.ts";
import { kindOf } from "../api/host-view.ts";
import type { Runtime } from "../api/runtime.ts";
import { type PipelineSource, pipelineOf } from "../api/target.ts";
import type { InferOutputs, InferValues, RunResults, RunValues } from "../api/typed.ts";
import { optionsOf, recordOf } from "../checks/arguments.ts";
import { prepareRun } from "../checks/host.ts";
import type { Manifest } from "../plan/manifest.ts";
import { type CompiledCarried, compileCarried, partOf } from "./compiled.ts";
import type { Values } from "./pieces.ts";
import { joinArrays, joinResults } from "./results.ts";
import { evenShares, type PartOutputs, type PartRunner, runSideBySide } from "./side-by-side.ts";
import { Steps } from "./steps.ts";

/** Options of `acrossRuntimes`. */
export interface AcrossOptions {
  /** For each runtime its part of the range, relative to the others; default: all are busy for as long if they are equally fast. */
  readonly shares?: readonly number[];
}

/** Options of a run over several runtimes. */
export interface AcrossRunOptions {
  /** Number of items, if no input determines it. */
  readonly n?: number;
}

/** A pipeline compiled for several runtimes. `P` is the type of the pipeline. */
export interface AcrossExecutable<P extends PipelineSource = PipelineSource> {
  /** How the parts depend on one another. */
  readonly division: Division;
  /**
   * Runs the pipeline over all runtimes. The results are those of each runtime alone, bit for bit. `values` are copied before this returns.
   * @throws GroupwiseError as `Executable.run`; what a runtime throws, when no other is running
   */
  run(values: InferValues<P>, options?: AcrossRunOptions): Promise<InferOutputs<P>>;
  /** Frees what the runtimes compiled; they themselves stay. */
  dispose(): void;
}

/** Several runtimes that compute parts of one range. */
export interface AcrossRuntimes {
  /**
   * Compiles for every runtime.
   * @throws GroupwiseError `unsupported` with the runtime that carries no states; `not-carried` if parts of the range cannot be computed side
   * by side; as `Runtime.compile`
   */
  compile<P extends PipelineSource>(source: P): Promise<AcrossExecutable<P>>;
}

/**
 * One pipeline over the runtimes that it is given: each computes a part of the range, states of parts join, and the results are gathered on the host.
 * Runtimes may be of different targets and devices.
 * @param runtimes at least one; whoever made them disposes of them
 * @throws GroupwiseError `bad-argument`
 */
export function acrossRuntimes(runtimes: readonly Runtime[], options: AcrossOptions = {}): AcrossRuntimes {
  if (!Array.isArray(runtimes) || runtimes.length === 0)
    throw badList("the runtimes", "a list of at least one", runtimes);
  const given: readonly Runtime[] = [...runtimes];
  const { shares } = optionsOf(options, ["shares"], "the options of acrossRuntimes");
  const told = shares === undefined ? undefined : sharesOf(shares, given.length);
  return { compile: (source) => compileAcross(given, told, source) };
}

const badList = (what: string, want: string, got: unknown): Error =>
  errorOf("bad-argument", { what, want, got: Array.isArray(got) ? `a list of ${got.length}` : kindOf(got) });

function sharesOf(shares: unknown, count: number): readonly number[] {
  const want = `${count} numbers from 0 on, one for each runtime, not all 0`;
  if (!Array.isArray(shares) || shares.length !== count) throw badList("the option shares", want, shares);
  const numbers = shares.map(Number);
  const isFine = numbers.every((share) => share >= 0 && Number.isFinite(share));
  if (isFine && numbers.some((share) => share > 0)) return numbers;
  throw errorOf("bad-argument", { what: "the option shares", want, got: numbers.join(", ") });
}

/** One runtime's share of the work. */
interface Member {
  readonly whole: CompiledCarried;
  readonly totals: CompiledCarried | undefined;
}

async function compileAcross<P extends PipelineSource>(
  runtimes: readonly Runtime[],
  shares: readonly number[] | undefined,
  source: P,
): Promise<AcrossExecutable<P>> {
  const checked = check(pipelineOf(source));
  const division = divisionOf(checked);
  const settled = await Promise.allSettled(
    runtimes.map((runtime, i) => compileMember(runtime, i, checked, division, source)),
  );
  const members = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const dispose = (): void => {
    for (const { whole, totals } of members) for (const one of [whole, totals]) one?.executable.dispose();
  };
  const failed = settled.find((one) => one.status === "rejected");
  if (failed) dispose();
  if (failed) throw failed.reason;
  const team = new Team(checked, division, members, shares);
  return {
    division,
    run: (values, options) => team.run(values, options) as Promise<InferOutputs<P>>,
    dispose,
  };
}

async function compileMember(
  runtime: Runtime,
  index: number,
  checked: Checked,
  division: Division,
  source: PipelineSource,
): Promise<Member> {
  try {
    const whole = await compileCarried(runtime, carriedOf(checked), source);
    const totals =
      division === "map" ? undefined : await compileCarried(runtime, carriedOf(totalsOnly(checked)));
    return { whole, totals };
  } catch (error) {
    if (!(error instanceof GroupwiseError) || error.code !== "unsupported") throw error;
    const { target, name } = runtime.device;
    const what = `a part of a range on runtime ${index} (${target}: ${name})`;
    throw errorOf("unsupported", { what, reason: error.what }, checked.pipeline.name, error);
  }
}

/** The runtimes as they work together. */
class Team {
  private readonly checked: Checked;
  private readonly division: Division;
  private readonly members: readonly Member[];
  private readonly shares: readonly number[];
  private readonly steps: readonly Steps[];

  constructor(
    checked: Checked,
    division: Division,
    members: readonly Member[],
    shares: readonly number[] = evenShares(members.length, division),
  ) {
    this.checked = checked;
    this.division = division;
    this.members = members;
    this.shares = shares;
    const join = (first: RunResults, rest: RunResults): RunResults => joinResults(checked, first, rest);
    this.steps = members.map(
      ({ whole, totals }) =>
        new Steps({ whole: whole.pieces, ...(totals && { totals: totals.pieces }), join }),
    );
  }

  async run(given: unknown, options: unknown): Promise<RunResults> {
    const { name } = this.checked.pipeline;
    const { n: told } = optionsOf(options, ["n"], "the options of a run", name);
    const { values, n } = this.read(recordOf(given, "the values of a run", name), told);
    const inputs = this.checked.inputs.map((input) => input.name);
    const runners = this.steps.map((steps): PartRunner => {
      const cut = (from: number, to: number): Values => partOf(values, inputs, from, to);
      return {
        step: (from, to, state) => steps.step(cut(from, to), { state, n: to - from }),
        stateOf: (from, to) => steps.stateOf(cut(from, to), { from: BigInt(from), n: to - from }),
      };
    });
    const { division, shares, steps } = this;
    const start = (steps[0] as Steps).start;
    return this.gather(await runSideBySide({ runners, shares, division, start }, n));
  }

  /** The values of a run as they are now, and the number of items; checked as a run of the pipeline checks them. */
  private read(values: Values, told: unknown): { readonly values: Values; readonly n: number } {
    const { whole } = this.members[0] as Member;
    const manifest = withoutState(whole);
    const range = told === undefined ? {} : { n: told as number };
    const { inputs, n } = prepareRun(manifest, values as RunValues, range);
    const copied = [...inputs].map(([name, array]) => [name, array.slice()]);
    return { values: { ...values, ...Object.fromEntries(copied) }, n };
  }

  private gather(parts: readonly PartOutputs[]): RunResults {
    const last = parts.at(-1) as PartOutputs;
    const { sinks, uniformities } = this.checked;
    const perItem = sinks.filter(({ id }) => uniformities[id] === "item");
    const joined = perItem.map(({ name }) => [
      name,
      joinArrays(parts.map(({ outputs }) => outputs[name] as HostArray)),
    ]);
    return { ...last.outputs, ...Object.fromEntries(joined) };
  }
}

/** The manifest of a carried pipeline as that of the pipeline. */
function withoutState({ executable, pieces }: CompiledCarried): Manifest {
  const { scans, place, first } = pieces.carried;
  const own = new Set([place, first, ...scans.flatMap(({ from, to }) => [...from, ...to])]);
  const { manifest } = executable;
  return {
    ...manifest,
    bindings: manifest.bindings.filter(({ name }) => !own.has(name)),
    params: manifest.params.filter(({ name, table }) => !own.has(name) && !own.has(table)),
  };
}
