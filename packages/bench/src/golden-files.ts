/** What is checked in of a golden case: the document, the plans, and what every target emits of it. */
import {
  type Artifact,
  type EmitOptions,
  emit,
  explain,
  GroupwiseError,
  plan,
  printExplanation,
  type Target,
} from "@groupwise/core";
import { stringifyPipeline } from "@groupwise/core/schema";
import { c } from "@groupwise/target-c";
import { js } from "@groupwise/target-js";
import { gpujs } from "@groupwise/target-js/gpu-js";
import { opencl } from "@groupwise/target-opencl";
import { wgsl } from "@groupwise/target-wgsl";
import { CASES, type Case } from "@groupwise/testkit";

/** Every target, in the order in which plans are shown. */
export const TARGETS: readonly Target[] = [wgsl, opencl, js, gpujs, c];

/** The cases that people read. */
export const GOLDEN_CASES: readonly Case[] = CASES.filter(({ golden }) => golden);

/** A text of another kind, for one case, in a folder of its own. */
interface Variant {
  readonly of: string;
  readonly folder: string;
  readonly target: Target;
  readonly options: EmitOptions;
  /** What the command has more. */
  readonly flag: string;
}

/** One of each kind is enough to read. */
const VARIANTS: readonly Variant[] = [
  { of: "prefix-sum", folder: "subgroups", target: wgsl, options: { subgroups: true }, flag: "--subgroups" },
  {
    of: "prefix-sum",
    folder: "look-back",
    target: wgsl,
    options: { lookBack: true },
    flag: "--look-back",
  },
  {
    of: "prefix-sum",
    folder: "look-back",
    target: opencl,
    options: { lookBack: true },
    flag: "--look-back",
  },
  {
    of: "compact",
    folder: "parts",
    target: wgsl,
    options: { split: { partBytes: 2 ** 27, parts: { x: 3, kept: 2 } } },
    flag: "--parts x=3 --parts kept=2 --part-bytes 134217728",
  },
];

/** What a target makes of a case, or why it does not take it. */
export function artifactOf({ ir }: Case, target: Target): Artifact | { readonly refused: string } {
  try {
    return emit(ir, target, { command: `groupwise emit pipeline.json --target ${target.name}` });
  } catch (error) {
    if (error instanceof GroupwiseError && error.code === "unsupported") return { refused: error.what };
    throw error;
  }
}

function planText(one: Case): string {
  const parts = TARGETS.map((target) => {
    const artifact = artifactOf(one, target);
    const text =
      "refused" in artifact
        ? `refused: ${artifact.refused}\n`
        : printExplanation(explain(plan(one.ir, target)));
    return `${target.title}\n${text.replace(/^(?=.)/gm, "  ")}`;
  });
  return parts.join("\n");
}

/** Texts by file name. */
export function goldenFiles(one: Case): ReadonlyMap<string, string> {
  const files = new Map([
    ["pipeline.json", stringifyPipeline(one.ir)],
    ["plan.txt", planText(one)],
  ]);
  for (const target of TARGETS) {
    const artifact = artifactOf(one, target);
    if (!("refused" in artifact)) for (const { path, text } of artifact.files) files.set(path, text);
  }
  for (const { folder, target, options, flag } of VARIANTS.filter(({ of }) => of === one.name)) {
    const command = `groupwise emit pipeline.json --target ${target.name} ${flag}`;
    for (const { path, text } of emit(one.ir, target, { ...options, command }).files)
      files.set(`${folder}/${path}`, text);
  }
  return files;
}
