/** Runs in a Node of its own, on PoCL 6, and prints one line of JSON. */
import { type OpenClOptions, openclRuntime } from "../src/runtime.ts";
import { nativeDifferences } from "./native-cases.ts";
import { spoiltResult } from "./spoilt.ts";

// Without optimisation, which takes most of the time, save in full runs.
if (!process.env.GROUPWISE_FULL) process.env.POCL_EXTRA_BUILD_FLAGS ??= "-cl-opt-disable";

const WAYS: Readonly<Record<string, OpenClOptions>> = {
  native: {},
  portable: { native: false },
  subgroups: { native: false, subgroups: true },
  both: { subgroups: true },
};

const results: Record<string, unknown> = {};
for (const [way, options] of Object.entries(WAYS)) {
  const runtime = await openclRuntime(options);
  results[way] = await nativeDifferences(runtime);
  results.driver = runtime.info.driver;
  if (way === "native") results.spoilt = await spoiltResult(runtime);
  runtime.dispose();
}
process.stdout.write(`\n${JSON.stringify({ results })}\n`);
process.exit(0);
