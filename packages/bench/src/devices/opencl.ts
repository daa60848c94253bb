/** OpenCL devices with other capabilities than those that they report. */
import { capabilitiesOf, listOpenClDevices, openclRuntime } from "@groupwise/target-opencl/runtime";
import type { NamedChoice, NamedDevice } from "./named.ts";
import { isNamed, noSuchDevice } from "./word.ts";

/** @throws GroupwiseError `device-missing` */
export async function openOpenCl({ device: word, capabilities }: NamedChoice): Promise<NamedDevice> {
  const devices = await listOpenClDevices();
  const index = devices.findIndex(({ name }) => isNamed(name, word));
  const found = devices[index];
  if (!found) throw noSuchDevice("opencl", word, devices.length);
  const changed = capabilities?.(capabilitiesOf(found));
  const runtime = await openclRuntime({
    device: index,
    profiling: true,
    ...(changed && { capabilities: changed }),
  });
  return { runtime, close: () => {} };
}
