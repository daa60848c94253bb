/** `groupwise explain`: the plan that a target would follow. */
import { basename, dirname, extname } from "node:path";
import { type EmitOptions, type Explanation, explain, plan, printExplanation } from "@groupwise/core";
import type { CpuEngine } from "@groupwise/cpu";
import { cpuHere, cpuText } from "../base/cpu.ts";
import { writeFiles } from "../base/files.ts";
import type { Outcome, Surroundings } from "../base/outcome.ts";
import { badUsage, isGroupwiseError, type Problem, problemOf } from "../base/problem.ts";
import { rangeOf } from "../base/range.ts";
import { targetsOf } from "../base/target-list.ts";
import { type TargetName, toolsOf } from "../base/targets.ts";
import type { ExplainFlags } from "../flags/tables.ts";
import { type ExplainedRound, explainRounds, roundsText } from "../streams/explain-rounds.ts";
import { threadsFor } from "../streams/threads.ts";
import { readTuning, refuseTuning } from "../values/tuning-file.ts";
import { keepForeign } from "./emit.ts";
import { deviceOptionsOf } from "./emit-flags.ts";
import { pictureOf } from "./picture.ts";
import { loadPipeline } from "./pipeline-file.ts";
import { placesOf, placesText } from "./places.ts";

/** The answer for one target: its plan, the plans of the rounds of a stream, or the refusal. */
interface Row {
  readonly target: TargetName;
  readonly plan?: Explanation;
  readonly rounds?: readonly ExplainedRound[];
  readonly threads?: string;
  /** What `cpuRuntime` takes on this machine, if that is this target. */
  readonly cpu?: CpuEngine;
  readonly refused?: Problem;
}

export async function explainCommand(
  path: string,
  flags: ExplainFlags,
  { cwd }: Surroundings,
): Promise<Outcome> {
  const targets = targetsOf(flags.target);
  const picture =
    flags.picture === undefined ? undefined : requirePicture(flags.picture, flags, targets, cwd);
  const files: string[] = [];
  const { pipeline } = await loadPipeline(path, cwd, flags.export, (file) => files.push(file));
  const options = rangeOf(flags);
  if (flags.stream) refuseTuning(flags.tuning, "--stream");
  const tuningOf = readTuning(flags.tuning, targets, cwd);
  const items = flags.n ?? flags.globalSize?.reduce((a, b) => a * b, 1);
  const device: EmitOptions = {
    ...deviceOptionsOf(flags),
    ...(items !== undefined && { items }),
  };
  const cpu = await cpuHere();
  const rows = targets.map((target): Row => {
    try {
      const { target: language, threads: hasThreads } = toolsOf(target);
      const isThreaded = hasThreads !== undefined;
      if (flags.stream)
        return { target, ...explainRounds(pipeline, { target: language, isThreaded }, device, options) };
      const made = explain(plan(pipeline, language, { ...device, ...tuningOf(target) }), options);
      return {
        target,
        plan: made,
        ...(isThreaded && { threads: threadsFor(pipeline) }),
        ...(target === cpu.engine && { cpu }),
      };
    } catch (error) {
      // With several targets, refusals are part of the answer; with one, the refusal is the error.
      if (targets.length === 1 || !isGroupwiseError(error)) throw error;
      return { target, refused: problemOf(error) };
    }
  });
  const source = placesOf(pipeline, files, cwd);
  const written = picture ? writePicture(picture, rows[0]?.plan as Explanation, cwd) : [];
  const texts = [...rows.map((row) => `target ${row.target}\n${textOf(row)}`), placesText(source)];
  return {
    code: 0,
    data: { pipeline: pipeline.name, targets: rows, source, files: written },
    text: [...texts.filter((text) => text !== ""), ...written.map((name) => `${name}\n`)].join("\n"),
  };
}

/** @returns the path @throws GroupwiseError `bad-usage`, `bad-file` */
function requirePicture(
  path: string,
  { stream, force }: ExplainFlags,
  targets: readonly string[],
  cwd: string,
): string {
  if (extname(path).toLowerCase() !== ".mmd")
    throw badUsage(
      `--picture ${path} is no .mmd file`,
      "a picture is a Mermaid flowchart: write --picture plan.mmd, and draw it with `npx -p @mermaid-js/mermaid-cli mmdc -i plan.mmd -o plan.svg`",
    );
  if (stream || targets.length > 1)
    throw badUsage("a picture has the plan of one run on one target", "pass one --target, and omit --stream");
  if (!force) keepForeign(dirname(path), basename(path), cwd);
  return path;
}

const writePicture = (path: string, made: Explanation, cwd: string): string[] =>
  writeFiles(dirname(path), [{ path: basename(path), data: pictureOf(made) }], cwd);

function textOf({ plan: made, rounds, refused, threads, cpu }: Row): string {
  if (refused) return `refused: ${refused.what}\n`;
  if (rounds) return roundsText(rounds);
  const notes = [...(threads === undefined ? [] : [`threads: ${threads}`]), ...(cpu ? [cpuText(cpu)] : [])];
  return `${printExplanation(made as Explanation)}${notes.map((note) => `${note}\n`).join("")}`;
}
