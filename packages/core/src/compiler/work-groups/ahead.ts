/** Rows of a tile that are read before the values that its outputs wait for, so that their loads overlap with the waiting. */
import type { NodeId } from "../../ir/document/node.ts";
import type { ArrayRef, Code } from "../kernel/build.ts";
import type { Expr } from "../kernel/expr.ts";
import { add, mul, u32 } from "../kernel/make-expr.ts";
import { ROW } from "../kernel/stmt.ts";
import type { Context } from "./context.ts";
import { inRows, leavesOf } from "./row.ts";

/** The rows of a tile in registers. */
export type Ahead = (code: Code, row: Expr) => ReadonlyMap<NodeId, readonly Expr[]>;

/** The arrays of items that the roots depend on, read as vec4s. */
export function arraysAhead(
  context: Context,
  roots: readonly NodeId[],
  known: ReadonlySet<NodeId>,
): ReadonlyMap<NodeId, ArrayRef> {
  const { checked, capabilities } = context;
  return new Map(
    [...leavesOf(context, roots, known)].filter(
      ([id, array]) => checked.uniformities[id] !== "uniform" && inRows(capabilities, array),
    ),
  );
}

/** Reads all rows of a tile. @param baseOf the first item that the work-item has in a row */
export function readAhead(
  code: Code,
  arrays: ReadonlyMap<NodeId, ArrayRef>,
  rows: number,
  baseOf: (row: Expr) => Expr,
): Ahead {
  const held = [...arrays].map(([id, array]) => {
    const values = code.array(`${array.name}_ahead`, array.type, rows * ROW);
    return { id, array, values };
  });
  const at = (row: Expr, j: number): Expr => add(mul(row, u32(ROW)), u32(j));
  if (held.length > 0)
    code.for("row", u32(0), u32(rows), (body, row) => {
      const base = body.let("base", baseOf(row));
      for (const { array, values } of held)
        body.loadRow(`${array.name}_row`, array, base).forEach((value, j) => {
          body.store(values, at(row, j), value);
        });
    });
  return (body, row) =>
    new Map(
      held.map(({ id, array, values }) => [
        id,
        Array.from({ length: ROW }, (_, j) => body.let(array.name, body.load(values, at(row, j)))),
      ]),
    );
}
