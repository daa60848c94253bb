/** What imports mean and what they become, with esbuild as the bundler. */
import { join } from "node:path";
import type { LoadedProgram } from "@groupwise/core";
import { type BuildFailure, type BuildOptions, build } from "esbuild";
import { describe, expect, test } from "vitest";
import forEsbuild from "../src/esbuild.ts";
import type { GroupwiseOptions } from "../src/index.ts";
import { ASKS } from "../src/request.ts";
import { bundleIn, importBundle, project, SCAN } from "./project.ts";

/** Bundles `main.js`. */
const bundle = (folder: string, options?: GroupwiseOptions, more: BuildOptions = {}): Promise<unknown> =>
  build({
    entryPoints: [join(folder, "main.js")],
    outfile: join(folder, "bundle.mjs"),
    bundle: true,
    format: "esm",
    external: ["@groupwise/*"],
    plugins: [forEsbuild(options)],
    logLevel: "silent",
    ...more,
  });

const importing = (specifier: string): string =>
  `export { default, manifest } from ${JSON.stringify(specifier)};\n`;

/** The outputs of the loaded JavaScript. */
async function run(folder: string): Promise<unknown> {
  const { default: load } = await importBundle<{ default: () => LoadedProgram }>(folder);
  return load().run({ x: Float32Array.of(1, 2, 3) });
}
const SUMS = { sums: Float32Array.of(2, 6, 12) };

test.each([
  ["./a.ts?groupwise", true],
  ["./a.ts?export=b&groupwise&target=js", true],
  ["./a.ts?groupwise=&t=1", true],
  ["./a.ts", false],
  ["./groupwise.ts", false],
  ["./groupwise?raw", false],
  ["./a.ts?groupwise2", false],
  ["./a.ts?not-groupwise", false],
])("%s asks for a pipeline: %s", (specifier, asks) => {
  expect(ASKS.test(specifier)).toBe(asks);
});

test("the query chooses the export of several", async () => {
  const two = SCAN["scan.ts"].replace("default pipeline(", "const first = pipeline(");
  const second =
    'export const second = pipeline("second", { x: f32 }, ({ x }) => ({ last: x.reduce("max") }));\n';
  const specifier = "./scan.ts?export=second&groupwise&target=js";
  const folder = project({ ...SCAN, "scan.ts": two + second, "main.js": importing(specifier) });
  await bundle(folder);
  expect(await run(folder)).toEqual({ last: Float32Array.of(3) });
});

test("a path that is an alias is the bundler's to resolve", async () => {
  const folder = project({ ...SCAN, "main.js": importing("@/scan.ts?groupwise&target=js") });
  await bundle(folder, undefined, { alias: { "@": folder } });
  expect(await run(folder)).toEqual(SUMS);
});

test.runIf(process.platform !== "win32")("names of files cannot become code", async () => {
  const name = "a\"'`\nthrow 1;\u2028throw 2;.ts";
  const files = { "factor.ts": SCAN["factor.ts"], [name]: SCAN["scan.ts"] };
  const js = project({ ...files, "main.js": importing(`./${name}?groupwise&target=js`) });
  await bundle(js);
  expect(await run(js)).toEqual(SUMS);
  const wgsl = project({ ...files, "main.js": importing(`./${name}?groupwise`) });
  await bundle(wgsl);
  const { manifest } = await importBundle<{ manifest: unknown }>(wgsl);
  expect(JSON.stringify(manifest)).toContain("throw 1");
});

test("options are those of the command line, for WGSL", async () => {
  const folder = project({ ...SCAN, "main.js": importing("./scan.ts?groupwise") });
  await bundle(folder, { lookBack: true });
  expect(bundleIn(folder)).toMatch(/--target wgsl --look-back/);
  expect(bundleIn(folder)).toContain("look-back");
});

describe("refused are", () => {
  test("options that do not exist", () => {
    expect(() => forEsbuild({ lookback: true } as never)).toThrow(
      expect.objectContaining({ code: "bad-usage" }),
    );
    expect(() => forEsbuild({ cores: "4" } as never)).toThrow(
      expect.objectContaining({ code: "bad-argument" }),
    );
  });

  test.each([
    ["another target", "./scan.ts?groupwise&target=opencl", "bad-usage"],
    ["a file that does not exist", "./absent.ts?groupwise", "missing-file"],
    ["a file that is no pipeline", "./factor.ts?groupwise", "bad-file"],
    ["an export that does not exist", "./scan.ts?export=sum&groupwise", "bad-usage"],
  ])("%s", async (_, specifier, code) => {
    const folder = project({ ...SCAN, "main.js": importing(specifier) });
    const { errors } = (await bundle(folder).catch((error) => error)) as BuildFailure;
    expect(errors).toMatchObject([{ pluginName: "groupwise", detail: { name: "GroupwiseError", code } }]);
  });
});
