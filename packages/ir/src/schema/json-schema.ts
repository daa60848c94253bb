import * as z from "zod/mini";
import { requireArguments } from "../base/arguments.ts";
import type { NodeKind } from "../document/node.ts";
import type { OperatorNodeKind } from "../document/operator.ts";
import { documentSchema, operatorSchema, schemasByKind } from "./mirror.ts";

const ABOUT: Readonly<Record<NodeKind | OperatorNodeKind, string>> = {
  input: "An array of n elements",
  param: "A scalar given with each run, the same for every item",
  table: "An array of its own length, given with each run",
  "table-length": "The number of elements of a table; the result is u32",
  gather:
    "The element of a table, or another item's value, at an index; an index past the end means the last",
  const: 'A constant; "inf", "-inf", "nan", "-0" and 64-bit integers are strings',
  query: "A work-item query; the result is u32",
  unary: "An element-wise operator of one operand",
  binary: "An element-wise operator of two operands",
  function: "An element-wise function; the first operand decides the type",
  select: "One of two values, selected by a bool",
  cast: "Conversion of the value to another element type",
  bitcast: "The same bits as another element type of the same width",
  spread: "A value for every item, from a value that is uniform in a work-group or in the range",
  reduce: "All values combined; the identity if there are no items",
  "scan-inclusive": "Each prefix combined, the item's own value included",
  "scan-exclusive": "Each prefix combined, without the item's own value; element 0 is the identity",
  "user-collective": "One field of a reduce or a scan with a user-defined operator",
  left: "A field of the record of the earlier items",
  right: "A field of the record of the later items",
  all: "Whether a predicate holds for every item",
  any: "Whether a predicate holds for some item",
  broadcast: "The value of one item for all items; an index past the end means the last item",
  rank: "The stable rank of a key: the number of items with a smaller key, and of earlier items with the same key",
  output: "An output that holds a value",
  scatter: "An output in which each item writes, or combines, at a slot that it computes",
};

/**
 * The JSON Schema (draft 2020-12) of a pipeline document: its shape, without the rules of `check`.
 * @example
 * ```ts
 * import { pipelineJsonSchema } from "@groupwise/core/schema";
 *
 * console.log(Object.keys(pipelineJsonSchema()).includes("$schema")); // true
 * ```
 */
export function pipelineJsonSchema(): object {
  requireArguments(arguments, "pipelineJsonSchema", []);
  const nodes = schemasByKind();
  const metadata = z.registry<{ id: string; description: string }>();
  for (const kind of Object.keys(nodes) as (NodeKind | OperatorNodeKind)[]) {
    metadata.add(nodes[kind], { id: kind, description: ABOUT[kind] });
  }
  metadata.add(operatorSchema(), { id: "operator", description: "A user-defined operator on records" });
  const schema = z.toJSONSchema(documentSchema(), {
    metadata,
    // `readonly` is a property of the copy, not of the document.
    override: ({ jsonSchema }) => {
      delete jsonSchema.readOnly;
    },
  });
  const { $schema, ...rest } = schema;
  return { $schema, title: "groupwise pipeline", ...rest };
}
