/** Combines the bindings of split arrays into one array each. */
import type { Buffer, Part } from "@groupwise/kernel/language/module.js";
import type { ArrayUse } from "@groupwise/kernel/language/uses.js";

/** The arrays of a module; a split array is one array, with its first part. */
export function wholesOf(buffers: readonly Buffer[]): { readonly buffer: Buffer; readonly part?: Part }[] {
  return buffers.flatMap((buffer) => {
    const { part } = buffer;
    if (!part) return [{ buffer }];
    return part.index === 0 ? [{ buffer: part.of, part }] : [];
  });
}

/** A kernel that uses a part uses all of them, in the same way. */
export function wholeUses(parts: ReadonlyMap<string, Part>, uses: readonly ArrayUse[]): ArrayUse[] {
  return uses.flatMap((use) => {
    const part = parts.get(use.name);
    if (!part) return [use];
    return part.index === 0 ? [{ ...use, name: part.of.name }] : [];
  });
}
