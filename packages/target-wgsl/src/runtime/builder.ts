/** Plans, prints and compiles pipelines for one device. */
import type {
  Artifact,
  Capabilities,
  CompileOptions,
  PipelineSource,
  Plan,
  Target,
  Tuning,
} from "@groupwise/core";
import {
  type Earned,
  earnedTrials,
  halfFormOf,
  lackingSubgroups,
  planTried,
  preferredStrategy,
  quicklyCompiled,
  type Small,
  splitPlan,
  type Trial,
  withHalfConversions,
} from "@groupwise/core/target";
import type { Gpu } from "../device/device.ts";
import { halfFormOn, halfObstacle, needsHalfConversions } from "../device/half-conversions.ts";
import { subgroupObstacle } from "../device/subgroups.ts";
import { beginPasses } from "./compiling.ts";
import { earnedOn } from "./earned.ts";
import { inFewWords, isZeroing, orWithMore, zeroesWords } from "./few-words.ts";
import { GpuProgram } from "./program.ts";
import type { CompiledKernels } from "./shared.ts";
import { Tiers } from "./tiers.ts";

interface Form {
  readonly plan: Plan;
  readonly program: GpuProgram;
  compile(): Promise<GpuProgram>;
  /** Those of the device, as far as the form's tests show. */
  readonly capabilities: Capabilities;
}
interface BuilderOptions {
  readonly tuning?: Tuning;
  readonly subgroups?: boolean;
  readonly small?: Small | undefined;
}
type Passes = ReturnType<typeof beginPasses>;

export class Builder {
  private readonly target: Target;
  private readonly gpu: Gpu;
  private readonly tuning: Tuning | undefined;
  private readonly small: Small | undefined;
  private readonly earned: Earned;
  private readonly trials: readonly Trial[];
  /** Without the test of conversions, which takes as long as a compilation. */
  private readonly quickTrials: readonly Trial[];
  private known: Capabilities;

  constructor(
    target: Target,
    gpu: Gpu,
    capabilities: Capabilities,
    { tuning, subgroups = false, small }: BuilderOptions,
  ) {
    this.target = target;
    this.gpu = gpu;
    this.known = capabilities;
    this.tuning = tuning;
    this.small = small;
    this.earned = earnedOn(gpu);
    // Loading a program reports what the device lacks of what is asked for.
    const trial = (test: typeof subgroupObstacle, isAsked = false): Trial["obstacleOf"] =>
      isAsked ? async () => undefined : ({ manifest }) => test(gpu, manifest);
    const earned = earnedTrials(this.earned);
    this.quickTrials = [
      { obstacleOf: trial(subgroupObstacle, subgroups), without: lackingSubgroups },
      ...earned,
    ];
    const halves: Trial = {
      obstacleOf: trial(halfObstacle),
      without: async (found) => withHalfConversions(found, await halfFormOn(gpu)),
    };
    // Other conversions of halves are other operations.
    this.trials = [...this.quickTrials, halves, ...earned];
  }

  /** Those of the device as far as it is tested. */
  get capabilities(): Capabilities {
    return this.known;
  }

  async build(source: PipelineSource, wanted: CompileOptions): Promise<CompiledKernels> {
    const { plan, tiers } = await this.forms(source, wanted);
    const measured = wanted.small === false ? undefined : this.small;
    const small = measured?.pipeline(source, plan, tiers.fastest.manifest);
    const dispose = (): void => {
      tiers.dispose();
      small?.dispose();
    };
    return { plan, tiers, dispose, ...(small && { small }) };
  }

  private async forms(
    source: PipelineSource,
    wanted: CompileOptions,
  ): Promise<Pick<CompiledKernels, "plan" | "tiers">> {
    const { waitFor, tiles } = wanted;
    if (waitFor === "fastest" || tiles || "unsupported" in this.known.lookBack) {
      const { plan, compile } = await this.tested(source, wanted);
      return { plan, tiers: new Tiers(await compile()) };
    }
    const quick = await this.form(
      source,
      wanted,
      quicklyCompiled(withHalfConversions(this.known, undefined)),
    );
    this.learn(quick.capabilities);
    const first = quick.compile();
    first.catch(() => {}); // awaited below
    const { checked, strategy } = quick.plan;
    const convertsHalves = halfFormOf(this.known) !== undefined && checked.types.includes("f16");
    if (!convertsHalves && preferredStrategy(checked, this.known, wanted.carrying) === strategy)
      return { plan: quick.plan, tiers: new Tiers(await first) };
    // The host lowers while the device compiles. Nothing waits for a test of conversions, which takes as long.
    const fastest = await this.form(source, wanted, this.known, {
      trials: this.quickTrials,
      begins: false,
    });
    const { plan, program } = fastest;
    const isTested = !needsHalfConversions(program.manifest);
    const later = isTested
      ? fastest
      : { program, compile: async () => (await this.tested(source, wanted)).compile() };
    const isOther = !isTested || plan.strategy !== strategy;
    return { plan, tiers: new Tiers(await first, isOther ? later : undefined) };
  }

  /** What the tests of a form that compiles quickly show. */
  private learn({ subgroups, subnormals, scalars, expand, own }: Capabilities): void {
    const found = { scalars, expand, ...(subnormals && { subnormals }), ...(own && { own }) };
    this.known = { ...this.known, ...found };
    if ("unsupported" in subgroups) this.known = lackingSubgroups(this.known, subgroups.unsupported);
  }

  /** The fastest form for what all tests find. */
  private async tested(source: PipelineSource, wanted: CompileOptions): Promise<Form> {
    const form = await this.form(source, wanted, this.known);
    this.known = form.capabilities;
    return form;
  }

  /** @param how `begins`: whether the device compiles the kernels while its properties are tested */
  private async form(
    source: PipelineSource,
    wanted: CompileOptions,
    known: Capabilities,
    how: { readonly trials: readonly Trial[]; readonly begins: boolean } = {
      trials: this.trials,
      begins: true,
    },
  ): Promise<Form> {
    const { gpu, target, tuning } = this;
    const compiling = new Map<Artifact, Passes>();
    const begins = how.begins && !isZeroing(this.earned);
    const trials = how.trials.map(({ obstacleOf, without }) => ({
      without,
      obstacleOf: (artifact: Artifact) => {
        const tested = obstacleOf(artifact);
        if (begins && !compiling.has(artifact)) compiling.set(artifact, beginPasses(gpu, artifact));
        return tested;
      },
    }));
    const options = { ...wanted, ...(tuning && { tuning }) };
    const made = await planTried(source, target, known, trials, options);
    const hasFew = wanted.tiles !== undefined || !(await zeroesWords(this.earned, made.artifact.manifest));
    const { plan, artifact } = hasFew
      ? made
      : await orWithMore(planTried(source, target, inFewWords(made.capabilities), [], options), made);
    const program = new GpuProgram(gpu, artifact, this.earned, (split) =>
      target.print(splitPlan(plan, split), {}),
    );
    const compile = (): Promise<GpuProgram> => program.compile(compiling.get(artifact));
    return { plan, program, compile, capabilities: made.capabilities };
  }
}
