/** All devices of this machine, by target. */
import { errorOf, type FoundDevice, type MissingPart } from "@groupwise/core/target";
import { badUsage } from "../base/problem.ts";
import { oneOf } from "../base/suggest.ts";
import { TARGET_NAMES, type TargetName, toolsOf } from "../base/targets.ts";

/** A device that was found, and its target. */
export interface Device extends FoundDevice {
  readonly target: TargetName;
}

/** A part that is not installed, and its target. */
export interface MissingOfTarget extends MissingPart {
  readonly target: TargetName;
}

/** The devices of some targets. */
export interface Survey {
  readonly devices: readonly Device[];
  readonly missing: readonly MissingOfTarget[];
}

/** The devices of some targets. Devices that every machine has come first, so that others are compared with them. */
export async function survey(targets: readonly TargetName[]): Promise<Survey> {
  const rank = (target: TargetName): number => Number(!toolsOf(target).isEverywhere);
  const devices: Device[] = [];
  const missing: MissingOfTarget[] = [];
  for (const target of TARGET_NAMES.toSorted((a, b) => rank(a) - rank(b))) {
    if (!targets.includes(target)) continue;
    const found = await toolsOf(target).survey();
    devices.push(...found.devices.map((device) => ({ target, ...device })));
    missing.push(...found.missing.map((part) => ({ target, ...part })));
  }
  return { devices, missing };
}

/**
 * The devices of a run: those whose names contain the text, or the one at the index in the list of its
 * targets, or all; the first of each target by default.
 * @throws GroupwiseError `device-missing`, `bad-usage`
 */
export function choose(found: Survey, targets: readonly TargetName[], wish: string | undefined): Device[] {
  const { devices } = found;
  const lacking = targets.find((target) => !devices.some((device) => device.target === target));
  if (lacking !== undefined && wish !== "all") {
    const why = found.missing.find(({ target }) => target === lacking);
    const { reason, remedy } = why ?? { reason: "none was found" };
    throw errorOf("device-missing", {
      what: `a device for ${lacking}`,
      reason,
      ...(remedy !== undefined && { remedy: `install: ${remedy}` }),
    });
  }
  if (wish === "all") return [...devices];
  if (wish === undefined) {
    return targets.map((target) => devices.find((device) => device.target === target) as Device);
  }
  const chosen = /^\d+$/.test(wish)
    ? devices.slice(Number(wish), Number(wish) + 1)
    : devices.filter(({ name, driver }) => `${name} ${driver}`.toLowerCase().includes(wish.toLowerCase()));
  if (chosen.length > 0) return chosen;
  throw badUsage(
    `there is no device ${JSON.stringify(wish)}`,
    oneOf(
      wish,
      devices.map(({ name }) => name),
    ),
  );
}

/**
 * The devices, with a number of threads if their target supports threads.
 * @throws GroupwiseError `bad-usage` if none does
 */
export function withThreads(devices: readonly Device[], count: number | undefined): readonly Device[] {
  if (count === undefined) return devices;
  const threads = (device: Device): FoundDevice | undefined =>
    toolsOf(device.target).threads?.(count, device);
  if (!devices.some(threads)) {
    const names = TARGET_NAMES.filter((name) => toolsOf(name).threads);
    throw badUsage("no target of this run has workers", `pass --target ${names.join(" or ")}`);
  }
  return devices.map((device) => ({ ...device, ...threads(device) }));
}
