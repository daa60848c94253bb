/** What every runtime does on the host: check a run's values before it, and shape its outputs after. */
import { errorOf } from "./errors.ts";
import {
  type Extent,
  evaluate,
  type Formula,
  type FormulaScalars,
  partsOfFormula,
  type Sides,
} from "./formula.ts";
import { LIMITS } from "./ir/check.ts";
import { wordOf } from "./ir/expr-op.ts";
import type { LaunchParam } from "./kernel/stmt.ts";
import type { Binding, Manifest } from "./manifest.ts";
import { recordOf } from "./runtime/arguments.ts";
import { hostView, shown } from "./runtime/host-view.ts";
import { END, type Lengths, type Range, rangeOf, rangeOptions } from "./runtime/range.ts";
import type { RunOptions, RunOutputs, RunValues } from "./runtime.ts";
import {
  type HostArray,
  halfToNumber,
  numberToHalf,
  SCALARS,
  type Scalar,
  type ScalarValue,
} from "./scalar.ts";

/** A run whose values fit its pipeline. */
export interface Prepared extends Range {
  /** By the names of inputs and tables. */
  readonly inputs: ReadonlyMap<string, HostArray>;
  /** In the manifest's order, with what describes the range and the zero filled in, and words where kernels take words. */
  readonly params: readonly { readonly name: string; readonly type: Scalar; readonly value: ScalarValue }[];
  /** What sizes depend on beside the range. */
  readonly scalars: FormulaScalars;
}

/**
 * Checks the values of a run. Inputs are views of the caller's arrays, or copies where these could change under a
 * driver; nothing of `values` and `options` is read later.
 * @throws GroupwiseError `bad-argument`, `missing-input`, `unknown-input`, `wrong-dtype`, `detached`, `length-mismatch`,
 * `length-needed`, `bad-length`, `bad-range`, `too-many-items`, `bad-parameter`, `empty-broadcast`, `table-too-long`, `bad-capacity`
 */
export function prepareRun(manifest: Manifest, given: RunValues, options?: RunOptions): Prepared {
  const { pipeline } = manifest;
  // All of the caller's code, getters and proxies, has run before arrays are looked at.
  const values = recordOf(given, "the values of a run", pipeline);
  const told = rangeOptions(manifest, options);
  const tables = tablesOf(manifest);
  const ranged = inputsOf(manifest);
  const arrays = [...ranged, ...tables.map((binding) => ({ name: binding.name, binding }))];
  checkNames(manifest, values, [...arrays, ...userParams(manifest)]);
  const inputs = new Map(
    arrays.map(({ name, binding }) => [binding.name, hostView(binding.type, values[name], name, pipeline)]),
  );
  const lengthOf = (binding: Binding): number => inputs.get(binding.name)?.length as number;
  const lengths = ranged.map(({ name, binding }) => ({ name, length: lengthOf(binding) }));
  const ofTables = Object.fromEntries(tables.map((binding) => [binding.name, lengthOf(binding)]));
  return { ...prepareLaunch(manifest, values, lengths, told, ofTables), inputs };
}

/** Arrays of their own lengths. */
export const tablesOf = ({ bindings }: Manifest): readonly Binding[] =>
  bindings.filter(({ role }) => role === "table");

/** What a run is told by beside its arrays. */
export type Launch = Omit<Prepared, "inputs">;

/**
 * The range and the parameters of a run.
 * @param values parameters by name; other names are not looked at
 * @param lengths of the arrays that tell the number of items, by their names for people
 * @param ofTables the lengths of tables, by name
 * @throws GroupwiseError `missing-input`, and as `prepareRun`
 */
