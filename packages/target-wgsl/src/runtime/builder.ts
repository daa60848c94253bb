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
  lackingSubgroups,
  planTried,
  quicklyCompiled,
  splitPlan,
  type Trial,
  withHalfConversions,
} from "@groupwise/core/target";
import type { Gpu } from "../device/device.ts";
import { halfFormOn, halfObstacle } from "../device/half-conversions.ts";
import { subgroupObstacle } from "../device/subgroups.ts";
import { beginPasses } from "./compiling.ts";
import { Program } from "./program.ts";
import type { Compiled } from "./shared.ts";
import { Tiers } from "./tiers.ts";

interface Form {
  readonly plan: Plan;
  readonly program: Program;
  /** The kernels, if they are being compiled. */
  readonly passes: Passes | undefined;
}
type Passes = ReturnType<typeof beginPasses>;

export class Builder {
  private readonly target: Target;
  private readonly gpu: Gpu;
  private readonly tuning: Tuning | undefined;
  private readonly trials: readonly Trial[];
  private known: Capabilities;

  constructor(
    target: Target,
    gpu: Gpu,
    capabilities: Capabilities,
    { tuning, subgroups = false }: { readonly tuning?: Tuning; readonly subgroups?: boolean },
  ) {
    this.target = target;
    this.gpu = gpu;
    this.known = capabilities;
    this.tuning = tuning;
    // Loading a program reports what the device lacks of what is asked for.
    const trial = (test: typeof subgroupObstacle, isAsked = false): Trial["obstacleOf"] =>
      isAsked ? async () => undefined : ({ manifest }) => test(gpu, manifest);
    this.trials = [
      { obstacleOf: trial(subgroupObstacle, subgroups), without: lackingSubgroups },
      {
        obstacleOf: trial(halfObstacle),
        without: async (found) => withHalfConversions(found, await halfFormOn(gpu)),
      },
    ];
  }

  /** Those of the device as far as it is tested. */
  get capabilities(): Capabilities {
    return this.known;
  }

  async build(source: PipelineSource, wanted: CompileOptions): Promise<Compiled> {
    const { waitFor, tiles } = wanted;
    if (waitFor === "fastest" || tiles || "unsupported" in this.known.lookBack) {
      const { plan, program, passes } = await this.form(source, wanted, this.known);
      return { plan, tiers: new Tiers(await program.compile(passes)) };
    }
    const quick = await this.form(source, wanted, quicklyCompiled(this.known));
    const first = quick.program.compile(quick.passes);
    first.catch(() => {}); // awaited below
    // The host lowers while the device compiles.
    const { plan, program } = await this.form(source, wanted, this.known, false);
    const tiers =
      plan.strategy === quick.plan.strategy ? new Tiers(await first) : new Tiers(await first, program);
    return { plan, tiers };
  }

  /** @param begins whether the device compiles the kernels while its properties are tested */
  private async form(
    source: PipelineSource,
    wanted: CompileOptions,
    known: Capabilities,
    begins = true,
  ): Promise<Form> {
    const { gpu, target, tuning } = this;
    const compiling = new Map<Artifact, Passes>();
    const trials = this.trials.map(({ obstacleOf, without }) => ({
      without,
      obstacleOf: (artifact: Artifact) => {
        const tested = obstacleOf(artifact);
        if (begins && !compiling.has(artifact)) compiling.set(artifact, beginPasses(gpu, artifact));
        return tested;
      },
    }));
    const made = await planTried(source, target, known, trials, { ...wanted, ...(tuning && { tuning }) });
    const found = made.capabilities;
    const { lookBack } = "unsupported" in found.subgroups ? found : this.known;
    this.known = { ...found, lookBack };
    const { plan, artifact } = made;
    const program = new Program(gpu, artifact, (split) => target.print(splitPlan(plan, split), {}));
    return { plan, program, passes: compiling.get(artifact) };
  }
}
