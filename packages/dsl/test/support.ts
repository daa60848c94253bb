import {
  check,
  type PipelineNode,
  type ReferenceOutputs,
  reference,
  type ScalarValue,
} from "@groupwise/core";

interface Documented {
  readonly ir: Parameters<typeof check>[0];
}

/** Runs a definition on the reference; n is the first input's length unless it is given. */
export function run(
  definition: Documented,
  inputs: Readonly<Record<string, readonly ScalarValue[]>>,
  params: Readonly<Record<string, ScalarValue>> = {},
  n: number = Object.values(inputs)[0]?.length ?? 0,
  range: Pick<Parameters<typeof reference>[1], "globalSize" | "globalOffset" | "tables"> = {},
): ReferenceOutputs {
  return reference(check(definition.ir), { n, inputs, params, ...range });
}

/** The nodes of one kind. */
export function nodesOf<K extends PipelineNode["kind"]>(
  { ir }: Documented,
  kind: K,
): Extract<PipelineNode, { kind: K }>[] {
  return ir.nodes.filter((node): node is Extract<PipelineNode, { kind: K }> => node.kind === kind);
}

/** The document without places, by which two equal pipelines on two lines differ. */
export function withoutPlaces({ ir }: Documented): object {
  return { ...ir, nodes: ir.nodes.map(({ at: _, ...node }) => node) };
}

/** `line:column` of a text in a file's text, from 1, at an offset from its start. */
export function placeOfText(source: string, text: string, offset: number = 0): string {
  const before = source.slice(0, source.indexOf(text) + offset).split("\n");
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}
