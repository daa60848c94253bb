/**
 * Maps linear ids to coordinates of the range and back. Kernels use linear ids for any number of dimensions;
 * there are two implementations, one for one dimension and one for more, so that a range of one dimension has
 * no additional cost.
 */
import type { Formula, FormulaVariable } from "@groupwise/ir/base/formula.js";
import type { Names } from "@groupwise/ir/base/names.js";
import type { Checked } from "@groupwise/ir/document/check.js";
import { groupSizeOf } from "@groupwise/ir/document/operands.js";
import { QUERIES, type Query } from "@groupwise/ir/document/query.js";
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr, ParamExpr } from "@groupwise/kernel/language/expr.js";
import { add, param, u32 } from "@groupwise/kernel/language/make-expr.js";
import type { LaunchParam } from "@groupwise/kernel/language/module.js";

/** The position of one item. Names are created in the code that first needs them. */
export interface Place {
  /** The item's linear id, below n. */
  readonly index: Expr;
  /** The linear number of its work-group. */
  group(code: Code): Expr;
  /** Its linear local id. */
  lane(code: Code): Expr;
  /** True for the first item of its work-group. */
  isFirst(code: Code): Expr;
  query(query: Query, dimension: number, code: Code): Expr;
}

/** A work-group with at least one item. */
export interface Group {
  /** Items that exist. */
  readonly count: Expr;
  readonly first: Place;
  /** The position of an item. @param lane its linear local id, below the count */
  place(code: Code, lane: Expr): Place;
  /** The linear local id of coordinates in the work-group; each is clamped to the last existing item. */
  lane(code: Code, coordinates: readonly Expr[]): Expr;
  /** The linear id in the range of the item at coordinates in the work-group, each clamped. */
  item(code: Code, coordinates: readonly Expr[]): Expr;
  /** A loop over the items in linear order. */
  each(code: Code, visit: (body: Code, lane: Expr, place: Place) => void): void;
}

/** One work-item of a kernel that runs the pipeline's own work-groups. */
interface WorkItem {
  /** The first `count` lanes of a work-group have items, the others none. */
  readonly exists: Expr;
  /** For lanes without an item, the position of another existing item. */
  readonly place: Place;
  readonly group: Pick<Group, "count" | "lane">;
}

/** The shape of a pipeline's range in kernels. */
export interface Geometry {
  readonly dimensions: number;
  readonly n: ParamExpr;
  /** Work-items of a whole work-group, over all dimensions. */
  readonly groupSize: number;
  /** Number of work-groups. */
  readonly groups: Formula;
  /** The launch scalars of the range. */
  readonly params: readonly LaunchParam[];
  /** Elements of a table. */
  lengthOf(table: string): ParamExpr;
  /** True if the items of a work-group are consecutive in linear order. */
  readonly contiguous: boolean;
  /** The expression by which kernels read a variable of formulas. */
  variable(name: FormulaVariable): Expr;
  place(index: Expr): Place;
  /** A work-group by its linear number. */
  group(code: Code, number: Expr): Group;
  workItem(code: Code, group: Expr, lane: Expr): WorkItem;
  /** A loop over all work-groups by their linear numbers. */
  eachGroup(code: Code, visit: (body: Code, group: Group) => void): void;
  /** The linear id of the item at coordinates of the range, each clamped to the last existing one. */
  item(coordinates: readonly Expr[]): Expr;
}

/** Names of dimensions in emitted texts. */
export const AXES: readonly ["x", "y", "z"] = ["x", "y", "z"];

/** The common arguments of both kinds of geometry. */
export interface GeometryFrame {
  readonly workGroup: readonly number[];
  readonly groupSize: number;
  readonly n: ParamExpr;
  /** Sides of the range; the only one of a range of one dimension is n. */
  readonly sides: readonly ParamExpr[];
  /** The global offset, for dimensions that a query reads. */
  readonly offsets: readonly (ParamExpr | undefined)[];
  readonly params: readonly LaunchParam[];
  lengthOf(table: string): ParamExpr;
}

/** Names the launch scalars of a pipeline's range. */
export function frameOf(checked: Checked, names: Names): GeometryFrame {
  const { workGroupSize: workGroup, nodes } = checked.pipeline;
  const params: LaunchParam[] = [];
  const scalar = (hint: string, rest: Omit<LaunchParam, "name" | "type">): ParamExpr => {
    const name = names.fresh(hint);
    params.push({ name, type: "u32", ...rest });
    return param(name, "u32");
  };
  const n = scalar("n", { role: "length" });
  const sides =
    workGroup.length === 1
      ? [n]
      : workGroup.map((_, dimension) => scalar(`size_${AXES[dimension]}`, { role: "size", dimension }));
  const asked = new Set(
    nodes
      .filter((node) => node.kind === "query")
      .filter(({ query }) => query === "global-id" || query === "global-offset")
      .map(({ dimension }) => dimension),
  );
  const offsets = workGroup.map((_, dimension) =>
    asked.has(dimension) ? scalar(`offset_${AXES[dimension]}`, { role: "offset", dimension }) : undefined,
  );
  const lengths = new Map(
    checked.tables.map(({ name }) => [name, scalar(`${name}_length`, { role: "table-length", table: name })]),
  );
  const lengthOf = (table: string): ParamExpr => lengths.get(table) as ParamExpr;
  return { workGroup, groupSize: groupSizeOf(checked.pipeline), n, sides, offsets, params, lengthOf };
}

/** The queries that do not depend on the numbering; undefined for the others. */
export function plainAnswer(
  frame: GeometryFrame,
  query: Query,
  dimension: number,
  globalId: () => Expr,
): Expr | undefined {
  const { workGroup, sides, offsets } = frame;
  const { beyond } = QUERIES[query];
  if (query === "work-dim") return u32(workGroup.length);
  if (beyond !== undefined && dimension >= workGroup.length) return u32(beyond);
  if (query === "global-size") return sides[dimension];
  if (query === "enqueued-local-size") return u32(workGroup[dimension] as number);
  if (query === "global-offset") return offsets[dimension];
  // In u32, as ids are: the host refuses a range that ends past 2^32.
  if (query === "global-id") return add(globalId(), offsets[dimension] as Expr);
  return undefined;
}
