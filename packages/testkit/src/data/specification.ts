/** The functions of the specification, row by row, and those that a pipeline uses. */
import { check, OP_NAMES, type Pipeline, type PipelineNode, type Scalar } from "@groupwise/core";
import {
  type CollectiveNode,
  isCollective,
  opExists,
  operandsOf,
  type ReduceNode,
  SCALARS,
  type ScanNode,
  type VoteNode,
} from "@groupwise/core/target";
import { KINDS, type Kind, TYPES } from "./collectives.ts";

/** A function of the specification at an element type, or a work-item function. */
export interface SpecificationRow {
  /** OpenCL C's name. */
  readonly name: string;
  readonly type?: Scalar;
  /** Of a broadcast. */
  readonly coordinates?: number;
}

const STEMS: Readonly<Record<Kind, string>> = {
  reduce: "reduce",
  "scan-inclusive": "scan_inclusive",
  "scan-exclusive": "scan_exclusive",
};
const snake = (text: string): string => text.replaceAll("-", "_");
/** `all` and `any` take a predicate: any integer, or a bool. */
const isPredicate = (type: Scalar): boolean => SCALARS[type].kind !== "float";

/** Work-item functions, by the query that answers them. */
export const WORK_ITEM_FUNCTIONS = [
  "work-dim",
  "global-size",
  "global-id",
  "local-size",
  "enqueued-local-size",
  "local-id",
  "num-groups",
  "group-id",
  "global-offset",
  "global-linear-id",
  "local-linear-id",
] as const;

/** Every row. */
export const SPECIFICATION: readonly SpecificationRow[] = [
  ...["all", "any"].flatMap((vote) =>
    TYPES.filter(isPredicate).map((type) => ({ name: `work_group_${vote}`, type })),
  ),
  ...[1, 2, 3].flatMap((coordinates) =>
    TYPES.map((type) => ({ name: "work_group_broadcast", type, coordinates })),
  ),
  ...KINDS.flatMap((kind) =>
    OP_NAMES.flatMap((op) =>
      TYPES.filter((type) => opExists(op, type)).map((type) => ({
        name: `work_group_${STEMS[kind]}_${snake(op)}`,
        type,
      })),
    ),
  ),
  ...WORK_ITEM_FUNCTIONS.map((query) => ({ name: `get_${snake(query)}` })),
];

/** The row's name in words. */
export function rowKey({ name, type, coordinates }: SpecificationRow): string {
  const by = coordinates === undefined ? "" : ` by ${coordinates}`;
  return [name, type].filter(Boolean).join(" ") + by;
}

type Row<N extends CollectiveNode> = (node: N, of: Scalar) => SpecificationRow | undefined;
const combining: Row<ReduceNode | ScanNode> = (node) => ({
  name: `work_group_${STEMS[node.kind]}_${snake(node.op)}`,
  type: node.type,
});
const voting: Row<VoteNode> = ({ kind }, type) => ({ name: `work_group_${kind}`, type });
const ROWS: { readonly [K in CollectiveNode["kind"]]: Row<Extract<CollectiveNode, { kind: K }>> } = {
  reduce: combining,
  "scan-inclusive": combining,
  "scan-exclusive": combining,
  all: voting,
  any: voting,
  broadcast: ({ index }, type) => ({ name: "work_group_broadcast", type, coordinates: index.length }),
  // The specification has no user-defined operators and no ranks.
  "user-collective": () => undefined,
  rank: () => undefined,
};

function keyOf(node: PipelineNode, types: readonly (Scalar | undefined)[]): string | undefined {
  if (node.kind === "query") return rowKey({ name: `get_${snake(node.query)}` });
  if (!isCollective(node) || node.scope !== "work-group") return undefined;
  const [of] = operandsOf(node);
  const row = (ROWS[node.kind] as Row<CollectiveNode>)(node, types[of ?? 0] as Scalar);
  return row && rowKey(row);
}

/** The rows that pipelines use, by {@link rowKey}. */
export function rowsUsed(pipelines: readonly Pipeline[]): readonly string[] {
  const keys = pipelines.flatMap((pipeline) => {
    const { types } = check(pipeline);
    return pipeline.nodes.flatMap((node) => keyOf(node, types) ?? []);
  });
  return [...new Set(keys)];
}
