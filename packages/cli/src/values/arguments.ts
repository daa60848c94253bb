/** The values of a run, from the arguments of the command line. */
import type { Checked, HostArray, RunValues, ScalarValue } from "@groupwise/core";
import { GroupwiseError } from "@groupwise/core";
import { errorOf } from "@groupwise/core/target";
import { badUsage } from "../base/problem.ts";
import { nearest } from "../base/suggest.ts";
import { readInput } from "./input.ts";
import { parseScalar } from "./scalar.ts";

/**
 * @param inputs `name=FILE…` for inputs and tables; the name may be omitted if the pipeline takes one array
 * @param params `name=value`
 * @throws GroupwiseError `unknown-input`, `missing-input`, `bad-parameter`, `length-mismatch`, `bad-usage`, and what
 *   reading files throws
 */
export async function readValues(
  checked: Checked,
  inputs: readonly string[],
  params: readonly string[],
  cwd: string,
): Promise<RunValues> {
  const values = new Map<string, HostArray | ScalarValue>();
  const arrays = [...checked.inputs, ...checked.tables];
  const names = arrays.map(({ name }) => name);
  const known = [...names, ...checked.params.map(({ name }) => name)];
  const take = (option: string, spec: string, only?: string): [name: string, rest: string] => {
    const [name, rest] = splitName(option, spec, only, known);
    if (values.has(name)) throw badUsage(`${JSON.stringify(name)} is passed twice`, "pass each value once");
    return [name, rest];
  };
  const refuse = (name: string, expected: readonly string[], hint: string): never => {
    throw unknown(checked, name, expected, known.includes(name) ? hint : undefined);
  };
  for (const spec of inputs) {
    const [name, file] = take("--input", spec, names.length === 1 ? names[0] : undefined);
    const node = arrays.find((input) => input.name === name);
    if (!node) return refuse(name, names, "it is a parameter: pass it with --param");
    values.set(name, await readInput(file, node.type, cwd));
  }
  for (const spec of params) {
    const [name, text] = take("--param", spec);
    const node = checked.params.find((param) => param.name === name);
    const users = checked.params.map((param) => param.name);
    if (!node) return refuse(name, users, "it is an input: pass it with --input");
    const value = parseScalar(node.type, text);
    if (value === undefined)
      throw errorOf("bad-parameter", { name, type: node.type, got: text }, `--param ${spec}`);
    values.set(name, value);
  }
  requireAll(checked, known, values);
  return Object.fromEntries(values);
}

/** @throws GroupwiseError `missing-input`, `length-mismatch` */
function requireAll(
  { pipeline, inputs, params }: Checked,
  known: readonly string[],
  values: ReadonlyMap<string, HostArray | ScalarValue>,
): void {
  const missing = known.find((name) => !values.has(name));
  if (missing !== undefined) {
    const what = params.some(({ name }) => name === missing) ? "parameter" : "input";
    throw errorOf("missing-input", { name: missing, known, what }, pipeline.name);
  }
  const lengths = inputs.map(({ name }) => ({ name, length: (values.get(name) as HostArray).length }));
  if (lengths.every(({ length }) => length === lengths[0]?.length)) return;
  const listed = lengths.map(({ name, length }) => `${name} ${length}`).join(", ");
  throw errorOf("length-mismatch", { lengths: listed }, pipeline.name);
}

/** The name and the text of `name=text`; the name may be omitted if there is only one. @throws GroupwiseError `bad-usage` */
export function splitName(
  option: string,
  spec: string,
  only: string | undefined,
  known: readonly string[],
): [name: string, rest: string] {
  const at = spec.indexOf("=");
  const name = spec.slice(0, Math.max(at, 0));
  // A path may contain an equals sign.
  if (at > 0 && /^\w+$/.test(name)) return [name, spec.slice(at + 1)];
  if (only !== undefined) return [only, spec];
  throw badUsage(`${option} ${JSON.stringify(spec)} has no name`, `write ${option} ${known[0] ?? "name"}=…`);
}

function unknown(
  checked: Checked,
  name: string,
  known: readonly string[],
  other: string | undefined,
): GroupwiseError {
  const { code, what, where, hint } = errorOf("unknown-input", { name, known }, checked.pipeline.name);
  const near = nearest(name, known);
  const first = other ?? (near === undefined ? undefined : `did you mean ${near}?`);
  return new GroupwiseError(
    code,
    { message: what, hint: first === undefined ? hint : `${first} ${hint}` },
    where,
  );
}
