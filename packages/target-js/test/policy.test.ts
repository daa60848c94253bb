/** Engines whose policy forbids the evaluation of text, as a content security policy does. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { emit } from "@groupwise/core";
import { f32, pipeline, scalar } from "@groupwise/dsl";
import { expect, test } from "vitest";
import { js } from "../src/index.ts";
import { jsRuntime, load } from "../src/runtime.ts";

const sums = pipeline("sums", { x: f32 }, ({ x }) => ({
  y: x.scanInclusive("add"),
  total: scalar(x.reduce("add")),
}));
const x = Float32Array.of(1, 2, 3);
const expected = { y: Float32Array.of(1, 3, 6), total: 6 };

/** What a program prints in an engine that evaluates no text, and imports none if `hook` says so. */
async function inStrictNode(hook: string): Promise<string> {
  const built = (path: string): string => JSON.stringify(new URL(`../${path}`, import.meta.url).href);
  const program = `
    import { register } from "node:module";
    ${hook}
    const { jsRuntime } = await import(${built("dist/runtime.js")});
    const document = ${JSON.stringify(sums.ir)};
    await jsRuntime().compile(document).then(
      async (made) => console.log((await made.run({ x: Float32Array.of(1, 2, 3) })).total[0]),
      (error) => console.log(error.name, error.code, error.where, error.hint.includes("load")),
    );`;
  const args = ["--disallow-code-generation-from-strings", "--input-type=module", "--eval", program];
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  return (await promisify(execFile)(process.execPath, args, { cwd })).stdout.trim();
}

const NO_DATA = `export async function resolve(name, context, next) {
  if (name.startsWith("data:text/javascript,%2F%2F")) throw new TypeError("blocked by policy");
  return next(name, context);
}`;

test("a module is imported if text cannot be evaluated", async () => {
  expect(await inStrictNode("")).toBe("6");
});

test("an engine that supports neither is refused with the reason and the remedy", async () => {
  const hook = `register("data:text/javascript;charset=utf-8," + ${JSON.stringify(encodeURIComponent(NO_DATA))});`;
  expect(await inStrictNode(hook)).toBe("GroupwiseError no-evaluation sums true");
});

test("the remedy works: an emitted module that is imported by its own URL", async () => {
  const artifact = emit(sums, js);
  const url = `data:text/javascript,${encodeURIComponent(artifact.files[0]?.text ?? "")}`;
  const module = await import(url);
  const loaded = load<typeof sums>(artifact.manifest, module);
  expect(await loaded.run({ x })).toEqual({ ...expected, total: Float32Array.of(6) });
  const runtime = jsRuntime({ importModule: async () => module });
  expect(await (await runtime.compile(sums)).run({ x })).toEqual(expected);
});
