/** Functions of a module: their heads, the structures of several results, and the arrays of kernels that they take. */
import {
  atomicArrays,
  type Buffer,
  type CFamily,
  type Dialect,
  type Fn,
  fixed,
  type LaunchParam,
  type Module,
  memoryOf,
  type SharedArray,
  structOf,
  type Taken,
  type Text,
  takenNames,
} from "@groupwise/core/kernel";
import { DIALECT, elementType, valueType, vectorOf } from "./spelling.ts";

/** The dialect for a module whose routines are functions. */
export const dialectFor = (taken: ReadonlyMap<string, Taken>): Dialect => ({
  ...DIALECT,
  construct: (fn, values) => `(${structOf(fn)}){${values.join(", ")}}`,
  results: (name, fn, call) => `${structOf(fn)} ${name} = ${call};`,
  passed: (fn) => takenNames(taken.get(fn) ?? NOTHING),
});

const NOTHING: Taken = { params: [], buffers: [], shared: [] };

/** `float name(const float x) {`, and last what a kernel passes of its own. */
export function functionHead(fn: Fn, printer: CFamily, passed: readonly string[] = []): string {
  const own = fn.params.map((p) => `const ${valueType(p.type)} ${printer.name(p.name)}`);
  const result = fn.width === 0 ? "void" : vectorOf(fn.returns, fn.width);
  const type = hasStructure(fn) ? structOf(fn.name) : result;
  return `${type} ${fn.name}(${[...own, ...passed].join(", ")}) {`;
}

const hasStructure = ({ results, width }: Fn): boolean => results !== undefined && width > 1;

/** What the text of functions needs beside them. */
export interface Printing {
  /** The module with the statements of routines in place. */
  readonly whole: Module;
  readonly taken: ReadonlyMap<string, Taken>;
  readonly printer: CFamily;
}

/** Prints the functions of a module, callees first. */
export function printFunctions(text: Text, module: Module, { whole, taken, printer }: Printing): void {
  const atomics = { storage: atomicArrays(whole), shared: atomicArrays(whole, "work-group") };
  for (const fn of module.functions) {
    text.line();
    if (hasStructure(fn)) text.line(structure(fn));
    const { params, buffers, shared } = taken.get(fn.name) ?? NOTHING;
    const passed = [
      ...shared.map((array) => sharedPointer(array, atomics.shared) + printer.name(array.name)),
      // Not restrict: a kernel may change the array beside the function.
      ...buffers.map(({ buffer, isRead }) => {
        const access = isRead ? "read" : "write";
        return pointer(buffer, access, atomics.storage.has(buffer.name)) + printer.name(buffer.name);
      }),
      ...params.map((param) => scalar(param, printer)),
    ];
    printer.fn(text, fn, functionHead(fn, printer, passed));
  }
}

function structure({ name, results = [] }: Fn): string {
  const fields = results.map((field) => `${valueType(field.type)} ${fixed(field.name)};`);
  return `typedef struct { ${fields.join(" ")} } ${structOf(name)};`;
}

const sharedPointer = ({ name, type }: SharedArray, atomics: ReadonlySet<string>): string =>
  `${atomics.has(name) ? "volatile " : ""}__local ${elementType(type)}* `;

/** The type of an argument for an array of device memory. */
export const pointer = (
  buffer: Buffer,
  access: "read" | "write" | "read-write",
  isAtomic: boolean,
): string => {
  const element = elementType(memoryOf(buffer));
  if (isAtomic) return `volatile __global ${element}* `;
  return access === "read" ? `__global const ${element}* ` : `__global ${element}* `;
};

/** The argument for a launch scalar. */
export const scalar = ({ name, type }: LaunchParam, printer: CFamily): string =>
  `const ${elementType(type)} ${printer.name(name)}`;
