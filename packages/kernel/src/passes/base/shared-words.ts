/** Which arrays have several elements in a word. */
import { isNarrow } from "@groupwise/ir/tables/narrow.js";
import type { Capabilities } from "../../capabilities/capabilities.ts";
import type { Memory } from "../../language/memory.ts";
import type { Buffer } from "../../language/module.ts";

/**
 * The form of emulated halves in an array. Where 16 bits cannot be written alone, scratch has a word for each: its elements are not bound
 * to the form of the host's arrays, and are often written one by one.
 */
export const halfMemoryOf = (
  { halfMemory, narrow }: Pick<Capabilities, "halfMemory" | "narrow">,
  { role }: Pick<Buffer, "role">,
): Memory => (halfMemory === "u16" && narrow === "words" && role === "scratch" ? "f32" : halfMemory);

/** Whether elements of an array share words. */
export function sharesWords(capabilities: Capabilities, buffer: Pick<Buffer, "type" | "role">): boolean {
  if (capabilities.narrow !== "words") return false;
  if (isNarrow(buffer.type)) return true;
  const isEmulated = buffer.type === "f16" && capabilities.scalars.f16 === "emulated";
  return isEmulated && halfMemoryOf(capabilities, buffer) === "u16";
}
