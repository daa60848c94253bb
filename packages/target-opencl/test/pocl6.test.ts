/**
 * PoCL 6 has native work-group functions of add, min and max, and no uniform arithmetic. It runs in a process of
 * its own, under another dynamic loader, where there is no test runner: the checks are bundled for it.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { conformanceBy } from "@groupwise/testkit/conformance";
import { findOpenCl, found, scratchDirectory } from "@groupwise/testkit/devices";
import { remoteRunner } from "@groupwise/testkit/remote";
import { build } from "esbuild";

async function bundled(): Promise<string> {
  const outfile = join(scratchDirectory(), "checks.mjs");
  const koffi = createRequire(import.meta.url).resolve("koffi");
  await build({
    entryPoints: [join(import.meta.dirname, "pocl6-program.ts")],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    conditions: ["@groupwise/source"],
    plugins: [
      {
        name: "koffi-where-it-is",
        setup: ({ onResolve }) => onResolve({ filter: /^koffi$/ }, () => ({ path: koffi, external: true })),
      },
    ],
    logLevel: "silent",
  });
  return outfile;
}

conformanceBy(
  "PoCL 6",
  async (effort, isThrifty) => {
    const platform = findOpenCl("pocl6");
    if (!platform.found) return platform;
    const runner = remoteRunner("pocl6", await bundled(), effort, isThrifty);
    const { driver } = await runner.device();
    if (Number.parseFloat(driver) < 6) throw new Error(`the device's driver is ${driver}, not PoCL 6`);
    return found(runner);
  },
  { slowCompiler: true },
);
