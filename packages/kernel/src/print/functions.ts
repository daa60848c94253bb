/** Functions of a module in C-like languages: their heads, the structures of several results, and the arrays of kernels that they take. */
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Buffer, Fn, LaunchParam, Module, SharedArray } from "../language/module.ts";
import { atomicArrays } from "../language/uses.ts";
import type { Taken } from "../routines/taken.ts";
import type { CFamily } from "./c-family.ts";
import { marked, structOf } from "./names.ts";
import type { Text } from "./text.ts";

/** How a language declares functions and what they take. */
export interface FunctionSpelling {
  /** What stands before the type of a function. */
  readonly before: string;
  valueType(type: Scalar): string;
  /** The type of several values, or of one. */
  vectorOf(type: Scalar, width: number): string;
  /** The type of an argument for an array of device memory, up to its name. */
  pointer(buffer: Buffer, access: "read" | "write" | "read-write", isAtomic: boolean): string;
  /** The same for one of work-group memory. */
  sharedPointer(array: SharedArray, isAtomic: boolean): string;
  /** The argument for a launch scalar. */
  scalar(param: LaunchParam, name: string): string;
  /** The declaration of a structure. */
  structure(name: string, fields: string): string;
}

/** What the text of functions needs beside them. */
export interface Printing {
  /** The module with the statements of routines in place. */
  readonly whole: Module;
  readonly taken: ReadonlyMap<string, Taken>;
  readonly printer: CFamily;
}

/** What a function without arrays of kernels takes. */
export const NOTHING_TAKEN: Taken = { params: [], buffers: [], shared: [] };

const hasStructure = ({ results, width }: Fn): boolean => results !== undefined && width > 1;

/** `float name(const float x) {`, and last what a kernel passes of its own. */
export function functionHead(
  fn: Fn,
  printer: CFamily,
  { before, valueType, vectorOf }: FunctionSpelling,
  passed: readonly string[] = [],
): string {
  const own = fn.params.map((p) => `const ${valueType(p.type)} ${printer.name(p.name)}`);
  const result = fn.width === 0 ? "void" : vectorOf(fn.returns, fn.width);
  const type = hasStructure(fn) ? structOf(fn.name) : result;
  return `${before}${type} ${fn.name}(${[...own, ...passed].join(", ")}) {`;
}

/** Prints the functions of a module, callees first. */
export function printFunctions(
  text: Text,
  module: Module,
  { whole, taken, printer }: Printing,
  spelling: FunctionSpelling,
): void {
  const atomics = { storage: atomicArrays(whole), shared: atomicArrays(whole, "work-group") };
  for (const fn of module.functions) {
    text.line();
    if (hasStructure(fn)) text.line(spelling.structure(structOf(fn.name), fieldsOf(fn, spelling)));
    const { params, buffers, shared } = taken.get(fn.name) ?? NOTHING_TAKEN;
    const passed = [
      ...shared.map(
        (array) => spelling.sharedPointer(array, atomics.shared.has(array.name)) + printer.name(array.name),
      ),
      // Not restrict: a kernel may change the array beside the function.
      ...buffers.map(({ buffer, isRead }) => {
        const access = isRead ? "read" : "write";
        return spelling.pointer(buffer, access, atomics.storage.has(buffer.name)) + printer.name(buffer.name);
      }),
      ...params.map((param) => spelling.scalar(param, printer.name(param.name))),
    ];
    printer.fn(text, fn, functionHead(fn, printer, spelling, passed));
  }
}

const fieldsOf = ({ results = [] }: Fn, { valueType }: FunctionSpelling): string =>
  results.map((field) => `${valueType(field.type)} ${marked(field.name)};`).join(" ");
