import { requireArguments } from "../base/arguments.ts";
import type { Pipeline } from "../document/node.ts";
import type { Operator } from "../document/operator.ts";
import { DOCUMENT } from "../document/shapes.ts";

const FIELDS: readonly string[] = [
  ...["format", "version", "id", "kind", "name", "workGroupSize", "query", "dimension", "op", "type", "to"],
  ...["form", "operator", "field", "commutative", "fields", "results"],
  ...["value", "identity", "scope", "order", "of", "left", "right", "condition", "then", "otherwise"],
  ...["index", "slot", "where", "length", "capacity", "combine", "at"],
];

/** `"key": value` of each field, in one fixed order. */
function fieldsOf(record: object): string[] {
  return Object.entries(record)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => FIELDS.indexOf(a) - FIELDS.indexOf(b))
    .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
}

/** A list of records under a key, one a line. */
function listOf(key: string, records: readonly object[], indent: string): string {
  const lines = records.map((record) => `${indent}  { ${fieldsOf(record).join(", ")} }`);
  return `"${key}": ${lines.length ? `[\n${lines.join(",\n")}\n${indent}]` : "[]"}`;
}

const blockOf = (fields: readonly string[], indent: string): string =>
  `{\n${fields.map((field) => `${indent}  ${field}`).join(",\n")}\n${indent}}`;

function operatorOf({ fields, nodes, ...head }: Operator): string {
  const indent = "    ";
  const lists = [listOf("fields", fields, `${indent}  `), listOf("nodes", nodes, `${indent}  `)];
  return `${indent}${blockOf([...fieldsOf(head), ...lists], indent)}`;
}

/**
 * The JSON text of a pipeline: the same for equal pipelines, one node a line, a newline at the end.
 * @example
 * ```ts
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { stringifyPipeline } from "@groupwise/core/schema";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const text = stringifyPipeline(sums.ir);
 * console.log(JSON.parse(text).name); // "sums"
 * ```
 */
export function stringifyPipeline(pipeline: Pipeline): string {
  requireArguments(arguments, "stringifyPipeline", { pipeline: DOCUMENT });
  const { nodes, operators, ...head } = pipeline;
  const own = operators && [`"operators": [\n${operators.map(operatorOf).join(",\n")}\n  ]`];
  return `${blockOf([...fieldsOf(head), ...(own ?? []), listOf("nodes", nodes, "  ")], "")}\n`;
}
