/** Where the arrays of a run come from. */
import { type ArrayType, type Checked, GroupwiseError } from "@groupwise/core";
import { errorOf } from "@groupwise/core/target";
import { badUsage } from "../base/problem.ts";
import { nearest } from "../base/suggest.ts";
import { isRaw, splitSuffix, tableIn } from "./input.ts";
import type { Reading } from "./reading.ts";

/** An input or table, and where its elements come from. */
export interface BoundInput {
  readonly name: string;
  readonly type: ArrayType;
  /** `FILE[:column|:type|:text]`, or `-:format` for stdin. */
  readonly spec: string;
}

/**
 * The inputs and tables that arguments give values, in the order of the arguments.
 * @param specs `name=FILE…`. The name may be omitted if the pipeline takes one array, or for a .csv file: each array that no other
 *   argument names takes the column whose heading is its name.
 * @param reading options that are refused if no input uses them
 * @throws GroupwiseError `unknown-input`, `bad-usage`
 */
export function bindInputs(
  checked: Checked,
  specs: readonly string[],
  reading: Omit<Reading, "cwd"> = {},
): readonly BoundInput[] {
  const bound = boundBy(checked, specs);
  const used = (by: (spec: string) => boolean): boolean => bound.some(({ spec }) => by(spec));
  if (reading.null !== undefined && !used((spec) => tableIn(spec, reading) !== undefined))
    throw badUsage(
      "--null is read in place of empty cells and nulls, and no input is a table",
      "omit --null",
    );
  if (reading.raw && !used((spec) => isRaw(splitSuffix(spec).suffix, reading)))
    throw badUsage(
      "--raw is for files of raw elements, and no input is one",
      "write FILE:f32, or omit --raw",
    );
  return bound;
}

function boundBy(checked: Checked, specs: readonly string[]): readonly BoundInput[] {
  const arrays = [...checked.inputs, ...checked.tables];
  const names = arrays.map(({ name }) => name);
  const only = names.length === 1 ? names[0] : undefined;
  const whole = specs.filter((spec) => only === undefined && isWholeTable(spec));
  const bound = new Map<string, BoundInput>();
  for (const given of specs.filter((spec) => !whole.includes(spec))) {
    const [name, spec] = splitName("--input", given, only, names);
    const node = arrays.find((one) => one.name === name);
    if (!node) throw unknownName(checked, name, "input");
    refuseTwice(name, bound);
    bound.set(name, { name, type: node.type, spec });
  }
  const rest = arrays.filter(({ name }) => !bound.has(name));
  const [spec, other] = whole;
  if (spec === undefined) return [...bound.values()];
  if (other !== undefined)
    throw badUsage(
      `${spec} and ${other} are passed without a name`,
      "one file gives the inputs that no other --input names: write name=FILE for the others",
    );
  if (rest.length === 0)
    throw badUsage(`no input is left for ${spec}`, "omit it: each input has a file of its own");
  return [...bound.values(), ...rest.map(({ name, type }) => ({ name, type, spec }))];
}

/** Whether a spec without a name is a table of several columns. */
const isWholeTable = (spec: string): boolean => {
  const table = splitOff(spec) ? undefined : tableIn(spec);
  return table !== undefined && table.column === undefined;
};

/** The name and the text of `name=text`; undefined if it has no name, as a path may contain an equals sign. */
function splitOff(spec: string): [name: string, rest: string] | undefined {
  const at = spec.indexOf("=");
  const name = spec.slice(0, Math.max(at, 0));
  return /^\w+$/.test(name) ? [name, spec.slice(at + 1)] : undefined;
}

/** The name and the text of `name=text`; the name may be omitted if there is only one. @throws GroupwiseError `bad-usage` */
export function splitName(
  option: string,
  spec: string,
  only: string | undefined,
  known: readonly string[],
): [name: string, rest: string] {
  const split = splitOff(spec) ?? (only === undefined ? undefined : [only, spec]);
  if (split) return split as [string, string];
  const all =
    option === "--input" ? "; FILE.csv and -:csv need no name: inputs take the columns of theirs" : "";
  throw badUsage(
    `${option} ${JSON.stringify(spec)} has no name`,
    `write ${option} ${known[0] ?? "name"}=…${all}`,
  );
}

/** @throws GroupwiseError `bad-usage` */
export function refuseTwice(name: string, values: ReadonlyMap<string, unknown>): void {
  if (values.has(name)) throw badUsage(`${JSON.stringify(name)} is passed twice`, "pass each value once");
}

/** The options of values, with what is said of a name of the other one. */
const KINDS = {
  input: { other: "is a parameter, and no input", hint: "pass it with --param", of: ["inputs", "tables"] },
  param: { other: "is an input, and no parameter", hint: "pass it with --input", of: ["params"] },
} as const;

/** The error for a name that an option does not take. */
export function unknownName(checked: Checked, name: string, option: keyof typeof KINDS): GroupwiseError {
  const { inputs, tables, params, pipeline } = checked;
  const all = [...inputs, ...tables, ...params].map((one) => one.name);
  const known = KINDS[option].of.flatMap((kind) => checked[kind].map((one) => one.name));
  const { code, what, where, hint } = errorOf("unknown-input", { name, known }, pipeline.name);
  const near = nearest(name, known);
  const wording = all.includes(name)
    ? { message: `${JSON.stringify(name)} ${KINDS[option].other}`, hint: KINDS[option].hint }
    : { message: what, hint: near === undefined ? hint : `did you mean ${near}? ${hint}` };
  return new GroupwiseError(code, wording, where);
}
