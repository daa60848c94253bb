/** Every available device, opened one after the other, and what is missing. */

import { TARGET_NAMES, type TargetName, toolsOf } from "@groupwise/cli/targets";
import { GroupwiseError } from "@groupwise/core";
import { DeviceMissingError } from "@groupwise/testkit/devices";
import { isChosenInAnyCase } from "../print/only.ts";
import type { Candidate, FoundDevices } from "./candidate.ts";
import { dawnCandidates } from "./dawn.ts";

export type { Absent, Candidate } from "./candidate.ts";

/** The devices of a run, and how much runs on them. */
export interface Choice {
  readonly isFull?: boolean;
  /** Only devices whose names contain one of these words. */
  readonly only?: readonly string[];
  readonly say?: (line: string) => void;
}

/** Targets whose devices tests open themselves. The devices of other targets are those that the registry finds. */
const OWN: Readonly<Partial<Record<TargetName, (isFull: boolean) => Promise<FoundDevices>>>> = {
  wgsl: dawnCandidates,
};

async function listed(target: TargetName): Promise<FoundDevices> {
  const { target: language, survey } = toolsOf(target);
  const { devices, missing } = await survey();
  return {
    found: devices.map((device) => ({
      name: device.name.startsWith(language.title)
        ? device.name
        : `${language.title} ${device.name} ${device.driver}`,
      target,
      // Each output is computed on its own, so a scan of n items takes n * n steps.
      slow: language.capabilities.execution === "per-output",
      open: (how) => device.open(how),
    })),
    absent: missing.map(({ what, reason }) => ({ name: `${language.title}: ${what}`, reason })),
  };
}

/**
 * The devices that this process may open. Those that every machine has are first.
 * @param isFull also the devices that compile slowly, and devices with reduced features
 */
export async function candidates(isFull: boolean = false): Promise<FoundDevices> {
  const rank = (target: TargetName): number => Number(!toolsOf(target).isEverywhere);
  const parts: FoundDevices[] = [];
  for (const target of TARGET_NAMES.toSorted((a, b) => rank(a) - rank(b)))
    parts.push(await (OWN[target]?.(isFull) ?? listed(target)));
  return { found: parts.flatMap(({ found }) => found), absent: parts.flatMap(({ absent }) => absent) };
}

/** Devices whose names contain one of the words; all if there are no words. */
export function wantedOf<T extends Pick<Candidate, "name">>(
  found: readonly T[],
  words: readonly string[],
): readonly T[] {
  return found.filter(({ name }) => isChosenInAnyCase(name, words));
}

const ABSENCES: readonly string[] = ["device-missing", "foreign-tuning"];

/** Why a device is missing, or not the one that is asked for. @throws any other error */
export function absenceOf(error: unknown): string {
  if (error instanceof DeviceMissingError) return error.message;
  if (error instanceof GroupwiseError && ABSENCES.includes(error.code)) return `${error.what}; ${error.hint}`;
  throw error;
}
