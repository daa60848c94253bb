import { stringifyPipeline } from "@groupwise/core/schema";
import { f32, pipeline } from "@groupwise/dsl";
import { expect, test } from "vitest";
import { cli, folder, LINES_JSON } from "./support.ts";

const document = (
  change: (d: { nodes: Record<string, unknown>[] } & Record<string, unknown>) => void,
): string => {
  const value = JSON.parse(LINES_JSON);
  change(value);
  return JSON.stringify(value);
};
const check = async (text: string, ...more: string[]) => {
  const ran = await cli(folder({ "p.json": text }), "check", "p.json", "--json", ...more);
  return { code: ran.code, ...ran.json() };
};

test("a valid pipeline: the answer of each target", async () => {
  const answer = await check(LINES_JSON);
  expect(answer).toMatchObject({ ok: true, code: 0, command: "check", pipeline: "lines", problems: [] });
  const supported = Object.fromEntries(
    answer.targets.map((row: { target: string; supported: boolean }) => [row.target, row.supported]),
  );
  const all = { wgsl: true, opencl: true, cuda: true, wasm: true, js: true, gpujs: false, c: true };
  expect(supported).toEqual(all);
  const text = await cli(folder({ "p.json": LINES_JSON }), "check", "p.json");
  expect(text.out).toMatch(/gpujs: refused\n {2}.*\[unsupported\]/);
});

test("it says whether a stream can carry the pipeline, in how many rounds, and why not", async () => {
  const { ir: sums } = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
  const { ir: shares } = pipeline("shares", { x: f32 }, ({ x }) => ({ y: x.div(x.reduce("add")) }));
  const { ir: later } = pipeline("later", { x: f32 }, ({ x }) => ({
    y: x.scanInclusive("add", { reverse: true }),
  }));
  const rows = [
    [sums, 1, "forwards", "stream: supported\n"],
    [shares, 2, "forwards", "stream: supported, in 2 rounds, so that files are read 2 times\n"],
    [later, 1, "backwards", "stream: supported, from the last chunk to the first\n"],
  ] as const;
  for (const [ir, rounds, order, line] of rows) {
    const text = stringifyPipeline(ir);
    expect((await check(text)).stream).toEqual({ rounds, order });
    expect((await cli(folder({ "p.json": text }), "check", "p.json")).out).toContain(line);
  }
  const { stream, code } = await check(LINES_JSON);
  expect([code, stream.problem.code]).toEqual([0, "not-carried"]);
  const { out } = await cli(folder({ "p.json": LINES_JSON }), "check", "p.json");
  expect(out).toContain(`stream: refused: `);
  expect(out).toContain(stream.problem.what);
});

test("the target that the command names determines the exit code", async () => {
  expect((await check(LINES_JSON, "--target", "gpujs")).code).toBe(1);
  expect((await check(LINES_JSON, "--target", "js")).code).toBe(0);
});

test("words of the targets' languages are valid names", async () => {
  const answer = await check(LINES_JSON.replaceAll('"text"', '"float"').replaceAll('"starts"', '"kernel"'));
  expect(answer.targets.filter((row: { supported: boolean }) => row.supported)).toHaveLength(6);
});

test("all problems are reported, not only the first", async () => {
  const { code, problems } = await check(
    document((d) => {
      for (const node of d.nodes)
        if (node.kind === "scan-exclusive" || node.kind === "reduce") node.identity = 7;
      d.name = "";
    }),
  );
  expect(code).toBe(1);
  const codes = problems.map((problem: { code: string }) => problem.code);
  expect(codes).toEqual(["bad-name", "wrong-identity", "wrong-identity"]);
  for (const problem of problems) expect(problem.hint).not.toBe("");
});

const many = (count: number): Record<string, unknown>[] =>
  Array.from({ length: count }, (_, id) => ({ id, kind: "const", type: "u32", value: 1 }));

test.each([
  ["malformed JSON", "{", "bad-json"],
  ["no object", "[]", "bad-document"],
  [
    "an unknown operator",
    document((d) => Object.assign(d.nodes.find((n) => n.op === "add") ?? {}, { op: "ad" })),
    "unknown-op",
  ],
  [
    "a type that does not exist",
    document((d) => Object.assign(d.nodes[0] ?? {}, { type: "u33" })),
    "unknown-type",
  ],
  ["a cycle", document((d) => Object.assign(d.nodes[2] ?? {}, { left: 2 })), "forward-reference"],
  ["a forward reference", document((d) => Object.assign(d.nodes[2] ?? {}, { left: 9 })), "forward-reference"],
  ["an injected name", LINES_JSON.replaceAll('"text"', '"x; } evil("'), "bad-name"],
  ["a name of every object", LINES_JSON.replaceAll('"text"', '"constructor"'), "bad-name"],
  ["a duplicate name", LINES_JSON.replaceAll('"text"', '"line"'), "duplicate-name"],
  ["10,000 nodes", document((d) => Object.assign(d, { nodes: many(10_000) })), "too-large"],
  [
    "no number where a size belongs",
    document((d) => Object.assign(d, { workGroupSize: [null] })),
    "bad-work-group",
  ],
  ["another version", document((d) => Object.assign(d, { version: 2 })), "bad-version"],
])("%s is one of the problems", async (_, text, code) => {
  const answer = await check(text);
  expect(answer.code).toBe(1);
  expect(answer.problems.map((problem: { code: string }) => problem.code)).toContain(code);
});

test("similar operators are suggested", async () => {
  const text = document((d) => {
    for (const node of d.nodes) if (node.kind === "reduce") node.op = "ad";
  });
  const { problems } = await check(text);
  expect(problems[0].hint).toMatch(/did you mean "add"\?/);
});

test("a file that is not a pipeline is bad input", async () => {
  const cwd = folder({ "x.mjs": "export default 1" });
  expect((await cli(cwd, "check", "none.json")).code).toBe(2);
  expect((await cli(cwd, "check", "x.mjs")).code).toBe(2);
});

const SCATTERED = `import { pipeline, u32 } from "@groupwise/dsl";
export default pipeline("scattered", { x: u32 }, ({ x }) => ({ y: x.scatter({ to: x.rem(8) }) }));
`;

test("two items that write one slot: a note for generated values, a problem for the user's", async () => {
  const files = { "p.ts": SCATTERED, "good.txt": "\u0000\u0001\u0002", "bad.txt": "\u0001\u0002\u0009" };
  const cwd = folder(files);
  const made = await cli(cwd, "check", "p.ts");
  expect(made).toMatchObject({ code: 0 });
  expect(made.err).toMatch(/p\.ts:2:\d+: on generated values the items \d+ and \d+ both write slot/);
  expect(await cli(cwd, "check", "p.ts", "--input", "x=good.txt")).toMatchObject({ code: 0, err: "" });
  const bad = await cli(cwd, "check", "p.ts", "--input", "x=bad.txt", "--json");
  expect(bad.code).toBe(1);
  expect(bad.json().conflict).toMatchObject({
    code: "scatter-conflict",
    what: 'the items 0 and 2 both write slot 1 of "y"',
    where: expect.stringMatching(/^p\.ts:2:/),
  });
});

test("generated values cause no note for pipelines whose slots differ", async () => {
  const told = await cli(folder({ "p.json": LINES_JSON }), "check", "p.json");
  expect(told.err).not.toContain("slot");
});
