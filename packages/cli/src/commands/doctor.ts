/** `groupwise doctor`: every device and driver found, what each supports, and what is missing. */

import type { Outcome, Surroundings } from "../base/outcome.ts";
import { problemOf } from "../base/problem.ts";
import { TARGET_NAMES, targetsOf } from "../base/targets.ts";
import { findBrowser } from "../devices/browser.ts";
import { swiftShader, vulkanDrivers } from "../devices/environment.ts";
import { type Device, type Missing, survey } from "../devices/index.ts";

export interface DoctorFlags {
  readonly require?: string;
}

type Facts = Awaited<ReturnType<Device["facts"]>>;

interface Found {
  readonly target: string;
  readonly name: string;
  readonly driver: string;
  readonly facts: Facts;
}

const BROWSER: Readonly<Record<string, string>> = {
  linux: "sudo apt-get install chromium (or Google Chrome)",
  darwin: "brew install --cask google-chrome",
  win32: "winget install Google.Chrome",
};

export async function doctorCommand(flags: DoctorFlags, { progress }: Surroundings): Promise<Outcome> {
  const required = flags.require === undefined ? [] : targetsOf(flags.require);
  progress.show("looking for devices");
  const { devices, missing } = await survey(TARGET_NAMES);
  const found: Found[] = [];
  for (const device of devices) {
    progress.show(`asking ${device.name}`);
    const { target, name, driver } = device;
    const facts = await device.facts().catch((error: unknown) => ({ error: problemOf(error).what }));
    found.push({ target, name, driver, facts });
  }
  progress.clear();
  const browser = findBrowser();
  const vulkan = [...vulkanDrivers(), swiftShader()].filter((file) => file !== undefined);
  const lacking = required.filter((target) => !found.some((device) => device.target === target));
  const system = { node: process.versions.node, platform: `${process.platform} ${process.arch}` };
  return {
    code: lacking.length ? 1 : 0,
    data: { system, devices: found, missing, browser: browser ?? null, vulkanDrivers: vulkan, lacking },
    text: [
      `Node ${system.node} on ${system.platform}\n\n`,
      ...found.map((device) =>
        printDevice(
          device,
          found.filter(({ target }) => target === device.target),
        ),
      ),
      ...missing.map(printMissing),
      browser
        ? `\nbrowser with WebGPU: ${browser} (emitted WGSL runs in a page; \`run\` does not start browsers)\n`
        : `\nno Chromium or Chrome found: only needed to run emitted WGSL in a page\n  install: ${BROWSER[process.platform] ?? "see your system's packages"}\n`,
      process.platform === "linux" ? `Vulkan drivers: ${vulkan.join(", ") || "none"}\n` : "",
      lacking.length ? `required but unavailable: ${lacking.join(", ")}\n` : "",
    ].join(""),
  };
}

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
