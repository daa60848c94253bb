/** The rule of each kind of node. */
import type { FormulaOp } from "../base/formula.ts";
import { FUNCTION_ROWS, isElementary } from "../functions/functions.ts";
import { resolved } from "../functions/spec.ts";
import { BINARY, type BinaryOp, UNARY } from "../tables/expr-op.ts";
import { isNarrow, NARROW, NARROW_NAMES } from "../tables/narrow.ts";
import { SCALARS, type Scalar } from "../tables/scalar.ts";
import type { Checker } from "./check.ts";
import { COMBINES, LIMITS } from "./limits.ts";
import type {
  BroadcastNode,
  FunctionNode,
  NodeKind,
  PipelineNode,
  QueryNode,
  RankNode,
  ScatterNode,
  SinkNode,
} from "./node.ts";
import { LAST_DIMENSION, QUERIES } from "./query.ts";
import { atMost, SCOPE_UNIFORMITY, type Uniformity } from "./uniformity.ts";

/** An operation that a host computes before a run. */
export interface HostOp {
  /** Its name in formulas. */
  readonly formula: FormulaOp;
  /** The exact result for whole numbers, which may leave u32. */
  exact(a: number, b: number): number;
}
/** The operations that a host computes before a run. */
export const HOST_OPS: Readonly<Record<BinaryOp, HostOp | undefined>> = {
  add: { formula: "add", exact: (a, b) => a + b },
  sub: { formula: "sub", exact: (a, b) => a - b },
  mul: { formula: "mul", exact: (a, b) => a * b },
  div: { formula: "floor-div", exact: (a, b) => Math.floor(a / b) },
  min: { formula: "min", exact: Math.min },
  max: { formula: "max", exact: Math.max },
  rem: undefined,
  absdiff: undefined,
  gcd: undefined,
  and: undefined,
  or: undefined,
  xor: undefined,
  shl: undefined,
  shr: undefined,
  eq: undefined,
  ne: undefined,
  lt: undefined,
  le: undefined,
  gt: undefined,
  ge: undefined,
};

function checkBroadcast(c: Checker, node: BroadcastNode): void {
  const widest: Uniformity = SCOPE_UNIFORMITY[node.scope];
  if (node.index.length !== c.pipeline.workGroupSize.length) {
    const want = `${c.pipeline.workGroupSize.length} coordinate(s), one per dimension`;
    c.report(
      "type-mismatch",
      { what: "a broadcast index", want, got: `${node.index.length}` },
      c.place(node),
    );
  }
  node.index.forEach((id, dimension) => {
    c.same(node, "a broadcast index", "u32", c.typeOf(id));
    const uniformity = c.uniformities[id] as Uniformity;
    const want = widest === "group" ? "one value for the work-group" : "one value for all";
    if (!atMost(uniformity, widest))
      c.report("not-uniform", { what: "a broadcast index", uniformity, want }, c.place(node));
    const index = Number(c.known[id] ?? 0);
    const size = c.pipeline.workGroupSize[dimension] ?? 1;
    if (node.scope === "work-group" && index >= size)
      c.report("broadcast-outside", { index, size }, c.place(node));
  });
}

function checkQuery(c: Checker, { query, dimension, ...node }: QueryNode): void {
  const place = c.place({ query, dimension, ...node });
  if (!Object.hasOwn(QUERIES, query)) {
    c.report("unknown-op", { op: query, known: Object.keys(QUERIES) }, place);
    return;
  }
  const most = QUERIES[query].beyond === undefined ? 0 : LAST_DIMENSION;
  if (Number.isSafeInteger(dimension) && dimension >= 0 && dimension <= most) return;
  const want = most === 0 ? "0: it is not about one dimension" : `a whole number from 0 to ${most}`;
  const got = String(dimension);
  c.report("type-mismatch", { what: `the dimension of ${query}`, want, got }, place);
}

/** Nodes that a host must be able to compute from the values of a run. */
function checkOnHost(c: Checker, node: PipelineNode, what: string, root: number): void {
  const stack = [root];
  let size = 0;
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    // Hosts get the whole expression, with shared terms repeated.
    if (++size > LIMITS.hostParts) {
      const got = `more than ${LIMITS.hostParts} parts, written out`;
      c.report("not-on-host", { what, got }, c.place(node));
      return;
    }
    const part = c.pipeline.nodes[id];
    // The invalid reference is already reported.
    if (!part) return;
    const known = Number(c.known[id] ?? 0);
    if (known > LIMITS.fixedCapacity) {
      const { name } = node as ScatterNode;
      c.report("bad-capacity", { name, got: known, limit: LIMITS.fixedCapacity }, c.place(node));
      return;
    }
    if (part.kind === "binary" && HOST_OPS[part.op]) stack.push(part.left, part.right);
    else if (!isOnHost(part)) {
      const got = part.kind === "binary" ? part.op : part.kind === "query" ? part.query : part.kind;
      c.report("not-on-host", { what, got }, c.place(node));
      return;
    }
  }
}

function checkCombine(c: Checker, node: ScatterNode): void {
  const type = c.typeOf(node.value);
  if (node.combine === undefined) return;
  if (!COMBINES.includes(node.combine)) {
    c.report("unknown-op", { op: node.combine, known: COMBINES }, c.place(node));
  } else if (type !== "i32" && type !== "u32") {
    c.report("op-type", { op: `scatter by ${node.combine}`, type, known: [] }, c.place(node));
  } else if (node.as !== undefined) {
    // Devices combine whole words.
    c.report("op-type", { op: `scatter by ${node.combine}`, type: node.as, known: [] }, c.place(node));
  }
}

