import { requireArguments } from "../base/arguments.ts";
import { type ErrorCode, type ErrorDetails, errorOf, type GroupwiseError } from "../base/errors.ts";
import { quoted } from "../base/quote.ts";
import { isOn } from "../functions/spec.ts";
import { decodeLiteral, encodeLiteral, sameValue } from "../tables/literal.ts";
import { ARRAY_TYPES, isNarrow, valueTypeOf } from "../tables/narrow.ts";
import { OP_NAMES, OPS, opExists } from "../tables/op.ts";
import { isScalar, SCALAR_NAMES, type Scalar, type ScalarValue } from "../tables/scalar.ts";
import { checkOperator, checkUserCollective } from "./check-operator.ts";
import { isCollective } from "./collectives.ts";
import { knownValue } from "./known.ts";
import { LIMITS } from "./limits.ts";
import {
  type ExclusiveScanNode,
  FORMAT_VERSION,
  type InclusiveScanNode,
  type InputNode,
  type NodeId,
  type ParamNode,
  type Pipeline,
  type PipelineNode,
  type ReduceNode,
  type SinkNode,
  type TableLengthNode,
  type TableNode,
  type UserCollectiveNode,
} from "./node.ts";
import { isSink, operandsOf } from "./operands.ts";
import { OPERATOR_LIMITS } from "./operator.ts";
import { RULES } from "./rules.ts";
import { DOCUMENT } from "./shapes.ts";
import { type Uniformity, uniformityOf } from "./uniformity.ts";

/** A valid pipeline, with the computed properties of its nodes. */
export interface Checked {
  readonly pipeline: Pipeline;
  /** By node id; a sink has the type of its value. */
  readonly types: readonly Scalar[];
  readonly uniformities: readonly Uniformity[];
  readonly inputs: readonly InputNode[];
  readonly params: readonly ParamNode[];
  readonly tables: readonly TableNode[];
  readonly sinks: readonly SinkNode[];
  /**
   * For the lowering of a chunk: by scan that counts the elements of a scatter, the table whose first element is their number before the chunk, with which
   * the scan begins.
   */
  readonly counted?: ReadonlyMap<NodeId, string>;
}

const NAME = /^[A-Za-z](?:_?[A-Za-z0-9])*$/;
const PIPELINE_NAME = /^[A-Za-z](?:[_-]?[A-Za-z0-9])*$/;
// Names that every object of the host has: they must not become keys.
const unsafe = (name: string): boolean => name in {} || name === "prototype";

/**
 * The first 100 violated rules of a pipeline, in the order of its nodes; empty for a valid pipeline.
 * @example
 * ```ts
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { problemsOf } from "@groupwise/core";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * console.log(problemsOf(sums.ir)); // []
 * ```
 */
export function problemsOf(pipeline: Pipeline): readonly GroupwiseError[] {
  requireArguments(arguments, "problemsOf", { pipeline: DOCUMENT });
  return new Checker(pipeline).run().problems;
}

/**
 * Types, uniformities and rules of a pipeline.
 * @throws GroupwiseError the first violated rule; {@link problemsOf} returns all
 * @example
 * ```ts
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { check } from "@groupwise/core";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * console.log(check(sums.ir).inputs.map(({ name }) => name)); // ["x"]
 * ```
 */
export function check(pipeline: Pipeline): Checked {
  requireArguments(arguments, "check", { pipeline: DOCUMENT });
  const checker = new Checker(pipeline).run();
  const [first] = checker.problems;
  if (first) throw first;
  return checker.checked();
}

/** Whether items can read the elements that a node wrote: its array has them as they are. */
const isReadable = (node: PipelineNode): boolean =>
  node.kind === "scatter" && node.combine === undefined && node.as === undefined;

export class Checker {
  readonly problems: GroupwiseError[] = [];
  readonly types: Scalar[] = [];
  readonly uniformities: Uniformity[] = [];
  private readonly names = new Set<string>();
  private readonly depths: number[] = [];
  /** By node: true if reads at other items need memory that an earlier pass fills. */
  private readonly waits: boolean[] = [];
  /** Collectives with user-defined operators, and the total number of nodes of these operators. */
  private readonly folds = new Set<string>();
  private userCollectiveNodes = 0;
  /** By node: its value if it is the same in every run. */
  readonly known: (ScalarValue | undefined)[] = [];
  readonly pipeline: Pipeline;
  private readonly inside: string;

