/** The work of every runtime on the host: checks the values before a run, and shapes the outputs after it. */

import { errorOf, type GroupwiseError } from "@groupwise/ir/base/errors.js";
import {
  type Extent,
  evaluate,
  type Formula,
  type FormulaScalars,
  partsOfFormula,
  type Sides,
} from "@groupwise/ir/base/formula.js";
import { oncePer } from "@groupwise/ir/base/once.js";
import { LIMITS } from "@groupwise/ir/document/limits.js";
import type { HostArray, Scalar, ScalarValue } from "@groupwise/ir/tables/scalar.js";
import type { LaunchParam } from "@groupwise/kernel/language/module.js";
import { hostView } from "../api/host-view.ts";
import type { RunOptions } from "../api/runtime.ts";
import type { RunValues } from "../api/typed.ts";
import type { Binding, Manifest } from "../plan/manifest.ts";
import { recordOf } from "./arguments.ts";
import { END, type Lengths, type Range, rangeOf, rangeOptions } from "./range.ts";
import { checkNames, missingValue, userParams, userValue } from "./user-values.ts";

/** A run with checked values. */
export interface Prepared extends Range {
  /** By the names of inputs and tables. */
  readonly inputs: ReadonlyMap<string, HostArray>;
  /**
   * In the manifest's order, including the scalars of the range and the zero; two words for types that
   * kernels take as words.
   */
  readonly params: readonly { readonly name: string; readonly type: Scalar; readonly value: ScalarValue }[];
  /** The scalars that sizes depend on besides the range. */
  readonly scalars: FormulaScalars;
}

/**
 * Checks the values of a run. Inputs are views of the caller's arrays, or copies of shared or resizable ones;
 * `values` and `options` are not read later.
 * @param keepsShared true: inputs in shared memory are not copied
 * @throws GroupwiseError `bad-argument`, `missing-input`, `unknown-input`, `wrong-dtype`, `detached`, `length-mismatch`,
 * `length-needed`, `bad-length`, `bad-range`, `too-many-items`, `bad-parameter`, `empty-broadcast`, `table-too-long`, `bad-capacity`
 */
export function prepareRun(
  manifest: Manifest,
  given: RunValues,
  options?: RunOptions,
  keepsShared: boolean = false,
): Prepared {
  const { pipeline } = manifest;
  // All code of the caller (getters, proxies) runs before arrays are inspected.
  const values = recordOf(given, "the values of a run", pipeline);
  const range = rangeOptions(manifest, options);
  const tables = tablesOf(manifest);
  const ranged = inputsOf(manifest);
  const arrays = [...ranged, ...tables.map((binding) => ({ name: binding.name, binding }))];
  checkNames(manifest, values, [...arrays, ...userParams(manifest)]);
  const inputs = new Map(
    arrays.map(({ name, binding }) => [
      binding.name,
      hostView(binding.type, values[name], name, pipeline, keepsShared),
    ]),
  );
  const lengthOf = (binding: Binding): number => inputs.get(binding.name)?.length as number;
  const lengths = ranged.map(({ name, binding }) => ({ name, length: lengthOf(binding) }));
  const ofTables = Object.fromEntries(tables.map((binding) => [binding.name, lengthOf(binding)]));
  const { n, globalSize, globalOffset, params, scalars } = prepareLaunch(
    manifest,
    values,
    lengths,
    range,
    ofTables,
  );
  checkDivisors(manifest, values, n);
  // Not by a spread, for which V8 takes 0.2 µs.
  return { n, globalSize, globalOffset, params, scalars, inputs };
}

/** Arrays of their own lengths. */
export const tablesOf: (manifest: Manifest) => readonly Binding[] = /*@__PURE__*/ oncePer(({ bindings }) =>
  bindings.filter(({ role }) => role === "table"),
);

/** The arguments of a run besides its arrays. */
export type Launch = Omit<Prepared, "inputs">;

/**
 * The range and the parameters of a run.
 * @param values parameters by name; other names are ignored
 * @param lengths of the arrays that determine the number of items, by name
 * @param options from `rangeOptions` or `checkedRange`
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
  const range = rangeOf(manifest, lengths, options);
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
  const { n, globalSize, globalOffset } = range;
  const launch = { n, globalSize, globalOffset, params, scalars };
  checkCapacities(manifest, launch);
  return launch;
}

/**
 * Checks the parameters that divide the number of items. A value that is no number is refused elsewhere.
 * @param n undefined if only the device knows the number: then the parameters are not 0
 * @throws GroupwiseError `bad-divisor`
 */
export function checkDivisors(
  of: {
    readonly pipeline: string;
    readonly params: readonly Pick<Manifest["params"][number], "name" | "divides">[];
  },
  values: Readonly<Record<string, unknown>>,
  n: number | undefined,
): void {
  const error = divisorError(of, values, n);
  if (error) throw error;
}

/** The error that `checkDivisors` throws. */
export function divisorError(
  { pipeline, params }: Parameters<typeof checkDivisors>[0],
  values: Readonly<Record<string, unknown>>,
  n: number | undefined,
): GroupwiseError | undefined {
  for (const { name, divides } of params) {
    const value = values[name];
    if (!divides || typeof value !== "number") continue;
    if (value === 0 || (n !== undefined && n % value !== 0))
      return errorOf("bad-divisor", { name, value, ...(n !== undefined && { n }) }, pipeline);
  }
  return undefined;
}

function checkTable(manifest: Manifest, name: string, length: number | undefined): void {
  if (length === undefined) throw missingValue(manifest, name, [name]);
  if (Number.isSafeInteger(length) && length >= 0 && length <= manifest.maxItems) return;
  throw errorOf("table-too-long", { name, length, limit: manifest.maxItems }, manifest.pipeline);
}

/**
 * Maximum capacity of an output, the same on every target; the maximum length of a range depends on the
 * target.
 */
export const mostElements = ({ maxItems }: Manifest, elements: Formula): number =>
  elements === "n" ? maxItems : Math.min(maxItems, LIMITS.capacity);

/** Kernels compute capacities too, in u32: the results agree if no term leaves u32. */
function checkCapacities(manifest: Manifest, extent: Extent): void {
  for (const { name, scatter, elements } of manifest.bindings) {
    if (!scatter) continue;
    const fail = (got: number, limit: number): never => {
      throw errorOf("bad-capacity", { name, got, limit }, manifest.pipeline);
    };
    // The operands of a term precede it, in the order of evaluation.
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

/** The arrays that a host passes, by name of the input; an output may use an input's array. */
export const inputsOf: (
  manifest: Manifest,
) => readonly { readonly name: string; readonly binding: Binding }[] = /*@__PURE__*/ oncePer(({ bindings }) =>
  bindings.flatMap((binding) =>
    binding.role === "input"
      ? [{ name: binding.name, binding }]
      : binding.inPlace === undefined
        ? []
        : [{ name: binding.inPlace, binding }],
  ),
);

/** Elements of a binding for a range. */
export function elementsOf(binding: Binding, sides: Sides): number {
  return evaluate(binding.elements, sides);
}
