/** Names for what a probe asks and finds. */
import { givenTo, isAtomic, probeModule } from "./module.ts";
import { madeOf, probeRows } from "./rows.ts";

/** FNV-1a. */
export function digestOf(words: ArrayLike<number>): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < words.length; i++) hash = Math.imul(hash ^ (words[i] as number), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

let known: string | undefined;
/** Of the table: what its rows compute, on which operands, for what, and what stands for them. */
export const tableDigest = (): string => (known ??= made());
function made(): string {
  const rows = probeRows();
  const named = rows.map(({ id, keys, remedies, of, type }) => [
    ...[id, keys, remedies],
    ...(typeof of === "function" ? [madeOf(of, type)] : []),
  ]);
  const { kernels } = probeModule(rows.filter(isAtomic), {});
  const text = JSON.stringify([named, kernels, [...givenTo(rows)]]);
  const codes = new Uint16Array(text.length);
  for (let i = 0; i < text.length; i++) codes[i] = text.charCodeAt(i);
  return digestOf(codes);
}
