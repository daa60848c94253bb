/** Checks of a recorder's steps, the same for every runtime. */
import { errorOf } from "@groupwise/ir/base/errors.js";
import { oncePer } from "@groupwise/ir/base/once.js";
import type { ScalarValue } from "@groupwise/ir/tables/scalar.js";
import type { DeviceArray } from "../api/device-array.ts";
import { shown } from "../api/host-view.ts";
import type { RunOptions, StepOptions } from "../api/runtime.ts";
import { optionsOf, recordOf } from "../checks/arguments.ts";
import {
  checkDivisors,
  elementsOf,
  inputsOf,
  type Launch,
  prepareLaunch,
  tablesOf,
  withItems,
} from "../checks/host.ts";
import { checkedItems, checkedRange } from "../checks/range.ts";
import { missingValue, userParams } from "../checks/user-values.ts";
import type { Binding, Manifest } from "../plan/manifest.ts";
import { bad, bindingOf } from "./bindings.ts";
import { checkOverlaps, isSame } from "./overlap.ts";
import { type OwnArray, ownArray } from "./own-array.ts";

/** A step whose arrays and parameters fit its pipeline. */
export interface Step<A extends OwnArray> {
  /**
   * Range and parameters; for a step with a count, those of `max` items: `launchFor` makes the actual ones.
   */
  readonly launch: Launch;
  /** By binding name: every array that the caller passes, large enough for the launch. */
  readonly arrays: ReadonlyMap<string, A>;
  /** The pipeline's parameters, as the caller passed them. */
  readonly values: Readonly<Record<string, ScalarValue>>;
  readonly count?: { readonly array: A; readonly at: number; readonly max: number };
  /** At least `scratchBytes` bytes. */
  readonly scratch?: A;
}

/** The functions of a runtime that the checks need. */
export interface StepChecks<A extends OwnArray> {
  /** The runtime's array; undefined for arrays of another runtime. */
  own(array: DeviceArray): A | undefined;
  readonly sliceAlignment: number;
  /** The required size of `scratch` in bytes. */
  scratchBytes(launch: Launch): number;
}

/**
 * Checks a step of a recorder.
 * @throws GroupwiseError as `Recorder.run`, except what only the runtime can detect
 */
export function prepareStep<A extends OwnArray>(
  manifest: Manifest,
  asked: Readonly<Record<string, DeviceArray | ScalarValue>>,
  options: StepOptions | undefined,
  checks: StepChecks<A>,
): Step<A> {
  const { pipeline } = manifest;
  const given = recordOf(asked, "the arrays of a step", pipeline);
  const { n, scratch: room, ...sides } = optionsOf(options, OPTIONS, "the options", pipeline);
  const isCount = typeof n === "object" && n !== null;
  const onDevice = isCount ? optionsOf(n, COUNT, "the option n", pipeline) : undefined;
  const range = checkedRange(manifest, { ...sides, n: onDevice ? checkedItems(manifest, onDevice.max) : n });
  // No code of the caller runs after this point.
  const arrays = arraysOf(manifest, given, checks);
  const count = onDevice && { ...countOf(manifest, onDevice, range, checks), max: range.n as number };
  const isGiven = range.n !== undefined || range.globalSize !== undefined;
  // If the number is given, arrays may be longer; otherwise the inputs determine it.
  const sized = inputsOf(manifest).filter(({ binding }) => binding.elements === "n");
  const lengths = sized.map(({ name, binding }) => ({
    name,
    length: arrays.get(binding.name)?.length as number,
  }));
  // A table is as long as its array.
  const ofTables = Object.fromEntries(
    tablesOf(manifest).map(({ name }) => [name, arrays.get(name)?.length as number]),
  );
  const launch = prepareLaunch(manifest, given, isGiven ? [] : lengths, range, ofTables);
  checkDivisors(manifest, given, count ? undefined : launch.n);
  for (const [name, array] of arrays) {
    const need = elementsOf(bindingOf(manifest, name), launch);
    if (array.length < need) throw bad(manifest, name, `it has ${array.length} elements but needs ${need}`);
  }
  const scratch = scratchOf(manifest, room, launch, checks);
  checkOverlaps(manifest, arrays, scratch);
  const values = Object.fromEntries(
    userParams(manifest).map(({ name }) => [name, given[name] as ScalarValue]),
  );
  return { launch, arrays, values, ...(count && { count }), ...(scratch && { scratch }) };
}

