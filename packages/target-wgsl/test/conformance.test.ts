import type { Runtime } from "@groupwise/core";
import { conformance } from "@groupwise/testkit/conformance";
import { type Found, findDawn, found } from "@groupwise/testkit/devices";
import { webgpuRuntime } from "../src/runtime.ts";

async function lavapipe(): Promise<Found<Runtime>> {
  const dawn = await findDawn({ adapter: "lavapipe" });
  return dawn.found ? found(webgpuRuntime(dawn.value.device, { name: "lavapipe" })) : dawn;
}

conformance("Dawn on lavapipe", lavapipe);
