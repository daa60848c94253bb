/** What every runtime does on the host: check a run's values before it, and shape its outputs after. */
import { errorOf } from "./errors.ts";
import { evaluate } from "./formula.ts";
import type { Binding, Manifest } from "./manifest.ts";
import { type HostArray, SCALARS, type Scalar, type ScalarValue } from "./scalar.ts";
import type { RunOptions, RunOutputs, RunValues } from "./target.ts";

/** A run whose values fit its pipeline. */
export interface Prepared {
  readonly n: number;
  /** By input name. */
  readonly inputs: ReadonlyMap<string, HostArray>;
  /** In the manifest's order, with n and the zero filled in. */
  readonly params: readonly { readonly name: string; readonly type: Scalar; readonly value: ScalarValue }[];
}

const isArray = (value: unknown): value is HostArray =>
  ArrayBuffer.isView(value) && !(value instanceof DataView);
const nameOf = (value: unknown): string =>
  isArray(value) ? value.constructor.name : value === null ? "null" : typeof value;

/**
 * Checks the values of a run.
 * @throws GroupwiseError `missing-input`, `unknown-input`, `wrong-dtype`, `length-mismatch`, `length-needed`,
 * `bad-length`, `too-many-items`, `bad-parameter`, `empty-broadcast`
 */
export function prepareRun(manifest: Manifest, values: RunValues, options: RunOptions = {}): Prepared {
  const arrays = manifest.bindings.filter((binding) => binding.role === "input");
  const users = manifest.params.filter((param) => param.role === "user");
  const known = [...arrays, ...users].map(({ name }) => name);
  for (const name of Object.keys(values)) {
    if (!known.includes(name)) throw errorOf("unknown-input", { name, known }, manifest.pipeline);
  }
  for (const name of known) {
    if (!Object.hasOwn(values, name)) throw errorOf("missing-input", { name, known }, manifest.pipeline);
  }
  const inputs = new Map(
    arrays.map((binding) => [binding.name, hostArray(manifest, binding, values[binding.name])]),
  );
  const n = lengthOf(manifest, inputs, options);
  const needy = n === 0 ? manifest.bindings.find((binding) => binding.needsItems) : undefined;
  if (needy) throw errorOf("empty-broadcast", { name: needy.name }, manifest.pipeline);
  const fixed = { length: n, zero: 0 } as const;
  const params = manifest.params.map(({ name, type, role }) => ({
    name,
    type,
    value: role === "user" ? scalar(manifest, name, type, values[name]) : fixed[role],
  }));
  return { n, inputs, params };
}

function hostArray(manifest: Manifest, binding: Binding, value: unknown): HostArray {
  const want = SCALARS[binding.type].array;
  if (value instanceof want) return value;
  const got = nameOf(value);
  throw errorOf(
    "wrong-dtype",
    { name: binding.name, want: `${want.name} (${binding.type})`, got },
    manifest.pipeline,
  );
}

function scalar(manifest: Manifest, name: string, type: Scalar, value: unknown): ScalarValue {
  const host = typeof SCALARS[type].lowest;
  const fits =
    typeof value === host &&
    (SCALARS[type].kind === "float" || SCALARS[type].wrap(value as ScalarValue) === value);
  if (!fits)
    throw errorOf(
      "bad-parameter",
      { name, type, got: nameOf(value) === host ? value : nameOf(value) },
      manifest.pipeline,
    );
  return SCALARS[type].wrap(value as ScalarValue);
}

function lengthOf(manifest: Manifest, inputs: ReadonlyMap<string, HostArray>, options: RunOptions): number {
  const lengths = [...inputs].map(([name, array]) => ({ name, length: array.length }));
  if (options.n !== undefined) lengths.push({ name: "n", length: options.n });
  const [first] = lengths;
  if (!first) throw errorOf("length-needed", undefined, manifest.pipeline);
  const n = first.length;
  if (!Number.isSafeInteger(n) || n < 0)
    throw errorOf("bad-length", { got: n, limit: manifest.maxItems }, manifest.pipeline);
  if (lengths.some(({ length }) => length !== n)) {
    const listed = lengths.map(({ name, length }) => `${name} ${length}`).join(", ");
    throw errorOf("length-mismatch", { lengths: listed }, manifest.pipeline);
  }
  if (n > manifest.maxItems) {
    throw errorOf(
      "too-many-items",
      { n, limit: manifest.maxItems, why: "the index arithmetic" },
      manifest.pipeline,
    );
  }
  return n;
}

/** Elements of a binding for n items. */
export function elementsOf(binding: Binding, n: number): number {
  return evaluate(binding.elements, n);
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
  const scatters = manifest.bindings.filter((binding) => binding.role === "output" && binding.cleared);
  const outside = scatters.filter((_, i) => (((status[Math.floor(i / 32)] ?? 0) >>> (i % 32)) & 1) === 1);
  if (outside.length > 0)
    throw errorOf("scatter-outside", { names: outside.map((b) => b.name).join(", ") }, manifest.pipeline);
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

/** A host array for device memory: bools widen to 32 bits there. */
export function toDevice(type: Scalar, array: HostArray): HostArray {
  return type === "bool" ? Uint32Array.from(array as Uint8Array, (x) => (x ? 1 : 0)) : array;
}

/** Device memory as the host's array. The bytes are copied. */
export function fromDevice(type: Scalar, bytes: ArrayBuffer, elements: number): HostArray {
  if (type === "bool") return Uint8Array.from(new Uint32Array(bytes, 0, elements));
  const array = SCALARS[type].array as unknown as new (
    buffer: ArrayBuffer,
    offset: number,
    length: number,
  ) => HostArray;
  return new array(bytes, 0, elements).slice() as HostArray;
}
