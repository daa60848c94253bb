/** The tables of a module: what a manifest says, as values of Python. */
import { bare, type Formula, partsOfFormula, SIDES } from "@groupwise/ir/base/formula.js";
import { type ArrayType, arraySpec } from "@groupwise/ir/tables/narrow.js";
import { mostElements } from "../checks/host.ts";
import { userParams } from "../checks/user-values.ts";
import type { Binding, Manifest } from "../plan/manifest.ts";
import { formulaInPython, numberInPython } from "./formula.ts";

/** Types of arrays by their names in NumPy; of a bf16 the bits. */
export const DTYPES: Readonly<Record<ArrayType, string>> = {
  i8: "int8",
  u8: "uint8",
  i16: "int16",
  u16: "uint16",
  bf16: "uint16",
  i32: "int32",
  u32: "uint32",
  i64: "int64",
  u64: "uint64",
  f16: "float16",
  f32: "float32",
  f64: "float64",
  bool: "bool",
};

/** The form of an output: one value, a value for each item, or a list. */
export function shapeOf({ role, elements, uniformity, scatter }: Binding): "scalar" | "items" | "flat" | "" {
  if (role !== "output") return "";
  if (scatter) return "flat";
  if (uniformity === "uniform" && elements === 1) return "scalar";
  return elements === "n" ? "items" : "flat";
}

/** A function of the numbers of a run. */
const sizeOf = (f: Formula): string => `lambda v: ${bare(formulaInPython(f))}`;

/** A name as a string. */
export const literal = (name: string): string => JSON.stringify(name);
/**
 * Expressions as a tuple.
 * @category Authors
 */
export const tupleInPython = (items: readonly string[]): string =>
  `(${items.join(", ")}${items.length === 1 ? "," : ""})`;

/** The lines of a table with a row for each line. */
export const rowsOf = (head: string, rows: readonly string[], ends: "()" | "{}"): readonly string[] =>
  rows.length === 0
    ? [`${head} = ${ends}`]
    : [`${head} = ${ends[0]}`, ...rows.map((row) => `    ${row},`), ends.slice(1)];

function arrayRow(binding: Binding): string {
  const { name, role, type, memory, bytesPerElement, elements } = binding;
  const { cleared, scatter, hidden, needsItems, inPlace, lengthFrom } = binding;
  const dtype = DTYPES[type];
  const isSame = new (arraySpec(type).array)(1).byteLength === bytesPerElement;
  const named = [name, role, type, dtype, isSame ? dtype : DTYPES[memory], shapeOf(binding)];
  const flags = { cleared, scatter, hidden, needs_items: needsItems };
  const more = [
    ...Object.entries(flags).flatMap(([flag, is]) => (is ? [`${flag}=True`] : [])),
    ...(inPlace === undefined ? [] : [`source=${literal(inPlace)}`]),
    ...(lengthFrom === undefined ? [] : [`length=${literal(lengthFrom)}`]),
  ];
  return `_Array(${[...named.map(literal), sizeOf(elements), ...more].join(", ")})`;
}

/** The value of a scalar that kernels take. */
function scalarValue({ name, role, dimension = 0, table = "", from }: Manifest["params"][number]): string {
  const user = `p[${literal(from?.name ?? name)}]`;
  return {
    length: numberInPython("n"),
    size: numberInPython(SIDES[dimension] as string),
    offset: numberInPython((SIDES[dimension] as string).replace("size", "offset")),
    "table-length": numberInPython(`length ${table}`),
    zero: "0",
    user: from ? `_word(${user}, ${from.word})` : user,
  }[role];
}

/** The capacities that depend on a run, with the parts of each in the order of evaluation, the capacity itself last. */
function capacityRows(manifest: Manifest): readonly string[] {
  return manifest.bindings.flatMap(({ name, scatter, elements }) => {
    if (!scatter) return [];
    const parts = [...partsOfFormula(elements)].reverse().map((part) => bare(formulaInPython(part)));
    return [`${literal(name)}: (${mostElements(manifest, elements)}, lambda v: ${tupleInPython(parts)})`];
  });
}

export const tablesOfModule = (manifest: Manifest): readonly string[] => [
  `_PIPELINE = ${literal(manifest.pipeline)}`,
  `_DIMENSIONS = ${manifest.workGroupSize.length}`,
  `_MAX_ITEMS = ${manifest.maxItems}`,
  ...rowsOf("_ARRAYS: Tuple[_Array, ...]", manifest.bindings.map(arrayRow), "()"),
  "# Parameters by their types; scalars of kernels by their types and values.",
  ...rowsOf(
    "_PARAMS: Dict[str, str]",
    userParams(manifest).map(({ name, type }) => `${literal(name)}: ${literal(DTYPES[type])}`),
    "{}",
  ),
  ...rowsOf(
    "_SCALARS: Dict[str, Tuple[str, Callable[[_Numbers, Mapping[str, Any]], Any]]]",
    manifest.params.map(
      (param) =>
        `${literal(param.name)}: (${literal(DTYPES[param.memory])}, lambda v, p: ${scalarValue(param)})`,
    ),
    "{}",
  ),
  `_DIVISORS: Tuple[str, ...] = ${tupleInPython(manifest.params.flatMap(({ name, divides }) => (divides ? [literal(name)] : [])))}`,
  "# Of each capacity the maximum, and its parts in the order of evaluation.",
  ...rowsOf(
    "_CAPACITIES: Dict[str, Tuple[int, Callable[[_Numbers], Tuple[int, ...]]]]",
    capacityRows(manifest),
    "{}",
  ),
];
