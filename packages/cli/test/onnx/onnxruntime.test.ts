/** Exported models in onnxruntime: each operator and type has the results of the pipeline, or a row of the report. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { type ArrayType, type Checked, check, reference, type ScalarValue } from "@groupwise/core";
import { arraySpec } from "@groupwise/core/target";
import { onlyInFullRuns, requireDevice } from "@groupwise/testkit/conformance";
import { fetched } from "@groupwise/testkit/packed";
import { expect, test } from "vitest";
import { writeModel } from "../../src/onnx/model.ts";
import { exportModel } from "../../src/onnx/write/model.ts";
import { type ExportCase, exportCases } from "./exports.ts";

const VERSION = "1.30.0";

interface RuntimeTensor {
  readonly type: string;
  readonly data: ArrayLike<number | bigint> & { readonly buffer: ArrayBuffer; readonly byteOffset: number };
}
interface Session {
  run(feeds: object): Promise<{ readonly z: RuntimeTensor }>;
}
interface Onnxruntime {
  readonly Tensor: new (type: string, data: unknown, dims: readonly number[]) => RuntimeTensor;
  readonly InferenceSession: { create(model: Uint8Array, options: object): Promise<Session> };
}

const NAMES: Readonly<Partial<Record<ArrayType, string>>> = {
  ...{
    i32: "int32",
    u32: "uint32",
    i64: "int64",
    u64: "uint64",
    f16: "float16",
    f32: "float32",
    f64: "float64",
    bool: "bool",
  },
};
const BOUNDS: Readonly<Partial<Record<string, number>>> = { f16: 2 ** -10, f32: 2 ** -21, f64: 2 ** -50 };

/** Runs an exported model. @throws what onnxruntime throws for a model that it cannot load */
async function runIn(
  ort: Onnxruntime,
  checked: Checked,
  { inputs }: ExportCase,
  model: Uint8Array,
): Promise<ScalarValue[]> {
  const session = await ort.InferenceSession.create(model, { logSeverityLevel: 4 });
  const feeds = checked.inputs.map(({ name, type }) => {
    const { array, toHost } = arraySpec(type);
    const values = inputs[name] ?? [];
    const data = new array(values.length);
    for (const [i, value] of values.entries()) data[i] = toHost(value) as never;
    return [name, new ort.Tensor(NAMES[type] as string, data, [values.length])] as const;
  });
  const { z } = await session.run(Object.fromEntries(feeds));
  const type = Object.keys(NAMES).find((name) => NAMES[name as ArrayType] === z.type) as ArrayType;
  const { data } = z;
  const stored = type === "f16" ? new Uint16Array(data.buffer, data.byteOffset, data.length) : data;
  return Array.from(stored as ArrayLike<number>, arraySpec(type).fromHost);
}

/** How results differ: not, in last bits, or more. */
function difference(
  type: string,
  got: readonly ScalarValue[],
  want: readonly ScalarValue[],
): "equal" | "near" | "differs" {
  if (got.length === want.length && want.every((value, i) => Object.is(value, got[i]))) return "equal";
  const bound = BOUNDS[type] ?? 0;
  const isNear = (a: ScalarValue | undefined, b: ScalarValue): boolean =>
    Object.is(a, b) || (b !== 0 && Math.abs(Number(a) - Number(b)) <= bound * Math.abs(Number(b)));
  return want.every((value, i) => isNear(got[i], value)) ? "near" : "differs";
}

test("exported models have the results of the pipelines in onnxruntime", async (context) => {
  onlyInFullRuns(context, "a sample is in models.test.ts, and exports are imported in export.test.ts");
  const modules = await requireDevice(context, () => fetched(`onnxruntime-node@${VERSION}`));
  const ort = createRequire(join(modules, "x.js"))("onnxruntime-node") as Onnxruntime;
  const counts: Record<string, number> = {};
  const wrong: string[] = [];
  for (const one of exportCases()) {
    const checked = check(one.made.ir);
    const exported = exportModel(checked);
    if ("unwritable" in exported) continue;
    const model = await writeModel(exported.model);
    const n = Object.values(one.inputs)[0]?.length ?? 0;
    const want = reference(checked, { n, inputs: one.inputs }).z ?? [];
    const kind = await runIn(ort, checked, one, model).then(
      (got) => difference(String(Object.values(one.made.outputs)[0]), got, want),
      () => "has no kernel" as const,
    );
    counts[kind] = (counts[kind] ?? 0) + 1;
    if (kind !== "equal" && exported.changes.length === 0) wrong.push(`${one.name} ${kind}`);
  }
  console.log(`onnxruntime ${VERSION}: ${JSON.stringify(counts)}`);
  expect(wrong).toEqual([]);
});
