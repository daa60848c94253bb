/**
 * Functions of the whole work-group that a language may have itself, chosen when the text is compiled. They
 * have the specified meaning only for integers and bools: the order of float sums is unspecified, and float min and max are
 * vendor-specific for NaN, -0 and identities.
 */

import type { NodeId, UserCollectiveNode } from "@groupwise/ir/document/node.js";
import { OPS, type Op } from "@groupwise/ir/tables/op.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import {
  type Capabilities,
  GROUP_FEATURES,
  type GroupFeature,
  isSupported,
} from "@groupwise/kernel/capabilities/capabilities.js";
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr, VarExpr } from "@groupwise/kernel/language/expr.js";
import { constant, zeroOf } from "@groupwise/kernel/language/make-expr.js";
import type { GroupFunction, NativeStmt } from "@groupwise/kernel/language/stmt.js";
import { announce, type Lanes } from "../lanes/lanes.ts";
import type { Component } from "../parts/components.ts";

/** Results by node, each with a variable of its own. */
export type NativeResults = ReadonlyMap<NodeId, Expr>;
/** Combines components by the butterfly. */
export type Portable = (code: Code, components: readonly Component[]) => NativeResults;

const FEATURES: Readonly<Record<Op, GroupFeature>> = {
  add: "common-operators",
  min: "common-operators",
  max: "common-operators",
  mul: "other-operators",
  and: "other-operators",
  or: "other-operators",
  xor: "other-operators",
  "logical-and": "other-operators",
  "logical-or": "other-operators",
  "logical-xor": "other-operators",
};

/** The types for which these functions exist and have the same meaning everywhere. */
const IS_EXACT: Readonly<Record<Scalar, boolean>> = {
  i32: true,
  u32: true,
  i64: true,
  u64: true,
  f16: false,
  f32: false,
  f64: false,
  bool: true,
};

/** The feature with an operator's functions, if they give the same bits on every device. */
export const exactFeature = (op: Op, type: Scalar): GroupFeature | undefined =>
  IS_EXACT[type] ? FEATURES[op] : undefined;

const isSmall = ({ size }: Lanes, { leastGroup }: Capabilities): boolean =>
  typeof size === "number" && size < leastGroup;

/** A component whose operator the language may have. */
type NativeComponent = Component & {
  readonly builtin: NonNullable<Component["builtin"]>;
  readonly nodes: readonly Exclude<Component["nodes"][number], UserCollectiveNode>[];
};

type Call = Pick<NativeStmt, "fn" | "op">;
type NativeKind = NativeComponent["nodes"][number]["kind"];

/** The function of a collective: by its operator, and if it is a vote the one that needs no operator. */
interface Named {
  readonly byOperator: GroupFunction;
  readonly vote?: GroupFunction;
}
const FUNCTIONS: Readonly<Record<NativeKind, Named>> = {
  reduce: { byOperator: "reduce" },
  "scan-inclusive": { byOperator: "scan-inclusive" },
  "scan-exclusive": { byOperator: "scan-exclusive" },
  all: { byOperator: "reduce", vote: "all" },
  any: { byOperator: "reduce", vote: "any" },
};
const VOTES: GroupFeature = "common-operators";

/** The feature that has all of a component's functions; a vote is `all` or `any`, another of bools is logical. */
function featureOf({ builtin, nodes }: Component): GroupFeature | undefined {
  const feature = builtin && exactFeature(builtin.op, builtin.type);
  const isVote = nodes.every(({ kind }) => kind !== "user-collective" && FUNCTIONS[kind].vote);
  return feature && isVote ? VOTES : feature;
}

/** Components that the functions of a language may combine, and the replacement otherwise. */
export interface NativeCombines {
  readonly capabilities: Capabilities;
  readonly lanes: Lanes;
  readonly components: readonly Component[];
  /** By component; absent lanes hold the identity. */
  readonly operands: readonly Expr[];
  readonly portable: Portable;
}

/**
 * The results of the language's own functions, if it has one for each operand; otherwise the results of `portable`.
 * Undefined if a component has no such function: then all share one butterfly.
 */
export function nativeOr(
  code: Code,
  { capabilities, lanes, components, operands, portable }: NativeCombines,
): NativeResults | undefined {
  const features = components.map(featureOf);
  const isPresent = (feature: GroupFeature | undefined): boolean =>
    feature !== undefined && capabilities.groupFunctions.includes(feature);
  const areNative = components.every(
    ({ builtin }) => builtin && isSupported(capabilities.scalars[builtin.type]),
  );
  if (isSmall(lanes, capabilities) || components.length === 0 || !features.every(isPresent) || !areNative)
    return undefined;
  const results = new Map<NodeId, VarExpr>();
  for (const { builtin, nodes } of components as readonly NativeComponent[]) {
    const { op, type } = builtin;
    for (const node of nodes)
      results.set(node.id, code.var(node.kind.replace("-", "_"), constant(type, OPS[op].identity(type))));
  }
  const operandOf = new Map(components.map((component, i) => [component as Component, operands[i] as Expr]));
  const byFunctions = (inner: Code, some: readonly Component[]): void => {
    for (const component of some as readonly NativeComponent[]) {
      const { op } = component.builtin;
      const value = operandOf.get(component) as Expr;
      for (const { id, kind } of component.nodes) {
        const { byOperator, vote } = FUNCTIONS[kind];
        // Beside a scan of the same predicate a vote is a logical reduce: then all have one feature.
        const call: Call =
          vote && featureOf(component) === VOTES ? { fn: vote, op: undefined } : { fn: byOperator, op };
        inner.native(results.get(id) as VarExpr, { ...call, value, source: undefined });
      }
    }
  };
  const byButterfly = (inner: Code, some: readonly Component[]): void => {
    for (const [id, value] of portable(inner, some)) inner.assign(results.get(id) as VarExpr, value);
  };
  const choose = (
    outer: Code,
    some: readonly Component[],
    [feature, ...more]: readonly GroupFeature[],
  ): void => {
    const having = (component: Component): boolean => featureOf(component) === feature;
    const own = some.filter(having);
    const others = some.filter((component) => !having(component));
    if (own.length === 0) choose(outer, some, more);
    else
      outer.choice(
        feature as GroupFeature,
        (inner) => {
          byFunctions(inner, own);
          if (others.length > 0) choose(inner, others, more);
        },
        // One butterfly for all of them, even if another feature has functions for some.
        (inner) => byButterfly(inner, some),
      );
  };
  choose(code, components, GROUP_FEATURES);
  return results;
}

/** The value of a lane that all lanes need. */
export interface NativeBroadcast {
  readonly capabilities: Capabilities;
  readonly lanes: Lanes;
  readonly mine: Expr;
  readonly source: Expr;
  readonly isSource: Expr;
}

/** The value of lane `source`, in all lanes: by the language's own function if it has one. */
export function nativeBroadcast(
  code: Code,
  { capabilities, lanes, mine, source, isSource }: NativeBroadcast,
): Expr {
  const portable = (inner: Code): Expr => announce(inner, lanes, isSource, [mine])[0] as Expr;
  const isNative =
    !isSmall(lanes, capabilities) &&
    capabilities.groupFunctions.includes("common-operators") &&
    isSupported(capabilities.scalars[mine.type]);
  if (!isNative) return portable(code);
  const picked = code.var("picked", zeroOf(mine.type as Scalar));
  code.choice(
    "common-operators",
    (inner) => inner.native(picked, { fn: "broadcast", op: undefined, value: mine, source }),
    (inner) => inner.assign(picked, portable(inner)),
  );
  return picked;
}
