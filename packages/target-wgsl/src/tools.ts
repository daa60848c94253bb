/**
 * The target for tools: the adapters of Dawn, browsers, and snippets.
 * @module
 */
import type { HeaderChoices, HeaderWriter, MachineFacts, TargetTools } from "@groupwise/core/target";
import { swiftShader, vulkanDrivers } from "./device/node/environment.ts";
import { findBrowser } from "./device/open/browser.ts";
import { findWebGpu } from "./device/open/dawn.ts";
import { wgslHeader, wgslHeaderFunctions } from "./header.ts";
import { wgsl } from "./index.ts";
import { QUIRKS } from "./print/quirks.ts";

const BROWSER: Readonly<Record<string, string>> = {
  linux: "sudo apt-get install chromium (or Google Chrome)",
  darwin: "brew install --cask google-chrome",
  win32: "winget install Google.Chrome",
};

function machine(): MachineFacts {
  const browser = findBrowser();
  const drivers = [...vulkanDrivers(), swiftShader()].filter((file) => file !== undefined);
  return {
    data: { browser: browser ?? null, vulkanDrivers: drivers },
    text: [
      browser
        ? `browser with WebGPU: ${browser} (emitted WGSL runs in a page; \`run\` does not start browsers)\n`
        : `no Chromium or Chrome found: only needed to run emitted WGSL in a page\n  install: ${BROWSER[process.platform] ?? "see your system's packages"}\n`,
      process.platform === "linux" ? `Vulkan drivers: ${drivers.join(", ") || "none"}\n` : "",
    ].join(""),
  };
}

/** A snippet is for one size of the work-group. */
const header: HeaderWriter = {
  title: "a snippet of WGSL",
  options: {
    prefix: "optional",
    functions: "required",
    workGroupSize: "required",
    f16: "optional",
    subnormals: "optional",
  },
  functions: wgslHeaderFunctions,
  write: ({ functions = [], workGroupSize = 0, ...choices }: HeaderChoices) =>
    wgslHeader({ functions, workGroupSize, ...choices }),
};

/** WGSL for command lines and benchmarks. */
export const wgslTools: TargetTools = {
  target: wgsl,
  isEverywhere: false,
  survey: findWebGpu,
  machine,
  header,
  quirks: { ...QUIRKS },
  hosts: {},
};
