/** Which names of a pipeline a line of its declaration is about: what links the declaration with emitted texts. */
import type { Checked, Pipeline } from "@groupwise/core";
import { operandsOf } from "@groupwise/core/target";
import type { Linked } from "./messages.ts";

type Node = Pipeline["nodes"][number];

const ROLES: ReadonlySet<string> = new Set(["input", "param", "table"]);

const lineOf = ({ at = "" }: Node): number | undefined => {
  const line = /:(\d+):\d+$/.exec(at)?.[1];
  return line === undefined ? undefined : Number(line);
};

/**
 * A line is about the inputs, tables and parameters that its nodes read, and about the outputs that store one of its nodes.
 * Emitted texts keep these names. Without places in the document there is nothing.
 */
export function linkedOf({ pipeline: { nodes } }: Checked): readonly Linked[] {
  const found = new Map<number, Set<string>>();
  const link = (node: Node | undefined, name: string): void => {
    const line = node && lineOf(node);
    if (line !== undefined) found.set(line, (found.get(line) ?? new Set()).add(name));
  };
  for (const node of nodes) {
    const operands = operandsOf(node).flatMap((id) => nodes[id] ?? []);
    for (const one of operands) if (ROLES.has(one.kind) && "name" in one) link(node, one.name);
    if (!("name" in node)) continue;
    // The place of an output is the call of `pipeline`, which all outputs share.
    if (node.kind === "output") for (const one of operands) link(one, node.name);
    else if (typeof node.name === "string") link(node, node.name);
  }
  return [...found].map(([line, names]) => ({ line, names: [...names] })).sort((a, b) => a.line - b.line);
}
