/** The arguments of kernels in C-like languages: launch scalars, then arrays, each with a note for readers. */
import { countOf } from "@groupwise/ir/base/formula.js";
import { memoryOf, unitsOf } from "../language/memory.ts";
import type { Buffer, Kernel, LaunchParam, Module } from "../language/module.ts";
import type { ArrayUse } from "../language/uses.ts";
import { atomicArrays } from "../language/uses.ts";
import type { CFamily } from "./c-family.ts";
import type { FunctionSpelling } from "./functions.ts";

/** What a pass of a manifest says of its kernel. */
export interface KernelUses {
  readonly params: readonly string[];
  readonly bindings: readonly ArrayUse[];
}

/** An argument: its declaration, and its note. */
export interface KernelArgument {
  readonly declared: string;
  readonly about: string;
}

const PARAM_NOTES: Readonly<Record<LaunchParam["role"], string>> = {
  length: "number of items",
  size: "items in the dimension",
  offset: "the first global id in the dimension",
  "table-length": "number of elements of a table",
  zero: "always 0",
  user: "parameter",
};

/** How elements are stored that have not their type's own form. */
function storedAs(buffer: Buffer): string {
  if (unitsOf(buffer) === 2) return ` of ${buffer.type}, each its low and its high word`;
  return buffer.type === "f16" && memoryOf(buffer) === "u16" ? " of f16, each as its bits" : "";
}

const noteOf = (buffer: Buffer): string =>
  `${buffer.role}, ${countOf(buffer.elements, "element")}${storedAs(buffer)}${buffer.inPlace === undefined ? "" : `, which hold ${buffer.inPlace} at first`}${buffer.cleared ? ", all zero at first" : ""}`;

/**
 * The arguments of a kernel in the order of its pass.
 * @param whole the kernel with the statements of routines in place
 * @param unaliased what marks a pointer to an array that no other argument overlaps: one that the kernel only reads
 */
export function argumentsOfKernel(
  module: Module,
  whole: Kernel,
  { params, bindings }: KernelUses,
  { printer, spelling, unaliased }: { printer: CFamily; spelling: FunctionSpelling; unaliased: string },
): readonly KernelArgument[] {
  const scalars = new Map(module.params.map((param) => [param.name, param]));
  const buffers = new Map(module.buffers.map((buffer) => [buffer.name, buffer]));
  const atomics = atomicArrays({ kernels: [whole] });
  return [
    ...params.map((name) => {
      const param = scalars.get(name) as LaunchParam;
      return { declared: spelling.scalar(param, printer.name(name)), about: PARAM_NOTES[param.role] };
    }),
    ...bindings.map(({ name, access }) => {
      const buffer = buffers.get(name) as Buffer;
      const alone = access === "read" && !atomics.has(name) ? unaliased : "";
      const pointer = spelling.pointer(buffer, access, atomics.has(name));
      return { declared: `${pointer}${alone}${printer.name(name)}`, about: noteOf(buffer) };
    }),
  ];
}
