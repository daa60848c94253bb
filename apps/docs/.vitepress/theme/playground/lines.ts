/** Where in the editor's text a problem is. */
import type { Problem } from "../engine/problem.ts";

/** What the editor holds. */
export type Mode = "ts" | "json";

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split("\n").length;

/** The line of a node in the text of a document, by its id: node 3 is the node with `"id": 3`. */
function lineOfNode(text: string, id: string): number | undefined {
  const found = new RegExp(String.raw`"id"\s*:\s*${id}\b`).exec(text);
  return found ? lineAt(text, found.index) : undefined;
}

/** The line, from 1, of a problem in the text that it is about; undefined where it names no place. */
export function lineOf({ line, where, what }: Problem, mode: Mode, text: string): number | undefined {
  if (line !== undefined) return line;
  const [, inCode] = /^pipeline\.ts:(\d+)/.exec(where) ?? [];
  if (mode === "ts") return inCode === undefined ? undefined : Number(inCode);
  const [, node] = /^nodes\[(\d+)\]/.exec(where) ?? [];
  if (node !== undefined) return lineOfNode(text, node);
  const [, jsonLine] = /line (\d+) column/.exec(what) ?? [];
  if (jsonLine !== undefined) return Number(jsonLine);
  const [, position] = /at position (\d+)/.exec(what) ?? [];
  return position === undefined ? undefined : lineAt(text, Number(position));
}
