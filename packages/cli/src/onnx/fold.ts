/** Nodes whose operands are constants: a pipeline of the node alone gives their results. */
import { check, reference, type ScalarValue } from "@groupwise/core";
import type { Context, Outputs, Signature, Table, U32Value } from "@groupwise/dsl";
import * as dsl from "@groupwise/dsl";
import type { NodeProto } from "./model.ts";
import { Refusal } from "./refusal.ts";
import { RULES } from "./rules.ts";
import { countOf, ItemSpace, isOne, type Tensor, tensor, Wider } from "./space.ts";
import type { Constant } from "./tensor.ts";
import { elementsFrom, elementsOf, perItem } from "./value.ts";
import { type KnownName, type NodeResult, NodeView } from "./view.ts";

/** The most elements of a constant that is computed here. */
const LARGEST = 65536;

/** Whether all operands of a node are constants. */
export const foldable = ({ input }: NodeProto, inputs: readonly (KnownName | undefined)[]): boolean =>
  input.length > 0 &&
  inputs.every((known) => !known || (known.constant && known.constant.values.length <= LARGEST));

/** The constants that a node gives. @throws Refusal */
export function folded(
  node: NodeProto,
  inputs: readonly (KnownName | undefined)[],
  version: number,
): NodeResult[] {
  let items = 1;
  for (;;)
    try {
      return results(node, inputs, version, items);
    } catch (error) {
      if (!(error instanceof Wider)) throw error;
      if (error.items > LARGEST) throw new Refusal(`a constant of ${error.items} elements is too large`);
      items = error.items;
    }
}

function results(
  node: NodeProto,
  inputs: readonly (KnownName | undefined)[],
  version: number,
  items: number,
): NodeResult[] {
  const given = inputs.flatMap((known, i) => (known?.constant ? [[`x${i}`, known.constant] as const] : []));
  const signature = Object.fromEntries(given.map(([name, { type }]) => [name, dsl.table(elementsOf(type))]));
  let made: NodeResult[] = [];
  const build = (handles: Readonly<Record<string, Table<"f32">>>, context: Context): Outputs => {
    const space = new ItemSpace(context, { factor: items, names: "" });
    const bound = inputs.map((known, i) => known && withTensor(known, (handles as never)[`x${i}`]));
    const view = new NodeView(node, bound, version, space);
    made = [RULES.get(node.opType ?? "")?.(view) ?? []].flat() as NodeResult[];
    const outputs: Record<string, unknown> = { n: context.size() };
    for (const [i, one] of made.entries())
      if ("sink" in one) throw new Refusal("the length of its result depends on the values of constants");
      else if ("read" in one) outputs[`y${i}`] = outputOf(one, space);
    view.requireRead();
    return outputs as Outputs;
  };
  const { ir } = dsl.pipeline("constants", signature as Signature, build as never, {
    places: false,
    unusedConditions: true,
  });
  const tables = Object.fromEntries(given.map(([name, { values }]) => [name, values]));
  const values = reference(check(ir), { n: items, inputs: {}, tables });
  return made.map((one, i) => {
    if (!("read" in one)) return one;
    const all = values[`y${i}`] as ScalarValue[];
    return { type: one.type, dims: one.dims, values: all.slice(0, countOf(one.dims)) } as Constant;
  });
}

function outputOf(x: Tensor, space: ItemSpace): U32Value {
  if (!isOne(x.dims)) space.require(x.dims);
  return elementsFrom(x.type, isOne(x.dims) ? space.own(x) : perItem(space.own(x)));
}

const withTensor = (known: KnownName, table: Table<"f32">): KnownName => ({
  ...known,
  tensor: tensor(known.type, known.dims, (index) => table.at(index)),
});
