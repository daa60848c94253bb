import { GroupwiseError } from "@groupwise/core";
import { isFullRun } from "@groupwise/testkit/conformance";
import fc from "fast-check";
import { expect, test } from "vitest";
import { importGraph, ONNX_OPERATORS } from "../../src/onnx/graph.ts";
import { readModel } from "../../src/onnx/model.ts";
import { FLOAT, INT64, type ModelParts, modelOf, tensor, wholes } from "./make.ts";

const imported = async (parts: ModelParts) => importGraph(await readModel(modelOf(parts), "model.onnx"));
/** What is reported of a model, a line for each part. */
async function told(parts: ModelParts): Promise<string[]> {
  const found = await imported(parts);
  return "uncovered" in found ? found.uncovered.map(({ where, reason }) => `${where}: ${reason}`) : [];
}

const x = tensor("x", FLOAT, ["N"]);
/** Nodes of the operator with the inputs, each of which gives "y". */
const node = (op: string, inputs = "x", attribute: object[] = [], output = "y") => ({
  ...{ op, attribute, input: inputs.split(" "), output: output.split(" ") },
});
const sum = (attribute: object[] = [], inputs = "x") => [node("ReduceSum", inputs, attribute)];
const int = (name: string, i: number) => [{ name, i, type: 2 }];
const one = (op: string, inputs = "x", attribute: object[] = []) => ({
  nodes: [node(op, inputs, attribute)],
});
/** A sum of x, of any number of items, and a constant. */
const constant = (dims: number[], more: object) => ({
  ...{ ...one("Add", "x c"), initializer: [{ name: "c", dataType: FLOAT, dims, ...more }] },
});
/** With an x of these sides. */
const ofSides = (...dims: (string | number)[]) => ({ input: [tensor("x", FLOAT, dims)] });
const axis = [wholes("axis", [1])];

test("all unsupported nodes are reported at once, by name, without the nodes that depend on them", async () => {
  const nodes = [
    { ...node("Conv", "x", [], "a"), name: "first" },
    node("Exp", "a", [], "b"),
    { ...node("Loop", "b", [], "c"), name: 'a "loop"' },
    { ...node("Gelu", "x", [], "d"), domain: "com.microsoft" },
    { ...node("And", "x x", [], "e"), name: "floats" },
    node("Neg", "nowhere", [], "f"),
    node("Split", "x", [], "g h"),
  ];
  expect(await told({ nodes })).toEqual([
    'node "first" (Conv): the operator is not covered',
    'node "a \\"loop\\"" (Loop): the operator is not covered',
    'node "d" (com.microsoft.Gelu): its domain is not that of ONNX',
    'node "floats" (And): and does not exist for f32',
    'node "f" (Neg): nothing gives its input "nowhere"',
    'node "g" (Split): the side 0 of the shape [N] is no number',
  ]);
});

const ROWS: readonly [string, ModelParts, RegExp][] = [
  [
    "an axis before one of an unknown side",
    { nodes: sum([], "x axis"), ...ofSides("N", 4, "M"), initializer: axis },
    /elements of \[M\] does not follow from 4\*M\*N/,
  ],
  [
    "an axis that does not exist",
    { nodes: sum([], "x axis"), initializer: axis },
    /axis 1 is not one of 1 axes/,
  ],
  [
    "computed axes",
    { nodes: [node("Cast", "x", int("to", INT64), "a"), ...sum([], "x a")] },
    /axes are computed from data, and must be constant/,
  ],
  ["a scan without an axis", one("CumSum"), /axis is missing/],
  [
    "a scan of rows",
    { ...one("CumSum", "x axis"), ...ofSides("M", "N"), initializer: axis },
    /elements of \[N\] does not follow from M\*N/,
  ],
  [
    "softmax of rows",
    { ...one("Softmax"), ...ofSides("M", "N") },
    /elements of \[N\] does not follow from M\*N/,
  ],
  [
    "two shapes",
    { ...one("Add", "x z"), input: [x, tensor("z", FLOAT, ["M"])] },
    /input "z": its shape \[M\] differs from \[N\]/,
  ],
  [
    "an outer product",
    { nodes: [node("Unsqueeze", "x axis", [], "u"), node("Add", "u x")], initializer: axis },
    /elements of \[N, N\] does not follow from N/,
  ],
  [
    "a long array of constants",
    { ...constant([65], { floatData: Array.from({ length: 65 }, (_, i) => i) }), ...ofSides("N", 65) },
    /shape \[65\].*make it an input/,
  ],
  [
    "batches below 0",
    { ...one("GatherND", "x c", int("batch_dims", -1)), initializer: [wholes("c", [0])] },
    /batch_dims are -1/,
  ],
  ["too few values", constant([3], { floatData: [1, 2] }), /2 values for 3/],
  ["data elsewhere", constant([1], { dataLocation: 1 }), /another file/],
  ["texts", { ...one("Identity"), input: [tensor("x", 8, ["N"])] }, /type is STRING/],
  ["a type of 8 bits", { nodes: sum(), input: [tensor("x", 17, ["N"])] }, /type is FLOAT8E4M3FN/],
  ["a type of a later version", { nodes: sum(), input: [tensor("x", 99, ["N"])] }, /type is type 99/],
  ["a cast to a type of 8 bits", one("Cast", "x", int("to", 17)), /it casts to FLOAT8E4M3FN/],
  ["a later operator set", { nodes: sum(), version: 29 }, /operator set is 29.*up to 28/],
  [
    "an attribute that the rule does not know",
    { ...one("Add", "x x", int("axis", 1)), version: 6 },
    /attribute "axis" is not covered/,
  ],
  ["no shape", { nodes: sum(), input: [tensor("x", FLOAT)] }, /shape is unknown/],
  ["a sequence", { nodes: sum(), input: [{ name: "x", type: {} }] }, /not a tensor/],
  [
    "sparse constants",
    { nodes: sum(), more: { sparseInitializer: [{ values: { name: "w" } }] } },
    /initializer "w": it is sparse/,
  ],
  ["an output of nothing", { nodes: sum(), output: [tensor("z", FLOAT)] }, /output "z": no node gives it/],
  ["a remainder of floats without fmod", one("Mod", "x x"), /fmod is 0/],
  ["a mixture of types", { ...one("Add", "x z"), input: [x, tensor("z", INT64, ["N"])] }, /must be/],
];
test.each(ROWS)("%s", async (_, parts, reason) => {
  const lines = await told(parts);
  expect(lines.length).toBeGreaterThan(0);
  expect(lines[0]).toMatch(reason);
});

