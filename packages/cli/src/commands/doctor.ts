/** `groupwise doctor`: every device and driver found, what each supports, and what is missing. */

import type { DeviceFacts } from "@groupwise/core/target";
import type { Outcome, Surroundings } from "../base/outcome.ts";
import { problemOf } from "../base/problem.ts";
import { targetsOf } from "../base/target-list.ts";
import { TARGET_NAMES, toolsOf } from "../base/targets.ts";
import { type Device, type Missing, survey } from "../devices/index.ts";
import { flushes } from "../devices/subnormals.ts";

export interface DoctorFlags {
  readonly require?: string;
}

interface Found {
  readonly target: string;
  readonly name: string;
  readonly driver: string;
  readonly facts: DeviceFacts;
}

export async function doctorCommand(flags: DoctorFlags, { progress }: Surroundings): Promise<Outcome> {
  const required = flags.require === undefined ? [] : targetsOf(flags.require);
  progress.show("looking for devices");
  const { devices, missing } = await survey(TARGET_NAMES);
  const found: Found[] = [];
  for (const device of devices) {
    progress.show(`asking ${device.name}`);
    const { target, name, driver } = device;
    const facts = await factsOf(device).catch((error: unknown) => ({ error: problemOf(error).what }));
    found.push({ target, name, driver, facts });
  }
  progress.clear();
  const machines = TARGET_NAMES.flatMap((name) => toolsOf(name).machine?.() ?? []);
  const lacking = required.filter((target) => !found.some((device) => device.target === target));
  const system = { node: process.versions.node, platform: `${process.platform} ${process.arch}` };
  return {
    code: lacking.length ? 1 : 0,
    data: {
      system,
      devices: found,
      missing,
      ...Object.assign({}, ...machines.map(({ data }) => data)),
      lacking,
    },
    text: [
      `Node ${system.node} on ${system.platform}\n\n`,
      ...found.map((device) =>
        printDevice(
          device,
          found.filter(({ target }) => target === device.target),
        ),
      ),
      ...missing.map(printMissing),
      ...machines.map(({ text }) => `\n${text}`),
      `\n${PROMISE}\n`,
      lacking.length ? `required but unavailable: ${lacking.join(", ")}\n` : "",
    ].join(""),
  };
}

const PROMISE =
  'Results are equal bit for bit on all of these devices, those that flush subnormal numbers among them, unless `subnormals: "flush"` is asked for.';

/** What the device reports, and whether its own operations keep subnormal f32. */
async function factsOf(device: Device): Promise<DeviceFacts> {
  const facts = await device.facts();
  if (device.subnormals !== "unspecified") return { ...facts, subnormals: SUBNORMALS[device.subnormals] };
  const runtime = await device.open();
  try {
    return { ...facts, subnormals: SUBNORMALS[(await flushes(device, runtime)) ? "flushed" : "kept"] };
  } finally {
    runtime.dispose();
  }
}

const SUBNORMALS = { flushed: "flushed by its own operations, computed by functions", kept: "kept" } as const;

/** The number is the one that `run --target … --device` takes. */
function printDevice(device: Found, ofTarget: readonly Found[]): string {
  const { target, name, driver, facts } = device;
  const lines = Object.entries(facts).map(([key, value]) => {
    const text = Array.isArray(value) ? value.join(" ") || "none" : String(value);
    return `    ${key}: ${text}\n`;
  });
  return `${target} ${ofTarget.indexOf(device)}: ${name} (${driver})\n${lines.join("")}`;
}

const printMissing = ({ target, what, reason, remedy }: Missing): string =>
  `- ${target}: ${what} is missing: ${reason}\n    install: ${remedy}\n`;
