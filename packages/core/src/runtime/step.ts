/** Checks of a recorder's steps, the same for every runtime. */
import { errorOf } from "../errors.ts";
import { elementsOf, inputsOf, type Launch, prepareLaunch, tablesOf, userParams } from "../host.ts";
import type { Binding, Manifest } from "../manifest.ts";
import type { DeviceArray, RunOptions, StepOptions } from "../runtime.ts";
import type { Scalar, ScalarValue } from "../scalar.ts";
import { optionsOf, recordOf } from "./arguments.ts";
import { kindOf, shown, typedArrayName } from "./host-view.ts";
import { checkedItems, rangeOptions } from "./range.ts";

/** What checks look at in the arrays of a runtime, which made them itself. */
export interface OwnArray extends DeviceArray {
  /** The same for arrays that may share bytes, and for no others. */
  readonly root: object;
  /** Bytes from the root's first to the array's first. */
  readonly byteOffset: number;
  /** @throws GroupwiseError `disposed` */
  check(): void;
}

/** A step whose arrays and parameters fit its pipeline. */
export interface Step<A extends OwnArray> {
  /** Range and parameters; of a step with a count, those of `max` items: `withItems` makes the real ones. */
  readonly launch: Launch;
  /** By the bindings' names: every one that a caller gives, large enough for the launch. */
  readonly arrays: ReadonlyMap<string, A>;
  /** The pipeline's parameters, as the caller gave them. */
  readonly values: Readonly<Record<string, ScalarValue>>;
  readonly count?: { readonly array: A; readonly at: number; readonly max: number };
  /** Room for `scratchBytes` bytes. */
  readonly scratch?: A;
}

/** What a runtime knows that the checks need. */
export interface StepChecks<A extends OwnArray> {
  /** The array as the runtime made it; undefined where another one did. */
  own(array: DeviceArray): A | undefined;
  readonly sliceAlignment: number;
  /** Bytes that `scratch` must have. */
  scratchBytes(launch: Launch): number;
}

/**
 * Checks a step of a recorder.
 * @throws GroupwiseError as `Recorder.run` tells, except what only the runtime can know
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
  const told = isCount ? optionsOf(n, COUNT, "the option n", pipeline) : undefined;
  const range = rangeOptions(manifest, { ...sides, n: told ? checkedItems(manifest, told.max) : n });
  // None of the caller's code runs from here on.
  const arrays = arraysOf(manifest, given, checks);
  const count = told && { ...countOf(manifest, told, range, checks), max: range.n as number };
  const isTold = range.n !== undefined || range.globalSize !== undefined;
  // Where the number is told, arrays may be longer; where it is not, the inputs tell it.
  const telling = inputsOf(manifest).filter(({ binding }) => binding.elements === "n");
  const lengths = telling.map(({ name, binding }) => ({
    name,
    length: arrays.get(binding.name)?.length as number,
  }));
  // A table is as long as its array.
  const ofTables = Object.fromEntries(
    tablesOf(manifest).map(({ name }) => [name, arrays.get(name)?.length as number]),
  );
  const launch = prepareLaunch(manifest, given, isTold ? [] : lengths, range, ofTables);
  for (const [name, array] of arrays) {
    const need = elementsOf(bindingOf(manifest, name), launch);
    if (array.length < need) throw bad(manifest, name, `it has ${array.length} elements and needs ${need}`);
  }
  const scratch = scratchOf(manifest, room, launch, checks);
  checkOverlaps(manifest, arrays, scratch);
  const values = Object.fromEntries(
    userParams(manifest).map(({ name }) => [name, given[name] as ScalarValue]),
  );
  return { launch, arrays, values, ...(count && { count }), ...(scratch && { scratch }) };
}

const COUNT = ["count", "at", "max"] as const;
const OPTIONS = ["n", "globalSize", "globalOffset", "scratch"] as const;

const bad = (manifest: Manifest, name: string, reason: string): Error =>
  errorOf("bad-buffer", { name, reason }, manifest.pipeline);

const bindingOf = (manifest: Manifest, name: string): Binding =>
  manifest.bindings.find((binding) => binding.name === name) as Binding;

const isObject = (value: unknown): value is DeviceArray => typeof value === "object" && value !== null;

/** By the names of the bindings. */
function arraysOf<A extends OwnArray>(
  manifest: Manifest,
  given: Readonly<Record<string, unknown>>,
  checks: StepChecks<A>,
): Map<string, A> {
  const tables = tablesOf(manifest).map((binding) => ({ name: binding.name, binding }));
  const inputs = [...inputsOf(manifest), ...tables];
  const outputs = manifest.bindings.filter(({ role }) => role === "output");
  const known = [...inputs, ...userParams(manifest), ...outputs].map(({ name }) => name);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) throw errorOf("unknown-input", { name: unknown, known }, manifest.pipeline);
  const arrays = new Map<string, A>();
  for (const { name, binding } of [
    ...inputs,
    ...outputs.map((binding) => ({ name: binding.name, binding })),
  ]) {
    if (!Object.hasOwn(given, name)) continue;
    const array = ownArray(manifest, name, given[name], binding.type, checks);
    const other = arrays.get(binding.name);
    if (other && !isSame(other, array))
      throw bad(manifest, name, `the output ${binding.name} stands in the array of ${binding.inPlace}`);
    arrays.set(binding.name, array);
  }
  for (const { name, binding } of inputs)
    if (!arrays.has(binding.name)) throw errorOf("missing-input", { name, known }, manifest.pipeline);
  for (const { name } of userParams(manifest))
    if (!Object.hasOwn(given, name)) throw errorOf("missing-input", { name, known }, manifest.pipeline);
  for (const { name, hidden } of outputs) {
    if (hidden || arrays.has(name)) continue;
    const all = outputs.filter((one) => !one.hidden).map((one) => one.name);
    throw errorOf("missing-output", { name, known: all }, manifest.pipeline);
  }
  return arrays;
}

