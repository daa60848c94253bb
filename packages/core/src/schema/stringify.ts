import type { Pipeline } from "../ir/node.ts";

const FIELDS: readonly string[] = [
  ...["format", "version", "id", "kind", "name", "workGroupSize", "query", "dimension", "op", "type", "to"],
  ...["value", "identity", "scope", "order", "of", "left", "right", "condition", "then", "otherwise"],
  ...["index", "slot", "where", "length", "at"],
];

/** `"key": value` of each field, in one fixed order. */
function fieldsOf(record: object): string[] {
  return Object.entries(record)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => FIELDS.indexOf(a) - FIELDS.indexOf(b))
    .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
}

/** The JSON text of a pipeline: the same for equal pipelines, one node a line, a newline at the end. */
export function stringifyPipeline(pipeline: Pipeline): string {
  const { nodes, ...head } = pipeline;
  const lines = nodes.map((node) => `    { ${fieldsOf(node).join(", ")} }`);
  const list = lines.length ? `[\n${lines.join(",\n")}\n  ]` : "[]";
  return `{\n${[...fieldsOf(head), `"nodes": ${list}`].map((field) => `  ${field}`).join(",\n")}\n}\n`;
}
