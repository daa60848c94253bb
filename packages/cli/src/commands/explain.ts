/** `groupwise explain`: the plan that a target would follow. */
import { type EmitOptions, explain, plan, printExplanation } from "@groupwise/core";
import { planChunks } from "@groupwise/core/state";
import type { Outcome, Surroundings } from "../base/outcome.ts";
import { isGroupwiseError, problemOf } from "../base/problem.ts";
import { type RangeFlags, rangeOf } from "../base/range.ts";
import { targetsOf } from "../base/target-list.ts";
import { toolsOf } from "../base/targets.ts";
import { readTuning, refuseTuning } from "../values/tuning-file.ts";
import { deviceOptionsOf } from "./emit.ts";
import { loadPipeline } from "./pipeline-file.ts";

export interface ExplainFlags extends Omit<RangeFlags, "globalOffset"> {
  readonly target: string;
  readonly export?: string;
  /** As for `emit`. */
  readonly native?: boolean;
  readonly subgroups?: boolean | number;
  readonly lookBack?: boolean;
  readonly cores?: number;
  readonly stream?: boolean;
  readonly f16?: boolean;
  readonly f64?: boolean;
  /** A file of `groupwise tune`. */
  readonly tuning?: string;
}

export async function explainCommand(
  path: string,
  flags: ExplainFlags,
  { cwd }: Surroundings,
): Promise<Outcome> {
  const targets = targetsOf(flags.target);
  const { pipeline } = await loadPipeline(path, cwd, flags.export);
  const options = rangeOf(flags);
  if (flags.stream) refuseTuning(flags.tuning, "--stream");
  const tuningOf = readTuning(flags.tuning, targets, cwd);
  const items = flags.n ?? flags.globalSize?.reduce((a, b) => a * b, 1);
  const device: EmitOptions = {
    ...deviceOptionsOf(flags),
    ...(items !== undefined && { items }),
  };
  const rows = targets.map((target) => {
    try {
      const made = (flags.stream ? planChunks : plan)(pipeline, toolsOf(target).target, {
        ...device,
        ...tuningOf(target),
      });
      return { target, plan: explain(made, options) };
    } catch (error) {
      // With several targets, refusals are part of the answer; with one, the refusal is the error.
      if (targets.length === 1 || !isGroupwiseError(error)) throw error;
      return { target, refused: problemOf(error) };
    }
  });
  const text = rows
    .map(({ target, plan: made, refused }) =>
      made ? `target ${target}\n${printExplanation(made)}` : `target ${target}\nrefused: ${refused?.what}\n`,
    )
    .join("\n");
  return { code: 0, data: { pipeline: pipeline.name, targets: rows }, text };
}
