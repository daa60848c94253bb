/** Tunings for tests of runtimes: the same sizes for every pipeline. */
import { type DeviceInfo, SCALAR_NAMES, type Tuning } from "@groupwise/core";
import type { Tiles } from "@groupwise/core/target";
import type { TuningRow } from "@groupwise/core/tuning";

/** A tuning of a device that has these sizes for all kinds and types from `from` items on. */
export function tuningOf(
  { target, hardware = "" }: DeviceInfo,
  tiles: Tiles,
  range: Pick<TuningRow, "from" | "below"> = { from: 0, below: null },
): Tuning {
  const measured = { n: 1, defaultMs: 2, bestMs: 1, spread: 0, clock: "host" } as const;
  const rows = (["scan", "reduce"] as const).flatMap((kind) =>
    SCALAR_NAMES.map((type) => ({ kind, type, ...range, tiles, measured })),
  );
  const device = {
    target,
    hardware,
    driver: "a test",
    maxWorkGroupSize: 65536,
    workGroupMemory: 0,
    lookBack: true,
  };
  return { format: "groupwise-tuning", version: 1, generator: "a test", device, rows };
}
