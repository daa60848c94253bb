/** The targets by the names that the command line takes. */
import type { Artifact, SourceFile, Target } from "@groupwise/core";
import { c } from "@groupwise/target-c";
import { hostInC as hostOfC } from "@groupwise/target-c/host";
import { js } from "@groupwise/target-js";
import * as gpuJs from "@groupwise/target-js/gpu-js";
import { opencl } from "@groupwise/target-opencl";
import { hostInC } from "@groupwise/target-opencl/header";
import { wgsl } from "@groupwise/target-wgsl";
import { badUsage } from "./problem.ts";
import { oneOf } from "./suggest.ts";

export type TargetName = "wgsl" | "opencl" | "js" | "gpujs" | "c";

/** Every target. */
export const TARGETS: Readonly<Record<TargetName, Target>> = {
  wgsl,
  opencl,
  js,
  gpujs: gpuJs.gpujs,
  c,
};

type HostWriter = (artifact: Artifact, command: string) => readonly SourceFile[];
/** Hosts that can be written beside the sources, by language and target. */
export const HOSTS: Readonly<Record<string, Readonly<Partial<Record<TargetName, HostWriter>>>>> = {
  c: { opencl: hostInC, c: hostOfC },
};

export const TARGET_NAMES: readonly TargetName[] = Object.keys(TARGETS) as TargetName[];

/** The targets of `wgsl,js` or `all`, each once. @throws GroupwiseError `bad-usage` */
export function targetsOf(list: string): readonly TargetName[] {
  const names = list.split(",").map((name) => name.trim());
  const unknown = names.find((name) => name !== "all" && !Object.hasOwn(TARGETS, name));
  if (unknown !== undefined) {
    throw badUsage(`there is no target ${JSON.stringify(unknown)}`, oneOf(unknown, [...TARGET_NAMES, "all"]));
  }
  return names.includes("all") ? TARGET_NAMES : [...new Set(names as TargetName[])];
}
