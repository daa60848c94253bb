/** `groupwise explain`: the plan that a target would follow. */
import { type EmitOptions, explain, plan, printExplanation } from "@groupwise/core";
import { planChunks } from "@groupwise/core/state";
import type { Outcome, Surroundings } from "../base/outcome.ts";
import { isGroupwiseError, problemOf } from "../base/problem.ts";
import { type RangeFlags, rangeOf } from "../base/range.ts";
import { targetsOf } from "../base/target-list.ts";
import { toolsOf } from "../base/targets.ts";
import { OPTIONAL } from "./emit.ts";
import { loadPipeline } from "./pipeline-file.ts";

export interface ExplainFlags extends Omit<RangeFlags, "globalOffset"> {
  readonly target: string;
  readonly export?: string;
  /** As for `emit`. */
  readonly native?: boolean;
  readonly subgroups?: boolean | number;
  readonly lookBack?: boolean;
  readonly stream?: boolean;
  readonly f16?: boolean;
  readonly f64?: boolean;
}

export async function explainCommand(
  path: string,
  flags: ExplainFlags,
  { cwd }: Surroundings,
): Promise<Outcome> {
  const targets = targetsOf(flags.target);
  const { pipeline } = await loadPipeline(path, cwd, flags.export);
  const options = rangeOf(flags);
  const { native = true, subgroups = false, lookBack = false } = flags;
  const device: EmitOptions = { native, subgroups, lookBack, types: OPTIONAL.filter((type) => flags[type]) };
  const rows = targets.map((target) => {
    try {
      const made = (flags.stream ? planChunks : plan)(pipeline, toolsOf(target).target, device);
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
