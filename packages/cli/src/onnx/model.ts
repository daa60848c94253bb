/** Models as protobufjs decodes and encodes them. */
import { loadFailure } from "@groupwise/core/target";
import { badFile, badUsage } from "../base/problem.ts";
import { SCHEMA } from "./schema.ts";

/** 64-bit integers are decimal digits; repeated fields are lists; other fields are absent if the file does not have them. */
export interface TensorProto {
  readonly name?: string;
  readonly dims: readonly string[];
  readonly dataType?: number;
  readonly floatData: readonly number[];
  readonly int32Data: readonly number[];
  readonly int64Data: readonly string[];
  readonly uint64Data: readonly string[];
  readonly doubleData: readonly number[];
  readonly rawData?: Uint8Array;
  readonly dataLocation?: number;
}

export interface AttributeProto {
  readonly name?: string;
  readonly f?: number;
  readonly i?: string;
  readonly s?: Uint8Array;
  readonly t?: TensorProto;
  readonly floats: readonly number[];
  readonly ints: readonly string[];
}

export interface NodeProto {
  readonly name?: string;
  readonly opType?: string;
  readonly domain?: string;
  readonly input: readonly string[];
  readonly output: readonly string[];
  readonly attribute: readonly AttributeProto[];
}

export interface DimensionProto {
  readonly dimValue?: string;
  readonly dimParam?: string;
}

export interface ValueInfoProto {
  readonly name?: string;
  readonly type?: {
    readonly tensorType?: {
      readonly elemType?: number;
      readonly shape?: { readonly dim: readonly DimensionProto[] };
    };
  };
}

export interface GraphProto {
  readonly name?: string;
  readonly node: readonly NodeProto[];
  readonly initializer: readonly TensorProto[];
  readonly sparseInitializer: readonly { readonly values?: TensorProto }[];
  readonly input: readonly ValueInfoProto[];
  readonly output: readonly ValueInfoProto[];
}

export interface ModelProto {
  readonly irVersion?: string;
  readonly producerName?: string;
  readonly graph: GraphProto;
  readonly opsetImport: readonly { readonly domain?: string; readonly version?: string }[];
}

const HINT = "npm install protobufjs; only `import` and `export` need it";

/** The message of a model. Only this function loads protobufjs. */
async function messageType(): Promise<import("protobufjs/light.js").Type> {
  const { Root } = await loadProtobuf();
  return Root.fromJSON(SCHEMA as never).lookupType("ModelProto");
}

/**
 * Decodes a model.
 * @throws GroupwiseError `bad-usage` without protobufjs, `bad-file` for data that are not a model
 */
export async function readModel(bytes: Uint8Array, path: string): Promise<ModelProto> {
  const type = await messageType();
  let model: Partial<ModelProto>;
  try {
    model = type.toObject(type.decode(bytes), { longs: String, arrays: true }) as Partial<ModelProto>;
  } catch (error) {
    throw noModel(path, `it is not a protobuf message: ${(error as Error).message}`, error);
  }
  if (model.graph === undefined) throw noModel(path, "it has no graph");
  if (!model.opsetImport?.length) throw noModel(path, "it names no operator set");
  return model as ModelProto;
}

/**
 * Encodes a model.
 * @throws GroupwiseError `bad-usage` without protobufjs
 */
export async function writeModel(model: ModelProto): Promise<Uint8Array> {
  const type = await messageType();
  return type.encode(type.fromObject(model)).finish();
}

const noModel = (path: string, reason: string, cause?: unknown): Error =>
  badFile(path, `it is not an ONNX model: ${reason}`, cause, "pass a file that ONNX's checker accepts");

type Protobuf = typeof import("protobufjs/light.js");

async function loadProtobuf(): Promise<Protobuf> {
  try {
    const module = (await import("protobufjs/light.js")) as Protobuf & { readonly default?: Protobuf };
    return module.default ?? module;
  } catch (error) {
    throw badUsage(`ONNX models cannot be read or written: ${loadFailure("protobufjs", error)}`, HINT);
  }
}
