/**
 * Tuning: measures sizes of tiles on a device, and reads and writes them as files. A separate entry, so that programs without a tuning
 * do not bundle the validation.
 * @module
 */
export { type Busy, busyOn } from "./host/tune/busy.ts";
export { type Clock, clockOf } from "./host/tune/clock.ts";
export { type Excluded, gainOf, type Verdict } from "./host/tune/contest.ts";
export type { Samples } from "./host/tune/samples.ts";
export {
  type MeasuredSize,
  type SkippedSize,
  type TunedSize,
  type TuneOptions,
  type TuneReport,
  tune,
} from "./host/tune/tune.ts";
export { parseTuning, printTuning } from "./host/tuning/parse.ts";
export type { TunedDevice, TunedKind, TuningRow, TuningTimes } from "./host/tuning/tuning.ts";