export function prepareLaunch(
  manifest: Manifest,
  values: Readonly<Record<string, unknown>>,
  lengths: Lengths,
  options: RunOptions,
  ofTables: Readonly<Record<string, number>> = {},
): Launch {
  const range = rangeOf(manifest, lengths, rangeOptions(manifest, options));
  for (const { name } of tablesOf(manifest)) checkTable(manifest, name, ofTables[name]);
  const needy = range.n === 0 ? manifest.bindings.find((binding) => binding.needsItems) : undefined;
  if (needy) throw errorOf("empty-broadcast", { name: needy.name }, manifest.pipeline);
  const params = manifest.params.map((param) => {
    const { name, type, role } = param;
    return {
      name,
      type,
      value: role === "user" ? userValue(manifest, param, values) : launchValue(param, range, ofTables),
    };
  });
  const numbers = userParams(manifest).filter(({ type }) => type === "u32");
  const scalars: FormulaScalars = {
    params: Object.fromEntries(numbers.map(({ name }) => [name, Number(values[name])])),
    lengths: ofTables,
  };
  const launch = { ...range, params, scalars };
  checkCapacities(manifest, launch);
  return launch;
}

function checkTable(manifest: Manifest, name: string, length: number | undefined): void {
  if (length === undefined) throw errorOf("missing-input", { name, known: [name] }, manifest.pipeline);
  if (Number.isSafeInteger(length) && length >= 0 && length <= manifest.maxItems) return;
  throw errorOf("table-too-long", { name, length, limit: manifest.maxItems }, manifest.pipeline);
}

/** Elements that an output may have by its capacity, the same on every target; a range may be as long as a target can. */
export const mostElements = ({ maxItems }: Manifest, elements: Formula): number =>
  elements === "n" ? maxItems : Math.min(maxItems, LIMITS.capacity);

/** Kernels compute capacities too, in u32: they are the same numbers where no part of one leaves u32. */
function checkCapacities(manifest: Manifest, extent: Extent): void {
  for (const { name, role, cleared, elements } of manifest.bindings) {
    if (role !== "output" || !cleared) continue;
    const fail = (got: number, limit: number): never => {
      throw errorOf("bad-capacity", { name, got, limit }, manifest.pipeline);
    };
    // The parts of a part come first, as they would be computed.
    for (const part of [...partsOfFormula(elements)].reverse()) {
      const got = evaluate(part, extent);
      if (!(got >= 0 && got < END)) fail(got, END - 1);
    }
    const got = evaluate(elements, extent);
    const limit = mostElements(manifest, elements);
    if (got > limit) fail(got, limit);
  }
}

/** The value of a launch scalar that describes the range or a table. */
function launchValue(
  { role, dimension = 0, table = "" }: LaunchParam,
  range: Range,
  ofTables: Readonly<Record<string, number>>,
): number {
  const { n, globalSize, globalOffset } = range;
  if (role === "table-length") return ofTables[table] as number;
  if (role === "length") return n;
  if (role === "size") return globalSize[dimension] as number;
  return role === "offset" ? (globalOffset[dimension] as number) : 0;
}

/** The same launch for another number of items, of a range of one dimension. */
export function withItems(manifest: Manifest, launch: Launch, n: number): Launch {
  const range = { ...launch, n, globalSize: [n] };
  const params = launch.params.map((param, i) => {
    const made = manifest.params[i] as LaunchParam;
    return made.role === "user"
      ? param
      : { ...param, value: launchValue(made, range, launch.scalars.lengths) };
  });
  const changed = { ...range, params };
  checkCapacities(manifest, changed);
  return changed;
}

/** What a host gives as an array, by the name of the input; an output may stand in an input's array. */
export function inputsOf({
  bindings,
}: Manifest): readonly { readonly name: string; readonly binding: Binding }[] {
  return bindings.flatMap((binding) =>
    binding.role === "input"
      ? [{ name: binding.name, binding }]
      : binding.inPlace === undefined
        ? []
        : [{ name: binding.inPlace, binding }],
  );
}

/** @throws GroupwiseError `unknown-input`, `missing-input` */
export function checkNames(
  manifest: Manifest,
  values: Readonly<Record<string, unknown>>,
  wanted: readonly { readonly name: string }[],
): void {
  const known = wanted.map(({ name }) => name);
  for (const name of Object.keys(values)) {
    if (!known.includes(name)) throw errorOf("unknown-input", { name, known }, manifest.pipeline);
  }
  for (const name of known) {
    if (!Object.hasOwn(values, name)) throw errorOf("missing-input", { name, known }, manifest.pipeline);
  }
}

