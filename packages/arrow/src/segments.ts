/** Operators lifted to segments. */
import type { Operator } from "@groupwise/core";
import type { OperatorNode } from "@groupwise/core/target";

/**
 * The field that marks the first item of a segment, if the operator is one lifted to segments (Blelloch, "Prefix sums and their
 * applications", 1.5): the marks are joined by `or`, and every other field is that of the right record if the right record is marked.
 */
export function flagOf({ fields, nodes, results }: Operator): number | undefined {
  const node = (id: number | undefined): OperatorNode | undefined => nodes[id ?? -1];
  const isSide = (id: number, side: "left" | "right", field: number): boolean => {
    const found = node(id);
    return found?.kind === side && found.field === field;
  };
  const isFlag = (flag: number): boolean => {
    const joined = node(results[flag]);
    if (fields[flag]?.type !== "bool" || joined?.kind !== "binary" || joined.op !== "or") return false;
    if (!isSide(joined.left, "left", flag) || !isSide(joined.right, "right", flag)) return false;
    return fields.every((_, field) => {
      const chosen = node(results[field]);
      if (field === flag) return true;
      return (
        chosen?.kind === "select" &&
        isSide(chosen.condition, "right", flag) &&
        isSide(chosen.then, "right", field)
      );
    });
  };
  const found = fields.findIndex((_, field) => fields.length > 1 && isFlag(field));
  return found < 0 ? undefined : found;
}
