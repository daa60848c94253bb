/** Plans, prints and builds pipelines for one device. */
import type {
  Artifact,
  Capabilities,
  CompileOptions,
  PipelineSource,
  Plan,
  ProbeReport,
} from "@groupwise/core";
import {
  type Earned,
  earnedTrials,
  errorOf,
  lackingSubgroups,
  planTried,
  requireEarned,
  type Trial,
} from "@groupwise/core/target";
import { Owned } from "../device/owned.ts";
import { opencl } from "../print/target.ts";
import { earnedOn } from "./earned.ts";
import { build, type Program, type Session } from "./program.ts";
import { subgroupObstacle } from "./subgroups.ts";
import { textOf } from "./text.ts";

/** The objects that executables with the same content share. */
export interface Compiled {
  readonly plan: Plan;
  readonly program: Program;
}

/** Builds programs, and tests the device for what they need. */
export class Builder {
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
      subgroups ? undefined : subgroupObstacle(session, manifest);
    this.trials = [{ obstacleOf, without: lackingSubgroups }, ...earnedTrials(this.earned)];
  }

  /** @throws GroupwiseError `unsupported` if the device lacks what the artifact needs */
  async load(artifact: Artifact): Promise<Program> {
    const letGo = this.owned.use();
    try {
      const { manifest } = artifact;
      await this.requireFor(artifact);
      const built = await build(this.session, manifest, textOf(artifact));
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
    const reason = await subgroupObstacle(this.session, manifest);
    if (reason !== undefined) throw errorOf("unsupported", { what: "subgroups", reason }, manifest.pipeline);
  }

  async compile(source: PipelineSource, wanted: CompileOptions): Promise<Compiled> {
    // A probe runs in the session; others await its answers too.
    const letGo = this.owned.use();
    try {
      const made = await planTried(source, opencl, this.capabilities, this.trials, wanted);
      this.capabilities = made.capabilities;
      return { plan: made.plan, program: await this.load(made.artifact) };
    } finally {
      letGo();
    }
  }
}
