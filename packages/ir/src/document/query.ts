/** The work-item functions as data, one row each (source: OpenCL C, Work-Item Functions). */
import type { PipelineNode, QueryNode } from "./node.ts";
import type { Uniformity } from "./uniformity.ts";

/** Work-item queries: `get_global_id` is `global-id`, and so on. */
export type Query =
  | "work-dim"
  | "global-size"
  | "global-id"
  | "local-size"
  | "enqueued-local-size"
  | "local-id"
  | "num-groups"
  | "group-id"
  | "global-offset"
  | "global-linear-id"
  | "local-linear-id";

/** The properties of a query. */
export interface QuerySpec {
  /** The uniformity of the result. */
  readonly uniformity: Uniformity;
  /** The result for a dimension that the range does not have; undefined if the query has no dimension. */
  readonly beyond: 0 | 1 | undefined;
}

/** Every query. */
export const QUERIES: Readonly<Record<Query, QuerySpec>> = {
  "work-dim": { uniformity: "uniform", beyond: undefined },
  "global-size": { uniformity: "uniform", beyond: 1 },
  "global-id": { uniformity: "item", beyond: 0 },
  "local-size": { uniformity: "group", beyond: 1 },
  "enqueued-local-size": { uniformity: "uniform", beyond: 1 },
  "local-id": { uniformity: "item", beyond: 0 },
  "num-groups": { uniformity: "uniform", beyond: 1 },
  "group-id": { uniformity: "group", beyond: 0 },
  "global-offset": { uniformity: "uniform", beyond: 0 },
  "global-linear-id": { uniformity: "item", beyond: undefined },
  "local-linear-id": { uniformity: "item", beyond: undefined },
};

/** The greatest dimension of a query: OpenCL C's `dimindx` is a uint. */
export const LAST_DIMENSION = 0xffffffff;

/** A query for the number of an item in the order of the range. */
export const isLinearId = (node: PipelineNode | undefined): node is QueryNode =>
  node?.kind === "query" && node.query === "global-linear-id";

/** A query for the number of items, or of the first side of a range. */
export const isCount = (node: PipelineNode | undefined): node is QueryNode =>
  node?.kind === "query" && node.dimension === 0 && node.query === "global-size";
