/**
 * The zod mirror of the Pipeline IR: the shape of a document; `check` validates its meaning. Everything is
 * created inside functions, at the first call, so that bundles that never parse drop it.
 */
import * as z from "zod/mini";
import { COMBINES, LIMITS } from "../document/limits.ts";
import {
  type CollectiveForm,
  FORMAT_VERSION,
  type NodeKind,
  type Order,
  type Pipeline,
  type PipelineNode,
  type ScatterCombine,
  type Scope,
} from "../document/node.ts";
import {
  OPERATOR_LIMITS,
  type Operator,
  type OperatorNode,
  type OperatorNodeKind,
} from "../document/operator.ts";
import { LAST_DIMENSION, QUERIES, type Query } from "../document/query.ts";
import { FUNCTION_ROWS } from "../functions/functions.ts";
import type { FunctionName } from "../functions/spec.ts";
import { BINARY, type BinaryOp, UNARY, type UnaryOp } from "../tables/expr-op.ts";
import { ARRAY_TYPES, type ArrayType, NARROW_NAMES, type Narrow } from "../tables/narrow.ts";
import { OP_NAMES, type Op } from "../tables/op.ts";
import { SCALAR_NAMES, type Scalar } from "../tables/scalar.ts";

/** Maximum length of a string in a document: a name, a source location, a constant. */
const TEXT = 256;
/** Operands of a function. */
const MOST_OPERANDS = 4;
// A source location is printed to terminals and logs: no control, format, surrogate or line-separating
// characters.
const PRINTABLE = /^[^\p{C}\p{Zl}\p{Zp}]*$/u;

/** An enumeration of a table's names, typed as the names. */
const names = <T extends string>(list: readonly string[]) => z.enum(list as readonly T[] as [T, ...T[]]);

/** What nodes of several kinds have. */
function fieldsOf() {
  const id = z.int().check(z.gte(0));
  const text = z.string().check(z.maxLength(TEXT));
  const type = names<Scalar>(SCALAR_NAMES);
  const scope = names<Scope>(["work-group", "device"]);
  const literal = z.union([z.number(), z.boolean(), text]);
  const base = { id, at: z.exactOptional(text.check(z.regex(PRINTABLE))) };
  const node = <K extends NodeKind | OperatorNodeKind, S extends z.core.$ZodLooseShape>(kind: K, shape: S) =>
    z.readonly(z.strictObject({ kind: z.literal(kind), ...base, ...shape }));
  return {
    ...{ id, text, type, scope, literal, node },
    arrayType: names<ArrayType>(ARRAY_TYPES),
    as: z.exactOptional(names<Narrow>(NARROW_NAMES)),
    side: { field: z.int().check(z.gte(0)) },
  };
}
type Fields = ReturnType<typeof fieldsOf>;

/** Nodes without operands of an item, and gathers. */
const sourceSchemas = ({ node, id, text, type, arrayType, literal }: Fields) => ({
  input: node("input", { name: text, type: arrayType }),
  param: node("param", { name: text, type, divides: z.exactOptional(z.literal(true)) }),
  table: node("table", { name: text, type: arrayType }),
  "table-length": node("table-length", { of: id }),
  gather: node("gather", { of: id, index: id }),
  const: node("const", { type, value: literal }),
  query: node("query", {
    query: names<Query>(Object.keys(QUERIES)),
    dimension: z.int().check(z.gte(0), z.lte(LAST_DIMENSION)),
  }),
});

const elementSchemas = ({ node, id, type }: Fields) => ({
  unary: node("unary", { op: names<UnaryOp>(Object.keys(UNARY)), of: id }),
  binary: node("binary", { op: names<BinaryOp>(Object.keys(BINARY)), left: id, right: id }),
  function: node("function", {
    op: names<FunctionName>(Object.keys(FUNCTION_ROWS)),
    of: z.readonly(z.array(id).check(z.minLength(1), z.maxLength(MOST_OPERANDS))),
    fast: z.exactOptional(z.literal(true)),
  }),
  select: node("select", { condition: id, then: id, otherwise: id }),
  cast: node("cast", { to: type, of: id }),
  bitcast: node("bitcast", { to: type, of: id }),
  spread: node("spread", { of: id }),
});

function collectiveSchemas({ node, id, type, scope, literal, side }: Fields) {
  const monoid = {
    op: names<Op>(OP_NAMES),
    type,
    identity: literal,
    scope,
    order: names<Order>(["fixed", "any"]),
    of: id,
  };
  return {
    reduce: node("reduce", monoid),
    "scan-inclusive": node("scan-inclusive", monoid),
    "scan-exclusive": node("scan-exclusive", monoid),
    "user-collective": node("user-collective", {
      form: names<CollectiveForm>(["reduce", "scan-inclusive", "scan-exclusive"]),
      operator: z.int().check(z.gte(0)),
      ...side,
      scope,
      of: z.readonly(z.array(id).check(z.minLength(1), z.maxLength(OPERATOR_LIMITS.fields))),
    }),
    left: node("left", side),
    right: node("right", side),
    all: node("all", { scope, of: id }),
    any: node("any", { scope, of: id }),
    broadcast: node("broadcast", {
      scope,
      of: id,
      index: z.readonly(z.array(id).check(z.minLength(1), z.maxLength(3))),
    }),
    rank: node("rank", {
      scope: z.literal("device"),
      of: id,
      bins: z.int().check(z.gte(1), z.lte(LIMITS.bins)),
    }),
  };
}