/** An array for kernels. */
function ownArray<A extends OwnArray>(
  manifest: Manifest,
  name: string,
  given: unknown,
  type: Scalar | undefined,
  checks: StepChecks<A>,
): A {
  const want = `a device array${type ? ` of ${type}` : ""}`;
  const wrong = (got: string): Error => errorOf("wrong-dtype", { name, want, got }, manifest.pipeline);
  if (!isObject(given)) throw wrong(kindOf(given));
  const array = checks.own(given);
  if (!array) {
    if (!isArrayLike(given)) throw wrong(kindOf(given));
    throw errorOf("foreign-device", { what: `the array ${JSON.stringify(name)}` }, manifest.pipeline);
  }
  array.check();
  if (type && array.type !== type) throw wrong(`one of ${array.type}`);
  const { byteOffset } = array;
  if (byteOffset % checks.sliceAlignment !== 0)
    throw bad(
      manifest,
      name,
      `it begins at byte ${byteOffset}, which is no multiple of ${checks.sliceAlignment}`,
    );
  return array;
}

/** Whether it could be an array of another runtime. */
function isArrayLike(given: DeviceArray): boolean {
  try {
    return typedArrayName(given) === undefined && "slice" in given && "dispose" in given;
  } catch {
    return false;
  }
}

function countOf<A extends OwnArray>(
  manifest: Manifest,
  { count, at = 0 }: { readonly count?: unknown; readonly at?: unknown },
  { globalSize }: RunOptions,
  checks: StepChecks<A>,
): { readonly array: A; readonly at: number } {
  const { length: sides } = manifest.workGroupSize;
  const no = (reason: string): Error => errorOf("bad-range", { reason, sides }, manifest.pipeline);
  if (sides !== 1) throw no(`a count in device memory is for one dimension, and the pipeline has ${sides}`);
  if (globalSize !== undefined) throw no("there are both a count in device memory and globalSize");
  // Any element will do: a count is no array for kernels.
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
    throw bad(manifest, "scratch", `it has ${array.byteLength} bytes and needs ${need}`);
  return array;
}

/** Whether arrays of one runtime have bytes in common. */
export function overlap(a: OwnArray, b: OwnArray): boolean {
  const end = Math.min(a.byteOffset + a.byteLength, b.byteOffset + b.byteLength);
  return a.root === b.root && Math.max(a.byteOffset, b.byteOffset) < end;
}

const isSame = (a: OwnArray, b: OwnArray): boolean =>
  a.root === b.root && a.byteOffset === b.byteOffset && a.byteLength === b.byteLength;

function checkOverlaps(manifest: Manifest, arrays: ReadonlyMap<string, OwnArray>, scratch?: OwnArray): void {
  const all = [...arrays, ...(scratch ? [["scratch", scratch] as const] : [])];
  const isRead = (name: string): boolean => ["input", "table"].includes(bindingOf(manifest, name)?.role);
  all.forEach(([name, array], i) => {
    for (const [other, its] of all.slice(0, i)) {
      if (!overlap(array, its) || (isRead(name) && isRead(other))) continue;
      throw bad(manifest, name, `${other} has elements in common with it`);
    }
  });
}
