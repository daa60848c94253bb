/**
 * Faults of compilers and lowerings as rewrites of pipelines, and a runtime that computes the rewritten pipeline by the
 * reference.
 */
import { check, type Pipeline, type PipelineNode, type Runtime, type Scalar } from "@groupwise/core";
import {
  BINARY,
  type BinaryOp,
  FUNCTION_ROWS,
  isFloat,
  mapOperands,
  type NewNode,
  NodeList,
  pipelineOf,
  resolved,
  SCALARS,
  type UntypedCompile,
  valueTypeOf,
} from "@groupwise/core/target";
import { mutant } from "./mutants.ts";

/** The pipeline as it is rewritten. */
interface Site {
  readonly type: Scalar;
  at(id: number): PipelineNode;
  typeOf(id: number): Scalar;
  /** Another node before this one. */
  push(node: NewNode): number;
}
/** A node's replacement; undefined if it does not change. */
type Rewrite = (node: PipelineNode, site: Site) => NewNode | undefined;

const isBinary = (
  node: PipelineNode,
  ...ops: BinaryOp[]
): node is Extract<PipelineNode, { kind: "binary" }> => node.kind === "binary" && ops.includes(node.op);
const isZero = (node: PipelineNode): boolean =>
  node.kind === "const" && (node.value === 0 || node.value === "-0");
const same = (a: PipelineNode, b: PipelineNode): boolean =>
  a.kind === "const" && b.kind === "const" && a.value === b.value;
/** The value itself: a node is required there. */
const itself = (of: number, { typeOf }: Site): NewNode => ({ kind: "cast", to: typeOf(of), of });

/** Rewrites of float expressions by optimisers. */
export const FLOAT_FAULTS: Readonly<Record<string, Rewrite>> = {
  "x + c - c is x": (node, site) => {
    const left = isBinary(node, "sub") ? site.at(node.left) : undefined;
    if (!left || !isBinary(node, "sub") || !isBinary(left, "add")) return undefined;
    return same(site.at(left.right), site.at(node.right)) ? itself(left.left, site) : undefined;
  },
  "x - c + c is x": (node, site) => {
    const left = isBinary(node, "add") ? site.at(node.left) : undefined;
    if (!left || !isBinary(node, "add") || !isBinary(left, "sub")) return undefined;
    return same(site.at(left.right), site.at(node.right)) ? itself(left.left, site) : undefined;
  },
  "a product and a sum are one operation": (node, { type, at, push }) => {
    if (type !== "f32" || !isBinary(node, "add", "sub")) return undefined;
    const left = at(node.left);
    if (!isBinary(left, "mul")) return undefined;
    const wide = (of: number): number => push({ kind: "cast", to: "f64", of });
    const product = push({ kind: "binary", op: "mul", left: wide(left.left), right: wide(left.right) });
    const of = push({ kind: "binary", op: node.op, left: product, right: wide(node.right) });
    return { kind: "cast", to: "f32", of };
  },
  "0 - x is -x: the sign of zero": (node, { type, at }) =>
    isFloat(type) && isBinary(node, "sub") && isZero(at(node.left))
      ? { kind: "unary", op: "neg", of: node.right }
      : undefined,
  "x + 0 is x: the sign of zero": (node, site) =>
    isFloat(site.type) && isBinary(node, "add") && isZero(site.at(node.right))
      ? itself(node.left, site)
      : undefined,
  "x * 0 is 0": (node, site) =>
    isFloat(site.type) && isBinary(node, "mul") && isZero(site.at(node.right))
      ? itself(node.right, site)
      : undefined,
  "x - x is 0": (node, { type }) =>
    isFloat(type) && isBinary(node, "sub") && node.left === node.right
      ? { kind: "const", type, value: 0 }
      : undefined,
  "x == x": (node) =>
    isBinary(node, "eq") && node.left === node.right
      ? { kind: "const", type: "bool", value: true }
      : undefined,
  "a quotient by a constant is a product": (node, { type, at, push }) => {
    const right = isBinary(node, "div") ? at(node.right) : undefined;
    if (!isFloat(type) || !isBinary(node, "div") || right?.kind !== "const") return undefined;
    const one = push({ kind: "const", type, value: 1 });
    const inverse = push({ kind: "binary", op: "div", left: one, right: node.right });
    return { kind: "binary", op: "mul", left: node.left, right: inverse };
  },
  "min by a comparison: NaN and -0": (node, { type, push }) => {
    if (!isFloat(type) || !isBinary(node, "min")) return undefined;
    const condition = push({ kind: "binary", op: "lt", left: node.left, right: node.right });
    return { kind: "select", condition, then: node.left, otherwise: node.right };
  },
  "halves are not rounded on the way": (node, { type, push, at }) => {
    const left = isBinary(node, "add", "sub") ? at(node.left) : undefined;
    if (type !== "f16" || !left || !isBinary(node, "add", "sub") || !isBinary(left, "add", "sub", "mul"))
      return undefined;
    const wide = (of: number): number => push({ kind: "cast", to: "f32", of });
    const inner = push({ kind: "binary", op: left.op, left: wide(left.left), right: wide(left.right) });
    const of = push({ kind: "binary", op: node.op, left: inner, right: wide(node.right) });
    return { kind: "cast", to: "f16", of };
  },
  "the operands of a difference are exchanged": (node) =>
    isBinary(node, "sub") ? { ...node, left: node.right, right: node.left } : undefined,
  "< is <=": (node) => (isBinary(node, "lt") ? { ...node, op: "le" } : undefined),
  "the choices of select are exchanged": (node) =>
    node.kind === "select" ? { ...node, then: node.otherwise, otherwise: node.then } : undefined,
};

