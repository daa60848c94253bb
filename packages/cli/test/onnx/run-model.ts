/** Runs an imported model by the reference interpreter. */
import { check, reference, type ScalarValue } from "@groupwise/core";
import { type Imported, importGraph } from "../../src/onnx/graph.ts";
import { readModel } from "../../src/onnx/model.ts";
import { type ModelParts, modelOf } from "./make.ts";

export type Values = Readonly<Record<string, readonly ScalarValue[]>>;
type Covered = Exclude<Imported, { readonly uncovered: unknown }>;

/** The outputs, by their names in the model. */
export function resultsOf(found: Imported, given: Values): Record<string, readonly ScalarValue[]> {
  if ("uncovered" in found) throw new Error(JSON.stringify(found.uncovered));
  const { pipeline, names, items } = found as Covered;
  const checked = check(pipeline);
  const modelName = (own: string): string => names.find((name) => name.pipeline === own)?.model ?? own;
  const valuesOf = ({ name }: { readonly name: string }): readonly ScalarValue[] =>
    given[modelName(name)] ?? [];
  const lists = (nodes: readonly { readonly name: string }[]) =>
    Object.fromEntries(nodes.map((node) => [node.name, valuesOf(node)]));
  const results = reference(checked, {
    n:
      items ??
      Math.max(checked.inputs.length > 0 ? 0 : 1, ...checked.inputs.map((node) => valuesOf(node).length)),
    inputs: lists(checked.inputs),
    tables: lists(checked.tables),
    params: Object.fromEntries(checked.params.map((node) => [node.name, valuesOf(node)[0]])) as never,
  });
  return Object.fromEntries(Object.entries(results).map(([own, values]) => [modelName(own), values]));
}

/** Imports and runs a model. */
export async function runModel(
  parts: ModelParts,
  given: Values,
): Promise<Record<string, readonly ScalarValue[]>> {
  return resultsOf(importGraph(await readModel(modelOf(parts), "model.onnx")), given);
}
