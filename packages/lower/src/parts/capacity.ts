/** Values that hosts compute before a run, as formulas. */
import { type Formula, formula, SIDES } from "@groupwise/ir/base/formula.js";
import type { Checked } from "@groupwise/ir/document/check.js";
import type { NodeId, TableNode, ValueNode } from "@groupwise/ir/document/node.js";
import { HOST_OPS } from "@groupwise/ir/document/rules.js";

const fitsU32 = (f: Formula): boolean => typeof f !== "number" || (f >= 0 && f < 2 ** 32);

/** A scatter's capacity; `check` ensures that it consists of these nodes. */
export function capacityOf(checked: Checked, id: NodeId): Formula {
  const node = checked.pipeline.nodes[id] as ValueNode;
  switch (node.kind) {
    case "const":
      return Number(node.value);
    case "param":
      return { param: node.name };
    case "table-length":
      return { length: (checked.pipeline.nodes[node.of] as TableNode).name };
    case "query":
      return sideOf(checked, node.dimension);
    case "binary": {
      const op = HOST_OPS[node.op]?.formula;
      if (op === undefined) throw new Error(`a host cannot compute ${node.op}`);
      const [a, b] = [capacityOf(checked, node.left), capacityOf(checked, node.right)];
      const folded = formula(op, a, b);
      // Overflow is reported at run time; constant folding would hide it.
      return fitsU32(folded) ? folded : { op, args: [a, b] };
    }
    default:
      throw new Error(`a host cannot compute ${node.kind}`);
  }
}

function sideOf({ pipeline }: Checked, dimension: number): Formula {
  const sides = pipeline.workGroupSize.length;
  if (dimension >= sides) return 1;
  return sides === 1 ? "n" : (SIDES[dimension] as Formula);
}
