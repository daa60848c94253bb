/** Nodes of a pipeline under construction, with their types. */
import type { Pipeline, PipelineNode, Scalar } from "@groupwise/core";
import type { Random } from "../../data/random.ts";

type Distribute<T> = T extends unknown ? Omit<T, "id"> : never;

/** A growing list of nodes. */
export class Builder {
  readonly nodes: PipelineNode[] = [];
  readonly types: Scalar[] = [];

  add(type: Scalar, node: Distribute<PipelineNode>): number {
    this.types.push(type);
    return this.nodes.push({ id: this.nodes.length, ...node } as PipelineNode) - 1;
  }

  pipeline(name: string, workGroupSize: readonly number[]): Pipeline {
    return { format: "groupwise-pipeline", version: 1, name, workGroupSize, nodes: this.nodes };
  }
}

/** One of several, more often those of greater weight. */
export function weighted<T>(random: Random, list: readonly (readonly [weight: number, value: T])[]): T {
  let left = random.unit() * list.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, value] of list) {
    left -= weight;
    if (left < 0) return value;
  }
  return (list[list.length - 1] as readonly [number, T])[1];
}
