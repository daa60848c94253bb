/** A plan as a picture: the text of a Mermaid flowchart. https://mermaid.js.org/syntax/flowchart.html */
import type { Explanation } from "@groupwise/core";

type Array = Explanation["arrays"][number];
type Size = Array["elements"];

/** The shape around a label, by the role of an array. */
const SHAPES: Readonly<Record<Array["role"], readonly [string, string]>> = {
  input: ["[/", "/]"],
  table: ["[/", "/]"],
  output: ["[\\", "\\]"],
  status: ["[\\", "\\]"],
  scratch: ["[(", ")]"],
};

const show = ({ value, text }: Size): string => value?.toLocaleString("en-US") ?? text;

/** Characters that end a label or begin an entity are entities. */
const labelOf = (lines: readonly string[]): string =>
  `"${lines.map((line) => line.replaceAll(/[#"<>&]/g, (c) => `#${c.charCodeAt(0)};`)).join("<br>")}"`;

function arrayNode({ name, role, type, elements }: Array, i: number): string {
  const [open, close] = SHAPES[role];
  return `  a${i}${open}${labelOf([name, `${role}, ${type} × ${show(elements)}`])}${close}`;
}

/** Passes in their order as boxes, arrays around them, and arrows for reads and writes; passes that are left out have broken lines. */
export function pictureOf({ pipeline, strategy, arrays, passes }: Explanation): string {
  const indexes = new Map(arrays.map(({ name }, i) => [name, i]));
  const boxes = passes.flatMap(({ entryPoint, groups, workGroupSize, bytesMoved, arrays: used }, i) => [
    `  p${i}[${labelOf([
      `${i + 1}. ${entryPoint}`,
      `work-groups: ${show(groups)} of ${workGroupSize}`,
      `bytes moved: ${show(bytesMoved)}`,
    ])}]`,
    ...used.map(({ name, access }) => {
      const a = `a${indexes.get(name)}`;
      return access === "write" ? `  p${i} --> ${a}` : `  ${a} ${access === "read" ? "-->" : "<-->"} p${i}`;
    }),
    ...(groups.value === 0 ? [`  style p${i} stroke-dasharray: 5`] : []),
  ]);
  const comment = `%% groupwise explain: ${pipeline}, ${strategy}`;
  return `${["flowchart TD", comment, ...arrays.map(arrayNode), ...boxes].join("\n")}\n`;
}
