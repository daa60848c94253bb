/** Runs in a Node of its own, on PoCL 6, and prints one line of JSON. */
import { type OpenClOptions, openclRuntime } from "../src/runtime.ts";
import { NATIVE_CASES, nativeDifferences } from "./native-cases.ts";
import { spoiltResult } from "./spoilt.ts";

const WAYS: Readonly<Record<string, OpenClOptions>> = {
  native: {},
  portable: { native: false },
  subgroups: { native: false, subgroups: true },
  both: { subgroups: true },
};

const results: Record<string, unknown> = {};
for (const [way, options] of Object.entries(WAYS)) {
  const runtime = await openclRuntime(options);
  // Without the functions, what moves values, sums and a group that is no power of two, save in full runs.
  const isWhole = process.env.GROUPWISE_FULL || way === "native";
  results[way] = await nativeDifferences(
    runtime,
    isWhole ? NATIVE_CASES : NATIVE_CASES.filter((_, i) => i % 3 === 0),
  );
  results.driver = runtime.info.driver;
  if (way === "native") results.spoilt = await spoiltResult(runtime);
  runtime.dispose();
}
process.stdout.write(`\n${JSON.stringify({ results })}\n`);
process.exit(0);