function checkRank(c: Checker, node: RankNode): void {
  c.same(node, "the key of a rank", "u32", c.typeOf(node.of));
  const { bins } = node;
  if (Number.isSafeInteger(bins) && bins >= 1 && bins <= LIMITS.bins) return;
  const want = `a whole number from 1 to ${LIMITS.bins}`;
  c.report("type-mismatch", { what: "the number of bins of a rank", want, got: String(bins) }, c.place(node));
}

/** The elements of an output are narrower than its value. */
function checkNarrow(c: Checker, node: SinkNode, as: unknown, of: number): void {
  if (isNarrow(as)) c.same(node, `the value of an output of ${as}`, NARROW[as].value, c.typeOf(of));
  else c.report("unknown-type", { type: as, known: NARROW_NAMES }, c.place(node));
}

function checkFunction(c: Checker, node: FunctionNode): Scalar {
  const [first] = node.of;
  const own = first === undefined ? "u32" : c.typeOf(first);
  if (!c.applies(node, FUNCTION_ROWS, own)) return own;
  if (node.fast !== undefined && !(isElementary(node.op) && node.fast === true && own !== "f64"))
    c.report("op-type", { op: `fast ${node.op}`, type: own, known: [] }, c.place(node));
  const { rest, result } = FUNCTION_ROWS[node.op];
  if (node.of.length !== rest.length + 1) {
    const [want, got] = [rest.length + 1, node.of.length].map(String) as [string, string];
    c.report("type-mismatch", { what: `the number of operands of ${node.op}`, want, got }, c.place(node));
  }
  rest.forEach((type, i) => {
    const id = node.of[i + 1];
    if (id !== undefined) c.same(node, `operand ${i + 2} of ${node.op}`, resolved(type, own), c.typeOf(id));
  });
  return resolved(result, own);
}

const isOnHost = (node: PipelineNode): boolean =>
  node.kind === "const" ||
  node.kind === "param" ||
  node.kind === "table-length" ||
  (node.kind === "query" && node.query === "global-size");

export const RULES: {
  readonly [K in NodeKind]: (checker: Checker, node: Extract<PipelineNode, { kind: K }>) => Scalar;
} = {
  input: (c, node) => {
    c.name(node);
    return c.arrayType(node, node.type);
  },
  param: (c, node) => {
    c.name(node);
    const type = c.scalar(node, node.type);
    if (node.divides && type !== "u32")
      c.report(
        "type-mismatch",
        { what: `the parameter ${node.name}, which divides the items`, want: "u32", got: type },
        c.place(node),
      );
    return type;
  },
  table: (c, node) => {
    c.name(node);
    return c.arrayType(node, node.type);
  },
  "table-length": (c, node) => {
    c.table(node);
    return "u32";
  },
  gather: (c, node) => {
    c.same(node, "the index of a gather", "u32", c.typeOf(node.index));
    return c.typeOf(node.of);
  },
  const: (c, node) => {
    const type = c.scalar(node, node.type);
    c.literal(node, type, node.value);
    return type;
  },
  query: (c, node) => {
    checkQuery(c, node);
    return "u32";
  },
  unary: (c, node) => {
    c.applies(node, UNARY, c.typeOf(node.of));
    return c.typeOf(node.of);
  },
  binary: (c, node) => {
    const left = c.typeOf(node.left);
    if (!c.applies(node, BINARY, left)) return left;
    const { rightType, compares } = BINARY[node.op];
    c.same(node, `the right operand of ${node.op}`, rightType ?? left, c.typeOf(node.right));
    return compares ? "bool" : left;
  },
  function: checkFunction,
  select: (c, node) => {
    c.same(node, "the condition of select", "bool", c.typeOf(node.condition));
    c.same(node, "the second choice of select", c.typeOf(node.then), c.typeOf(node.otherwise));
    return c.typeOf(node.then);
  },
  cast: (c, node) => c.scalar(node, node.to),
  bitcast: (c, node) => {
    const to = c.scalar(node, node.to);
    const from = c.typeOf(node.of);
    if (SCALARS[to].bits !== SCALARS[from].bits) {
      c.same(node, `the operand of a bitcast to ${to}`, to, from);
    }
    return to;
  },
  spread: (c, node) => c.typeOf(node.of),
  reduce: (c, node) => c.monoid(node),
  "scan-inclusive": (c, node) => c.monoid(node),
  "scan-exclusive": (c, node) => c.monoid(node),
  "user-collective": (c, node) => c.userCollective(node),
  all: (c, node) => {
    c.predicate(node, node.of);
    return "bool";
  },
  any: (c, node) => {
    c.predicate(node, node.of);
    return "bool";
  },
  broadcast: (c, node) => {
    checkBroadcast(c, node);
    return c.typeOf(node.of);
  },
  rank: (c, node) => {
    checkRank(c, node);
    return "u32";
  },
  output: (c, node) => {
    c.name(node);
    if (node.as !== undefined) checkNarrow(c, node, node.as, node.of);
    return c.typeOf(node.of);
  },
  scatter: (c, node) => {
    c.name(node);
    c.same(node, "the slot of a scatter", "u32", c.typeOf(node.slot));
    if (node.where !== undefined) c.same(node, "the condition of a scatter", "bool", c.typeOf(node.where));
    if (node.length !== undefined) {
      c.same(node, "the length of a scatter", "u32", c.typeOf(node.length));
      c.uniform(node, "the length of a scatter", node.length);
    }
    if (node.capacity !== undefined) {
      c.same(node, "the capacity of a scatter", "u32", c.typeOf(node.capacity));
      checkOnHost(c, node, "the capacity of a scatter", node.capacity);
    }
    checkCombine(c, node);
    if (node.as !== undefined) checkNarrow(c, node, node.as, node.value);
    return c.typeOf(node.value);
  },
};
