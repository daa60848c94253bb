/** Plans, prints and builds pipelines for one device. */
import type { Artifact, Capabilities, CompileOptions, Manifest, PipelineSource, Plan } from "@groupwise/core";
import {
  Earned,
  earnedTrials,
  errorOf,
  lackingSubgroups,
  planTried,
  requireEarned,
  type Trial,
} from "@groupwise/core/target";
import { Owned } from "../device/owned.ts";
import { capabilitiesOf } from "../print/capabilities.ts";
import { opencl } from "../print/target.ts";
import { build, type Program, type Session } from "./program.ts";
import { runProgram } from "./run.ts";
import { subgroupObstacle } from "./subgroups.ts";

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

  /** @param subgroups whether they are asked for */
  constructor(session: Session, owned: Owned, capabilities: Capabilities, subgroups: boolean) {
    this.session = session;
    this.owned = owned;
    this.capabilities = capabilities;
    this.earned = new Earned(opencl, capabilitiesOf(session.info), async (artifact, given) => {
      const built = await build(session, artifact.manifest, textOf(artifact));
      try {
        const { found } = await runProgram(session, built, artifact.manifest, { given }, { n: 1 });
        return found as Uint32Array;
      } finally {
        built.pool.release();
      }
    });
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
    const made = await planTried(source, opencl, this.capabilities, this.trials, wanted);
    this.capabilities = made.capabilities;
    return { plan: made.plan, program: await this.load(made.artifact) };
  }
}

function textOf({ manifest, files }: Artifact): string {
  const path = fileOf(manifest);
  const file = files.find((candidate) => candidate.path === path);
  if (file) return file.text;
  throw errorOf("bad-usage", {
    reason: `the artifact of ${manifest.pipeline} has no file ${path ?? "with kernels"}`,
    hint: "pass an artifact that the target opencl emitted, with all of its files",
  });
}

const fileOf = (manifest: Manifest): string | undefined =>
  manifest.target === opencl.name ? (manifest.passes[0]?.file ?? `${manifest.pipeline}.cl`) : undefined;
