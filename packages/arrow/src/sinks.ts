/** Outputs of documents with nulls. */
import type { NodeId, PipelineNode } from "@groupwise/core";
import { mapOperands } from "@groupwise/core/target";
import type { OutputValidity } from "./masked.ts";
import { refusal, type Scene } from "./validity.ts";

type Sink = Extract<PipelineNode, { kind: "output" | "scatter" }>;
type Scatter = Extract<Sink, { kind: "scatter" }>;

/** What is passed beside the nodes. */
interface Around {
  readonly name: (of: string, suffix: string) => string;
  /** By the node of a validity: the input that it is the validity of. */
  readonly inputs: ReadonlyMap<NodeId, string>;
}

/** Writes an output, and an output for its validity where it needs one. */
export function writeSink(scene: Scene, node: Sink, around: Around): OutputValidity {
  return node.kind === "output" ? writeOutput(scene, node, around) : writeScatter(scene, node, around);
}

function writeOutput(
  { writer, ids, valid }: Scene,
  node: Exclude<Sink, Scatter>,
  { name, inputs }: Around,
): OutputValidity {
  writer.add(mapOperands(node, (id) => ids[id] as NodeId));
  const of = valid[node.of];
  if (of === undefined) return undefined;
  const input = inputs.get(of);
  if (input !== undefined) return { input };
  const output = name(node.name, "valid");
  writer.add({ kind: "output", name: output, of });
  return { output, when: false };
}

/** An item whose slot is null writes nothing; slots that no item writes are not null, so the nulls are marked instead. */
function writeScatter(scene: Scene, node: Scatter, { name }: Around): OutputValidity {
  const { writer, ids, valid, checked } = scene;
  const { value, slot, where, length, combine } = node;
  if (length !== undefined && valid[length] !== undefined)
    throw refusal(checked, node, "its length may be null");
  const conditions = [
    where === undefined ? undefined : ids[where],
    where === undefined ? undefined : valid[where],
    valid[slot],
    combine === undefined ? undefined : valid[value],
  ];
  const writes = writer.both(conditions);
  const moved = mapOperands(node, (id) => ids[id] as NodeId);
  const own = writes === undefined ? moved : { ...moved, where: writes };
  writer.add(own);
  const known = valid[value];
  if (combine !== undefined || known === undefined) return undefined;
  const output = name(node.name, "null");
  const { as: _, ...bare } = own;
  writer.add({ ...bare, name: output, value: writer.not(known) });
  return { output, when: true };
}
