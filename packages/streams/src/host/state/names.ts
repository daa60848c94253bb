/** The names of what a caller passes for a chunk, which its loops read beside a state. */
import { errorOf } from "@groupwise/ir/base/errors.js";
import type { Pipeline, PipelineNode } from "@groupwise/ir/document/node.js";

/** A node whose values a caller passes. */
export type GivenNode = Extract<PipelineNode, { kind: "input" | "param" | "table" }>;

export const givenOf = ({ nodes }: Pipeline): readonly GivenNode[] =>
  nodes.filter((node) => node.kind === "input" || node.kind === "param" || node.kind === "table");

/** Inputs may be absent: loops check those that they read. @throws GroupwiseError `unknown-input`, `missing-input` */
export function requireNames(whole: Pipeline, values: Readonly<Record<string, unknown>>): void {
  const given = givenOf(whole);
  const known = given.map(({ name }) => name);
  const strange = Object.keys(values).find((name) => !known.includes(name));
  if (strange !== undefined) throw errorOf("unknown-input", { name: strange, known }, whole.name);
  const missing = given.find(({ kind, name }) => kind !== "input" && !Object.hasOwn(values, name));
  if (!missing) return;
  const what = missing.kind === "param" ? "parameter" : "table";
  throw errorOf("missing-input", { name: missing.name, known, what }, whole.name);
}
