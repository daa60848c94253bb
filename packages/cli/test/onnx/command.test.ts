import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parsePipeline } from "@groupwise/core/schema";
import { expect, test } from "vitest";
import { ONNX_OPERATORS } from "../../src/onnx/graph.ts";
import { cli, folder, listed } from "../support.ts";
import { FLOAT, INT64, modelOf, tensor, wholes } from "./make.ts";

const nodes = [
  { op: "Sub", input: ["x", "a"], output: ["d"] },
  { op: "CumSum", input: ["d", "axis"], output: ["running/total"] },
  { op: "ReduceMax", input: ["d"], output: ["most"] },
];
const initializer = [wholes("axis", [0])];
const input = [tensor("x", FLOAT, ["N"]), tensor("a", FLOAT, [])];
const output = [tensor("running/total", FLOAT), tensor("most", FLOAT)];
const model = modelOf({ nodes, input, output, initializer, name: "sums" });

test("a model becomes a document, which the other commands accept", async () => {
  const cwd = folder({ "sums.onnx": model, "x.csv": "1\n2.5\n-4\n" });
  const printed = await cli(cwd, "import", "sums.onnx");
  expect(printed.code).toBe(0);
  expect(parsePipeline(printed.out).pipeline.name).toBe("sums");
  expect(printed.err).toBe('"running/total" is named running_total\n');

  const written = await cli(cwd, "import", "sums.onnx", "-o", "out/sums.json", "--json");
  expect(written.json()).toMatchObject({
    ok: true,
    command: "import",
    pipeline: "sums",
    out: "out/sums.json",
  });
  expect(readFileSync(join(cwd, "out/sums.json"), "utf8")).toBe(printed.out);

  const run = await cli(cwd, "run", "out/sums.json", "-i", "x=x.csv:0", "-p", "a=0.5", "--json");
  expect(run.json().outputs).toMatchObject({
    running_total: { first: [0.5, 2.5, -2], type: "f32" },
    most: { first: [2], length: 1 },
  });
  expect((await cli(cwd, "check", "out/sums.json")).code).toBe(0);
  const emitted = await cli(cwd, "emit", "out/sums.json", "--target", "wgsl,c,js", "--out", "kernels");
  expect(emitted.code).toBe(0);
  expect(listed(join(cwd, "kernels")).length).toBeGreaterThan(5);
});

test("files that groupwise did not write are kept, and unsupported models write nothing", async () => {
  const conv = modelOf({ nodes: [{ op: "Conv", name: "c", input: ["x"], output: ["y"] }] });
  const cwd = folder({ "sums.onnx": model, "conv.onnx": conv, "mine.json": "{}" });
  const kept = await cli(cwd, "import", "sums.onnx", "-o", "mine.json");
  expect([kept.code, kept.err]).toMatchObject([2, expect.stringContaining("was not made by groupwise")]);
  expect((await cli(cwd, "import", "sums.onnx", "-o", "mine.json", "--force")).code).toBe(0);

  const refused = await cli(cwd, "import", "conv.onnx", "-o", "conv.json", "--json");
  expect(refused.code).toBe(2);
  expect(refused.json().error).toMatchObject({
    code: "bad-file",
    what: expect.stringContaining('node "c" (Conv): the operator is not covered'),
  });
  expect(listed(cwd)).toEqual(["conv.onnx", "mine.json", "sums.onnx"]);
  expect((await cli(cwd, "import", "none.onnx")).code).toBe(2);
});

test("an input of the model becomes a constant by --set", async () => {
  const cumsum = modelOf({
    nodes: [{ op: "CumSum", input: ["x", "axis"], output: ["y"] }],
    input: [tensor("x", FLOAT, [2, 3]), tensor("axis", INT64, [])],
  });
  const cwd = folder({ "cumsum.onnx": cumsum, "x.csv": "1\n2\n3\n4\n5\n6\n" });
  const problem = async (...args: string[]) =>
    (await cli(cwd, "import", "cumsum.onnx", ...args, "--json")).json().error;
  expect(await problem()).toMatchObject({
    code: "bad-file",
    what: expect.stringContaining("--set axis=VALUE"),
  });
  expect(await problem("--set", "axs=1")).toMatchObject({
    code: "bad-usage",
    hint: expect.stringContaining("axis"),
  });
  expect(await problem("--set", "axis=1.5")).toMatchObject({ code: "bad-usage" });
  expect((await cli(cwd, "import", "cumsum.onnx", "--set", "axis=1", "-o", "p.json")).code).toBe(0);
  const run = await cli(cwd, "run", "p.json", "-i", "x=x.csv:0", "--json");
  expect(run.json().outputs.y.first).toEqual([1, 3, 6, 4, 9, 15]);
});

test("a result that is larger than every input has its number of items told", async () => {
  const nodes = [{ op: "Add", input: ["x", "y"], output: ["z"] }];
  const given = [tensor("x", FLOAT, [3, 1]), tensor("y", FLOAT, [1, 2])];
  const cwd = folder({
    "outer.onnx": modelOf({ nodes, input: given }),
    "x.csv": "1\n2\n3\n",
    "y.csv": "10\n20\n",
  });
  const made = await cli(cwd, "import", "outer.onnx", "-o", "p.json");
  expect(made.err).toContain("--n 6");
  const run = await cli(cwd, "run", "p.json", "--n", "6", "-i", "x=x.csv:0", "-i", "y=y.csv:0", "--json");
  expect(run.json().outputs.z.first).toEqual([11, 21, 12, 22, 13, 23]);
});

test("an error names ten parts, and counts the others", async () => {
  const nodes = Array.from({ length: 13 }, (_, i) => ({
    op: "Conv",
    name: `c${i}`,
    input: ["x"],
    output: [`y${i}`],
  }));
  const cwd = folder({ "many.onnx": modelOf({ nodes }) });
  const { what } = (await cli(cwd, "import", "many.onnx", "--json")).json().error;
  expect(what).toContain('node "c9"');
  expect(what).not.toContain('node "c10"');
  expect(what).toMatch(/cannot hold 13 .*and 3 more/);
});

test("the documentation lists the operators", () => {
  const page = readFileSync(new URL("../../../../apps/docs/onnx.md", import.meta.url), "utf8");
  const rows = page.slice(page.indexOf("## Operators"), page.indexOf("## Shapes"));
  const listed = [...rows.matchAll(/`([A-Z]\w+)`/g)].map(([, name]) => name as string);
  const types = ["FLOAT", "FLOAT16", "BFLOAT16"];
  expect([...new Set(listed)].filter((name) => !types.includes(name)).sort()).toEqual(ONNX_OPERATORS);
});
