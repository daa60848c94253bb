/** Names of documents meet no word of gpu.js kernels, nor of what gpu.js makes of them. */
import { emit, type Pipeline, type PipelineNode } from "@groupwise/core";
import { isName, namedCase, namesIn } from "@groupwise/testkit";
import { expect, test } from "vitest";
import { gpujs } from "../src/gpu-js/index.ts";
import { gpuJsRuntime } from "../src/gpu-js/runtime.ts";

const ROLES = 3;
/** Words of each kind in a document: gpu.js makes a function of every output. */
const EACH = 8;

/** Inputs, parameters and outputs by turns; every output but the last, which scans, is the sum of all. */
function documentOf(words: readonly string[], turn: number): Pipeline {
  const nodes: PipelineNode[] = [];
  const put = (node: object): number => nodes.push({ ...node, id: nodes.length } as PipelineNode) - 1;
  const role = (wanted: number): readonly string[] => words.filter((_, i) => (i + turn) % ROLES === wanted);
  const [inputs, params, outputs] = [role(0), role(1), role(2)];
  const values = [
    ...inputs.map((name) => put({ kind: "input", name, type: "f32" })),
    ...params.map((name) => put({ kind: "param", name, type: "f32" })),
  ];
  const sum = values.reduce((left, right) => put({ kind: "binary", op: "add", left, right }));
  const scan = { kind: "scan-inclusive", of: sum, op: "max", type: "f32", identity: "-inf" };
  const scanned = put({ ...scan, scope: "device", order: "fixed" });
  outputs.forEach((name, i) => {
    put({ kind: "output", name, of: i === outputs.length - 1 ? scanned : sum });
  });
  return { format: "groupwise-pipeline", version: 1, name: "names", workGroupSize: [8], nodes };
}

test("names that are words of the text, globals and reserved words", async () => {
  const texts = ["prefix-sum", "map"].map((name) => emit(namedCase(name).ir, gpujs).files[0]?.text ?? "");
  const reserved =
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends " +
    "false finally for function if implements import in instanceof interface let new null package private protected " +
    "public return static super switch this throw true try typeof undefined NaN Infinity var void while with yield " +
    "thread constants output result color kernel passes gpu user PI E Math x y z i j size type";
  const globals = "Array Float32Array Math Number Object WebAssembly globalThis process".split(" ");
  const words = [...new Set([...namesIn(texts), ...reserved.split(" "), ...globals])].filter(isName);
  const runtime = await gpuJsRuntime({ mode: "cpu" });
  for (let at = 0; at < words.length; at += ROLES * EACH) {
    for (let turn = 0; turn < ROLES; turn++) {
      const ir = documentOf(words.slice(at, at + ROLES * EACH), turn);
      const executable = await runtime.compile(ir);
      const values: Record<string, Float32Array | number> = {};
      for (const node of ir.nodes) {
        if (node.kind === "input") values[node.name] = Float32Array.of(1, 2);
        if (node.kind === "param") values[node.name] = 0.5;
      }
      const inputs = ir.nodes.filter(({ kind }) => kind === "input").length;
      const params = ir.nodes.filter(({ kind }) => kind === "param").length;
      const want = Float32Array.of(inputs + params / 2, 2 * inputs + params / 2);
      for (const [name, got] of Object.entries(await executable.run(values))) expect(got, name).toEqual(want);
      executable.dispose();
    }
  }
  runtime.dispose();
});
