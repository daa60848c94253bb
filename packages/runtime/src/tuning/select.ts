/** The row of a tuning for a pipeline and a number of items. */

import { errorOf } from "@groupwise/ir/base/errors.js";
import type { Checked } from "@groupwise/ir/document/check.js";
import { SCALARS } from "@groupwise/ir/tables/scalar.js";
import { type Capabilities, lookBackFor } from "@groupwise/kernel/capabilities/capabilities.js";
import { subjectOf, type TuningSubject, wordsOf } from "./subject.ts";
import type { Tuning, TuningRow } from "./tuning.ts";

/**
 * The row for a subject. The row of the same type is preferred; without one, the row of an integer type with as many words.
 * @param items the number of items; without it, the row without an upper limit
 */
export function rowFor(
  { rows }: Tuning,
  { kind, type, words }: TuningSubject,
  items: number = Number.POSITIVE_INFINITY,
): TuningRow | undefined {
  const fitting = rows.filter(
    (row) => row.kind === kind && row.from <= items && (row.below === null || items < row.below),
  );
  const isAlike = (row: TuningRow): boolean =>
    wordsOf(row.type) === words && (SCALARS[row.type].kind === "int" || SCALARS[row.type].kind === "uint");
  return fitting.find((row) => row.type === type) ?? fitting.find(isAlike);
}

/** The sizes that a tuning has for a pipeline; undefined if those of the capabilities apply. */
export function tilesFor(
  tuning: Tuning,
  checked: Checked,
  capabilities: Capabilities,
  items?: number,
): TuningRow["tiles"] {
  const subject = subjectOf(checked, capabilities);
  return subject && rowFor(tuning, subject, items)?.tiles;
}

/**
 * The capabilities of the tuned device, as far as sizes depend on them.
 * @throws GroupwiseError `foreign-tuning` if the tuning is for another target
 */
export function capabilitiesOfTuned({ device }: Tuning, target: string, base: Capabilities): Capabilities {
  if (device.target !== target) throw errorOf("foreign-tuning", { tuned: device.target, got: target });
  const { maxWorkGroupSize, workGroupMemory, subgroups, lookBack } = device;
  return {
    ...base,
    maxWorkGroupSize,
    workGroupMemory,
    ...(subgroups && { subgroups }),
    ...(subgroups && lookBack && { lookBack: lookBackFor({ ...base, maxWorkGroupSize }) }),
  };
}

/** A device that a tuning may be for: its `DeviceInfo`. */
interface Tunable {
  readonly target: string;
  readonly hardware?: string;
}

/**
 * Checks that a tuning is for a device: the same target and hardware. The driver may differ, because no size changes a result.
 * @throws GroupwiseError `foreign-tuning`
 */
export function requireTunedFor({ device }: Tuning, { target, hardware = "" }: Tunable): void {
  const tuned = `${device.target}: ${device.hardware}`;
  const got = `${target}: ${hardware}`;
  if (tuned !== got) throw errorOf("foreign-tuning", { tuned, got });
}
