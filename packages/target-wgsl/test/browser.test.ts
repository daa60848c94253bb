/** Conformance in a real browser: the packages' own sources, bundled as an application would. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deviceTest } from "@groupwise/testkit/conformance";
import { type BrowserGpu, findBrowserGpu, findChromium } from "@groupwise/testkit/devices";
import { build } from "esbuild";
import { expect } from "vitest";

const PAGE = `
import { Subject, caseChecks, checksOf, runCheck } from "@groupwise/testkit";
import { webgpuRuntime } from "@groupwise/target-wgsl/runtime";

export async function conform(names) {
  const adapter = await navigator.gpu.requestAdapter();
  const device = await adapter.requestDevice();
  const runtime = webgpuRuntime(device);
  const subject = new Subject(runtime, "quick", true);
  const checks = [...checksOf("quick"), ...caseChecks()].filter(({ name }, i, all) =>
    names.some((start) => name.startsWith(start)) && all.findIndex((other) => other.name === name) === i);
  const results = [];
  for (const check of checks) results.push(await runCheck(check, subject));
  runtime.dispose();
  device.destroy();
  return { results, buffers: device.limits.maxStorageBuffersPerShaderStage };
}
`;

/** Beginnings of the names of checks: few, because the browser's device is a slow one. */
const CHECKS = [
  "every element-wise operator on",
  "every work-group collective of f32, work-groups of 7",
  "the laws of work-group collectives of f32",
  "line-index:",
  "compact:",
  "mixed-scopes:",
  "votes:",
  "broadcast:",
  "map:",
  "shifted:",
  "prefix-sum:",
];

interface Answer {
  readonly buffers: number;
  readonly results: readonly {
    readonly name: string;
    readonly failures: readonly string[];
    readonly unsupported?: string;
  }[];
}

async function withBundle<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), "groupwise-"));
  try {
    await build({
      stdin: { contents: PAGE, resolveDir: import.meta.dirname, loader: "ts" },
      outfile: join(directory, "page.js"),
      bundle: true,
      format: "esm",
      platform: "browser",
      conditions: ["@groupwise/source"],
      logLevel: "silent",
    });
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

deviceTest(
  "headless Chromium computes what the reference says",
  findChromium,
  async (executable, context) => {
    await withBundle(async (dir) => {
      const browser = await findBrowserGpu({ dir, executable });
      if (!browser.found) {
        if (process.env.CI) throw new Error(browser.reason);
        return context.skip(browser.reason);
      }
      const gpu: BrowserGpu = browser.value;
      try {
        const { results } = await gpu.run<Answer>(
          "return (await import('/page.js')).conform(input);",
          CHECKS,
        );
        expect(results.length).toBeGreaterThanOrEqual(CHECKS.length);
        expect(results.filter(({ failures, unsupported }) => failures.length > 0 || unsupported)).toEqual([]);
        expect(gpu.messages.filter((text) => /error|warn/i.test(text))).toEqual([]);
      } finally {
        await gpu.close();
      }
    });
  },
  300_000,
);
