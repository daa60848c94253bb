/** The properties of each collective: whether a monoid combines its values, the form of its result, and its uniformity. */
import type {
  CollectiveForm,
  CollectiveNode,
  MonoidCollective,
  PickCollective,
  PipelineNode,
  RankNode,
  ScanNode,
  UserScanNode,
} from "./node.ts";

/** A row of {@link COLLECTIVES}. */
export interface CollectiveSpec<N extends CollectiveNode> {
  /** Its result from the combined values; undefined if nothing is combined. */
  readonly form: N extends MonoidCollective ? (node: N) => CollectiveForm : undefined;
  /** True if each item gets its own value, false if all items of the scope get the same value. */
  perItem(node: N): boolean;
}

const combining = <N extends MonoidCollective>(form: (node: N) => CollectiveForm) => ({
  form,
  perItem: (node: N): boolean => form(node) !== "reduce",
});

/** Every collective: its properties for lowerings. */
export const COLLECTIVES: {
  readonly [K in CollectiveNode["kind"]]: CollectiveSpec<Extract<CollectiveNode, { kind: K }>>;
} = {
  reduce: combining(() => "reduce"),
  "scan-inclusive": combining(() => "scan-inclusive"),
  "scan-exclusive": combining(() => "scan-exclusive"),
  "user-collective": combining((node) => node.form),
  all: combining(() => "reduce"),
  any: combining(() => "reduce"),
  broadcast: { form: undefined, perItem: () => false },
  rank: { form: undefined, perItem: () => true },
};

interface AnySpec {
  readonly form: ((node: MonoidCollective) => CollectiveForm) | undefined;
  perItem(node: CollectiveNode): boolean;
}
const specOf = (node: CollectiveNode): AnySpec => COLLECTIVES[node.kind] as AnySpec;
/** True for a collective whose values are combined by a monoid. */
export function isMonoid(node: CollectiveNode): node is MonoidCollective {
  return specOf(node).form !== undefined;
}
/** True for a collective that takes the value of one item. Code that handles it by kind fails to compile when a kind is added. */
export function isPick(node: CollectiveNode): node is PickCollective {
  return !isMonoid(node) && !isRank(node);
}
/** True for a stable rank. */
export function isRank(node: PipelineNode): node is RankNode {
  return node.kind === "rank";
}
/** True if each item gets its own value. */
export function isPerItem(node: CollectiveNode): boolean {
  return specOf(node).perItem(node);
}
/** True for a collective. */
export function isCollective(node: PipelineNode): node is CollectiveNode {
  return Object.hasOwn(COLLECTIVES, node.kind);
}
/** The result of a collective that combines; a vote is a reduce. */
export function formOf(node: MonoidCollective): CollectiveForm {
  return (specOf(node).form as (node: MonoidCollective) => CollectiveForm)(node);
}
/** True for the two scans, by any operator. */
export function isScan(node: PipelineNode): node is ScanNode | UserScanNode {
  return isCollective(node) && isMonoid(node) && formOf(node) !== "reduce";
}
