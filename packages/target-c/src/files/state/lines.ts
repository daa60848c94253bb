import type { Text } from "@groupwise/core/kernel";

/** Lines of a text of several. */
export function lines(text: Text, block: string): void {
  for (const line of block.trim().split("\n")) text.line(line);
}