const outputSchemas = ({ node, id, text, as }: Fields) => ({
  output: node("output", { name: text, of: id, as }),
  scatter: node("scatter", {
    name: text,
    value: id,
    slot: id,
    where: z.exactOptional(id),
    length: z.exactOptional(id),
    capacity: z.exactOptional(id),
    combine: z.exactOptional(names<ScatterCombine>(COMBINES)),
    as,
  }),
});

function nodeSchemas() {
  const fields = fieldsOf();
  return {
    ...sourceSchemas(fields),
    ...elementSchemas(fields),
    ...collectiveSchemas(fields),
    ...outputSchemas(fields),
  } satisfies Readonly<Record<NodeKind | OperatorNodeKind, unknown>>;
}

/** The shape of an operator, without its nodes. */
function operatorShape<N extends z.core.SomeType>(node: N) {
  const id = z.int().check(z.gte(0));
  const text = z.string().check(z.maxLength(TEXT));
  const list = <S extends z.core.SomeType>(of: S, most: number) =>
    z.readonly(z.array(of).check(z.maxLength(most)));
  const field = z.readonly(
    z.strictObject({
      name: text,
      type: names<Scalar>(SCALAR_NAMES),
      identity: z.union([z.number(), z.boolean(), text]),
    }),
  );
  return {
    name: text,
    fields: list(field, OPERATOR_LIMITS.fields),
    commutative: z.boolean(),
    nodes: list(node, OPERATOR_LIMITS.nodes),
    results: list(id, OPERATOR_LIMITS.fields),
  };
}

/** The shape of a document, without its nodes and operators. */
function pipelineShape<N extends z.core.SomeType, O extends z.core.SomeType>(node: N, operator: O) {
  return {
    format: z.literal("groupwise-pipeline"),
    version: z.literal(FORMAT_VERSION),
    name: z.string().check(z.maxLength(TEXT)),
    workGroupSize: z.readonly(z.array(z.int().check(z.gte(1))).check(z.minLength(1), z.maxLength(3))),
    nodes: z.readonly(z.array(node).check(z.maxLength(LIMITS.nodes))),
    operators: z.exactOptional(z.readonly(z.array(operator).check(z.maxLength(OPERATOR_LIMITS.operators)))),
  };
}

function build() {
  const nodes = nodeSchemas();
  const { left, right, ...own } = nodes;
  const { const: constant, unary, binary, function: fn, select, cast, bitcast } = own;
  const inOperators = [left, right, constant, unary, binary, fn, select, cast, bitcast] as const;
  const operatorNode = z.discriminatedUnion("kind", inOperators);
  const operator = z.readonly(z.strictObject(operatorShape(operatorNode)));
  const [first, ...rest] = Object.values(own);
  const node = z.discriminatedUnion("kind", [first as (typeof own)[NodeKind], ...rest]);
  const pipeline = z.readonly(z.strictObject(pipelineShape(node, operator)));
  const parts = {
    pipeline: z.strictObject(pipelineShape(z.unknown(), z.unknown())),
    operator: z.strictObject(operatorShape(z.unknown())),
    node,
    operatorNode,
  };
  return { nodes, operator, pipeline, parts };
}

type Built = ReturnType<typeof build>;
let built: Built | undefined;

/** The schema of a document; its output is frozen. */
export function documentSchema(): z.ZodMiniType<Pipeline, unknown> {
  built ??= build();
  return built.pipeline satisfies Mirrors<Flat<z.output<Built["pipeline"]>>, Flat<Pipeline>>;
}

type AroundAnything = Omit<Pipeline, "nodes" | "operators"> & {
  readonly nodes: readonly unknown[];
  readonly operators?: readonly unknown[];
};

/** The schema in parts: a document and an operator with lists of anything, and the elements of the lists. */
export interface PartSchemas {
  readonly pipeline: z.ZodMiniType<AroundAnything>;
  readonly operator: z.ZodMiniType<Omit<Operator, "nodes"> & { readonly nodes: readonly unknown[] }>;
  readonly node: z.ZodMiniType<PipelineNode>;
  readonly operatorNode: z.ZodMiniType<OperatorNode>;
}

/** The schema of a document in parts. */
export function partSchemas(): PartSchemas {
  built ??= build();
  return built.parts;
}

/** The schemas of the nodes by kind. */
export function schemasByKind(): Readonly<Record<NodeKind | OperatorNodeKind, z.ZodMiniType>> {
  built ??= build();
  return built.nodes;
}

/** The schema of an operator. */
export function operatorSchema(): z.ZodMiniType {
  built ??= build();
  return built.operator;
}

/** Satisfiable only if the mirror and the types of `document/node.ts` are equal, including optional fields. */
type Mirrors<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? unknown : never;
type Flat<T> = T extends readonly (infer E)[]
  ? readonly Flat<E>[]
  : T extends object
    ? { [K in keyof T]: Flat<T[K]> }
    : T;