/**
 * The launch of a step whose count was read.
 * @throws GroupwiseError `bad-divisor`, `bad-capacity`
 */
export function launchFor(
  manifest: Manifest,
  { launch, values, count }: Pick<Step<OwnArray>, "launch" | "values" | "count">,
  read: number,
): Launch {
  const n = Math.min(read, count?.max ?? Infinity);
  checkDivisors(manifest, values, n);
  return withItems(manifest, launch, n);
}

const COUNT = ["count", "at", "max"] as const;
const OPTIONS = ["n", "globalSize", "globalOffset", "scratch"] as const;

/** What a caller names: the arrays that a step reads, those that it writes, and all names. */
const namedOf = /*@__PURE__*/ oncePer((manifest: Manifest) => {
  const withNames = (bindings: readonly Binding[]): { readonly name: string; readonly binding: Binding }[] =>
    bindings.map((binding) => ({ name: binding.name, binding }));
  const inputs = [...inputsOf(manifest), ...withNames(tablesOf(manifest))];
  const outputs = withNames(manifest.bindings.filter(({ role }) => role === "output"));
  const known = [...inputs, ...userParams(manifest), ...outputs].map(({ name }) => name);
  return { inputs, outputs, known };
});

/** By the names of the bindings. */
function arraysOf<A extends OwnArray>(
  manifest: Manifest,
  given: Readonly<Record<string, unknown>>,
  checks: StepChecks<A>,
): Map<string, A> {
  const { inputs, outputs, known } = namedOf(manifest);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) throw errorOf("unknown-input", { name: unknown, known }, manifest.pipeline);
  const arrays = new Map<string, A>();
  for (const { name, binding } of [...inputs, ...outputs]) {
    if (!Object.hasOwn(given, name)) continue;
    const array = ownArray(manifest, name, given[name], binding.type, checks);
    const other = arrays.get(binding.name);
    if (other && !isSame(other, array))
      throw bad(manifest, name, `the output ${binding.name} uses the array of ${binding.inPlace}`);
    arrays.set(binding.name, array);
  }
  for (const { name, binding } of inputs)
    if (!arrays.has(binding.name)) throw missingValue(manifest, name, known);
  for (const { name } of userParams(manifest))
    if (!Object.hasOwn(given, name)) throw missingValue(manifest, name, known);
  for (const { name, binding } of outputs) {
    if (binding.hidden || arrays.has(name)) continue;
    const all = outputs.filter((one) => !one.binding.hidden).map((one) => one.name);
    throw errorOf("missing-output", { name, known: all }, manifest.pipeline);
  }
  return arrays;
}

function countOf<A extends OwnArray>(
  manifest: Manifest,
  { count, at = 0 }: { readonly count?: unknown; readonly at?: unknown },
  { globalSize }: RunOptions,
  checks: StepChecks<A>,
): { readonly array: A; readonly at: number } {
  const { length: sides } = manifest.workGroupSize;
  const no = (reason: string): Error => errorOf("bad-range", { reason, sides }, manifest.pipeline);
  if (sides !== 1) throw no(`a count in device memory requires one dimension, but the pipeline has ${sides}`);
  if (globalSize !== undefined) throw no("a count in device memory and globalSize exclude each other");
  // Any element is allowed: kernels do not use the count's array.
  const array = ownArray(manifest, "count", count, "u32", { ...checks, sliceAlignment: 1 });
  if (!Number.isSafeInteger(at) || (at as number) < 0 || (at as number) >= array.length)
    throw bad(manifest, "count", `it has no element ${shown(at)}`);
  return { array, at: at as number };
}

function scratchOf<A extends OwnArray>(
  manifest: Manifest,
  scratch: unknown,
  launch: Launch,
  checks: StepChecks<A>,
): A | undefined {
  if (scratch === undefined) return undefined;
  const array = ownArray(manifest, "scratch", scratch, undefined, checks);
  const need = checks.scratchBytes(launch);
  if (array.byteLength < need)
    throw bad(manifest, "scratch", `it has ${array.byteLength} bytes but needs ${need}`);
  return array;
}
