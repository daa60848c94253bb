/** The node tests of ONNX: a model, and its inputs and outputs as tensors in files of their own. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ArrayType, ScalarValue } from "@groupwise/core";
import protobuf from "protobufjs/light.js";
import { type Imported, importGraph } from "../../src/onnx/graph.ts";
import { readModel, type TensorProto, type ValueInfoProto } from "../../src/onnx/model.ts";
import { SCHEMA } from "../../src/onnx/schema.ts";
import { type Constant, constantOf } from "../../src/onnx/tensor.ts";
import { resultsOf } from "./run-model.ts";

const TENSOR = protobuf.Root.fromJSON(SCHEMA as never).lookupType("TensorProto");

/** A stored tensor, of the type that the model declares: older data have BFLOAT16 as UINT16. */
function tensorAs({ type }: ValueInfoProto, bytes: Uint8Array = new Uint8Array(0)): TensorProto {
  const tensor = TENSOR.toObject(TENSOR.decode(bytes), { longs: String, arrays: true }) as TensorProto;
  const isBfloat = type?.tensorType?.elemType === 16 && tensor.dataType === 4;
  return isBfloat ? { ...tensor, dataType: 16 } : tensor;
}

export interface NodeTest {
  readonly name: string;
  readonly model: Uint8Array;
  readonly inputs: readonly Uint8Array[];
  readonly outputs: readonly Uint8Array[];
}

/** The tests in a folder of ONNX's data. */
export function testsIn(folder: string): NodeTest[] {
  const read = (at: string, kind: string): Uint8Array[] => {
    const count = readdirSync(at).filter((name) => name.startsWith(kind)).length;
    return Array.from({ length: count }, (_, i) => readFileSync(join(at, `${kind}_${i}.pb`)));
  };
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, "test_data_set_0")))
    .sort()
    .map((name) => {
      const data = join(folder, name, "test_data_set_0");
      const model = readFileSync(join(folder, name, "model.onnx"));
      return { name, model, inputs: read(data, "input"), outputs: read(data, "output") };
    });
}

export type Verdict =
  /** `set` is the number of inputs that had to be made constant. */
  | { readonly kind: "equal"; readonly set: number }
  | { readonly kind: "refused"; readonly reasons: readonly string[] }
  | { readonly kind: "differs"; readonly how: string };

const NEEDED = /pass --set (.*)=VALUE/;
type Given = Readonly<Record<string, TensorProto>>;

/** Imports a model; inputs that must be constant have the values of the test. */
function imported(
  model: Awaited<ReturnType<typeof readModel>>,
  given: Given,
): { found: Imported; set: number } {
  const fixed = new Map<string, Constant>();
  for (;;) {
    const found = importGraph(model, fixed);
    const reasons = "uncovered" in found ? found.uncovered.map(({ reason }) => reason) : [];
    const needed = reasons.flatMap((reason) => NEEDED.exec(reason)?.[1] ?? []);
    const names = needed.filter((name) => !fixed.has(name));
    if (names.length === 0) return { found, set: fixed.size };
    for (const name of names) fixed.set(name, constantOf(given[name] as TensorProto));
  }
}

/** The bounds of ONNX's own runner; integers and bools, and what no operator rounds, are compared by their bits. */
function isNear(type: ArrayType, isExact: boolean, got: ScalarValue | undefined, want: ScalarValue): boolean {
  if (got === want || Object.is(got, want)) return !isExact || Object.is(got, want);
  if (isExact || !type.includes("f")) return false;
  return Math.abs(Number(got) - Number(want)) <= 1e-7 + 1e-3 * Math.abs(Number(want));
}

/** Operators whose results are elements of their operands, or are rounded once. */
const EXACT: ReadonlySet<string> = new Set(
  `Abs Add ArgMax ArgMin Cast CastLike Ceil Clip Compress Concat Constant Div Expand Flatten Floor
  Gather GatherElements GatherND Identity Max Min Mul Neg OneHot Pad ReduceMax ReduceMin Relu Reshape
  ReverseSequence Round Slice Split Sqrt Squeeze Sub Tile TopK Transpose Trilu Unique Unsqueeze Where`.split(
    /\s+/,
  ),
);

export async function verdictOf({ model: bytes, inputs, outputs }: NodeTest): Promise<Verdict> {
  const model = await readModel(bytes, "model.onnx");
  const { graph } = model;
  const held = new Set(graph.initializer.map(({ name }) => name));
  const own = graph.input.filter(({ name }) => !held.has(name));
  const given = Object.fromEntries(own.map((info, i) => [info.name ?? "", tensorAs(info, inputs[i])]));
  const { found, set } = imported(model, given);
  if ("uncovered" in found)
    return { kind: "refused", reasons: found.uncovered.map(({ where, reason }) => `${where}: ${reason}`) };
  const values = Object.fromEntries(
    Object.entries(given).map(([name, one]) => [name, constantOf(one).values]),
  );
  const results = resultsOf(found, values);
  const isExact = graph.node.every(({ opType = "" }) => EXACT.has(opType));
  for (const [i, info] of graph.output.entries()) {
    const { type, values: want } = constantOf(tensorAs(info, outputs[i]));
    const got = results[info.name ?? ""] ?? [];
    if (got.length !== want.length)
      return { kind: "differs", how: `${info.name} has ${got.length} elements and not ${want.length}` };
    const far = want.findIndex((value, k) => !isNear(type, isExact, got[k], value));
    if (far >= 0) return { kind: "differs", how: `${info.name}[${far}] is ${got[far]} and not ${want[far]}` };
  }
  return { kind: "equal", set };
}
