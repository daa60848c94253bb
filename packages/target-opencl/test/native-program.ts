/** Runs in a Node of its own, on PoCL 6, and prints one line of JSON. */
import { listOpenClDevices, type OpenClDevice, type OpenClOptions, openclRuntime } from "../src/runtime.ts";
import { gpuCapabilities } from "./as-gpu.ts";
import { GREATER, NATIVE_CASES, nativeDifferences, TRIED } from "./native-cases.ts";
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
  // Outside of full runs PoCL 3.1 has the portable part, and subgroups alone have a group that is no power of two.
  const few = way === "native" ? TRIED : way === "subgroups" ? TRIED.slice(-1) : [];
  results[way] = await nativeDifferences(runtime, process.env.GROUPWISE_FULL ? NATIVE_CASES : few);
  results.driver = runtime.info.driver;
  if (way === "native") results.spoilt = await spoiltResult(runtime);
  runtime.dispose();
}
// Its optimiser is what ends the process.
delete process.env.POCL_EXTRA_BUILD_FLAGS;
const [info] = await listOpenClDevices();
const asGpu = await openclRuntime({ capabilities: gpuCapabilities(info as OpenClDevice) });
results.greater = await nativeDifferences(asGpu, [GREATER]);
asGpu.dispose();
process.stdout.write(`\n${JSON.stringify({ results })}\n`);
process.exit(0);
