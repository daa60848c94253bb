/** The interface of a node for rules. */
import type { AnyValue, Context } from "@groupwise/dsl";
import type { AttributeProto, NodeProto } from "./model.ts";
import { Refusal } from "./refusal.ts";
import { type Constant, constantOf } from "./tensor.ts";
import { singleOf, type Tensor } from "./value.ts";

/** The meaning of a name in the graph: a constant becomes a value when a node uses it as one. */
export type Known = { readonly tensor: Tensor } | { readonly constant: Constant };

/** A node whose inputs are known. */
export class NodeView {
  readonly op: string;
  /** The version of the operator set. */
  readonly version: number;
  readonly context: Context;
  private readonly inputs: readonly (Known | undefined)[];
  private readonly attributes: ReadonlyMap<string, AttributeProto>;

  constructor(node: NodeProto, inputs: readonly (Known | undefined)[], version: number, context: Context) {
    this.op = node.opType ?? "";
    this.version = version;
    this.context = context;
    this.inputs = inputs;
    this.attributes = new Map(node.attribute.map((attribute) => [attribute.name ?? "", attribute]));
  }

  get count(): number {
    return this.inputs.length;
  }

  has(index: number): boolean {
    return this.inputs[index] !== undefined;
  }

  /** @throws Refusal if there is no such input */
  input(index: number): Tensor {
    const known = this.inputs[index];
    if (known === undefined) throw new Refusal(`its input ${index} is missing`);
    if ("tensor" in known) return known.tensor;
    const { type, dims } = known.constant;
    return { type, dims, value: singleOf(known.constant) };
  }

  all(): Tensor[] {
    return this.inputs.map((_, index) => this.input(index));
  }

  /** A constant input; undefined if it is computed or absent. */
  constantOf(index: number): Constant | undefined {
    const known = this.inputs[index];
    return known && "constant" in known ? known.constant : undefined;
  }

  /** Whole numbers of a constant input; undefined if there is none. @throws Refusal */
  wholeInput(index: number, what: string): readonly number[] | undefined {
    const known = this.inputs[index];
    if (known === undefined) return undefined;
    if (!("constant" in known)) throw new Refusal(`its ${what} are computed, not constant`);
    return known.constant.values.map(Number);
  }

  whole(name: string): number | undefined;
  whole(name: string, otherwise: number): number;
  whole(name: string, otherwise?: number): number | undefined {
    const attribute = this.attributes.get(name);
    return attribute ? Number(attribute.i ?? 0) : otherwise;
  }

  bigint(name: string): bigint | undefined {
    const attribute = this.attributes.get(name);
    return attribute && BigInt(attribute.i ?? 0);
  }

  wholes(name: string): readonly number[] | undefined {
    return this.attributes.get(name)?.ints.map(Number);
  }

  float(name: string): number | undefined;
  float(name: string, otherwise: number): number;
  float(name: string, otherwise?: number): number | undefined {
    const attribute = this.attributes.get(name);
    return attribute ? (attribute.f ?? 0) : otherwise;
  }

  floats(name: string): readonly number[] | undefined {
    return this.attributes.get(name)?.floats;
  }

  text(name: string): string | undefined {
    const bytes = this.attributes.get(name)?.s;
    return bytes && new TextDecoder().decode(bytes);
  }

  tensor(name: string): Constant | undefined {
    const tensor = this.attributes.get(name)?.t;
    return tensor && constantOf(tensor);
  }
}

/** The result of a rule for a node's first output. */
export type Rule = (view: NodeView) => Tensor | Constant;
/** A function of values. */
export type Compute = (values: readonly AnyValue[], view: NodeView) => AnyValue;
