/** The reason why the outputs of a case are not defined; a difference is then no fault. */
import { check, type PipelineNode, type Scalar } from "@groupwise/core";
import { isCollective, isFloat, isMonoid, isSink, itemsIn, SCALARS } from "@groupwise/core/target";
import { toValues } from "../data/arrays.ts";
import { leastNormal } from "../data/data.ts";
import { expected, outcomeOf } from "../data/oracle.ts";
import { SAFE_SUM } from "./flush.ts";
import { type RandomCase, valuesOf } from "./make/case.ts";

/**
 * The reason, or undefined if every bit is defined: the result depends on the payload of a NaN, two items write one slot, or
 * the computation involves subnormal numbers of types that the device flushes.
 */
export async function whyUnsound(one: RandomCase, flushed: ReadonlySet<Scalar>): Promise<string | undefined> {
  const { pipeline } = one;
  const { types } = check(pipeline);
  const typeOf = (id: number): Scalar => types[id] as Scalar;
  const wanted = new Set<number>();
  for (const node of pipeline.nodes) {
    if (node.kind === "bitcast" && isFloat(typeOf(node.of))) wanted.add(node.of);
    if (node.kind === "scatter" && node.combine === undefined) {
      wanted.add(node.slot);
      if (node.where !== undefined) wanted.add(node.where);
    }
    if (node.kind !== "table" && !isSink(node) && flushed.has(typeOf(node.id))) wanted.add(node.id);
  }
  if (wanted.size === 0) return undefined;
  // A node without effect replaces outputs, so that ids do not change.
  const nodes: PipelineNode[] = pipeline.nodes.map((node) =>
    isSink(node) ? { id: node.id, kind: "const", type: "bool", value: false } : node,
  );
  // Over no items, uniform values still exist.
  const isEmpty = itemsIn(one.run.globalSize) === 0;
  for (const id of wanted) {
    if (!isEmpty) nodes.push({ id: nodes.length, kind: "spread", of: id });
    nodes.push({ id: nodes.length, kind: "output", name: `n${id}`, of: isEmpty ? id : nodes.length - 1 });
  }
  const { values, options } = valuesOf(one, flushed.size === 0);
  const seen = await outcomeOf(() => expected(check({ ...pipeline, nodes }), values, options));
  if ("error" in seen) return undefined;
  const valuesAt = (id: number) => toValues(typeOf(id), seen.outputs[`n${id}`] as never);
  for (const node of pipeline.nodes) {
    if (node.kind === "bitcast" && isFloat(typeOf(node.of)) && valuesAt(node.of).some(Number.isNaN))
      return "the payload of a NaN counts";
    if (node.kind === "scatter" && node.combine === undefined) {
      const where = node.where === undefined ? undefined : valuesAt(node.where);
      const slots = valuesAt(node.slot).filter((_, i) => where === undefined || where[i]);
      if (new Set(slots).size < slots.length) return "two items write one slot";
    }
    if (!wanted.has(node.id) || !flushed.has(typeOf(node.id))) continue;
    const type = typeOf(node.id);
    const least = leastNormal(type);
    const isPartial = isCollective(node) && isMonoid(node);
    const limit = isPartial ? least * (SAFE_SUM[type] ?? 1) : least;
    if (valuesAt(node.id).some((x) => x !== 0 && Math.abs(Number(x)) < limit))
      return "subnormal numbers are met, which the device flushes";
    if (isPartial && ("op" in node ? node.op === "mul" : SCALARS[type].kind === "float"))
      return "partial products may be subnormal, which the device flushes";
  }
  return undefined;
}
