/** The function of an emitted ES module with arguments and results by name. */
import {
  bare,
  type FormulaScalar,
  type FormulaVariable,
  partsOfFormula,
  SIDES,
} from "@groupwise/ir/base/formula.js";
import { type ArrayType, arraySpec } from "@groupwise/ir/tables/narrow.js";
import { SCALARS, type Scalar } from "@groupwise/ir/tables/scalar.js";
import type { LaunchParam } from "@groupwise/kernel/language/module.js";
import { fixed, marked } from "@groupwise/kernel/print/names.js";
import type { Text } from "@groupwise/kernel/print/text.js";
import { inputsOf, mostElements, tablesOf } from "../checks/host.ts";
import { userParams } from "../checks/user-values.ts";
import type { Binding, Manifest } from "../plan/manifest.ts";
import { formulaInModule } from "./formula.ts";

/** The identifier of a pipeline's function: `line-index` is `lineIndex`. */
export function functionName(pipeline: string): string {
  return `${pipeline.replaceAll(/[-_](.)/g, (_, letter: string) => letter.toUpperCase())}Pipeline`;
}

/** The shared names of an entry: for the number of items and for the scalars of formulas. */
interface Entry {
  readonly text: Text;
  readonly manifest: Manifest;
  readonly call: EntryCall;
  readonly n: string;
  readonly nameOf: (variable: FormulaVariable | FormulaScalar) => string;
}

/** An array of a run: the name of an argument, or a new array. */
export interface EntryArray {
  readonly binding: Binding;
  /** The class of its elements for hosts. */
  readonly array: string;
  /** The length of a new array; undefined for an argument. */
  readonly length?: string;
}

/** How a module calls its loops. */
export interface EntryCall {
  /** True if the loops work on copies of all arrays: then arguments are not copied before, and results are copied. */
  readonly copies: boolean;
  /** Prints the statements that make new arrays and call the loops. */
  print(text: Text, scalars: readonly string[], arrays: readonly EntryArray[]): void;
}

/** The type of a scalar argument in a `.d.mts`. */
export const hostType = (type: Scalar): string => typeof SCALARS[type].lowest;
/** The typed array of callers. */
export const hostArray = (type: ArrayType): string => arraySpec(type).array.name;

/** The function for users: it checks its arguments, allocates the other arrays and runs the kernel. */
export function printEntry(text: Text, manifest: Manifest, call: EntryCall): void {
  printAbout(text, manifest);
  text.block(
    `export default function ${functionName(manifest.pipeline)}(values = {}, options = {}) {`,
    () => {
      const entry: Entry = { text, manifest, call, ...printRange(text, manifest) };
      printArguments(entry);
      printChecks(entry);
      call.print(text, manifest.params.map(launchValue), arraysOf(entry));
      printResults(entry);
    },
  );
}

function printAbout(text: Text, manifest: Manifest): void {
  const ofTables = tablesOf(manifest).length > 0 ? ", one of any length for each table" : "";
  text.line("/**");
  text.line(" * Runs the pipeline.");
  text.line(` * @param values an array for each input${ofTables}, a value for each parameter`);
  for (const line of aboutOptions(manifest)) text.line(` * ${line}`);
  text.line(" * @throws TypeError, RangeError for wrong types, lengths or numbers of items");
  text.line(" */");
}

/** Inputs, tables and their lengths, and parameters. */
function printArguments({ text, manifest, call, n }: Entry): void {
  for (const { name, binding } of inputsOf(manifest)) {
    const copied = binding.inPlace === undefined || call.copies ? "" : ".slice()";
    const array = `requireArray(values, "${name}", ${hostArray(binding.type)}, ${n})${copied}`;
    text.line(`const ${marked(binding.name)} = ${array};`);
  }
  for (const { name, type } of tablesOf(manifest)) {
    const array = `requireTable(values, "${name}", ${hostArray(type)}, ${manifest.maxItems})`;
    text.line(`const ${marked(name)} = ${array};`);
  }
  for (const { name, table = "" } of manifest.params.filter(({ role }) => role === "table-length"))
    text.line(`const ${marked(name)} = ${marked(table)}.length;`);
  for (const { name, type } of userParams(manifest)) {
    const convert = `(${X}) => ${CONVERT[type]}`;
    text.line(`const ${marked(name)} = requireNumber(values, "${name}", "${hostType(type)}", ${convert});`);
  }
}

/** Outputs that scatters write. */
const scattersOf = ({ bindings }: Manifest): Manifest["bindings"] =>
  bindings.filter(({ scatter }) => scatter);

function printChecks({ text, manifest, n, nameOf }: Entry): void {
  const needy = manifest.bindings.find((b) => b.needsItems);
  if (needy)
    text.line(`if (${n} === 0) throw new RangeError("there is no item to broadcast for ${needy.name}");`);
  for (const { name, elements } of scattersOf(manifest)) {
    if (elements === "n" || (typeof elements === "number" && elements <= mostElements(manifest, elements)))
      continue;
    const parts = [...partsOfFormula(elements)].filter((part) => typeof part === "object").reverse();
    const listed = (parts.length > 0 ? parts : [elements]).map((part) => bare(formulaInModule(part, nameOf)));
    text.line(`requireSizes("${name}", ${[...listed, `${mostElements(manifest, elements)}`].join(", ")});`);
  }
}

