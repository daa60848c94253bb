import { type ErrorCode, type ErrorDetails, errorOf, type GroupwiseError } from "../errors.ts";
import type { FormulaOp } from "../formula.ts";
import { decodeLiteral, encodeLiteral, sameValue } from "../literal.ts";
import { isLogical, OP_NAMES, OPS, opExists } from "../op.ts";
import { quoted } from "../quote.ts";
import { isScalar, SCALAR_NAMES, SCALARS, type Scalar, type ScalarValue } from "../scalar.ts";
import { checkFold, checkOperator } from "./check-operator.ts";
import { BINARY, type BinaryOp, UNARY } from "./expr-op.ts";
import { knownValue } from "./known.ts";
import {
  type BroadcastNode,
  type ExclusiveScanNode,
  FORMAT_VERSION,
  type FoldNode,
  type InclusiveScanNode,
  type InputNode,
  isCollective,
  isSink,
  type NodeKind,
  operandsOf,
  type ParamNode,
  type Pipeline,
  type PipelineNode,
  type QueryNode,
  type ReduceNode,
  type ScatterCombine,
  type ScatterNode,
  type SinkNode,
  type TableLengthNode,
  type TableNode,
} from "./node.ts";
import { OPERATOR_LIMITS } from "./operator.ts";
import { LAST_DIMENSION, QUERIES } from "./query.ts";
import { atMost, type Rate, rateOf, SCOPE_RATE } from "./rate.ts";

/** A pipeline that keeps every rule, with what was found out about its nodes. */
export interface Checked {
  readonly pipeline: Pipeline;
  /** By node id; a sink has the type of its value. */
  readonly types: readonly Scalar[];
  readonly rates: readonly Rate[];
  readonly inputs: readonly InputNode[];
  readonly params: readonly ParamNode[];
  readonly tables: readonly TableNode[];
  readonly sinks: readonly SinkNode[];
}

/** What a document may not exceed. */
export const LIMITS = {
  nodes: 4096,
  /** Collectives that wait for one another. */
  depth: 64,
  workGroup: 65536,
  /** Characters of a name. */
  name: 64,
  /** Parts of a capacity, written out. */
  hostParts: 64,
  /** Elements of an output by its capacity, on every target. */
  capacity: 0x80000000,
  /** What a capacity, or a part of it, may be whatever a run is given: 1 GiB of u32. */
  fixedCapacity: 0x10000000,
  /** Nodes and fields of operators, counted once for each fold that applies them. */
  foldedNodes: 8192,
  /** Problems that are told of one pipeline. */
  problems: 100,
} as const;

/** The operators by which values that choose one slot of a scatter may become one. */
export const COMBINES: readonly ScatterCombine[] = ["add", "min", "max", "and", "or", "xor"];

/** What a host computes before a run, by the name that formulas have for it. */
export const HOST_OPS: Readonly<Partial<Record<BinaryOp, FormulaOp>>> = {
  add: "add",
  sub: "sub",
  mul: "mul",
  div: "floor-div",
  min: "min",
  max: "max",
};

const NAME = /^[A-Za-z](?:_?[A-Za-z0-9])*$/;
const PIPELINE_NAME = /^[A-Za-z](?:[_-]?[A-Za-z0-9])*$/;
// Names that mean something to every JavaScript object: they must not become keys.
const unsafe = (name: string): boolean => name in {} || name === "prototype";

/** The rules that a pipeline breaks, in the order of its nodes, the first 100; empty for a good one. */
export function problemsOf(pipeline: Pipeline): readonly GroupwiseError[] {
  return new Checker(pipeline).run().problems;
}

/**
 * Types, rates and rules of a pipeline.
 * @throws GroupwiseError the first rule that is broken; {@link problemsOf} gives all
 */
export function check(pipeline: Pipeline): Checked {
  const checker = new Checker(pipeline).run();
  const [first] = checker.problems;
  if (first) throw first;
  return checker.checked();
}

class Checker {
  readonly problems: GroupwiseError[] = [];
  readonly types: Scalar[] = [];
  readonly rates: Rate[] = [];
  private readonly names = new Set<string>();
  private readonly depths: number[] = [];
  /** By node: at another item it must come from memory, which a walk has to fill first. */
  private readonly waits: boolean[] = [];
  /** Folds that are a collective of their own, and the size of what they apply. */
  private readonly folds = new Set<string>();
  private foldedNodes = 0;
  /** By node: what it is in every run. */
  private readonly known: (ScalarValue | undefined)[] = [];
  private readonly pipeline: Pipeline;
  private readonly inside: string;

  /** @param inside what the nodes stand in, where it is not the pipeline itself */
  constructor(pipeline: Pipeline, inside: string = "") {
    this.pipeline = pipeline;
    this.inside = inside;
  }

