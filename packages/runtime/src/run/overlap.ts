/** Arrays of one step that overlap. */
import type { Manifest } from "../plan/manifest.ts";
import { bad, bindingOf } from "./bindings.ts";
import type { OwnArray } from "./own-array.ts";

/** Whether arrays of one runtime have bytes in common. */
export function overlap(a: OwnArray, b: OwnArray): boolean {
  if (a.root !== b.root) return false;
  return (
    Math.max(a.byteOffset, b.byteOffset) < Math.min(a.byteOffset + a.byteLength, b.byteOffset + b.byteLength)
  );
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
  for (const [i, [name, array]] of all.entries()) {
    const other = all.find(([its, one], j) => j < i && overlap(array, one) && !(isRead(name) && isRead(its)));
    if (other) throw bad(manifest, name, `it overlaps ${other[0]}`);
  }
}
