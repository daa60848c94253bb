/** Where an author wrote what a plan computes, as `file:line:column`, which terminals and editors open. */
import { basename, relative } from "node:path";
import type { Pipeline } from "@groupwise/core";

type Node = Pipeline["nodes"][number];

/** A part of a pipeline, and its source location. */
interface Place {
  readonly at: string;
  readonly what: string;
}

/** What costs passes, memory or barriers. */
const describe = (node: Node, operators: Pipeline["operators"] = []): string | undefined => {
  if (node.kind === "user-collective") return `${node.form} ${operators[node.operator]?.name}`;
  if ("op" in node && "scope" in node) return `${node.kind} ${node.op} of ${node.type}`;
  if (node.kind === "scatter") return `scatter ${node.name}`;
  return "scope" in node || node.kind === "gather" ? node.kind : undefined;
};

/**
 * The locations of collectives, scatters and gathers, in the order of the document. A document has the base names of files: those that were
 * read get their paths.
 * @param files full paths of the files that were read
 */
export function placesOf({ nodes, operators }: Pipeline, files: readonly string[], cwd: string): Place[] {
  const paths = new Map(files.map((file) => [basename(file), relative(cwd, file)]));
  const places = nodes.flatMap((node): [string, Place][] => {
    const what = describe(node, operators);
    if (what === undefined || node.at === undefined) return [];
    const [, file = node.at, place = ""] = /^(.*?)(:\d+:\d+)$/.exec(node.at) ?? [];
    const at = `${paths.get(file) ?? file}${place}`;
    return [[`${at} ${what}`, { at, what }]];
  });
  // A collective of a record has a node for each field.
  return [...new Map(places).values()];
}

/** A line for each place; empty if there are none. */
export const placesText = (places: readonly Place[]): string =>
  places.length === 0 ? "" : `source\n${places.map(({ at, what }) => `  ${at}  ${what}\n`).join("")}`;
