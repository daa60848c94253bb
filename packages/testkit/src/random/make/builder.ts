/** Nodes of a pipeline under construction, with their types. */
import type { Scalar } from "@groupwise/core";
import { type NewNode, PipelineNodes } from "@groupwise/core/target";
import type { Random } from "../../data/random.ts";

/** A list of nodes, with their types. */
export class NodeBuilder {
  readonly list: PipelineNodes = new PipelineNodes();
  readonly types: Scalar[] = [];

  add(type: Scalar, node: NewNode): number {
    this.types.push(type);
    return this.list.add(node);
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
