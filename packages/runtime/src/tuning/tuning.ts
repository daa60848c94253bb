/** Sizes of tiles that were measured on a device, as data: the contents of a tuning file. */

import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Subgroups } from "@groupwise/kernel/capabilities/capabilities.js";
import type { Tiles } from "@groupwise/kernel/capabilities/tiles.js";

/** The format of tuning files. */
export const TUNING_FORMAT = "groupwise-tuning";
/** Its version. */
export const TUNING_VERSION = 1;

/** A kind of pipelines that is tuned: with a scan over the range, or with reduces alone. */
export type TunedKind = "scan" | "reduce";
/** Every kind. */
export const TUNED_KINDS: readonly ["scan", "reduce"] = ["scan", "reduce"];

/** The device of a tuning. */
export interface TunedDevice {
  /** The name of the target. */
  readonly target: string;
  /** `DeviceInfo.hardware`: a tuning is for devices with the same text. */
  readonly hardware: string;
  /** The driver with which the times were measured; another one does not make the tuning invalid. */
  readonly driver: string;
  /** The capabilities on which the sizes depend, for emitting without the device. */
  readonly maxWorkGroupSize: number;
  /** Bytes of work-group memory. */
  readonly workGroupMemory: number;
  /** Absent if the device has none. */
  readonly subgroups?: Subgroups;
  /** Whether scans look back. */
  readonly lookBack: boolean;
}

/** What was measured at one size. Times are in milliseconds. */
export interface TuningTimes {
  /** Number of items. */
  readonly n: number;
  /** The median time with the sizes of the capabilities. */
  readonly defaultMs: number;
  /** The median time with the best sizes, which are the default ones if the row has no `tiles`. */
  readonly bestMs: number;
  /** Interquartile range over median, the larger of both. */
  readonly spread: number;
  /** The clock of the device, or the host's. */
  readonly clock: "device" | "host";
}

/** The sizes for pipelines of one kind and type, and numbers of items in one range. */
export interface TuningRow {
  readonly kind: TunedKind;
  readonly type: Scalar;
  /** The least number of items. */
  readonly from: number;
  /** The number of items from which the next row applies; null without limit. */
  readonly below: number | null;
  /** Absent if the sizes of the capabilities are the best ones. */
  readonly tiles?: Tiles;
  readonly measured: TuningTimes;
}

/** The result of tuning a device. `parseTuning` of `@groupwise/core/tuning` reads it from a file. */
export interface Tuning {
  readonly format: typeof TUNING_FORMAT;
  readonly version: typeof TUNING_VERSION;
  /** The version of groupwise that measured. */
  readonly generator: string;
  readonly device: TunedDevice;
  readonly rows: readonly TuningRow[];
}
