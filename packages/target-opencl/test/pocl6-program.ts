/** Runs in a Node of its own, on PoCL 6: `node <this, bundled> EFFORT [thrifty]`. */
import type { Effort } from "@groupwise/testkit";
import { serveChecks } from "@groupwise/testkit/remote";
import { capabilitiesOf, listOpenClDevices, type OpenClDevice, openclRuntime } from "../src/runtime.ts";
import { gpuCapabilities } from "./as-gpu.ts";

const [, , effort = "normal", thrifty] = process.argv;
const [info] = await listOpenClDevices();
const device = info as OpenClDevice;
const capabilities = process.env.GROUPWISE_IN_CHUNKS
  ? { ...capabilitiesOf(device), chunks: { most: 16, least: 8 } }
  : gpuCapabilities(device);
await serveChecks(await openclRuntime({ capabilities }), effort as Effort, thrifty === "thrifty");
// PoCL keeps threads of its own: the end is said, not waited for.
process.exit(0);
