import type * as z from "zod/mini";
import { errorOf } from "../errors.ts";
import { type Checked, check } from "../ir/check.ts";
import { FORMAT_VERSION, type Pipeline } from "../ir/node.ts";
import type { Operator } from "../ir/operator.ts";
import { printableLine } from "../quote.ts";
import { explainIssue } from "./explain.ts";
import { partSchemas } from "./mirror.ts";
import { type Path, plainCopy } from "./plain.ts";

/** Most characters that a document given as text may have. */
export const MAX_TEXT: number = 4 * 1024 * 1024;

/**
 * Reads a pipeline from anywhere: the only way in for a document that this program did not build itself.
 * The result is a fresh frozen copy: what was checked is what is used.
 * @param input the JSON text of a document, or its value
 * @throws GroupwiseError `bad-json`, `too-large`, `bad-version`, `bad-document`, or the code of the rule
 *   that is broken; `where` is a path such as `nodes[3].op`, or the place that the node names
 */
export function parsePipeline(input: unknown): Checked {
  const document = plainCopy(typeof input === "string" ? parseText(input) : input);
  // A later format may differ in all else, so its version is looked at first.
  const version = (document as { version?: unknown } | null)?.version;
  if (version !== undefined && version !== FORMAT_VERSION) {
    throw errorOf("bad-version", { version, supported: FORMAT_VERSION }, "version");
  }
  return check(shaped(document));
}

/**
 * The document, whose shape the schema knows. Its lists are looked at item by item, so that one with many problems
 * costs no more than its first problem: that alone is told.
 */
function shaped(document: unknown): Pipeline {
  const schemas = partSchemas();
  const read = <T>(schema: z.ZodMiniType<T>, value: unknown, path: Path): T => {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues as [z.core.$ZodIssue];
    throw explainIssue({ ...issue, path: [...path, ...issue.path] }, document);
  };
  const list = <T>(schema: z.ZodMiniType<T>, values: readonly unknown[], path: Path): readonly T[] =>
    Object.freeze(values.map((value, index) => read(schema, value, [...path, index])));
  const { operators: given, ...head } = read(schemas.pipeline, document, []);
  const nodes = list(schemas.node, head.nodes, ["nodes"]);
  const operators = given?.map((value, index): Operator => {
    const operator = read(schemas.operator, value, ["operators", index]);
    const path = ["operators", index, "nodes"];
    return Object.freeze({ ...operator, nodes: list(schemas.operatorNode, operator.nodes, path) });
  });
  return Object.freeze({ ...head, nodes, ...(operators && { operators: Object.freeze(operators) }) });
}

function parseText(text: string): unknown {
  if (text.length > MAX_TEXT) {
    throw errorOf(
      "too-large",
      { what: "characters of the document", got: text.length, limit: MAX_TEXT },
      "document",
    );
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const reason = printableLine((error as Error).message.slice(0, 200));
    throw errorOf("bad-json", { reason }, "document", error);
  }
}