test("names of any text become names of documents", async () => {
  const nodes = [
    { op: "Neg", input: ["/x:0"], output: ["a b"] },
    { op: "Exp", input: ["a b"], output: ["a/b"] },
    node("Abs", "a/b", [], "\u001b[31m"),
    node("Sqrt", "a/b", [], "__"),
  ];
  const found = await imported({ nodes, input: [tensor("/x:0", FLOAT, ["N"])], name: "*/ main() {" });
  expect(found).toMatchObject({
    pipeline: { name: "main" },
    names: [
      { model: "/x:0", pipeline: "x_0" },
      { model: "a b", pipeline: "a_b" },
      { model: "a/b", pipeline: "a_b_2" },
      { model: "\u001b[31m", pipeline: "m" },
      { model: "__", pipeline: "output" },
    ],
  });
});

test("files that are not models", async () => {
  const problem = (bytes: Uint8Array) => readModel(bytes, "m.onnx").catch((error: unknown) => error);
  expect(await problem(new Uint8Array(0))).toMatchObject({
    code: "bad-file",
    what: expect.stringContaining("no graph"),
  });
  expect(await problem(Uint8Array.of(0xff, 0xff))).toMatchObject({ code: "bad-file" });
  const whole = modelOf({ nodes: sum() });
  expect(await problem(whole.subarray(0, whole.length - 3))).toMatchObject({ code: "bad-file" });
});

test("damaged models end with typed errors, or with a pipeline", async () => {
  const nodes = [node("CumSum", "x a", [], "s"), ...sum(int("keepdims", 0), "s")];
  const whole = modelOf({ nodes, initializer: [wholes("a", [0])] });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 4 }),
      async (changes) => {
        const bytes = whole.slice();
        for (const [at, value] of changes) bytes[at] = value;
        try {
          importGraph(await readModel(bytes, "m.onnx"));
        } catch (error) {
          expect(error).toBeInstanceOf(GroupwiseError);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test("operators with any attributes, shapes and constants end with a pipeline, a refusal or a typed error", async () => {
  const small = fc.integer({ min: -3, max: 5 });
  const names =
    "axis axes perm blocksize batch_dims keepdims k num_outputs time_axis upper mode exclusive".split(" ");
  const shapeOf = fc.array(fc.oneof(fc.integer({ min: 0, max: 4 }), fc.constant("N")), { maxLength: 4 });
  const input = fc.record({ dims: shapeOf, type: fc.constantFrom(FLOAT, INT64, 3, 9, 16) });
  const constantInput = fc.array(small, { maxLength: 4 });
  const attribute = fc.tuple(fc.constantFrom(...names), fc.oneof(small, fc.array(small, { maxLength: 4 })));
  const model = fc.record({
    op: fc.constantFrom(...ONNX_OPERATORS),
    operands: fc.array(fc.oneof(input, constantInput), { minLength: 1, maxLength: 4 }),
    attributes: fc.array(attribute, { maxLength: 2 }),
    version: fc.constantFrom(6, 11, 13, 18, 28),
  });
  await fc.assert(
    fc.asyncProperty(model, async ({ op, operands, attributes, version }) => {
      const name = (i: number): string => `x${i}`;
      const nodes = [
        {
          op,
          input: operands.map((_, i) => name(i)),
          output: ["y"],
          attribute: attributes.map(([key, value]) =>
            Array.isArray(value) ? { name: key, ints: value, type: 7 } : { name: key, i: value, type: 2 },
          ),
        },
      ];
      const parts = {
        nodes,
        input: operands.flatMap((one, i) =>
          Array.isArray(one) ? [] : [tensor(name(i), one.type, one.dims)],
        ),
        initializer: operands.flatMap((one, i) => (Array.isArray(one) ? [wholes(name(i), one)] : [])),
        version,
      };
      try {
        await imported(parts);
      } catch (error) {
        expect(error, JSON.stringify(parts)).toBeInstanceOf(GroupwiseError);
      }
    }),
    { numRuns: isFullRun() ? 20000 : 150 },
  );
});
