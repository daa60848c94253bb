/** The arguments of the two functions of a pipeline. */
import type { Binding, Manifest, Pass } from "@groupwise/core";
import { bare, type LaunchParam, marked, memoryOf, Names, type Text } from "@groupwise/core/kernel";
import { printFormula, userParams } from "@groupwise/core/target";
import { elementType, hostType, valueType } from "./spelling/types.ts";

/** One argument; pointers are to arrays that no other argument overlaps, unless both are only read. */
export interface Argument {
  /** Marked. */
  readonly name: string;
  readonly type: string;
  readonly isPointer: boolean;
  /** The description for callers. */
  readonly about: string;
}

/** The declaration in C. @param restrict the spelling of the qualifier */
export const declared = ({ name, type, isPointer }: Argument, restrict: string): string =>
  isPointer ? `${type} *${restrict} ${name}` : `${type} ${name}`;

/** The head of a function. */
export function printHead(text: Text, head: string, given: readonly Argument[], end: string): void {
  printList(text, head, given.length > 0 ? given.map((one) => declared(one, "restrict")) : ["void"], end);
}

/** A list in parentheses, on one line if it fits. */
export function printList(text: Text, head: string, items: readonly string[], end: string): void {
  const line = `${head}(${items.join(", ")})${end}`;
  const isShort = line.length <= WIDTH;
  text.line(isShort ? line : `${head}(`);
  if (isShort) return;
  text.indent(() => {
    items.forEach((item, i) => {
      text.line(item + (i < items.length - 1 ? "," : `)${end}`));
    });
  });
}
const WIDTH = 110;

/** The number of elements of an array, as text. */
const elementsOf = ({ elements }: Binding): string =>
  elements === 1 ? "1 element" : `${bare(printFormula(elements))} elements`;

function describe(binding: Binding): string {
  const { role, type, inPlace, cleared, lengthFrom, hidden } = binding;
  const what = hidden ? "output, a number of valid elements" : role;
  const notes = [`${what}, ${elementsOf(binding)}`];
  if (type === "bool") notes.push("0 or 1");
  if (type === "f16") notes.push("the 16 bits of halves");
  if (type === "bf16") notes.push("the 16 bits of bfloat16");
  if (inPlace !== undefined) notes.push(`which hold ${inPlace} before the call`);
  if (lengthFrom !== undefined) notes.push(`of which ${lengthFrom} is the number of valid elements`);
  if (cleared && role === "output") notes.push("set to 0 where nothing is written");
  return notes.join(", ");
}

const pointerTo = (binding: Binding, isRead: boolean, about: string): Argument => ({
  name: marked(binding.name),
  type: `${isRead ? "const " : ""}${elementType(memoryOf(binding))}`,
  isPointer: true,
  about,
});
const scalar = (name: string, type: string, about: string): Argument => ({
  name: marked(name),
  type,
  isPointer: false,
  about,
});

const ROLES: Readonly<Record<LaunchParam["role"], string>> = {
  length: "number of items",
  size: "items in the dimension",
  offset: "the first global id in the dimension",
  "table-length": "number of elements of a table",
  zero: "0",
  user: "parameter",
};

/** The kernel's: scalars, then arrays, those that the loops use. */
export function kernelArguments({ params, bindings, passes }: Manifest): readonly Argument[] {
  const [pass] = passes as readonly [Pass?]; // one kernel, or nothing to do
  if (!pass) return [];
  const scalars = pass.params.map((name) => {
    const { type, role } = params.find((param) => param.name === name) as LaunchParam;
    return scalar(name, valueType(type), ROLES[role]);
  });
  const arrays = pass.bindings.map(({ name, access }) => {
    const binding = bindings.find((one) => one.name === name) as Binding;
    const zero = binding.cleared ? ", all zero before the call" : "";
    return pointerTo(binding, access === "read", `${binding.role}, ${elementsOf(binding)}${zero}`);
  });
  return [...scalars, ...arrays];
}

/** The variables of the range: the number of items, or the sides. */
export function sidesOf({ params, workGroupSize }: Manifest): readonly string[] {
  const role = workGroupSize.length === 1 ? "length" : "size";
  return params.filter((param) => param.role === role).map(({ name }) => name);
}

/** The variable for the length of a table, which kernels may not use. */
export function lengthOf({ params, bindings }: Manifest, table: string): string {
  const given = params.find((param) => param.role === "table-length" && param.table === table);
  if (given) return given.name;
  return new Names([...params, ...bindings].map(({ name }) => name)).fresh(`length_${table}`);
}

/** The arrays that a caller passes. */
export const isGiven = ({ role }: Binding): boolean => role !== "scratch" && role !== "status";

/** The checked function's: the range, the parameters, then arrays, each table before its length. */
export function entryArguments(manifest: Manifest): readonly Argument[] {
  const { params, bindings } = manifest;
  const sides = sidesOf(manifest).map((name) =>
    scalar(name, "size_t", ROLES[manifest.workGroupSize.length === 1 ? "length" : "size"]),
  );
  const offsets = params
    .filter(({ role }) => role === "offset")
    .map(({ name }) => scalar(name, "uint32_t", ROLES.offset));
  const users = userParams(manifest).map(({ name, type }) =>
    scalar(name, hostType(type), `parameter${type === "f16" ? ", the 16 bits of a half" : ""}`),
  );
  const arrays = bindings.filter(isGiven).flatMap((binding) => {
    const isRead = binding.role === "input" || binding.role === "table";
    const array = pointerTo(binding, isRead, describe(binding));
    if (binding.role !== "table") return [array];
    const about = "its number of elements";
    return [{ ...array, about: "table" }, scalar(lengthOf(manifest, binding.name), "size_t", about)];
  });
  return [...sides, ...offsets, ...users, ...arrays];
}
