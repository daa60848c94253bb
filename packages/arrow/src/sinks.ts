/** Outputs of documents with nulls. */
import type { NodeId, PipelineNode } from "@groupwise/core";
import { mapOperands } from "@groupwise/core/target";
import type { OutputValidity } from "./masked.ts";
import { refusal, type Scene } from "./validity.ts";
import type { DocumentWriter } from "./writer.ts";

type Sink = Extract<PipelineNode, { kind: "output" | "scatter" }>;
type Scatter = Extract<Sink, { kind: "scatter" }>;

/** The arguments besides the nodes. */
interface Around {
  readonly name: (of: string, suffix: string) => string;
  /** By the node of a validity: the input that it is the validity of. */
  readonly inputs: ReadonlyMap<NodeId, string>;
  /** The list to which outputs that are bitmaps are added; undefined if none are written as bitmaps. */
  readonly packed?: Set<string>;
}

/** Writes an output, and an output for its validity if it needs one. */
export function writeSink(scene: Scene, node: Sink, around: Around): OutputValidity {
  return node.kind === "output" ? writeOutput(scene, node, around) : writeScatter(scene, node, around);
}

function writeOutput(
  { writer, ids, valid, checked }: Scene,
  node: Exclude<Sink, Scatter>,
  { name, inputs, packed }: Around,
): OutputValidity {
  // One value for several items is stored once, not as bits.
  const bits = checked.uniformities[node.of] === "item" ? packed : undefined;
  const own = ids[node.of] as NodeId;
  if (bits && checked.types[node.of] === "bool") writeBits(writer, node.name, own, bits);
  else writer.add({ ...node, of: own });
  const of = valid[node.of];
  if (of === undefined) return undefined;
  const input = inputs.get(of);
  if (input !== undefined) return { input };
  const output = name(node.name, "valid");
  if (bits) writeBits(writer, output, of, bits);
  else writer.output(output, of);
  return { output, when: false };
}

/** A scatter into ⌈n / 32⌉ words: items that are true set bit i % 32 of word i / 32. */
function writeBits(writer: DocumentWriter, name: string, where: NodeId, packed: Set<string>): void {
  const u32 = (value: number): NodeId => writer.constant("u32", value);
  const [item, items] = [writer.query("global-linear-id"), writer.query("global-size")];
  const whole = writer.binary("div", items, u32(32));
  const rest = writer.binary("sub", items, writer.binary("mul", whole, u32(32)));
  const capacity = writer.binary("add", whole, writer.binary("min", rest, u32(1)));
  const value = writer.binary("shl", u32(1), writer.binary("and", item, u32(31)));
  const slot = writer.binary("shr", item, u32(5));
  writer.add({ kind: "scatter", name, value, slot, where, capacity, combine: "or" });
  packed.add(name);
}

/** An item whose slot is null writes nothing; slots that no item writes are not null, so the nulls are marked instead. */
function writeScatter(scene: Scene, node: Scatter, { name }: Around): OutputValidity {
  const { writer, ids, valid, checked, elements } = scene;
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
  ids[node.id] = writer.add(own);
  const known = valid[value];
  if (combine !== undefined || known === undefined) return undefined;
  const output = name(node.name, "null");
  const { as: _, ...bare } = own;
  const marks = writer.add({ ...bare, name: output, value: writer.not(known) });
  // What reads the scatter's elements reads its marks too.
  elements.set(node.id, (index) => writer.not(writer.once({ kind: "gather", of: marks, index })));
  return { output, when: true };
}
