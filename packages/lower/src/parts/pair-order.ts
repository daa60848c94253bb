/** Comparisons by one word, and by another where the first are equal. */
import type { Checked } from "@groupwise/ir/document/check.js";
import type { BinaryNode, NodeId } from "@groupwise/ir/document/node.js";

/** Whether a value is `a < b || (a == b && c < d)` of words. */
export function isPairOrder(node: BinaryNode, { pipeline: { nodes }, types }: Checked): boolean {
  const operator = (id: NodeId, op: BinaryNode["op"]): BinaryNode | undefined => {
    const one = nodes[id];
    return one?.kind === "binary" && one.op === op ? one : undefined;
  };
  if (node.op !== "or") return false;
  const [less, both] = [operator(node.left, "lt"), operator(node.right, "and")];
  const equal = both && operator(both.left, "eq");
  const next = both && operator(both.right, "lt");
  if (!less || !equal || !next) return false;
  return (
    less.left === equal.left &&
    less.right === equal.right &&
    [less.left, next.left].every((id) => types[id] === "u32")
  );
}
