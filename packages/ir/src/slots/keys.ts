/** Keys of nodes: nodes with equal keys have equal values. The converse need not be true. */

import type { Checked } from "../document/check.ts";
import { isCollective } from "../document/collectives.ts";
import type { NodeId, PipelineNode } from "../document/node.ts";
import { mapOperands } from "../document/operands.ts";
import { isLinearId } from "../document/query.ts";
import { BINARY } from "../tables/expr-op.ts";

type Key = number;

/** The key of a node's value. */
export type KeyOf = (id: NodeId) => Key;

/** Keys of values at the same item. */
export function keysOf({ pipeline }: Checked): KeyOf {
  const keys = new Keys();
  const found: Key[] = [];
  const of = (id: NodeId): Key => found[id] as Key;
  for (const node of pipeline.nodes) found.push(keys.make(node, of));
  return of;
}

/** Keys of values at an item and at the next one, of all items that have a next one. */
export function keysOfPairs({ pipeline, uniformities }: Checked): { here: KeyOf; next: KeyOf } {
  const keys = new Keys();
  const [items, nexts]: [Key[], Key[]] = [[], []];
  const here = (id: NodeId): Key => items[id] as Key;
  const next = (id: NodeId): Key => nexts[id] as Key;
  const make = (node: PipelineNode, by: 0 | 1): Key => {
    const of = by === 0 ? here : next;
    // A value that depends on other items has a unique key.
    if (isCollective(node)) return keys.numbered(`${node.id} at ${by}`);
    if (node.kind !== "gather") return keys.make(node, of, by);
    const place = keys.placeOf(of(node.index));
    const isNear =
      uniformities[node.of] === "item" &&
      pipeline.nodes[node.of]?.kind !== "scatter" &&
      (place === 0 || place === 1);
    // Both items exist: the index is not clamped.
    return isNear ? (place === 0 ? here : next)(node.of) : keys.numbered(`${node.of} of ${of(node.index)}`);
  };
  for (const node of pipeline.nodes) {
    items.push(make(node, 0));
    nexts.push(uniformities[node.id] === "uniform" ? here(node.id) : make(node, 1));
  }
  return { here, next };
}

class Keys {
  private readonly found = new Map<string, Key>();
  /** By key: the difference of a value from the item's index. */
  private readonly places = new Map<Key, number>();
  private readonly constants = new Map<Key, unknown>();

  placeOf(key: Key): number | undefined {
    return this.places.get(key);
  }

  make(node: PipelineNode, of: KeyOf, by: 0 | 1 = 0): Key {
    const place = this.asPlace(node, of, by);
    if (place !== undefined) {
      const key = this.numbered(`place ${place}`);
      this.places.set(key, place);
      return key;
    }
    const { id: _, at: __, ...what } = mapOperands(node, of);
    if (what.kind === "binary" && BINARY[what.op].commutative) {
      const [left, right] = [what.left, what.right].sort((a, b) => a - b);
      return this.numbered(JSON.stringify({ ...what, left, right }));
    }
    // Only leaves determine the item of a value.
    const isLeaf = node.kind === "input" || node.kind === "query";
    const key = this.numbered(`${JSON.stringify(what)}${isLeaf ? ` at ${by}` : ""}`);
    if (what.kind === "const") this.constants.set(key, what.value);
    return key;
  }

  /** The number of the item, and sums of it and constants. */
  private asPlace(node: PipelineNode, of: KeyOf, by: 0 | 1): number | undefined {
    if (isLinearId(node)) return by;
    if (node.kind !== "binary" || (node.op !== "add" && node.op !== "sub")) return undefined;
    const from = this.places.get(of(node.left));
    const distance = this.constants.get(of(node.right));
    if (from === undefined || typeof distance !== "number") return undefined;
    return (node.op === "add" ? from + distance : from - distance) | 0;
  }

  numbered(what: string): Key {
    const known = this.found.get(what);
    if (known !== undefined) return known;
    const key = this.found.size;
    this.found.set(what, key);
    return key;
  }
}