/** The parameters that a host gives, by their own names and types: a launch scalar may be a word of one. */
export function userParams({
  params,
}: Manifest): readonly { readonly name: string; readonly type: Scalar }[] {
  const users = params.filter(({ role }) => role === "user").map((param) => param.from ?? param);
  return [...new Map(users.map(({ name, type }) => [name, { name, type }])).values()];
}

function userValue(
  manifest: Manifest,
  param: LaunchParam,
  values: Readonly<Record<string, unknown>>,
): ScalarValue {
  const { name, type } = param.from ?? param;
  if (!Object.hasOwn(values, name)) {
    const known = userParams(manifest).map((one) => one.name);
    throw errorOf("missing-input", { name, known }, manifest.pipeline);
  }
  const value = scalar(manifest, name, type, values[name]);
  return param.from ? wordOf(type, value, param.from.word) : value;
}

function scalar(manifest: Manifest, name: string, type: Scalar, value: unknown): ScalarValue {
  const host = typeof SCALARS[type].lowest;
  const fits =
    typeof value === host &&
    (SCALARS[type].kind === "float" || SCALARS[type].wrap(value as ScalarValue) === value);
  if (!fits) throw errorOf("bad-parameter", { name, type, got: shown(value) }, manifest.pipeline);
  return SCALARS[type].wrap(value as ScalarValue);
}

/** Elements of a binding for a range. */
export function elementsOf(binding: Binding, sides: Sides): number {
  return evaluate(binding.elements, sides);
}

/**
 * Looks at the status words that a run left.
 * @throws GroupwiseError `scatter-outside`
 */
export function checkScatters(manifest: Manifest, status: ArrayLike<number>): void {
  const scatters = manifest.bindings.filter((binding) => binding.role === "output" && binding.cleared);
  const outside = scatters.filter((_, i) => (((status[Math.floor(i / 32)] ?? 0) >>> (i % 32)) & 1) === 1);
  if (outside.length > 0)
    throw errorOf("scatter-outside", { names: outside.map((b) => b.name).join(", ") }, manifest.pipeline);
}

/**
 * Shapes what a device left: cuts scatters to their lengths and leaves out what only served that.
 * @param raw every output of the manifest, `elementsOf` elements each
 * @param status the words of the status array, empty where there is none
 * @throws GroupwiseError `scatter-outside`
 */
export function finishRun(
  manifest: Manifest,
  raw: Readonly<Record<string, HostArray>>,
  status: ArrayLike<number>,
): RunOutputs {
  checkScatters(manifest, status);
  const outputs: RunOutputs = {};
  for (const binding of manifest.bindings) {
    if (binding.role !== "output" || binding.hidden) continue;
    const array = raw[binding.name] as HostArray;
    const length =
      binding.lengthFrom === undefined ? array.length : Number(raw[binding.lengthFrom]?.[0] ?? 0);
    outputs[binding.name] = length < array.length ? (array.slice(0, length) as HostArray) : array;
  }
  return outputs;
}

/** An array of device memory, as far as its elements' form goes. */
export type InMemory = Pick<Binding, "type" | "memory">;
const isWidened = ({ type, memory }: InMemory): boolean => type === "f16" && memory === "f32";

/** A host array for device memory: bools widen to 32 bits there, halves where the binding says so. */
export function toDevice(binding: InMemory, array: HostArray): HostArray {
  if (binding.type === "bool") return Uint32Array.from(array as Uint8Array, (x) => (x ? 1 : 0));
  return isWidened(binding) ? Float32Array.from(array as Uint16Array, halfToNumber) : array;
}

/** Device memory as the host's array. The bytes are copied. */
export function fromDevice(binding: InMemory, bytes: ArrayBuffer, elements: number): HostArray {
  const { type } = binding;
  if (type === "bool") return Uint8Array.from(new Uint32Array(bytes, 0, elements));
  if (isWidened(binding)) return Uint16Array.from(new Float32Array(bytes, 0, elements), numberToHalf);
  const array = SCALARS[type].array as unknown as new (
    buffer: ArrayBuffer,
    offset: number,
    length: number,
  ) => HostArray;
  return new array(bytes, 0, elements).slice() as HostArray;
}
