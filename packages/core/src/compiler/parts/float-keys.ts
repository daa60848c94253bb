/**
 * Minima and maxima of floats as those of unsigned integers, so that a combine is one native operation and not a
 * comparison of bits with cases for NaN and zeros.
 *
 * A float's bits, those below the sign inverted where the sign is set, have the order of IEEE 754-2019 `totalOrder` as
 * signed integers: -0 is less than +0, and the NaNs are beyond the infinities, at both ends. The key is what is left
 * when that of the operator's identity is subtracted: the identity gets the integers' own, and as integers wrap,
 * the NaNs of both ends lie beyond the other infinity, where they win.
 */
import type { Checked } from "../../ir/document/check.ts";
import type { NodeId, PipelineNode, ReduceNode, ScanNode } from "../../ir/document/node.ts";
import { isSink, mapOperands } from "../../ir/document/operands.ts";
import { type Uniformity, uniformityOf } from "../../ir/document/uniformity.ts";
import type { BinaryOp } from "../../ir/tables/expr-op.ts";
import { encodeLiteral } from "../../ir/tables/literal.ts";
import { OPS } from "../../ir/tables/op.ts";
import { SCALARS, type Scalar, type ScalarValue } from "../../ir/tables/scalar.ts";
import { type Capabilities, isSupported } from "../capabilities/capabilities.ts";

/** Integers of a float's width, and the bits of +inf. Halves have none. */
const KEYS = {
  f32: { key: "u32", signed: "i32", infinity: 0x7f80_0000n },
  f64: { key: "u64", signed: "i64", infinity: 0x7ff0_0000_0000_0000n },
} as const;
type Extremum = (ReduceNode | ScanNode) & { readonly op: "min" | "max"; readonly type: keyof typeof KEYS };

const isExtremum = (node: PipelineNode, { expand, scalars }: Capabilities): node is Extremum =>
  (node.kind === "reduce" || node.kind === "scan-inclusive" || node.kind === "scan-exclusive") &&
  (node.op === "min" || node.op === "max") &&
  expand.includes("float-min-max") &&
  Object.hasOwn(KEYS, node.type) &&
  isSupported(scalars[KEYS[node.type as keyof typeof KEYS].key]);

/** The pipeline with keys wherever the implementation has no exact minimum and maximum of floats. */
export function orderedByKeys(checked: Checked, capabilities: Capabilities): Checked {
  if (!checked.pipeline.nodes.some((node) => isExtremum(node, capabilities))) return checked;
  const made = new Rewritten(checked.types);
  for (const node of checked.pipeline.nodes) {
    if (isExtremum(node, capabilities)) made.keep(node.id, byKeys(made, node));
    else made.keep(node.id, made.add(node, checked.types[node.id] as Scalar));
  }
  return made.checked(checked);
}

function byKeys(made: Rewritten, node: Extremum): NodeId {
  const { op, type } = node;
  const { key, signed } = KEYS[type];
  const of = made.keyed(node);
  const identity = encodeLiteral(key, OPS[op].identity(key));
  const combined = made.append({ ...node, type: key, identity, of }, key);
  const ordered = made.binary("add", combined, made.constant(key, originOf(node)));
  const bits = made.flipped(made.append({ kind: "bitcast", to: signed, of: ordered }, signed));
  return made.append({ kind: "bitcast", to: type, of: bits }, type);
}

/** Of the ordered bits: those with the key 0. -inf has the least key of a maximum, +inf the greatest of a minimum. */
function originOf({ op, type }: Extremum): bigint {
  const { infinity } = KEYS[type];
  return op === "max" ? -infinity - 1n : infinity + 1n;
}

type NodeWithoutId = PipelineNode extends infer N ? (N extends PipelineNode ? Omit<N, "id"> : never) : never;

/** A pipeline's nodes with others between them. */
class Rewritten {
  private readonly nodes: PipelineNode[] = [];
  private readonly types: Scalar[] = [];
  private readonly uniformities: Uniformity[] = [];
  private readonly given: readonly Scalar[];
  /** By id in the given pipeline. */
  private readonly ids = new Map<NodeId, NodeId>();
  private readonly keys = new Map<string, NodeId>();

  constructor(given: readonly Scalar[]) {
    this.given = given;
  }

  keep(from: NodeId, to: NodeId): void {
    this.ids.set(from, to);
  }

  /** A node of the given pipeline. */
  add(node: PipelineNode, type: Scalar): NodeId {
    return this.append(
      mapOperands(node, (id) => this.ids.get(id) as NodeId),
      type,
    );
  }

  append(node: NodeWithoutId, type: Scalar): NodeId {
    const id = this.nodes.length;
    const made = { ...node, id } as PipelineNode;
    this.nodes.push(made);
    this.types.push(type);
    this.uniformities.push(uniformityOf(made, this.uniformities));
    return id;
  }

  constant(type: Scalar, value: ScalarValue): NodeId {
    return this.append({ kind: "const", type, value: encodeLiteral(type, SCALARS[type].wrap(value)) }, type);
  }

  binary(op: BinaryOp, left: NodeId, right: NodeId, type: Scalar = this.types[left] as Scalar): NodeId {
    return this.append({ kind: "binary", op, left, right }, type);
  }

  /** Bits below the sign, inverted where the sign is set: from bits to what has the order of floats, and back. */
  flipped(of: NodeId): NodeId {
    const type = this.types[of] as Scalar;
    const { bits, highest } = SCALARS[type];
    const negative = this.binary("shr", of, this.constant("u32", bits - 1));
    return this.binary("xor", of, this.binary("and", negative, this.constant(type, highest)));
  }

  /** The keys of the operand; collectives with the same operator share them. */
  keyed(node: Extremum): NodeId {
    const { of, op, type } = node;
    const name = `${of} ${op}`;
    const known = this.keys.get(name);
    if (known !== undefined) return known;
    const { key, signed } = KEYS[type];
    const value = this.ids.get(of) as NodeId;
    const float = this.given[of] === type ? value : this.append({ kind: "cast", to: type, of: value }, type);
    const bits = this.append({ kind: "bitcast", to: signed, of: float }, signed);
    const ordered = this.append({ kind: "bitcast", to: key, of: this.flipped(bits) }, key);
    const result = this.binary("sub", ordered, this.constant(key, originOf(node)));
    this.keys.set(name, result);
    return result;
  }

  checked({ pipeline }: Checked): Checked {
    const { nodes, types, uniformities } = this;
    return {
      pipeline: { ...pipeline, nodes },
      types,
      uniformities,
      inputs: nodes.filter((node) => node.kind === "input"),
      params: nodes.filter((node) => node.kind === "param"),
      tables: nodes.filter((node) => node.kind === "table"),
      sinks: nodes.filter(isSink),
    };
  }
}
