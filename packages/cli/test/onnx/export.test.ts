/** Pipelines written as models: what they hold, what is refused, and that the import reads them back. */
import { type Checked, check, reference, type Scalar, type ScalarValue } from "@groupwise/core";
import { encodeLiteral, OPS, PipelineNodes, SCALARS } from "@groupwise/core/target";
import * as dsl from "@groupwise/dsl";
import { expect, test } from "vitest";
import { importGraph } from "../../src/onnx/graph.ts";
import { readModel, writeModel } from "../../src/onnx/model.ts";
import { exportModel } from "../../src/onnx/write/model.ts";
import { cli, folder } from "../support.ts";
import { type ExportCase, exportCases } from "./exports.ts";

/** The pipeline after a model was made of it and read. */
async function returned(checked: Checked): Promise<Checked> {
  const exported = exportModel(checked);
  if ("unwritable" in exported) throw new Error(JSON.stringify(exported.unwritable));
  const imported = importGraph(await readModel(await writeModel(exported.model), "model.onnx"));
  if ("uncovered" in imported) throw new Error(JSON.stringify(imported.uncovered));
  return check(imported.pipeline);
}
const refusals = (checked: Checked): string[] => {
  const exported = exportModel(checked);
  return "unwritable" in exported
    ? exported.unwritable.map(({ where, reason }) => `${where}: ${reason}`)
    : [];
};

type Data = Readonly<Record<string, readonly ScalarValue[]>>;
async function expectSame(
  given: { readonly ir: Checked["pipeline"] },
  inputs: Data,
  params = {},
): Promise<void> {
  const checked = check(given.ir);
  const run = { n: Object.values(inputs)[0]?.length ?? 0, inputs, params };
  expect(reference(await returned(checked), run)).toEqual(reference(checked, run));
}
const isRefused = (op: string, type: Scalar): boolean =>
  (["shl", "shr"].includes(op) && type.startsWith("i")) ||
  (op === "absdiff" && !type.startsWith("f")) ||
  (op === "mod" && type.startsWith("f"));

const BY_OP = new Map<string, ExportCase[]>();
for (const one of exportCases()) BY_OP.set(one.op, [...(BY_OP.get(one.op) ?? []), one]);
test.each([...BY_OP])("%s returns the same bits after an export and an import", async (_, cases) => {
  for (const { op, type, made, inputs } of cases)
    if (isRefused(op, type)) expect(refusals(check(made.ir)).length, type).toBe(1);
    else await expectSame(made, inputs);
});

test("reductions of no items are kept", async () => {
  for (const { op, made } of exportCases()) if (op.startsWith("reduce")) await expectSame(made, { x: [] });
});

const { f32, i32, u8, u32, bool, param } = dsl;
test("reductions, scans, votes, casts, parameters and narrow elements are kept", async () => {
  const made = dsl.pipeline(
    "mixed",
    { x: f32, bytes: u8, flags: bool, a: param(f32) },
    ({ x, bytes, flags, a }, { globalSize }) => {
      const mean = x.reduce("add").div(globalSize().toF32());
      const whole = x.toI32();
      return {
        centred: x.sub(mean).mul(a),
        sums: whole.scanInclusive("add"),
        before: whole.scanExclusive("mul"),
        least: whole.reduce("min"),
        most: whole.reduce("max"),
        product: x.reduce("mul"),
        every: flags.all(),
        some: flags.any(),
        chosen: flags.select(whole, 7),
        small: u8(bytes.add(200)),
        n: globalSize(),
      };
    },
  );
  const inputs = {
    x: [1.5, -2.25, 3, 40.5, -7],
    bytes: [0, 1, 100, 255, 56],
    flags: [true, true, false, true, true],
  };
  await expectSame(made, inputs, { a: 0.1 });
  const checked = check(made.ir);
  const exported = exportModel(checked);
  if ("unwritable" in exported) throw new Error("refused");
  const { graph, opsetImport } = exported.model;
  const ops = new Set(graph.node.map(({ opType }) => opType));
  const wanted = "ReduceSum Size CumSum CumProd ReduceProd ReduceMin ReduceMax Where Cast";
  expect([...ops]).toEqual(expect.arrayContaining(wanted.split(" ")));
  expect(opsetImport[0]?.version).toBe("26");
  expect(graph.input.map(({ name }) => name)).toEqual(["x", "bytes", "flags", "a"]);
  expect(graph.output.map(({ name }) => name)).toEqual(checked.sinks.map(({ name }) => name));
});

