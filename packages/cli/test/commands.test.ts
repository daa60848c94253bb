import { readFileSync } from "node:fs";
import { join } from "node:path";
import { manifestJsonSchema, pipelineJsonSchema } from "@groupwise/core/schema";
import { expect, test } from "vitest";
import { placesOf } from "../src/commands/places.ts";
import { AXPY_JSON, cli, folder, LINES_JSON } from "./support.ts";

const cwd = folder({ "lines.json": LINES_JSON, "axpy.json": AXPY_JSON });

test("explain prints the plan, with sizes for n", async () => {
  const { code, out } = await cli(cwd, "explain", "lines.json", "--target", "wgsl", "--n", "10000");
  expect(code).toBe(0);
  expect(out).toContain("strategy reduce-then-scan");
  expect(out).toContain("passed over one-thread");
  expect(out).toContain("n = 10000");
});

test("explain opens with passes, bytes, barriers, memory and strategy, whose sums are those of its passes", async () => {
  const { out } = await cli(cwd, "explain", "lines.json", "--n", "10000");
  const lines = out.split("\n").slice(2, 8);
  const heads = "passes,bytes moved,barriers,scratch bytes,memory bytes,strategy reduce";
  expect(lines.map((line) => /^[a-z ]+/.exec(line)?.[0]).join()).toBe(heads);
  const { plan } = (await cli(cwd, "explain", "lines.json", "--n", "10000", "--json")).json().targets[0];
  const barriers = plan.passes.reduce((sum: number, pass: { barriers: number }) => sum + pass.barriers, 0);
  expect(lines[0]).toContain(`passes: ${plan.passes.length}, 2 of them left out`);
  expect(lines[1]).toContain(`: ${plan.bytesMoved.value.toLocaleString("en-US")}, `);
  expect(lines[2]).toContain(`: ${barriers}, `);
  expect(lines[4]).toContain(`: ${plan.memory.total.value.toLocaleString("en-US")}, `);
  expect(lines[5]).toContain("not look-back: ");
});

test("places have the paths of the files that were read, and the names of others", () => {
  const ir = JSON.parse(LINES_JSON);
  const [near, far] = [["/a/test/support.ts"], []].map((files) => placesOf(ir, files, "/a"));
  const scattered = ["scan-exclusive add of u32", "reduce add of u32", "scatter starts"];
  expect(near?.map(({ what }) => what)).toEqual(scattered);
  for (const { at } of near ?? []) expect(at).toMatch(/^test\/support\.ts:\d+:\d+$/);
  expect(far?.map(({ at }) => `test/${at}`)).toEqual(near?.map(({ at }) => at));
});

test("explain draws the arrays of each pass, and replaces no file of others", async () => {
  const cwd = folder({ "lines.json": LINES_JSON, "other.mmd": "flowchart TD\n" });
  const draw = (...args: string[]) => cli(cwd, "explain", "lines.json", "--n", "10000", ...args, "--json");
  const { plan } = (await draw("--picture", "plan.mmd")).json().targets[0];
  const picture = readFileSync(join(cwd, "plan.mmd"), "utf8");
  const uses = plan.passes.flatMap((pass: { arrays: object[] }) => pass.arrays);
  expect(picture.match(/ <?--> /g)?.length).toBe(uses.length);
  expect(picture).toContain('p1["2. tile_totals_2<br>');
  expect(picture.match(/stroke-dasharray/g)?.length).toBe(2);
  expect((await draw("--picture", "plan.mmd")).code).toBe(0);
  for (const [args, code] of [
    [["--picture", "plan.svg"], "bad-usage"],
    [["--picture", "plan.mmd", "--target", "js,c"], "bad-usage"],
    [["--picture", "other.mmd"], "bad-file"],
  ] as const)
    expect((await draw(...args)).json().error.code).toBe(code);
});