/** The arrays of all bindings. */
function arraysOf({ manifest, nameOf }: Entry): EntryArray[] {
  const given = new Set([...inputsOf(manifest).map(({ binding }) => binding), ...tablesOf(manifest)]);
  return manifest.bindings.map((binding) => ({
    binding,
    array: hostArray(binding.type),
    ...(!given.has(binding) && { length: formulaInModule(binding.elements, nameOf) }),
  }));
}

function printResults({ text, manifest, call }: Entry): void {
  const status = manifest.bindings.find((b) => b.role === "status");
  // Where all items are moved by ranks there is none.
  const checked = status ? scattersOf(manifest) : [];
  checked.forEach((binding, i) => {
    const bit = `${marked(status?.name ?? "")}[${Math.floor(i / 32)}] & ${2 ** (i % 32)}`;
    text.line(`if (${bit}) throw new RangeError("a scatter wrote outside ${binding.name}");`);
  });
  const outputs = manifest.bindings.filter((b) => b.role === "output" && !b.hidden);
  text.line(`return { ${outputs.map((output) => result(output, call.copies)).join(", ")} };`);
}

/** Describes the options of an emitted function. */
function aboutOptions(manifest: Manifest): string[] {
  const { workGroupSize, params } = manifest;
  const isLine = workGroupSize.length === 1;
  const tellsLength = inputsOf(manifest).length > 0 ? "; default: the length of the inputs" : "";
  const size = isLine
    ? `n: the number of items${tellsLength}`
    : `globalSize: the number of items in each of the ${workGroupSize.length} dimensions`;
  const offset = params.some((p) => p.role === "offset")
    ? ["globalOffset: the first global id in each dimension; default: zeros"]
    : [];
  return [size, ...offset].map((line) => `@param options ${line}`);
}

/** The statements that compute a run's range, and the names of the variables of formulas. */
function printRange(text: Text, manifest: Manifest): Pick<Entry, "n" | "nameOf"> {
  const { params, workGroupSize, maxItems } = manifest;
  const named = (role: LaunchParam["role"]): LaunchParam[] => params.filter((p) => p.role === role);
  const [length] = named("length") as [LaunchParam];
  const n = marked(length.name);
  const sides = named("size").map(({ name }) => marked(name));
  const isCount = (x: string): string => `!Number.isSafeInteger(${x}) || ${x} < 0`;
  if (sides.length === 0) {
    const [first] = inputsOf(manifest);
    text.line(`const ${n} = options.n${first ? ` ?? values.${first.name}?.length` : ""};`);
    const what = first ? `n, by default the length of ${first.name},` : "n";
    text.line(
      `if (${isCount(n)} || ${n} > ${maxItems}) throw new RangeError("${what} is not a number of items");`,
    );
  } else {
    text.line(`const [${sides.join(", ")}] = options.globalSize ?? [];`);
    text.line(`const ${n} = ${sides.join(" * ")};`);
    text.line(
      `if (options.globalSize?.length !== ${sides.length} || ${sides.map(isCount).join(" || ")} || ${n} > ${maxItems}) throw new RangeError("globalSize is not a list of ${sides.length} numbers of items");`,
    );
  }
  for (const { name, from } of named("user").filter(({ divides }) => divides)) {
    const value = `values.${from?.name ?? name}`;
    text.line(
      `if (!(${value} > 0) || ${n} % ${value} !== 0) throw new RangeError("${from?.name ?? name} does not divide the number of items");`,
    );
  }
  for (const { name, dimension = 0 } of named("offset")) {
    const side = sides[dimension] ?? n;
    const offset = marked(name);
    text.line(`const ${offset} = options.globalOffset?.[${dimension}] ?? 0;`);
    text.line(
      `if (${isCount(offset)} || ${offset} + ${side} > ${2 ** 32}) throw new RangeError("globalOffset exceeds 2^32 in dimension ${dimension}");`,
    );
  }
  const nameOf = (variable: FormulaVariable | FormulaScalar): string =>
    typeof variable === "object"
      ? "param" in variable
        ? marked(variable.param)
        : `${marked(variable.length)}.length`
      : variable === "n" || workGroupSize.length === 1
        ? n
        : (sides[SIDES.indexOf(variable)] ?? "1");
  return { n, nameOf };
}

function result({ name, lengthFrom }: Binding, copies: boolean): string {
  const all = copies ? ".slice()" : "";
  const part = lengthFrom === undefined ? all : `.slice(0, ${marked(lengthFrom)}[0])`;
  return `${fixed(name)}: ${marked(name)}${part}`;
}

const X = marked("x");

/** The nearest value of a type. */
const CONVERT: Readonly<Record<Scalar, string>> = {
  i32: `${X} | 0`,
  u32: `${X} >>> 0`,
  i64: `BigInt.asIntN(64, ${X})`,
  u64: `BigInt.asUintN(64, ${X})`,
  f16: `halfBits(${X})`,
  f32: `Math.fround(${X})`,
  f64: X,
  bool: X,
};

/** A launch scalar, from the variable of the parameter. */
function launchValue({ name, from }: LaunchParam): string {
  // For a half the conversion returned the bits.
  if (!from || from.type === "f16") return marked(name);
  return `Number(BigInt.asUintN(32, ${marked(from.name)}${from.word === 0 ? "" : " >> 32n"}))`;
}
