/**
 * Minima and maxima of floats as those of unsigned integers, so that a combine is one native operation and not a
 * comparison of bits with cases for NaN and zeros.
 *
 * A float's bits, those below the sign inverted where the sign is set, have the order of IEEE 754-2019 `totalOrder` as
 * signed integers: -0 is less than +0, and the NaNs are beyond the infinities, at both ends. The key is the difference
 * from the ordered bits of the operator's identity: the identity then has the identity of integers as its key, and as integers wrap,
 * the NaNs of both ends lie beyond the other infinity, where they win.
 */
import type { Checked } from "@groupwise/ir/document/check.js";
import type { NodeId, PipelineNode, ReduceNode, ScanNode } from "@groupwise/ir/document/node.js";
import { RebuiltPipeline } from "@groupwise/ir/document/rebuilt.js";
import { encodeLiteral } from "@groupwise/ir/tables/literal.js";
import { OPS } from "@groupwise/ir/tables/op.js";
import { SCALARS } from "@groupwise/ir/tables/scalar.js";
import { type Capabilities, isSupported } from "@groupwise/kernel/capabilities/capabilities.js";

/** Integers of a float's width, and the bits of +inf. Halves have none. */
const KEYS = {
  f32: { key: "u32", signed: "i32", infinity: 0x7f80_0000n },
  f64: { key: "u64", signed: "i64", infinity: 0x7ff0_0000_0000_0000n },
} as const;
type Extremum = (ReduceNode | ScanNode) & { readonly op: "min" | "max"; readonly type: keyof typeof KEYS };

const isExtremum = (node: PipelineNode, { expand, scalars }: Capabilities): node is Extremum =>
  (node.kind === "reduce" || node.kind === "scan-inclusive" || node.kind === "scan-exclusive") &&
  (node.op === "min" || node.op === "max") &&
  (expand.includes("float-min-max") || (node.kind === "reduce" && expand.includes("float-reduce-min-max"))) &&
  Object.hasOwn(KEYS, node.type) &&
  isSupported(scalars[KEYS[node.type as keyof typeof KEYS].key]);

/** The pipeline with keys wherever the implementation has no exact minimum and maximum of floats, or reduces those of integers faster. */
export function orderedByKeys(checked: Checked, capabilities: Capabilities): Checked {
  if (!checked.pipeline.nodes.some((node) => isExtremum(node, capabilities))) return checked;
  const made = new RebuiltPipeline(checked);
  const keys = new Map<string, NodeId>();
  for (const node of checked.pipeline.nodes) {
    if (isExtremum(node, capabilities)) made.keep(node.id, byKeys(made, keys, node));
    else made.add(node);
  }
  return made.checked();
}

function byKeys(made: RebuiltPipeline, keys: Map<string, NodeId>, node: Extremum): NodeId {
  const { op, type } = node;
  const { key, signed } = KEYS[type];
  const of = keyed(made, keys, node);
  const identity = encodeLiteral(key, OPS[op].identity(key));
  const combined = made.append({ ...node, type: key, identity, of }, key);
  const ordered = made.binary("add", combined, made.constant(key, originOf(node)));
  const bits = flipped(made, made.append({ kind: "bitcast", to: signed, of: ordered }, signed));
  return made.append({ kind: "bitcast", to: type, of: bits }, type);
}

/** The ordered bits with the key 0. -inf has the least key of a maximum, +inf the greatest of a minimum. */
function originOf({ op, type }: Extremum): bigint {
  const { infinity } = KEYS[type];
  return op === "max" ? -infinity - 1n : infinity + 1n;
}

/** Inverts the bits below the sign if the sign is set: from bits to bits with the order of floats, and back. */
function flipped(made: RebuiltPipeline, of: NodeId): NodeId {
  const type = made.typeOf(of);
  const { bits, highest } = SCALARS[type];
  const negative = made.binary("shr", of, made.constant("u32", bits - 1));
  return made.binary("xor", of, made.binary("and", negative, made.constant(type, highest)));
}

/** The keys of the operand; collectives with the same operator share them. */
function keyed(made: RebuiltPipeline, keys: Map<string, NodeId>, node: Extremum): NodeId {
  const { of, op, type } = node;
  const name = `${of} ${op}`;
  const known = keys.get(name);
  if (known !== undefined) return known;
  const { key, signed } = KEYS[type];
  const given = made.idOf(of);
  const float =
    made.typeOf(given) === type ? given : made.append({ kind: "cast", to: type, of: given }, type);
  const bits = made.append({ kind: "bitcast", to: signed, of: float }, signed);
  const ordered = made.append({ kind: "bitcast", to: key, of: flipped(made, bits) }, key);
  const result = made.binary("sub", ordered, made.constant(key, originOf(node)));
  keys.set(name, result);
  return result;
}
