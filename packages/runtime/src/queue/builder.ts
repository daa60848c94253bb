/** Plans, prints and builds pipelines for one device. */
import { errorOf } from "@groupwise/ir/base/errors.js";
import { type Capabilities, lackingSubgroups } from "@groupwise/kernel/capabilities/capabilities.js";
import type { Plan } from "@groupwise/lower/lower.js";
import type { CompileOptions, ProbeReport } from "../api/runtime.ts";
import { type Artifact, type PipelineSource, planTried, type Trial } from "../api/target.ts";
import { type Earned, earnedTrials, requireEarned } from "../probe/earned.ts";
import { Owned } from "../run/owned.ts";
import type { Tuning } from "../tuning/tuning.ts";
import { earnedOn } from "./earned.ts";
import { build, type Program, type Session } from "./program.ts";

/** The objects that executables with the same content share. */
export interface Compiled {
  readonly plan: Plan;
  readonly program: Program;
}

/** Builds programs, and tests the device for what they need. */
export class ProgramBuilder {
  /** Those of the device as far as it is tested. */
  capabilities: Capabilities;
  readonly earned: Earned;
  private readonly session: Session;
  private readonly owned: Owned;
  private readonly trials: readonly Trial[];

  /** @param options `subgroups`: whether they are asked for; `probed`: a report that is kept */
  constructor(
    session: Session,
    owned: Owned,
    capabilities: Capabilities,
    { subgroups = false, probed }: { readonly subgroups?: boolean; readonly probed?: ProbeReport },
  ) {
    this.session = session;
    this.owned = owned;
    this.capabilities = capabilities;
    this.earned = earnedOn(session, probed);
    // Loading a program reports what is wrong with subgroups, if they are asked for.
    const obstacleOf = async ({ manifest }: Artifact): Promise<string | undefined> =>
      subgroups ? undefined : session.backend.subgroupObstacle(manifest);
    this.trials = [{ obstacleOf, without: lackingSubgroups }, ...earnedTrials(this.earned)];
  }

  /** @throws GroupwiseError `unsupported` if the device lacks what the artifact needs */
  async load(artifact: Artifact): Promise<Program> {
    const letGo = this.owned.use();
    try {
      const { manifest } = artifact;
      await this.requireFor(artifact);
      const built = await build(this.session, artifact);
      const end = (): void => {
        built.pool.release();
        letGo();
      };
      return { manifest, built, owned: new Owned(`the program ${manifest.pipeline}`, end) };
    } catch (error) {
      letGo();
      throw error;
    }
  }

  private async requireFor(artifact: Artifact): Promise<void> {
    const { manifest } = artifact;
    await requireEarned(this.earned, manifest);
    const reason = await this.session.backend.subgroupObstacle(manifest);
    if (reason !== undefined) throw errorOf("unsupported", { what: "subgroups", reason }, manifest.pipeline);
  }

  async compile(
    source: PipelineSource,
    wanted: CompileOptions & { readonly tuning?: Tuning },
  ): Promise<Compiled> {
    // A probe runs in the session; others await its answers too.
    const letGo = this.owned.use();
    try {
      const made = await planTried(
        source,
        this.session.backend.target,
        this.capabilities,
        this.trials,
        wanted,
      );
      this.capabilities = made.capabilities;
      return { plan: made.plan, program: await this.load(made.artifact) };
    } finally {
      letGo();
    }
  }
}
