/** Hosts must learn how long a scatter's output is: the length becomes an output too, hidden if need be. */
import { type Checked, LIMITS } from "../ir/check.ts";
import { isCollective, type NodeId, type OutputNode, operandsOf, type PipelineNode } from "../ir/node.ts";
import type { Rate } from "../ir/rate.ts";
import { Names } from "../kernel/build.ts";
import type { Scalar } from "../scalar.ts";

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
  const { pipeline } = checked;
  const names = new Names(
    [...checked.inputs, ...checked.params, ...checked.tables, ...checked.sinks].map((node) => node.name),
  );
  const nodes: PipelineNode[] = [...pipeline.nodes];
  const facts = new Map<string, OutputFacts>();
  const outputs = new Map<NodeId, string>();
  for (const sink of checked.sinks)
    if (sink.kind === "output" && !outputs.has(sink.of)) outputs.set(sink.of, sink.name);
  const readsItems = needsItems(checked);
  const add = (name: string, more: OutputFacts): void =>
    void facts.set(name, { ...facts.get(name), ...more });
  for (const sink of checked.sinks) {
    const uniform =
      sink.kind === "scatter" ? sink.length : checked.rates[sink.id] === "uniform" ? sink.of : undefined;
    if (uniform !== undefined && readsItems[uniform]) add(sink.name, { needsItems: true });
    if (sink.kind !== "scatter" || sink.length === undefined) continue;
    const { length } = sink;
    const known = outputs.get(length);
    if (known !== undefined) {
      add(sink.name, { lengthFrom: known });
      continue;
    }
    const name = names.fresh(lengthName(sink.name));
    nodes.push({ id: nodes.length, kind: "output", name, of: length });
    outputs.set(length, name);
    add(sink.name, { lengthFrom: name });
    add(name, { hidden: true });
  }
  if (nodes.length === pipeline.nodes.length) return { checked, outputs: facts };
  const made = nodes.slice(pipeline.nodes.length) as OutputNode[];
  return {
    // Outputs of values that are there already keep every rule.
    checked: {
      ...checked,
      pipeline: { ...pipeline, nodes },
      types: [...checked.types, ...made.map(({ of }) => checked.types[of] as Scalar)],
      rates: [...checked.rates, ...made.map(({ of }) => checked.rates[of] as Rate)],
      sinks: [...checked.sinks, ...made],
    },
    outputs: facts,
  };
}

/** A hint for the name of a hidden output; a number behind it still leaves a name that documents may have. */
function lengthName(name: string): string {
  const tail = "_length";
  const room = LIMITS.name - tail.length - `_${LIMITS.nodes}`.length;
  return `${name.slice(0, room).replace(/_$/, "")}${tail}`;
}

/** By node: whether its value, where it is uniform, is made from one item by a broadcast over the device or a gather. */
function needsItems({ pipeline: { nodes } }: Checked): readonly boolean[] {
  const found: boolean[] = [];
  for (const node of nodes) {
    const isFromItem =
      node.kind === "broadcast" || (node.kind === "gather" && nodes[node.of]?.kind !== "table");
    found.push(isFromItem || (!isCollective(node) && operandsOf(node).some((id) => found[id])));
  }
  return found;
}
