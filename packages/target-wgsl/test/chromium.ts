/** A real browser that runs checks and random cases: the packages' own sources, bundled as an application would. */
import { join } from "node:path";
import type { CheckResult, Effort } from "@groupwise/testkit";
import type { FuzzRunner, Runner } from "@groupwise/testkit/conformance";
import { type Found, findBrowserGpu, found, scratchDirectory } from "@groupwise/testkit/devices";
import { build } from "esbuild";
import { expect } from "vitest";

const PAGE = `
import { Subject, checksOf, fuzzingOf, runCheck } from "@groupwise/testkit";
import { webgpuRuntime } from "@groupwise/target-wgsl/runtime";

let subject, fuzzing;
export async function open(effort) {
  const adapter = await navigator.gpu.requestAdapter();
  const requiredFeatures = ["shader-f16", "subgroups"].filter((feature) => adapter.features.has(feature));
  subject = new Subject(webgpuRuntime(await adapter.requestDevice({ requiredFeatures })), effort, true);
  fuzzing = fuzzingOf(subject);
}
export const run = (name) =>
  runCheck(checksOf(subject.effort).find((check) => check.name === name), subject);
export const fuzz = (request) => fuzzing.fuzz(request);
export const differs = (one) => fuzzing.differs(one);
export async function end() {
  subject.runtime.dispose();
}
`;

async function bundled(directory: string): Promise<void> {
  await build({
    stdin: { contents: PAGE, resolveDir: import.meta.dirname, loader: "ts" },
    outfile: join(directory, "page.js"),
    bundle: true,
    format: "esm",
    platform: "browser",
    conditions: ["@groupwise/source"],
    logLevel: "silent",
  });
}

/** Its end asserts that the page wrote no warning. */
export async function chromium(effort: Effort): Promise<Found<Runner & FuzzRunner>> {
  const dir = scratchDirectory();
  await bundled(dir);
  const browser = await findBrowserGpu({ dir });
  if (!browser.found) return browser;
  const gpu = browser.value;
  const call = <T>(name: string, input?: unknown): Promise<T> =>
    gpu.run<T>(`return (await import("/page.js")).${name}(input);`, input);
  await call("open", effort);
  const end = async (): Promise<void> => {
    await call("end");
    await gpu.close();
    expect(gpu.messages.filter((text) => /error|warn/i.test(text))).toEqual([]);
  };
  return found({
    run: ({ name }) => call<CheckResult>("run", name),
    fuzz: (request) => call("fuzz", request),
    differs: (one) => call("differs", one),
    end,
  });
}