  run(): this {
    const { name, version, nodes } = this.pipeline;
    if (version !== FORMAT_VERSION)
      this.report("bad-version", { version, supported: FORMAT_VERSION }, "version");
    if (!PIPELINE_NAME.test(name) || name.length > LIMITS.name) {
      this.report("bad-name", { name, what: "a pipeline" }, "name");
    }
    this.workGroup();
    if (nodes.length > LIMITS.nodes) {
      this.report(
        "too-large",
        { what: "nodes of the pipeline", got: nodes.length, limit: LIMITS.nodes },
        "nodes",
      );
      return this;
    }
    this.operators();
    for (const [position, node] of nodes.entries()) {
      if (this.problems.length >= LIMITS.problems) return this;
      this.node(node, position);
    }
    if (!nodes.some(isSink)) this.report("no-output", undefined, "nodes");
    return this;
  }

  checked(): Checked {
    const nodes = this.pipeline.nodes;
    return {
      pipeline: this.pipeline,
      types: this.types,
      rates: this.rates,
      inputs: nodes.filter((node) => node.kind === "input"),
      params: nodes.filter((node) => node.kind === "param"),
      tables: nodes.filter((node) => node.kind === "table"),
      sinks: nodes.filter(isSink),
    };
  }

  report<C extends ErrorCode>(code: C, details: ErrorDetails<C>, where: string): void {
    if (this.problems.length < LIMITS.problems) this.problems.push(errorOf(code, details, where));
  }

  place(node: PipelineNode): string {
    const name = "name" in node ? ` ${quoted(node.name, LIMITS.name)}` : "";
    return node.at ?? `${this.inside}node ${node.id} (${node.kind}${name})`;
  }

  isName(name: string): boolean {
    return NAME.test(name) && name.length <= LIMITS.name && !unsafe(name);
  }

  private operators(): void {
    const { operators = [] } = this.pipeline;
    const { operators: limit } = OPERATOR_LIMITS;
    if (operators.length > limit) {
      this.report(
        "too-large",
        { what: "operators of the pipeline", got: operators.length, limit },
        "operators",
      );
      return;
    }
    operators.forEach((operator, index) => {
      const inner = new Checker(this.pipeline, `operators[${index}], `);
      checkOperator(operator, `operators[${index}]`, inner);
      this.problems.push(...inner.problems.slice(0, LIMITS.problems - this.problems.length));
    });
  }

  /** The type that a node gets from the rules of its kind. */
  rule(node: PipelineNode): Scalar {
    return (RULES[node.kind] as (checker: Checker, node: PipelineNode) => Scalar)(this, node);
  }

  private workGroup(): void {
    const size = this.pipeline.workGroupSize;
    const total = size.reduce((a, b) => a * b, 1);
    const good =
      size.length >= 1 && size.length <= 3 && size.every((side) => Number.isSafeInteger(side) && side >= 1);
    if (!good || total > LIMITS.workGroup) {
      this.report("bad-work-group", { got: size.join(" × "), limit: LIMITS.workGroup }, "workGroupSize");
    }
  }

  private node(node: PipelineNode, position: number): void {
    // A broken node still gets a type and a rate, so that the nodes after it are looked at too.
    this.types[position] = "u32";
    this.rates[position] = "item";
    this.depths[position] = 0;
    if (node.id !== position)
      this.report("bad-node-id", { got: node.id, want: position }, `nodes[${position}]`);
    if (!this.references(node, position)) return;
    const below = operandsOf(node);
    const depth = this.depthOf(node);
    this.depths[position] = depth;
    this.waits[position] =
      isCollective(node) || this.isFromItems(node) || below.some((id) => this.waits[id] === true);
    if (depth > LIMITS.depth) {
      const what = "collectives that wait for one another";
      this.report("too-large", { what, got: depth, limit: LIMITS.depth }, this.place(node));
    }
    const before = this.problems.length;
    this.types[position] = this.rule(node);
    this.rates[position] = rateOf(node, this.rates);
    if (this.problems.length === before)
      this.known[position] = knownValue(node, this.pipeline, this.types, this.known);
  }

  /** A gather of other items' values. */
  private isFromItems(node: PipelineNode): boolean {
    return node.kind === "gather" && this.pipeline.nodes[node.of]?.kind !== "table";
  }

  private depthOf(node: PipelineNode): number {
    const at = (id: number): number => this.depths[id] as number;
    if (this.isFromItems(node) && node.kind === "gather")
      return Math.max(at(node.index), at(node.of) + (this.waits[node.of] ? 1 : 0));
    return Math.max(0, ...operandsOf(node).map(at)) + (isCollective(node) ? 1 : 0);
  }

