/** The arrays of an emitted program, each with its file. */
import type { Binding } from "@groupwise/core";
import { type Text, unmarked } from "@groupwise/core/kernel";
import { type Argument, lengthOf } from "../../../print/arguments.ts";
import type { CarriedC } from "../../state/carried.ts";
import type { RanksC } from "../../state/ranks.ts";
import { TYPES } from "./values.ts";

/** The arrays of a program: inputs, tables and outputs, with their places in the arrays of files. */
export interface ProgramArrays {
  readonly inputs: readonly Binding[];
  readonly tables: readonly Binding[];
  readonly outputs: readonly Binding[];
}

/** The expression for the file of an array: `inputs[0]`. */
export const fileAt = (arrays: ProgramArrays, name: string): string | undefined =>
  (["inputs", "tables", "outputs"] as const)
    .map((role) => [role, arrays[role].findIndex((one) => one.name === name)] as const)
    .filter(([, index]) => index >= 0)
    .map(([role, index]) => `${role}[${index}]`)[0];

/** The arguments of a call of the pipeline's functions. The range of a program begins with global id 0. */
export const callWith = (
  { appended, artifact: { manifest } }: CarriedC,
  args: readonly Argument[],
  arrays: ProgramArrays,
): string[] =>
  args.map(({ name, isPointer }) => {
    const file = fileAt(arrays, unmarked(name));
    if (file !== undefined) return `${file}.array`;
    if (manifest.params.some((one) => one.role === "offset" && one.name === unmarked(name))) return "0";
    for (const one of appended) {
      if (one.room.name === name) return `${fileAt(arrays, one.name)}.room`;
      if (one.length.name === name) return `&${fileAt(arrays, one.name)}.length`;
    }
    const table = arrays.tables.find((one) => lengthOf(manifest, one.name) === unmarked(name));
    return table ? `${fileAt(arrays, table.name)}.items` : `${isPointer ? "&" : ""}values.${name}`;
  });

/** One element more than there are: C has no empty arrays. */
export function printArrays(text: Text, arrays: ProgramArrays): void {
  const all = Object.entries(arrays) as [string, readonly Binding[]][];
  const counts = all.map(([role, list]) => `${role.toUpperCase()} = ${list.length}`);
  text.line(`enum { ${counts.join(", ")} };`);
  for (const [role, list] of all) {
    text.line(`static struct file ${role}[${role.toUpperCase()} + 1] = {`);
    for (const { name, type, elements, bytesPerElement, scatter } of list) {
      const facts = [`.name = "${name}"`, `.descr = "${TYPES[type].descr}"`, `.bytes = ${bytesPerElement}`];
      facts.push(scatter ? ".appended = true" : `.per_item = ${elements === "n"}`);
      text.line(`  {${facts.join(", ")}},`);
    }
    text.line("  {0}};");
  }
  text.line("static uint64_t chunk = UINT64_C(1) << 20;");
  if (arrays.inputs.length === 0) text.line("static uint64_t items;");
}

/** The arrays of the pipeline itself. */
export function arraysOf({ own, manifest }: RanksC): ProgramArrays {
  const names = new Set(own.map(({ name }) => unmarked(name)));
  const given = manifest.bindings.filter(({ name }) => names.has(name));
  return {
    inputs: given.filter(({ role }) => role === "input"),
    tables: given.filter(({ role }) => role === "table"),
    outputs: given.filter(({ role, hidden }) => role === "output" && !hidden),
  };
}
