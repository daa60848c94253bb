/** The row of a tuning for a pipeline and a number of items. */
import { errorOf } from "@groupwise/ir/base/errors.js";
import type { Checked } from "@groupwise/ir/document/check.js";
import { isCollective, isMonoid, isRank, isScan } from "@groupwise/ir/document/collectives.js";
import { SCALARS, type Scalar } from "@groupwise/ir/tables/scalar.js";
import { type Capabilities, lookBackFor } from "@groupwise/kernel/capabilities/capabilities.js";
import { componentsOf } from "@groupwise/lower/parts/components.js";
import { orderedByKeys } from "@groupwise/lower/parts/float-keys.js";
import { withoutUnread } from "@groupwise/lower/unread.js";
import type { TunedKind, Tuning, TuningRow } from "./tuning.ts";

// The rows of a tuning that a pipeline is compared with.
/** The properties of a pipeline that decide which sizes are fast. */
interface TuningSubject {
  readonly kind: TunedKind;
  /** The type of the values that are combined, if they have only one. */
  readonly type: Scalar | undefined;
  /** The 32-bit words of a value, or of a record. */
  readonly words: number;
}

/** 32-bit words of a value of a type. */
const wordsOf = (type: Scalar): number => (SCALARS[type].words === "pair" ? 2 : 1);

/**
 * The subject of a pipeline; undefined if nothing over the whole range is combined, or if items are ranked, whose
 * kernels have tiles of their own. Minima and maxima of floats count as the integers that kernels combine.
 */
function subjectOf(given: Checked, capabilities: Capabilities): TuningSubject | undefined {
  const { pipeline } = orderedByKeys(withoutUnread(given), capabilities);
  if (pipeline.nodes.some(isRank)) return undefined;
  const nodes = pipeline.nodes
    .filter(isCollective)
    .filter(isMonoid)
    .filter(({ scope }) => scope === "device");
  if (nodes.length === 0) return undefined;
  const types = componentsOf(nodes, pipeline.operators).flatMap(({ monoid }) => monoid.types);
  const [first] = types;
  return {
    kind: nodes.some(isScan) ? "scan" : "reduce",
    type: types.every((type) => type === first) && types.length === 1 ? first : undefined,
    words: types.reduce((sum, type) => sum + wordsOf(type), 0),
  };
}

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
