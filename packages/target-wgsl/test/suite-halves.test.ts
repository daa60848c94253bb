/** Halves that are held in f32, on a device without the feature shader-f16: converted by the device, and by integer operations. */
import type { Runtime } from "@groupwise/core";
import { conformance, isFullRun } from "@groupwise/testkit/conformance";
import { type Found, found } from "@groupwise/testkit/devices";
import { webgpuRuntime } from "../src/runtime.ts";
import { dawn } from "./devices.ts";

async function opened(halfConversions: boolean): Promise<Found<Runtime>> {
  const device = await dawn({ adapter: "lavapipe", features: ["subgroups"] });
  return device.found ? found(webgpuRuntime(device.value, { halfConversions })) : device;
}

// Outside of full runs JavaScript has the other checks of halves, of the same functions.
const BY_DEVICE = isFullRun()
  ? /\bf16\b|\bhalf\b|\bhalves\b|^wide-mix|^long-types/
  : /65,536|every work-group collective of f16, work-groups of 7$/;
// In other runs JavaScript has each value by integer operations, of the same functions.
const BY_INTEGERS = isFullRun() ? [/65,536|device collectives? of f16|^halves/] : [];

for (const [how, isByDevice, names] of [
  ["by the device", true, BY_DEVICE],
  ...BY_INTEGERS.map((names) => ["by integer operations", false, names] as const),
] as const)
  conformance(`WGSL on lavapipe, halves ${how},`, () => opened(isByDevice), {
    slowCompiler: true,
    effort: "quick",
    only: (name) => names.test(name),
  });
