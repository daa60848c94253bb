import { storedValues } from "@groupwise/testkit/conformance";
import { found } from "@groupwise/testkit/devices";
import { dawn, tiny } from "./devices.ts";

// Tiles of 32 items, two rows of four to a work-item, and a tail.
storedValues("lavapipe in tiles", async () => {
  const device = await dawn();
  return device.found ? found(tiny(device.value, [4, 8], 4096)) : device;
}, ["softmax", "one-pass", "needed-apart"]);
