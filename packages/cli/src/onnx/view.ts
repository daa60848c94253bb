/** The interface of a node for rules. */
import type { Scatter } from "@groupwise/dsl";
import type { AttributeProto, NodeProto } from "./model.ts";
import { Refusal } from "./refusal.ts";
import type { ItemSpace, Tensor } from "./space.ts";
import { type Constant, constantOf, embedded } from "./tensor.ts";
import { arrayTypeOf, typeName } from "./types.ts";

/** The meaning of a name in the graph: a tensor, or a constant, which becomes one when a node uses it as data. */
export interface KnownName {
  readonly type: Tensor["type"];
  readonly dims: Tensor["dims"];
  readonly tensor?: Tensor;
  readonly constant?: Constant;
  /** The name of an input of the graph. */
  readonly given?: string;
  /** What a document returns for a tensor whose length depends on data. */
  readonly sink?: Scatter;
}

/** A tensor whose length depends on data: it can only be an output. */
export interface UnknownLength {
  readonly type: Tensor["type"];
  readonly dims: Tensor["dims"];
  readonly sink: Scatter;
}

export const knownOf = (made: NodeResult): KnownName => {
  const { type, dims } = made;
  if ("sink" in made) return made;
  return "read" in made ? { type, dims, tensor: made } : { type, dims, constant: made };
};

/** Attributes that change no result here: hints and permissions of early versions, and the handling of values past the range of types that are refused. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set([
  "broadcast",
  "consumed_inputs",
  "saturate",
  "round_mode",
]);

/** A node whose inputs are known. */
export class NodeView {
  readonly op: string;
  /** The number of outputs. */
  readonly outputs: number;
  /** The version of the operator set. */
  readonly version: number;
  readonly space: ItemSpace;
  private readonly inputs: readonly (KnownName | undefined)[];
  private readonly attributes: ReadonlyMap<string, AttributeProto>;
  private readonly unread: Set<string>;

  constructor(
    node: NodeProto,
    inputs: readonly (KnownName | undefined)[],
    version: number,
    space: ItemSpace,
  ) {
    this.op = node.opType ?? "";
    this.outputs = node.output.length;
    this.version = version;
    this.space = space;
    this.inputs = inputs;
    this.attributes = new Map(node.attribute.map((attribute) => [attribute.name ?? "", attribute]));
    this.unread = new Set([...this.attributes.keys()].filter((name) => !WITHOUT_EFFECT.has(name)));
  }

  private attribute(name: string): AttributeProto | undefined {
    this.unread.delete(name);
    return this.attributes.get(name);
  }

  /** @throws Refusal for an attribute that the rule did not ask for */
  requireRead(): void {
    const [name] = this.unread;
    if (name !== undefined) throw new Refusal(`its attribute ${JSON.stringify(name)} is not covered`);
  }

  /** The type that an attribute names; undefined if it is absent. @throws Refusal */
  typeOf(name: string): Tensor["type"] | undefined {
    const number = this.whole(name);
    const type = arrayTypeOf(number);
    if (number !== undefined && type === undefined) throw new Refusal(`its type is ${typeName(number)}`);
    return type;
  }

  has(index: number): boolean {
    return this.inputs[index] !== undefined;
  }

  /** The type and the shape of an input. @throws Refusal if there is no such input */
  shape(index: number): Pick<Tensor, "type" | "dims"> {
    const known = this.inputs[index];
    if (known === undefined) throw new Refusal(`its input ${index} is missing`);
    return known;
  }

  /** @throws Refusal if there is no such input */
  input(index: number): Tensor {
    this.shape(index);
    const { tensor, constant, sink } = this.inputs[index] as KnownName;
    if (sink) throw new Refusal(`the length of its input ${index} depends on data: it can only be an output`);
    return tensor ?? embedded(constant as Constant);
  }

  all(): Tensor[] {
    return this.inputs.map((_, index) => this.input(index));
  }

  /** A constant input; undefined if it is computed or absent. */
  constantOf(index: number): Constant | undefined {
    return this.inputs[index]?.constant;
  }

  /** An input that must be constant; undefined if it is absent. @throws Refusal */
  constantInput(index: number, what: string): Constant | undefined {
    const known = this.inputs[index];
    if (known === undefined || known.constant) return known?.constant;
    if (known.given === undefined) throw new Refusal(`its ${what} computed from data, and must be constant`);
    throw new Refusal(
      `its ${what} the input ${JSON.stringify(known.given)}, and must be constant: pass --set ${known.given}=VALUE`,
    );
  }

  /** Whole numbers of an input that must be constant; undefined if it is absent. `what` includes the verb. @throws Refusal */
  wholeInput(index: number, what: string): readonly number[] | undefined {
    return this.constantInput(index, what)?.values.map(Number);
  }

  whole(name: string): number | undefined;
  whole(name: string, otherwise: number): number;
  whole(name: string, otherwise?: number): number | undefined {
    const attribute = this.attribute(name);
    return attribute ? Number(attribute.i ?? 0) : otherwise;
  }

  bigint(name: string): bigint | undefined {
    const attribute = this.attribute(name);
    return attribute && BigInt(attribute.i ?? 0);
  }

  wholes(name: string): readonly number[] | undefined {
    return this.attribute(name)?.ints.map(Number);
  }

  float(name: string): number | undefined;
  float(name: string, otherwise: number): number;
  float(name: string, otherwise?: number): number | undefined {
    const attribute = this.attribute(name);
    return attribute ? (attribute.f ?? 0) : otherwise;
  }

  floats(name: string): readonly number[] | undefined {
    return this.attribute(name)?.floats;
  }

  text(name: string): string | undefined {
    const bytes = this.attribute(name)?.s;
    return bytes && new TextDecoder().decode(bytes);
  }

  tensor(name: string): Constant | undefined {
    const tensor = this.attribute(name)?.t;
    return tensor && constantOf(tensor);
  }
}

/** The result for an output of a node. */
export type NodeResult = Tensor | Constant | UnknownLength;
/** The results of a node, by output. */
export type Rule = (view: NodeView) => NodeResult | readonly (NodeResult | undefined)[];
