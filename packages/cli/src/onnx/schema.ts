/**
 * The messages and fields of ONNX's protobuf schema that the import reads, as a descriptor for protobufjs; others are skipped.
 * Source: onnx/onnx.proto3 of the ONNX specification, IR version 10.
 */

interface Field {
  readonly id: number;
  readonly type: string;
  readonly rule?: "repeated";
}
type Fields = Readonly<Record<string, Field>>;

const one = (type: string, id: number): Field => ({ type, id });
const many = (type: string, id: number): Field => ({ rule: "repeated", type, id });

const MESSAGES: Readonly<Record<string, Fields>> = {
  ModelProto: {
    irVersion: one("int64", 1),
    producerName: one("string", 2),
    graph: one("GraphProto", 7),
    opsetImport: many("OperatorSetIdProto", 8),
  },
  OperatorSetIdProto: { domain: one("string", 1), version: one("int64", 2) },
  GraphProto: {
    node: many("NodeProto", 1),
    name: one("string", 2),
    initializer: many("TensorProto", 5),
    input: many("ValueInfoProto", 11),
    output: many("ValueInfoProto", 12),
    sparseInitializer: many("SparseTensorProto", 15),
  },
  NodeProto: {
    input: many("string", 1),
    output: many("string", 2),
    name: one("string", 3),
    opType: one("string", 4),
    attribute: many("AttributeProto", 5),
    domain: one("string", 7),
  },
  AttributeProto: {
    name: one("string", 1),
    f: one("float", 2),
    i: one("int64", 3),
    s: one("bytes", 4),
    t: one("TensorProto", 5),
    floats: many("float", 7),
    ints: many("int64", 8),
    type: one("int32", 20),
  },
  TensorProto: {
    dims: many("int64", 1),
    dataType: one("int32", 2),
    floatData: many("float", 4),
    int32Data: many("int32", 5),
    int64Data: many("int64", 7),
    name: one("string", 8),
    rawData: one("bytes", 9),
    doubleData: many("double", 10),
    uint64Data: many("uint64", 11),
    dataLocation: one("int32", 14),
  },
  SparseTensorProto: { values: one("TensorProto", 1) },
  ValueInfoProto: { name: one("string", 1), type: one("TypeProto", 2) },
  TypeProto: { tensorType: one("TensorTypeProto", 1) },
  TensorTypeProto: { elemType: one("int32", 1), shape: one("TensorShapeProto", 2) },
  TensorShapeProto: { dim: many("DimensionProto", 1) },
  DimensionProto: { dimValue: one("int64", 1), dimParam: one("string", 2) },
};

/** Fields of which a message has one, so that a side of 0 is not a side that is absent. */
const ONE_OF: Readonly<Record<string, readonly string[]>> = { DimensionProto: ["dimValue", "dimParam"] };

interface Message {
  readonly fields: Fields;
  readonly oneofs?: { readonly value: { readonly oneof: readonly string[] } };
}
/** The descriptor, as `Root.fromJSON` of protobufjs takes it. */
export const SCHEMA: { readonly nested: Readonly<Record<string, Message>> } = {
  nested: Object.fromEntries(
    Object.entries(MESSAGES).map(([name, fields]) => {
      const oneof = ONE_OF[name];
      return [name, { fields, ...(oneof && { oneofs: { value: { oneof } } }) }];
    }),
  ),
};
