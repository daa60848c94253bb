/** Dawn's adapters as tests open them: software drivers by name, and the same adapter without optional features. */
import { withHalfConversions } from "@groupwise/core/target";
import { capabilitiesOf } from "@groupwise/target-wgsl";
import { webgpuRuntime } from "@groupwise/target-wgsl/runtime";
import { type DawnAdapter, openDawn } from "@groupwise/testkit/devices";
import type { Candidate, FoundDevices } from "./candidate.ts";
import type { NamedChoice, NamedDevice } from "./named.ts";

function adapter(name: DawnAdapter, slow: boolean): readonly Candidate[] {
  const label = name === "default" ? {} : { name };
  const candidate = (title: string, options: object): Candidate => ({
    name: title,
    target: "wgsl",
    slow,
    thrifty: true,
    open: async (how = {}) =>
      webgpuRuntime(await openDawn({ adapter: name, ...options }), { ...label, waitFor: "fastest", ...how }),
  });
  const title = `Dawn ${name}`;
  return [candidate(title, {}), candidate(`${title}, nothing optional`, { features: [], limits: "default" })];
}

/** The adapters of this machine; in full runs also those that compile slowly, and adapters with reduced features. */
export async function dawnCandidates(isFull: boolean): Promise<FoundDevices> {
  const { GROUPWISE_ADAPTER } = process.env;
  const found = [
    ...adapter("lavapipe", false).slice(0, isFull ? 2 : 1),
    ...adapter("swiftshader", true).slice(0, isFull ? 1 : 0),
    ...(process.platform === "linux" ? [] : adapter("default", false)),
    ...(GROUPWISE_ADAPTER ? adapter(GROUPWISE_ADAPTER, false) : []),
  ];
  return { found, absent: [] };
}

/** An adapter by its name. @throws Error if it is missing */
export async function openAdapter({ device: name, capabilities }: NamedChoice): Promise<NamedDevice> {
  const device = await openDawn({ adapter: name, disable: ["timestamp_quantization"] });
  const changed = capabilities?.(withHalfConversions(capabilitiesOf(device), "exact"));
  const runtime = webgpuRuntime(device, {
    waitFor: "fastest",
    ...(changed && { capabilities: changed }),
  });
  return { runtime, close: () => device.destroy() };
}
