/**
 * Tuning: measures sizes of tiles on a device, and reads and writes them as files. A separate entry, so that programs without a tuning
 * do not bundle the validation.
 * @module
 */
export { type Busy, busyOn } from "@groupwise/runtime/tune/busy.js";
export { type Clock, clockOf } from "@groupwise/runtime/tune/clock.js";
export { type Excluded, gainOf, type Verdict } from "@groupwise/runtime/tune/contest.js";
export type { Samples } from "@groupwise/runtime/tune/samples.js";
export {
  type MeasuredSize,
  type SkippedSize,
  type TunedSize,
  type TuneOptions,
  type TuneReport,
  tune,
} from "@groupwise/runtime/tune/tune.js";
export { parseTuning, printTuning } from "@groupwise/runtime/tuning/parse.js";
export type { TunedDevice, TunedKind, TuningRow, TuningTimes } from "@groupwise/runtime/tuning/tuning.js";
