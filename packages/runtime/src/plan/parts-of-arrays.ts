/** Combines the bindings of split arrays into one array each. */
import { elementBytes, unitsOf } from "@groupwise/kernel/language/memory.js";
import type { Buffer, Kernel, Module, Part } from "@groupwise/kernel/language/module.js";
import { type ArrayUse, arraysOf, rowArrays } from "@groupwise/kernel/language/uses.js";

/** The arrays of a module; a split array is one array, with its first part. */
export function wholesOf(buffers: readonly Buffer[]): { readonly buffer: Buffer; readonly part?: Part }[] {
  return buffers.flatMap((buffer) => {
    const { part } = buffer;
    if (!part) return [{ buffer }];
    return part.index === 0 ? [{ buffer: part.of, part }] : [];
  });
}

/** How a pass uses an array. */
export interface PassUse extends ArrayUse {
  /**
   * Bytes of the vectors as which it reads or writes an array in parts. It does not use a last part that is shorter, in place of which
   * any buffer of as many bytes can be bound: no binding is shorter than an element.
   */
  readonly vectorBytes?: number;
}

/** What a kernel of a module uses. One that uses a part uses all of them, in the same way. */
export function passUsesIn({ buffers, functions }: Module): (kernel: Kernel) => PassUse[] {
  const inParts = new Map(buffers.flatMap((one) => (one.part ? [[one.name, one] as const] : [])));
  return (kernel) =>
    arraysOf(kernel, buffers, functions).flatMap((use): PassUse[] => {
      const buffer = inParts.get(use.name);
      if (!buffer?.part) return [use];
      if (buffer.part.index > 0) return [];
      const width = rowArrays([kernel]).get(use.name);
      const vectorBytes = width && (width * elementBytes(buffer)) / unitsOf(buffer);
      return [{ ...use, name: buffer.part.of.name, ...(vectorBytes && { vectorBytes }) }];
    });
}
