/** The node tests of ONNX: a model, and inputs and outputs as tensors in files of their own. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { check, reference, type ScalarValue } from "@groupwise/core";
import protobuf from "protobufjs/light.js";
import { type Imported, importGraph } from "../../src/onnx/graph.ts";
import { readModel, type TensorProto, type ValueInfoProto } from "../../src/onnx/model.ts";
import { Refusal } from "../../src/onnx/refusal.ts";
import { SCHEMA } from "../../src/onnx/schema.ts";
import { type Constant, constantOf } from "../../src/onnx/tensor.ts";

const TENSOR = protobuf.Root.fromJSON(SCHEMA as never).lookupType("TensorProto");
const tensorOf = (bytes: Uint8Array): TensorProto =>
  TENSOR.toObject(TENSOR.decode(bytes), { longs: String, arrays: true }) as TensorProto;

/** A stored tensor, of the type that the model declares: older data have BFLOAT16 as UINT16. */
const tensorAs = ({ type }: ValueInfoProto, bytes = new Uint8Array(0)): TensorProto => {
  const tensor = tensorOf(bytes);
  const declared = type?.tensorType?.elemType;
  return tensor.dataType === 4 && declared === 16 ? { ...tensor, dataType: declared } : tensor;
};

export interface Case {
  readonly name: string;
  readonly model: Uint8Array;
  readonly inputs: readonly Uint8Array[];
  readonly outputs: readonly Uint8Array[];
}

/** The cases in a folder of ONNX's test data. */
export function casesIn(folder: string): Case[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const at = join(folder, name);
      const data = join(at, "test_data_set_0");
      if (!existsSync(join(at, "model.onnx")) || !existsSync(data)) return [];
      const files = (kind: string): Uint8Array[] => {
        const found: Uint8Array[] = [];
        for (let i = 0; existsSync(join(data, `${kind}_${i}.pb`)); i += 1)
          found.push(readFileSync(join(data, `${kind}_${i}.pb`)));
        return found;
      };
      return [
        {
          name,
          model: readFileSync(join(at, "model.onnx")),
          inputs: files("input"),
          outputs: files("output"),
        },
      ];
    });
}

export type Verdict =
  | { readonly kind: "equal" }
  | { readonly kind: "refused"; readonly reasons: readonly string[] }
  | { readonly kind: "differs"; readonly how: string };

type Data = Readonly<Record<string, Constant>>;

const NEEDED = /pass --set (.*)=VALUE/;

/** Imports a case; inputs that must be constant have the values of the case. */
export async function importCase({
  model,
  inputs,
}: Case): Promise<{ found: Imported; given: Data; fixed: number }> {
  const read = await readModel(model, "model.onnx");
  const held = new Set(read.graph.initializer.map(({ name }) => name));
  const own = read.graph.input.filter(({ name }) => !held.has(name));
  const given = Object.fromEntries(own.map((info, i) => [info.name ?? "", tensorAs(info, inputs[i])]));
  const fixed = new Map<string, Constant>();
  for (;;) {
    const found = importGraph(read, fixed);
    const reasons = "uncovered" in found ? found.uncovered.map(({ reason }) => reason) : [];
    const needed = reasons
      .flatMap((reason) => NEEDED.exec(reason)?.[1] ?? [])
      .filter((name) => !fixed.has(name));
    if (needed.length === 0) {
      const values =
        "uncovered" in found
          ? {}
          : Object.fromEntries(Object.entries(given).map(([name, tensor]) => [name, constantOf(tensor)]));
      return { found, given: values, fixed: fixed.size };
    }
    for (const name of needed) fixed.set(name, constantOf(given[name] as TensorProto));
  }
}

const EXACT = new Set(["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "bool"]);

export async function verdictOf(one: Case): Promise<Verdict> {
  let made: Awaited<ReturnType<typeof importCase>>;
  try {
    made = await importCase(one);
  } catch (error) {
    if (error instanceof Refusal) return { kind: "refused", reasons: [error.message] };
    throw error;
  }
  const { found, given } = made;
  if ("uncovered" in found)
    return { kind: "refused", reasons: found.uncovered.map(({ where, reason }) => `${where}: ${reason}`) };
  const checked = check(found.pipeline);
  const modelName = (own: string): string => found.names.find((n) => n.pipeline === own)?.model ?? own;
  const valuesOf = (name: string): readonly ScalarValue[] => given[modelName(name)]?.values ?? [];
  const lists = (nodes: readonly { readonly name: string }[]) =>
    Object.fromEntries(nodes.map(({ name }) => [name, valuesOf(name)]));
  const n = found.items ?? Math.max(1, ...checked.inputs.map(({ name }) => valuesOf(name).length));
  const results = reference(checked, {
    n,
    inputs: lists(checked.inputs),
    tables: lists(checked.tables),
    params: Object.fromEntries(checked.params.map(({ name }) => [name, valuesOf(name)[0]])) as never,
  });
  const { graph } = await readModel(one.model, "model.onnx");
  for (const [i, info] of graph.output.entries()) {
    const { name = "" } = info;
    const want = constantOf(tensorAs(info, one.outputs[i]));
    const own = found.names.find((n) => n.model === name)?.pipeline ?? name;
    const got = [...(results[own] ?? [])];
    if (got.length !== want.values.length)
      return { kind: "differs", how: `${name}: ${got.length} elements for ${want.values.length}` };
    for (const [k, value] of want.values.entries()) {
      const [a, b] = [got[k], value];
      const close =
        Object.is(a, b) ||
        a === b ||
        (!EXACT.has(want.type) && Math.abs(Number(a) - Number(b)) <= 1e-7 + 1e-3 * Math.abs(Number(b)));
      if (!close) return { kind: "differs", how: `${name}[${k}]: ${a} for ${b}` };
    }
  }
  return { kind: "equal", fixed: made.fixed } as never;
}
