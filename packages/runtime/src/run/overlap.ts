/** Arrays of one step that overlap. */
import type { Manifest } from "../plan/manifest.ts";
import { bad, bindingOf } from "./bindings.ts";
import type { OwnArray } from "./own-array.ts";

/** Whether arrays of one runtime have bytes in common. */
export function overlap(a: OwnArray, b: OwnArray): boolean {
  const end = Math.min(a.byteOffset + a.byteLength, b.byteOffset + b.byteLength);
  return a.root === b.root && Math.max(a.byteOffset, b.byteOffset) < end;
}

export const isSame = (a: OwnArray, b: OwnArray): boolean =>
  a.root === b.root && a.byteOffset === b.byteOffset && a.byteLength === b.byteLength;

export function checkOverlaps(
  manifest: Manifest,
  arrays: ReadonlyMap<string, OwnArray>,
  scratch?: OwnArray,
): void {
  const all = [...arrays, ...(scratch ? [["scratch", scratch] as const] : [])];
  const isRead = (name: string): boolean => ["input", "table"].includes(bindingOf(manifest, name)?.role);
  all.forEach(([name, array], i) => {
    for (const [other, its] of all.slice(0, i)) {
      if (!overlap(array, its) || (isRead(name) && isRead(other))) continue;
      throw bad(manifest, name, `it overlaps ${other}`);
    }
  });
}
