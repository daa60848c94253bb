/** Plans, prints and builds pipelines for one device. */
import type { Artifact, Capabilities, CompileOptions, Manifest, PipelineSource, Plan } from "@groupwise/core";
import { errorOf, lackingSubgroups, planTried, type Trial } from "@groupwise/core/target";
import { Owned } from "../device/owned.ts";
import { opencl } from "../print/target.ts";
import { Arithmetic, computeOn } from "./arithmetic.ts";
import { build, type Program, type Session } from "./program.ts";
import { subgroupObstacle } from "./subgroups.ts";

const INEXACT = "a test of the device found results that are not exact";

/** The objects that executables with the same content share. */
export interface Compiled {
  readonly plan: Plan;
  readonly program: Program;
}

/** Builds programs, and tests the device for what they need. */
export class Builder {
  /** Those of the device as far as it is tested. */
  capabilities: Capabilities;
  /** The operations whose results on the device are not exact. */
  readonly inexact: Set<string> = new Set();
  private readonly session: Session;
  private readonly owned: Owned;
  private readonly arithmetic: Arithmetic;
  private readonly trials: readonly Trial[];

  /** @param subgroups whether they are asked for */
  constructor(session: Session, owned: Owned, capabilities: Capabilities, subgroups: boolean) {
    this.session = session;
    this.owned = owned;
    this.capabilities = capabilities;
    this.arithmetic = new Arithmetic(computeOn(session));
    // Loading a program reports what is wrong with subgroups, if they are asked for.
    const obstacleOf = async ({ manifest }: Artifact): Promise<string | undefined> =>
      subgroups ? undefined : subgroupObstacle(session, manifest);
    this.trials = [{ obstacleOf, without: lackingSubgroups }];
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
    const [broken] = await this.arithmetic.broken(artifact, textOf(artifact));
    if (broken) throw errorOf("unsupported", { what: broken.name, reason: INEXACT }, manifest.pipeline);
    const reason = await subgroupObstacle(this.session, manifest);
    if (reason !== undefined) throw errorOf("unsupported", { what: "subgroups", reason }, manifest.pipeline);
  }

  async compile(source: PipelineSource, wanted: CompileOptions): Promise<Compiled> {
    const promised = await this.planned(source, this.capabilities, wanted);
    const broken = await this.arithmetic.broken(promised.artifact, textOf(promised.artifact));
    for (const { name } of broken) this.inexact.add(name);
    const kept = broken.reduce((known, { without }) => without(known), promised.capabilities);
    const made = broken.length ? await this.planned(source, kept, wanted) : promised;
    this.capabilities = made.capabilities;
    return { plan: made.plan, program: await this.load(made.artifact) };
  }

  private planned(source: PipelineSource, capabilities: Capabilities, wanted: CompileOptions) {
    return planTried(source, opencl, capabilities, this.trials, wanted);
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
