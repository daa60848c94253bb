/** `groupwise doctor`: every device and driver found, what each supports, and what is missing. */

import type { ProbedRow } from "@groupwise/core";
import type { DeviceFacts } from "@groupwise/core/target";
import { cpuHere, cpuText } from "../base/cpu.ts";
import type { Outcome, Surroundings } from "../base/outcome.ts";
import { problemOf } from "../base/problem.ts";
import { targetsOf } from "../base/target-list.ts";
import { TARGET_NAMES, toolsOf } from "../base/targets.ts";
import { type Device, type MissingOfTarget, survey } from "../devices/index.ts";
import { withDevice } from "../devices/probed.ts";
import type { DoctorFlags } from "../flags/tables.ts";

interface Found {
  readonly target: string;
  readonly name: string;
  readonly driver: string;
  readonly facts: DeviceFacts;
  /** Absent for languages that leave nothing to a device. */
  readonly probe?: readonly ProbedRow[];
}

export async function doctorCommand(flags: DoctorFlags, { progress }: Surroundings): Promise<Outcome> {
  const required = flags.require === undefined ? [] : targetsOf(flags.require);
  progress.show("looking for devices");
  const { devices, missing } = await survey(TARGET_NAMES);
  const found: Found[] = [];
  for (const device of devices) {
    progress.show(`asking ${device.name}`);
    const { target, name, driver } = device;
    const asked = await askedOf(device).catch((error: unknown) => ({
      facts: { error: problemOf(error).what },
    }));
    found.push({ target, name, driver, ...asked });
  }
  progress.clear();
  const machines = TARGET_NAMES.flatMap((name) => toolsOf(name).machine?.() ?? []);
  const lacking = required.filter((target) => !found.some((device) => device.target === target));
  const cpu = await cpuHere();
  const system = { node: process.versions.node, platform: `${process.platform} ${process.arch}` };
  return {
    code: lacking.length ? 1 : 0,
    data: {
      system,
      cpu,
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
      `\n${cpuText(cpu)}\n${PROMISE}\n`,
      lacking.length ? `required but unavailable: ${lacking.join(", ")}\n` : "",
    ].join(""),
  };
}

const PROMISE =
  'Results are equal bit for bit on all of these devices, those that flush subnormal numbers among them, unless `subnormals: "flush"` is asked for.';

/** What the device reports, and what a probe of it shows now, whatever is kept. */
async function askedOf(device: Device): Promise<Pick<Found, "facts" | "probe">> {
  const reported = await device.facts();
  return withDevice(device, {}, "renewed", async (runtime) => {
    const probe = (await runtime.probe?.())?.rows;
    const { subnormals } = device;
    const isFlushed = probe?.some(({ id, reason }) => reason !== undefined && FLUSHED.test(id));
    const known = subnormals === "unspecified" ? (isFlushed ? "flushed" : "kept") : subnormals;
    return { facts: { ...reported, subnormals: SUBNORMALS[known] }, ...(probe && { probe }) };
  });
}
const FLUSHED = /^f32 .* of subnormals/;

const SUBNORMALS = { flushed: "flushed by its own operations, computed by functions", kept: "kept" } as const;

/** The number is the one that `run --target … --device` takes. */
function printDevice(device: Found, ofTarget: readonly Found[]): string {
  const { target, name, driver, facts, probe = [] } = device;
  const lines = Object.entries(facts).map(([key, value]) => {
    const text = Array.isArray(value) ? value.join(" ") || "none" : String(value);
    return `    ${key}: ${text}\n`;
  });
  return `${target} ${ofTarget.indexOf(device)}: ${name} (${driver})\n${lines.join("")}${printProbe(probe)}`;
}

/** The number of exact operations, and each other one. */
function printProbe(probe: readonly ProbedRow[]): string {
  if (probe.length === 0) return "";
  const failed = probe.filter(({ reason }) => reason !== undefined);
  const lines = failed.map(({ id, reason, instead = [], refused }) => {
    const remedy = refused ? "pipelines that need it are refused" : `instead: ${instead.join(", ")}`;
    return `      ${id}: ${reason}; ${remedy}\n`;
  });
  const count = `${probe.length - failed.length} of ${probe.length} operations are exact`;
  return `    probe: ${count}\n${lines.join("")}`;
}

const printMissing = ({ target, what, reason, remedy }: MissingOfTarget): string =>
  `- ${target}: ${what} is missing: ${reason}\n    install: ${remedy}\n`;