  private references(node: PipelineNode, position: number): boolean {
    for (const [place, id] of operandsOf(node).entries()) {
      if (!Number.isSafeInteger(id) || id < 0 || id >= position) {
        this.report("forward-reference", { from: position, to: id }, this.place(node));
        return false;
      }
      const used = this.pipeline.nodes[id] as PipelineNode;
      const takesTables = node.kind === "table-length" || (node.kind === "gather" && place === 0);
      if (isSink(used) || (used.kind === "table" && !takesTables)) {
        this.report("not-a-value", { id, kind: used.kind }, this.place(node));
        return false;
      }
    }
    return true;
  }

  // The rules below are called by RULES.

  name(node: PipelineNode & { name: string }): void {
    const { name } = node;
    if (!this.isName(name)) {
      this.report(
        "bad-name",
        { name, what: `an ${node.kind === "scatter" ? "output" : node.kind}` },
        `nodes[${node.id}]`,
      );
    } else if (this.names.has(name)) {
      this.report("duplicate-name", { name }, this.place(node));
    }
    this.names.add(name);
  }

  scalar(node: PipelineNode, type: unknown): Scalar {
    if (isScalar(type)) return type;
    this.report("unknown-type", { type, known: SCALAR_NAMES }, this.place(node));
    return "u32";
  }

  literal(node: PipelineNode, type: Scalar, value: unknown): void {
    if (decodeLiteral(type, value) === undefined)
      this.report("bad-literal", { type, got: value }, this.place(node));
  }

  applies(
    node: PipelineNode & { op: string },
    table: Readonly<Record<string, { on: readonly string[] }>>,
    type: Scalar,
  ): boolean {
    const { op } = node;
    if (!Object.hasOwn(table, op)) {
      this.report("unknown-op", { op, known: Object.keys(table) }, this.place(node));
      return false;
    }
    const kind = SCALARS[type].kind;
    if (table[op]?.on.includes(kind)) return true;
    const known = Object.keys(table).filter((other) => table[other]?.on.includes(kind));
    this.report("op-type", { op, type, known }, this.place(node));
    return false;
  }

  same(node: PipelineNode, what: string, want: Scalar, got: Scalar): void {
    if (want !== got) this.report("type-mismatch", { what, want, got }, this.place(node));
  }

  typeOf(id: number): Scalar {
    return this.types[id] as Scalar;
  }

  monoid(node: ReduceNode | InclusiveScanNode | ExclusiveScanNode): Scalar {
    const type = this.scalar(node, node.type);
    this.same(node, `the operand of ${node.kind} ${node.op}`, type, this.typeOf(node.of));
    if (this.applies(node, OPS, type)) this.identity(node, type);
    return type;
  }

  private identity(node: ReduceNode | InclusiveScanNode | ExclusiveScanNode, type: Scalar): void {
    const want = OPS[node.op].identity(type);
    const got = decodeLiteral(type, node.identity);
    if (got !== undefined && sameValue(got, want)) return;
    const details = { op: node.op, type, got: node.identity, want: encodeLiteral(type, want) };
    this.report("wrong-identity", details, this.place(node));
  }

  fold(node: FoldNode): Scalar {
    this.countFold(node);
    return checkFold(node, this.pipeline.operators ?? [], this);
  }

  /** Kernels have an operator's nodes written out for every fold: its results are one collective. */
  private countFold(node: FoldNode): void {
    const operator = this.pipeline.operators?.[node.operator];
    const key = `${node.operator} ${node.scope} ${node.of}`;
    if (!operator || this.folds.has(key)) return;
    this.folds.add(key);
    const before = this.foldedNodes;
    this.foldedNodes += operator.nodes.length + operator.fields.length;
    const limit = LIMITS.foldedNodes;
    if (before > limit || this.foldedNodes <= limit) return;
    const what = "nodes and fields of operators, once for each fold";
    this.report("too-large", { what, got: this.foldedNodes, limit }, this.place(node));
  }

  predicate(node: PipelineNode, id: number): void {
    if (opExists("logical-and", this.typeOf(id))) return;
    const known = OP_NAMES.filter((op) => !isLogical(op) && opExists(op, this.typeOf(id)));
    this.report("op-type", { op: node.kind, type: this.typeOf(id), known }, this.place(node));
  }