/** Possible faults of lowerings and printers. */
export const PIPELINE_FAULTS: Readonly<Record<string, Rewrite>> = {
  "a scan over the range ends at each work-group": (node) =>
    node.kind === "scan-inclusive" && node.scope === "device" ? { ...node, scope: "work-group" } : undefined,
  "an exclusive scan holds the item itself": (node) =>
    node.kind === "scan-exclusive" ? { ...node, kind: "scan-inclusive" } : undefined,
  "the identity of min is finite": (node, { push, type }) => {
    if (!isFloat(type) || node.kind !== "scan-exclusive" || node.op !== "min") return undefined;
    const most = { f16: 65504, f32: (2 - 2 ** -23) * 2 ** 127 }[type as "f16"] ?? Number.MAX_VALUE;
    const { id: _, ...scan } = node;
    return { kind: "binary", op: "min", left: push(scan), right: push({ kind: "const", type, value: most }) };
  },
  "a seed stands behind": (node, { at, type }) => {
    const right = isBinary(node, "sub", "add", "mul") ? at(node.right) : undefined;
    return right?.kind === "scan-inclusive" && isBinary(node, "sub") && type !== "bool"
      ? { ...node, left: node.right, right: node.left }
      : undefined;
  },
  "all of nothing but zeros": (node) => (node.kind === "all" ? { ...node, kind: "any" } : undefined),
  "a broadcast of the first item": (node, { push }) =>
    node.kind === "broadcast"
      ? { ...node, index: node.index.map(() => push({ kind: "const", type: "u32", value: 0 })) }
      : undefined,
  "a gather past the end gives the first item": (node, { at, push }) => {
    if (node.kind !== "gather" || at(node.of).kind === "table") return undefined;
    const items = push({ kind: "query", query: "global-size", dimension: 0 });
    const condition = push({ kind: "binary", op: "lt", left: node.index, right: items });
    const first = push({ kind: "const", type: "u32", value: 0 });
    const index = push({ kind: "select", condition, then: node.index, otherwise: first });
    return { ...node, index };
  },
  "the place in the group is that in the range": (node) =>
    node.kind === "query" && node.query === "local-linear-id"
      ? { ...node, query: "global-linear-id" }
      : undefined,
  "dimension 1 is dimension 0": (node) =>
    node.kind === "query" && node.dimension === 1 && node.query === "global-id"
      ? { ...node, dimension: 0 }
      : undefined,
  "a division by zero gives zero": (node, { type, push }) => {
    if (isFloat(type) || !isBinary(node, "div")) return undefined;
    const zero = push({ kind: "const", type, value: SCALARS[type].bits === 64 ? "0" : 0 });
    const condition = push({ kind: "binary", op: "eq", left: node.right, right: zero });
    const { id: _, ...quotient } = node;
    return { kind: "select", condition, then: zero, otherwise: push(quotient) };
  },
  "a scatter of all items": (node) => {
    if (node.kind !== "scatter" || node.where === undefined || node.combine === undefined) return undefined;
    const { where: _, ...all } = node;
    return all;
  },
};

/** User-defined operators with exchanged records. */
export const exchanged = (pipeline: Pipeline): Pipeline => ({
  ...pipeline,
  operators: (pipeline.operators ?? []).map((operator) => ({
    ...operator,
    nodes: operator.nodes.map((node) =>
      node.kind === "left"
        ? { ...node, kind: "right" }
        : node.kind === "right"
          ? { ...node, kind: "left" }
          : node,
    ),
  })),
});

/** Rewrites every node that the fault affects. */
export function rewritten(pipeline: Pipeline, rewrite: Rewrite): Pipeline {
  const before = check(pipeline).types;
  const list = new NodeList();
  const types: Scalar[] = [];
  const ids: number[] = [];
  const typeOf = (id: number): Scalar => types[id] as Scalar;
  const typeOfNew = (node: NewNode): Scalar => {
    if ("to" in node) return node.to;
    if (node.kind === "binary") return BINARY[node.op].compares ? "bool" : typeOf(node.left);
    if (node.kind === "function")
      return resolved(FUNCTION_ROWS[node.op].result, typeOf(node.of[0] as number));
    if (node.kind === "select") return typeOf(node.then);
    if (node.kind === "query") return "u32";
    return "type" in node ? valueTypeOf(node.type) : typeOf((node as { of: number }).of);
  };
  const push = (node: NewNode, type: Scalar = typeOfNew(node)): number => {
    types.push(type);
    return list.add(node);
  };
  for (const old of pipeline.nodes) {
    const type = before[old.id] as Scalar;
    const node = mapOperands(old, (used) => ids[used] as number);
    const site: Site = { type, at: (id) => list.nodes[id] as PipelineNode, typeOf, push };
    ids.push(push(rewrite(node, site) ?? node, type));
  }
  return { ...pipeline, nodes: list.nodes };
}

/** A runtime that changes every pipeline before it runs it by the reference. */
export function changing(change: (pipeline: Pipeline) => Pipeline): Runtime {
  const runtime = mutant();
  const compile: UntypedCompile = (source) => runtime.compile(change(pipelineOf(source)));
  return { ...runtime, compile: compile as Runtime["compile"] };
}
