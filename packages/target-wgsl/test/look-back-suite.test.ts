/** The whole suite with scans in one walk, on a device where they do not pay. */
import { conformance } from "@groupwise/testkit/conformance";
import { found } from "@groupwise/testkit/devices";
import { dawn, lookingBack } from "./devices.ts";

conformance(
  "WGSL on SwiftShader, looking back",
  async () => {
    const device = await dawn({ adapter: "swiftshader" });
    return device.found ? found(lookingBack(device.value)) : device;
  },
  { effort: "quick", slowCompiler: true },
);
