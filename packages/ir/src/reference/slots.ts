/** The item that wrote each slot of a scatter: the result of two items in one slot is undefined. */
import { errorOf } from "../base/errors.ts";
import type { ScatterNode } from "../document/node.ts";

export class Slots {
  private readonly node: ScatterNode;
  private readonly writers = new Map<number, number>();

  constructor(node: ScatterNode) {
    this.node = node;
  }

  /** @throws GroupwiseError `scatter-conflict` if another item wrote the slot */
  claim(slot: number, item: number): void {
    const { name, combine, at } = this.node;
    if (combine !== undefined) return;
    const first = this.writers.get(slot);
    if (first !== undefined) throw errorOf("scatter-conflict", { name, slot, first, second: item }, at);
    this.writers.set(slot, item);
  }
}
