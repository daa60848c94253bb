/** The nodes of a graph that is being written. */
import type { ArrayType, Scalar, ScalarValue } from "@groupwise/core";
import { Names } from "@groupwise/core/kernel";
import { arraySpec } from "@groupwise/core/target";
import type { AttributeProto, NodeProto, TensorProto, ValueInfoProto } from "../model.ts";
import { Refusal } from "../refusal.ts";
import { numberOfType } from "../types.ts";

/** AttributeProto.AttributeType. */
const ATTRIBUTE_TYPES = { i: 2, s: 3, t: 4 } as const;
type Attribute = bigint | string | TensorProto;

/** The number of a type in ONNX. @throws Refusal */
function typeNumber(type: ArrayType): number {
  const number = numberOfType(type);
  if (number === undefined) throw new Refusal(`ONNX has no elements of the type ${type}`);
  return number;
}

/** A tensor of n elements, or of one. */
export const valueInfo = (name: string, type: ArrayType, isArray: boolean): ValueInfoProto => ({
  name,
  type: {
    tensorType: { elemType: typeNumber(type), shape: { dim: isArray ? [{ dimParam: "n" }] : [] } },
  },
});

function tensorOf(type: Scalar, value: ScalarValue): TensorProto {
  const { array, toHost } = arraySpec(type);
  const stored = new array(1);
  stored[0] = toHost(value) as never;
  const none = { dims: [], floatData: [], int32Data: [], int64Data: [], uint64Data: [], doubleData: [] };
  return { ...none, dataType: typeNumber(type), rawData: new Uint8Array(stored.buffer) };
}

function attributeOf(name: string, value: Attribute): AttributeProto & { readonly type: number } {
  const none = { name, floats: [], ints: [] };
  if (typeof value === "bigint") return { ...none, i: value.toString(), type: ATTRIBUTE_TYPES.i };
  if (typeof value === "string")
    return { ...none, s: new TextEncoder().encode(value), type: ATTRIBUTE_TYPES.s };
  return { ...none, t: value, type: ATTRIBUTE_TYPES.t };
}

/** The version of the operator set that has what most pipelines use. */
const USUAL_VERSION = 21;

export class GraphWriter {
  readonly nodes: NodeProto[] = [];
  /** The version of the operator set. */
  version: number = USUAL_VERSION;
  private readonly names: Names;

  /** @param taken names of inputs and outputs */
  constructor(taken: Iterable<string>) {
    this.names = new Names(taken);
  }

  /** Adds a node. @returns the name of its output */
  add(
    opType: string,
    input: readonly string[],
    attributes: Readonly<Record<string, Attribute>> = {},
    output: string = this.names.fresh("value"),
  ): string {
    const attribute = Object.entries(attributes).map(([name, value]) => attributeOf(name, value));
    this.nodes.push({ name: `${opType}_${this.nodes.length}`, opType, input, output: [output], attribute });
    return output;
  }

  constant(type: Scalar, value: ScalarValue): string {
    return this.add("Constant", [], { value: tensorOf(type, value) });
  }

  cast(value: string, to: ArrayType): string {
    return this.add("Cast", [value], { to: BigInt(typeNumber(to)) });
  }

  /** The model needs an operator of a later version. */
  require(version: number): void {
    this.version = Math.max(this.version, version);
  }
}
