/** Models by protobufjs and the schema of the import. */
import protobuf from "protobufjs/light.js";
import { SCHEMA } from "../../src/onnx/schema.ts";

const TYPE = protobuf.Root.fromJSON(SCHEMA as never).lookupType("ModelProto");

export const FLOAT = 1;
export const INT64 = 7;

export interface NodeParts {
  readonly op: string;
  readonly input: readonly string[];
  readonly output: readonly string[];
  readonly name?: string;
  readonly domain?: string;
  readonly attribute?: readonly object[];
}

/** An input or output: its type, and its sides as numbers or names. */
export const tensor = (name: string, elemType: number, dims?: readonly (number | string)[]): object => ({
  name,
  type: {
    tensorType: {
      elemType,
      ...(dims && {
        shape: {
          dim: dims.map((side) => (typeof side === "number" ? { dimValue: side } : { dimParam: side })),
        },
      }),
    },
  },
});

export interface ModelParts {
  readonly nodes: readonly NodeParts[];
  readonly input?: readonly object[];
  readonly output?: readonly object[];
  readonly initializer?: readonly object[];
  readonly name?: string;
  readonly more?: object;
  /** Of the operator set. */
  readonly version?: number;
}

/** The bytes of a model; without inputs it has `x`, floats of N items, and an output for each node. */
export function modelOf({
  nodes,
  input,
  output,
  initializer = [],
  name = "model",
  more = {},
  version = 21,
}: ModelParts): Uint8Array {
  const graph = {
    name,
    node: nodes.map(({ op, ...node }) => ({ ...node, opType: op })),
    input: input ?? [tensor("x", FLOAT, ["N"])],
    output: output ?? nodes.flatMap((node) => node.output.map((to) => tensor(to, FLOAT))),
    initializer,
    ...more,
  };
  return TYPE.encode(TYPE.fromObject({ irVersion: 10, opsetImport: [{ version }], graph })).finish();
}

/** A constant of whole numbers. */
export const wholes = (name: string, values: readonly number[]): object => ({
  name,
  dataType: INT64,
  dims: [values.length],
  int64Data: values,
});