  broadcast(node: BroadcastNode): void {
    const widest: Rate = SCOPE_RATE[node.scope];
    if (node.index.length !== this.pipeline.workGroupSize.length) {
      const want = `${this.pipeline.workGroupSize.length} coordinate(s), one per dimension`;
      this.report(
        "type-mismatch",
        { what: "a broadcast index", want, got: `${node.index.length}` },
        this.place(node),
      );
    }
    node.index.forEach((id, dimension) => {
      this.same(node, "a broadcast index", "u32", this.typeOf(id));
      const rate = this.rates[id] as Rate;
      const want = widest === "group" ? "one value for the work-group" : "one value for all";
      if (!atMost(rate, widest))
        this.report("not-uniform", { what: "a broadcast index", rate, want }, this.place(node));
      const index = Number(this.known[id] ?? 0);
      const size = this.pipeline.workGroupSize[dimension] ?? 1;
      if (node.scope === "work-group" && index >= size)
        this.report("broadcast-outside", { index, size }, this.place(node));
    });
  }

  table(node: TableLengthNode): void {
    const got = this.pipeline.nodes[node.of]?.kind;
    if (got === "table") return;
    const what = "the operand of table-length";
    this.report("type-mismatch", { what, want: "a table", got: String(got) }, this.place(node));
  }

  query({ query, dimension, ...node }: QueryNode): void {
    const place = this.place({ query, dimension, ...node });
    if (!Object.hasOwn(QUERIES, query)) {
      this.report("unknown-op", { op: query, known: Object.keys(QUERIES) }, place);
      return;
    }
    const most = QUERIES[query].beyond === undefined ? 0 : LAST_DIMENSION;
    if (Number.isSafeInteger(dimension) && dimension >= 0 && dimension <= most) return;
    const want = most === 0 ? "0: it is not about one dimension" : `a whole number from 0 to ${most}`;
    const got = String(dimension);
    this.report("type-mismatch", { what: `the dimension of ${query}`, want, got }, place);
  }

  /** What a host must be able to compute from the values of a run. */
  onHost(node: PipelineNode, what: string, root: number): void {
    const stack = [root];
    let size = 0;
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
      // Hosts get it written out, every part as often as it is used.
      if (++size > LIMITS.hostParts) {
        const got = `more than ${LIMITS.hostParts} parts, written out`;
        this.report("not-on-host", { what, got }, this.place(node));
        return;
      }
      const part = this.pipeline.nodes[id];
      // What a node with a bad reference is made of has been told.
      if (!part) return;
      const known = Number(this.known[id] ?? 0);
      if (known > LIMITS.fixedCapacity) {
        const { name } = node as ScatterNode;
        this.report("bad-capacity", { name, got: known, limit: LIMITS.fixedCapacity }, this.place(node));
        return;
      }
      if (part.kind === "binary" && HOST_OPS[part.op]) stack.push(part.left, part.right);
      else if (!isOnHost(part)) {
        const got = part.kind === "binary" ? part.op : part.kind === "query" ? part.query : part.kind;
        this.report("not-on-host", { what, got }, this.place(node));
        return;
      }
    }
  }

  combine(node: ScatterNode): void {
    const type = this.typeOf(node.value);
    if (node.combine === undefined) return;
    if (!COMBINES.includes(node.combine)) {
      this.report("unknown-op", { op: node.combine, known: COMBINES }, this.place(node));
    } else if (type !== "i32" && type !== "u32") {
      this.report("op-type", { op: `scatter by ${node.combine}`, type, known: [] }, this.place(node));
    }
  }

  uniform(node: PipelineNode, what: string, id: number): void {
    const rate = this.rates[id] as Rate;
    if (rate !== "uniform")
      this.report("not-uniform", { what, rate, want: "one value for all" }, this.place(node));
  }
}

const isOnHost = (node: PipelineNode): boolean =>
  node.kind === "const" ||
  node.kind === "param" ||
  node.kind === "table-length" ||
  (node.kind === "query" && node.query === "global-size");

const RULES: {
  readonly [K in NodeKind]: (checker: Checker, node: Extract<PipelineNode, { kind: K }>) => Scalar;
} = {
  input: (c, node) => {
    c.name(node);
    return c.scalar(node, node.type);
  },
  param: (c, node) => {
    c.name(node);
    return c.scalar(node, node.type);
  },
  table: (c, node) => {
    c.name(node);
    return c.scalar(node, node.type);
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
    c.query(node);
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
  "inclusive-scan": (c, node) => c.monoid(node),
  "exclusive-scan": (c, node) => c.monoid(node),
  fold: (c, node) => c.fold(node),
  all: (c, node) => {
    c.predicate(node, node.of);
    return "bool";
  },
  any: (c, node) => {
    c.predicate(node, node.of);
    return "bool";
  },
  broadcast: (c, node) => {
    c.broadcast(node);
    return c.typeOf(node.of);
  },
  output: (c, node) => {
    c.name(node);
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
      c.onHost(node, "the capacity of a scatter", node.capacity);
    }
    c.combine(node);
    return c.typeOf(node.value);
  },
};
