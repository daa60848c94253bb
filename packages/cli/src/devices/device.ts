import type { Runtime } from "@groupwise/core";
import type { TargetName } from "../base/targets.ts";

/** A device that was found; nothing is opened yet. */
export interface Device {
  readonly target: TargetName;
  readonly name: string;
  readonly driver: string;
  /** What it can do, for `doctor`. Opens the device where that takes it. */
  facts(): Promise<Readonly<Record<string, string | number | boolean | readonly string[]>>>;
  open(): Promise<Runtime>;
  /** Whether it makes zeros of f32 subnormals, asked of an open runtime of it; where absent, it keeps them. */
  flushes?(runtime: Runtime): Promise<boolean>;
}

/** Something that would add devices, and is not there. */
export interface Missing {
  readonly target: TargetName;
  readonly what: string;
  readonly reason: string;
  /** The command that gets it. */
  readonly remedy: string;
}

/** What looking for the devices of a target gave. */
export interface Survey {
  readonly devices: readonly Device[];
  readonly missing: readonly Missing[];
}

/** What `doctor` tells of f32 subnormals. */
export const subnormalsFact = (areFlushed: boolean): string => (areFlushed ? "flushed to zero" : "kept");

/** The first line of what an error says. */
export function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).trim().split("\n")[0] ?? "";
}

/** Why a package did not load: it is absent, or it is there and broken. */
export function loadFailure(name: string, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND")
    return `the package ${name} is not installed`;
  return `the package ${name} cannot be loaded: ${firstLine(error)}`;
}