test("explain reports how a stream runs, and which pipelines it cannot run", async () => {
  const args = ["explain", "axpy.json", "--stream", "--look-back", "--target"];
  const { out } = await cli(cwd, ...args, "wgsl");
  expect(out).toMatch(/^strategy reduce-then-scan/m);
  expect(out).toMatch(/^chunks take and give a state; .* largest aligned block/m);
  expect((await cli(cwd, ...args, "js")).out).toMatch(/^chunks take and give a state; .* block of 2\^30/m);
  expect((await cli(cwd, "explain", "axpy.json")).out).not.toMatch(/^chunks take/m);
  const refused = await cli(cwd, "explain", "lines.json", "--stream", "--json");
  expect(refused.json().error.code).toBe("not-carried");
});

test("explain reports which features of a device are used", async () => {
  const plain = await cli(cwd, "explain", "lines.json");
  expect(plain.out).toMatch(/^subgroups: not used: WebGPU devices may lack/m);
  const used = await cli(cwd, "explain", "lines.json", "--subgroups");
  expect(used.out).toMatch(/^subgroups: values are shuffled within them$/m);
});

test("explain reports a refusal: of one target as an error, of several beside the other answers", async () => {
  expect(await cli(cwd, "explain", "lines.json", "--target", "gpujs")).toMatchObject({ code: 1, out: "" });
  const all = await cli(cwd, "explain", "lines.json", "--target", "all", "--json");
  expect(all.code).toBe(0);
  const rows = all.json().targets;
  expect(rows.find((row: { target: string }) => row.target === "gpujs").refused.code).toBe("unsupported");
  expect(rows.find((row: { target: string }) => row.target === "js").plan.strategy).toBe("one-thread");
});

test("schema prints the schema", async () => {
  for (const words of [[], ["pipeline"]])
    expect(JSON.parse((await cli(cwd, "schema", ...words)).out)).toEqual(pipelineJsonSchema());
  expect(JSON.parse((await cli(cwd, "schema", "manifest")).out)).toEqual(manifestJsonSchema());
  expect((await cli(cwd, "schema", "--json")).json()).toEqual({
    ok: true,
    command: "schema",
    schema: pipelineJsonSchema(),
  });
});

test("doctor always lists JavaScript, and a remedy for everything that is missing", async () => {
  const ran = await cli(cwd, "doctor", "--json", "--require", "js");
  expect(ran.code).toBe(0);
  const { devices, missing, cpu } = ran.json();
  expect(cpu).toMatchObject({ engine: "wasm", why: expect.stringMatching(/WebAssembly/) });
  expect(devices[0]).toMatchObject({ target: "js", name: "JavaScript" });
  for (const row of missing)
    expect(row).toMatchObject({
      remedy: expect.stringMatching(/./),
      reason: expect.not.stringContaining("unavailable"),
    });
  const targets = new Set([...devices, ...missing].map((row: { target: string }) => row.target));
  expect([...targets].sort()).toEqual(["c", "cuda", "gpujs", "js", "opencl", "wasm", "wgsl"]);
});

test.each([
  [[], /Usage/],
  [["emitt"], /Did you mean emit\?/],
  [["emit"], /missing required argument/],
  [["emit", "lines.json"], /--target/],
  [["emit", "lines.json", "--targte", "js"], /Did you mean --target\?/],
  [["emit", "lines.json", "--target", "wgls"], /did you mean wgsl\?/],
  [["emit", "lines.json", "extra", "--target", "js"], /too many arguments/],
  [["schema", "manifest", "extra"], /too many arguments/],
  [["schema", "manifset"], /did you mean manifest\?/],
])("%j is a usage error", async (argv, message) => {
  const ran = await cli(cwd, ...argv);
  expect(ran).toMatchObject({ code: 2, out: "" });
  expect(ran.err).toMatch(message);
  const json = await cli(cwd, ...argv, "--json");
  expect(json.json()).toMatchObject({ ok: false });
  expect(json).toMatchObject({ code: 2, err: "" });
});

test("help and version exit with 0", async () => {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  expect(await cli(cwd, "--version")).toMatchObject({ code: 0, out: `${version}\n` });
  const help = await cli(cwd, "--help");
  expect(help.code).toBe(0);
  expect(help.out).toContain("Exit codes: 0 success");
  expect((await cli(cwd, "run", "--help")).out).toContain("data.csv:price");
});
