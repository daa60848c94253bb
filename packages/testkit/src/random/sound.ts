/** The reason why the outputs of a case are not defined; a difference is then no fault. */
import { check, type PipelineNode, type Scalar } from "@groupwise/core";
import { isFloat, isSink, itemsIn } from "@groupwise/core/target";
import { toValues } from "../data/arrays.ts";
import { expected, outcomeOf } from "../data/oracle.ts";
import { sinksOf, withOutputs, withoutDead } from "../data/parts.ts";
import { type RandomCase, valuesOf } from "./make/case.ts";

/** The reason, or undefined if every bit is defined: the result depends on the payload of a NaN, or two items write one slot. */
export async function whyUnsound(one: RandomCase): Promise<string | undefined> {
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
  const { values, options } = valuesOf(one);
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
  }
  return undefined;
}

/** The case with those outputs whose bits are defined; undefined if there is none. */
export async function definedPart(one: RandomCase): Promise<RandomCase | undefined> {
  const names = sinksOf(one.pipeline);
  const defined: string[] = [];
  for (const name of names) {
    const pipeline = withoutDead(withOutputs(one.pipeline, new Set([name])));
    if ((await whyUnsound({ ...one, pipeline })) === undefined) defined.push(name);
  }
  if (defined.length === names.length) return one;
  if (defined.length === 0) return undefined;
  return { ...one, pipeline: withoutDead(withOutputs(one.pipeline, new Set(defined))) };
}