test("logical reductions and votes of integers that are not 0 or 1 are kept", async () => {
  for (const type of ["i32", "u32", "i64", "u64"] as const) {
    const list = new PipelineNodes();
    const of = list.input("x", type);
    const device = { scope: "device", of } as const;
    for (const op of ["logical-and", "logical-or"] as const) {
      const identity = encodeLiteral(type, OPS[op].identity(type));
      const name = op.replace("-", "_");
      list.output(name, list.add({ kind: "reduce", op, type, identity, order: "fixed", ...device }));
    }
    for (const kind of ["all", "any"] as const) {
      const found = list.add({ kind, ...device });
      list.output(kind, found);
      list.output(`not_${kind}`, list.add({ kind: "unary", op: "not", of: found }));
    }
    for (const x of [[2, 5], [0, 7, 3], [0, 0], []])
      await expectSame({ ir: list.pipeline("votes", [64]) }, { x: x.map(SCALARS[type].whole) });
  }
});

test("names of the document stay free", async () => {
  const made = dsl.pipeline("names", { value: i32 }, ({ value: x }) => ({ value_2: x.add(1).mul(3) }));
  await expectSame(made, { value: [1, 2, 3] });
});

test("everything without a counterpart is told at once, by name", () => {
  const made = dsl.pipeline("odd", { x: u32, y: f32 }, ({ x, y }, { index }) => ({
    bits: x.popcount(),
    place: index().add(x),
    least: x.scanInclusive("min"),
    before: x.at(index().sub(1)),
    group: x.reduce("add", { scope: "work-group" }),
    power: y.exp2().add(1),
    slots: x.scatter({ to: x }),
  }));
  expect(refusals(check(made.ir))).toMatchInlineSnapshot(`
    [
      "node 2 (unary popcount): ONNX has no counterpart",
      "node 3 (query): ONNX has no counterpart of global-linear-id",
      "node 5 (scan-inclusive min): ONNX has no counterpart",
      "node 8 (gather): ONNX has no counterpart",
      "node 9 (reduce add): its scope is the work-group, and ONNX has only the whole range",
      "node 10 (function exp2): ONNX has no counterpart",
      "scatter "slots": ONNX has no counterpart",
    ]
  `);
});

test("the command writes a model, and says what it cannot write", async () => {
  const cwd = folder({
    "sums.mjs":
      'import { f32, pipeline } from "@groupwise/dsl";\nexport default pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.asinh().scanInclusive("add") }));\nexport const odd = pipeline("odd", { x: f32 }, ({ x }) => ({ y: x.cbrt() }));\n',
  });
  expect(await cli(cwd, "export", "sums.mjs", "-o", "sums.onnx")).toMatchObject({
    code: 0,
    out: "sums.onnx\n",
  });
  const back = await cli(cwd, "import", "sums.onnx", "--json");
  expect(back.json().pipeline).toMatchObject({ name: "sums" });
  const changes = ["asinh of f32: other last bits", "scan add of f32: another order of sums and products"];
  const told = await cli(cwd, "export", "sums.mjs", "-o", "sums.onnx", "--json");
  expect(told.json().changes).toEqual(changes);
  expect((await cli(cwd, "export", "sums.mjs", "-o", "sums.onnx")).code).toBe(0);
  const refused = await cli(cwd, "export", "sums.mjs", "--export", "odd", "-o", "odd.onnx", "--json");
  expect(refused.json().error).toMatchObject({
    code: "bad-file",
    what: expect.stringContaining("node 1 (function cbrt)"),
  });
  expect(await cli(cwd, "export", "sums.mjs", "-o", "sums.json")).toMatchObject({ code: 2 });
});
