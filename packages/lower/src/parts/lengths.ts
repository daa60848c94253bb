/** The length of a scatter's output becomes an output too, hidden if necessary, so that hosts can read it. */

import { Names } from "@groupwise/ir/base/names.js";
import type { Checked } from "@groupwise/ir/document/check.js";
import { isCollective, isPick } from "@groupwise/ir/document/collectives.js";
import { LIMITS } from "@groupwise/ir/document/limits.js";
import type { NodeId } from "@groupwise/ir/document/node.js";
import { operandsOf } from "@groupwise/ir/document/operands.js";
import { RebuiltPipeline } from "@groupwise/ir/document/rebuilt.js";

/** See the fields of the same names in the manifest's bindings. */
export interface OutputFacts {
  readonly lengthFrom?: string;
  readonly hidden?: boolean;
  readonly needsItems?: boolean;
}

export function exposeLengths(checked: Checked): {
  checked: Checked;
  outputs: ReadonlyMap<string, OutputFacts>;
} {
  const names = new Names(
    [...checked.inputs, ...checked.params, ...checked.tables, ...checked.sinks].map((node) => node.name),
  );
  const made = new Map<string, NodeId>();
  const facts = new Map<string, OutputFacts>();
  const outputs = new Map<NodeId, string>();
  for (const sink of checked.sinks)
    if (sink.kind === "output" && sink.as === undefined && !outputs.has(sink.of))
      outputs.set(sink.of, sink.name);
  const readsItems = needsItems(checked);
  const add = (name: string, more: OutputFacts): void =>
    void facts.set(name, { ...facts.get(name), ...more });
  for (const sink of checked.sinks) {
    const uniform =
      sink.kind === "scatter"
        ? sink.length
        : checked.uniformities[sink.id] === "uniform"
          ? sink.of
          : undefined;
    if (uniform !== undefined && readsItems[uniform]) add(sink.name, { needsItems: true });
    if (sink.kind !== "scatter" || sink.length === undefined) continue;
    const { length } = sink;
    const known = outputs.get(length);
    if (known !== undefined) {
      add(sink.name, { lengthFrom: known });
      continue;
    }
    const name = names.fresh(lengthName(sink.name));
    made.set(name, length);
    outputs.set(length, name);
    add(sink.name, { lengthFrom: name });
    add(name, { hidden: true });
  }
  return { checked: made.size === 0 ? checked : withOutputs(checked, made), outputs: facts };
}

/** The pipeline with additional outputs of existing values, which satisfy every rule. */
function withOutputs(checked: Checked, outputs: ReadonlyMap<string, NodeId>): Checked {
  const made = new RebuiltPipeline(checked);
  for (const node of checked.pipeline.nodes) made.add(node);
  for (const [name, of] of outputs) made.append({ kind: "output", name, of }, made.typeOf(of));
  return made.checked();
}

/** A hint for the name of a hidden output; with a number appended it is still a valid name. */
function lengthName(name: string): string {
  const tail = "_length";
  const room = LIMITS.name - tail.length - `_${LIMITS.nodes}`.length;
  return `${name.slice(0, room).replace(/_$/, "")}${tail}`;
}

/** By node: whether its value, if it is uniform, depends on one item through a broadcast over the device or a gather. */
function needsItems({ pipeline: { nodes } }: Checked): readonly boolean[] {
  const found: boolean[] = [];
  for (const node of nodes) {
    const isFromItem = isCollective(node)
      ? isPick(node)
      : node.kind === "gather" && nodes[node.of]?.kind !== "table";
    found.push(isFromItem || (!isCollective(node) && operandsOf(node).some((id) => found[id])));
  }
  return found;
}
