/** Hosts must learn how long a scatter's output is: the length becomes an output too, hidden if need be. */
import { type Checked, check, LIMITS } from "../ir/check.ts";
import { isCollective, type NodeId, operandsOf, type PipelineNode, type SinkNode } from "../ir/node.ts";
import { Names } from "../kernel/build.ts";

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
  const add = (name: string, more: OutputFacts): void =>
    void facts.set(name, { ...facts.get(name), ...more });
  for (const sink of checked.sinks) {
    const uniform =
      sink.kind === "scatter" ? sink.length : checked.rates[sink.id] === "uniform" ? sink.of : undefined;
    if (uniform !== undefined && needsItems(checked, uniform)) add(sink.name, { needsItems: true });
    if (sink.kind !== "scatter" || sink.length === undefined) continue;
    const { length } = sink;
    const known = nodes.find((node) => node.kind === "output" && node.of === length) as SinkNode | undefined;
    if (known) {
      add(sink.name, { lengthFrom: known.name });
      continue;
    }
    const name = names.fresh(lengthName(sink.name));
    nodes.push({ id: nodes.length, kind: "output", name, of: length });
    add(sink.name, { lengthFrom: name });
    add(name, { hidden: true });
  }
  if (nodes.length === pipeline.nodes.length) return { checked, outputs: facts };
  return { checked: check({ ...pipeline, nodes }), outputs: facts };
}

/** A hint for the name of a hidden output; a number behind it still leaves a name that documents may have. */
function lengthName(name: string): string {
  const tail = "_length";
  const room = LIMITS.name - tail.length - `_${LIMITS.nodes}`.length;
  return `${name.slice(0, room).replace(/_$/, "")}${tail}`;
}

/** A uniform value that is made from one item, by a broadcast over the device or a gather, needs one. */
function needsItems(checked: Checked, uniform: NodeId): boolean {
  const stack: NodeId[] = [uniform];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    const node = checked.pipeline.nodes[id] as PipelineNode;
    if (node.kind === "broadcast") return true;
    if (node.kind === "gather" && checked.pipeline.nodes[node.of]?.kind !== "table") return true;
    if (!isCollective(node)) stack.push(...operandsOf(node));
  }
  return false;
}
