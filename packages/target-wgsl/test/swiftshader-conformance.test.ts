import type { Runtime } from "@groupwise/core";
import { conformance } from "@groupwise/testkit/conformance";
import { type Found, findDawn, found } from "@groupwise/testkit/devices";
import { webgpuRuntime } from "../src/runtime.ts";

// WebGPU's own limits: few storage buffers in a stage, as in a browser.
async function swiftshader(): Promise<Found<Runtime>> {
  const dawn = await findDawn({ adapter: "swiftshader", limits: "default" });
  return dawn.found ? found(webgpuRuntime(dawn.value.device, { name: "SwiftShader" })) : dawn;
}

conformance("Dawn on SwiftShader", swiftshader, { slow: true });