  /** @param inside the owner of the nodes, if it is not the pipeline itself */
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
    for (const [position, node] of nodes.entries()) this.node(node, position);
    if (!nodes.some(isSink)) this.report("no-output", undefined, "nodes");
    return this;
  }

  checked(): Checked {
    const nodes = this.pipeline.nodes;
    return {
      pipeline: this.pipeline,
      types: this.types,
      uniformities: this.uniformities,
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
    // An invalid node also gets a type and a uniformity, so that later nodes are checked.
    this.types[position] = "u32";
    this.uniformities[position] = "item";
    this.depths[position] = 0;
    if (node.id !== position)
      this.report("bad-node-id", { got: node.id, want: position }, `nodes[${position}]`);
    if (!this.references(node, position)) return;
    const below = operandsOf(node);
    const depth = this.depthOf(node);
    this.depths[position] = depth;
    this.waits[position] =
      isCollective(node) ||
      this.isFromItems(node) ||
      node.kind === "scatter" ||
      below.some((id) => this.waits[id] === true);
    if (depth > LIMITS.depth) {
      const what = "collectives that wait for one another";
      this.report("too-large", { what, got: depth, limit: LIMITS.depth }, this.place(node));
    }
    const before = this.problems.length;
    this.types[position] = this.rule(node);
    this.uniformities[position] = uniformityOf(node, this.uniformities);
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
      if (isReadable(used) && node.kind === "gather" && place === 0) continue;
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
        node.at ?? `nodes[${node.id}]`,
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

  /** The type of the values of an array. */
  arrayType(node: PipelineNode, type: unknown): Scalar {
    if (isNarrow(type) || isScalar(type)) return valueTypeOf(type);
    this.report("unknown-type", { type, known: ARRAY_TYPES }, this.place(node));
    return "u32";
  }

  literal(node: PipelineNode, type: Scalar, value: unknown): void {
    if (decodeLiteral(type, value) === undefined)
      this.report("bad-literal", { type, got: value }, this.place(node));
  }

  applies(
    node: PipelineNode & { op: string },
    table: Readonly<Record<string, Parameters<typeof isOn>[0]>>,
    type: Scalar,
  ): boolean {
    const { op } = node;
    if (!Object.hasOwn(table, op)) {
      this.report("unknown-op", { op, known: Object.keys(table) }, this.place(node));
      return false;
    }
    const exists = (name: string): boolean => isOn(table[name] ?? { on: [] }, type);
    if (exists(op)) return true;
    const known = Object.keys(table).filter(exists);
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

  userCollective(node: UserCollectiveNode): Scalar {
    this.countUserCollective(node);
    return checkUserCollective(node, this.pipeline.operators ?? [], this);
  }

  /** Kernels contain an operator's nodes once for every user-defined collective; the nodes of its results are one collective. */
  private countUserCollective(node: UserCollectiveNode): void {
    const operator = this.pipeline.operators?.[node.operator];
    const key = `${node.operator} ${node.scope} ${node.of}`;
    if (!operator || this.folds.has(key)) return;
    this.folds.add(key);
    const before = this.userCollectiveNodes;
    this.userCollectiveNodes += operator.nodes.length + operator.fields.length;
    const limit = LIMITS.userCollectiveNodes;
    if (before > limit || this.userCollectiveNodes <= limit) return;
    const what = "nodes and fields of operators, once for each fold";
    this.report("too-large", { what, got: this.userCollectiveNodes, limit }, this.place(node));
  }

  predicate(node: PipelineNode, id: number): void {
    if (opExists("logical-and", this.typeOf(id))) return;
    const known = OP_NAMES.filter((op) => opExists(op, this.typeOf(id)));
    this.report("op-type", { op: node.kind, type: this.typeOf(id), known }, this.place(node));
  }

  table(node: TableLengthNode): void {
    const got = this.pipeline.nodes[node.of]?.kind;
    if (got === "table") return;
    const what = "the operand of table-length";
    this.report("type-mismatch", { what, want: "a table", got: String(got) }, this.place(node));
  }

  uniform(node: PipelineNode, what: string, id: number): void {
    const uniformity = this.uniformities[id] as Uniformity;
    if (uniformity !== "uniform")
      this.report("not-uniform", { what, uniformity, want: "one value for all" }, this.place(node));
  }
}
