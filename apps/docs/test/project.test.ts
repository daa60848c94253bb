/** "Copy as project": the commands write the built project, and its program runs. */
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parsePipeline } from "@groupwise/core/schema";
import { runProcess } from "@groupwise/testkit/devices";
import { afterEach, describe, expect, test, vi } from "vitest";
import { argumentsOf } from "../.vitepress/theme/engine/show.ts";
import { EXAMPLES, loadExample } from "../.vitepress/theme/playground/examples.ts";
import { type Built, projectScript } from "../.vitepress/theme/playground/project.ts";
import { documentOf } from "../.vitepress/theme/sandbox/evaluate.ts";

const FOLDER = fileURLToPath(new URL("../../../.cache/project/", import.meta.url));

function builtOf(text: string, mode: Built["mode"] = "ts"): Built {
  const document = documentOf(text);
  return { mode, text, document, arguments: argumentsOf(parsePipeline(document)), n: 100 };
}

/** Runs the commands with npm, npx and node replaced by programs that record their calls. @returns the folder and the calls */
async function follow(built: Built, name: string): Promise<{ folder: string; calls: string[] }> {
  const [folder, bin] = [join(FOLDER, name), join(FOLDER, "bin")];
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  mkdirSync(bin, { recursive: true });
  for (const command of ["npm", "npx", "node"]) {
    writeFileSync(join(bin, command), `#!/bin/sh\necho "${command} $*" >> calls\n`);
    chmodSync(join(bin, command), 0o755);
  }
  const { code, stderr } = await runProcess("sh", ["-e"], {
    cwd: folder,
    env: { PATH: `${bin}:${process.env.PATH}` },
    input: projectScript(built),
  });
  expect([code, stderr]).toEqual([0, ""]);
  return { folder, calls: readFileSync(join(folder, "calls"), "utf8").trim().split("\n") };
}

afterEach(() => vi.restoreAllMocks());

/** The names of the outputs that the program prints. */
async function outputsOf(folder: string): Promise<unknown[]> {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  const cwd = process.cwd();
  try {
    process.chdir(folder);
    await import(pathToFileURL(join(folder, "main.ts")).href);
  } finally {
    process.chdir(cwd);
  }
  return log.mock.calls.splice(0).map(([name]) => name);
}

const HOSTILE = `import { f32, pipeline } from "@groupwise/dsl";
/*
EOF
EOF_
touch owned; $(touch owned) \`touch owned\`
*/
export default pipeline("hostile", { x: f32 }, ({ x }) => ({ y: x }));`;

const EVERY = `import { bool, f16, f32, f64, i32, i64, param, pipeline, table, u32, u64 } from "@groupwise/dsl";
const inputs = { a: i32, b: u32, c: i64, d: u64, e: f16, f: f32, g: f64, h: bool, t: table(f32), p: param(i64), q: param(f16), r: param(bool) };
export default pipeline("every", inputs, (v) => ({
  a2: v.a.reduce("add"), c2: v.c.mul(v.p), d2: v.d.add(1n), h2: v.h.and(v.r), t2: v.t.at(v.b), e2: v.e.add(v.q), g2: v.g.add(v.f.toF64()),
}), { workGroupSize: [8, 4] });`;

const NONE = `import { pipeline } from "@groupwise/dsl";
export default pipeline("none", {}, (_, { index }) => ({ sums: index().scanInclusive("add") }));`;

describe("the project of a pipeline", () => {
  test.each(Object.keys(EXAMPLES))("of the example %s runs", async (name) => {
    const built = builtOf(await loadExample(name));
    const { folder, calls } = await follow(built, name);
    expect(readFileSync(join(folder, "pipeline.ts"), "utf8").trim()).toBe(built.text.trim());
    expect(calls.at(-2)).toBe("npx groupwise emit pipeline.ts --target all --out made");
    expect(calls.at(-1)).toBe("node main.ts");
    const { sinks } = parsePipeline(built.document);
    expect(await outputsOf(folder)).toEqual(sinks.map((sink) => sink.name));
  });

  test("of every type, of several dimensions and without inputs runs", async () => {
    const { folder } = await follow(builtOf(EVERY), "every");
    expect(await outputsOf(folder)).toEqual(["a2", "c2", "d2", "h2", "t2", "e2", "g2"]);
    expect(await outputsOf((await follow(builtOf(NONE), "none")).folder)).toEqual(["sums"]);
  });

  test("of a text that could end a heredoc writes the whole text, and runs none of it", async () => {
    const { folder } = await follow(builtOf(HOSTILE), "hostile");
    expect(readFileSync(join(folder, "pipeline.ts"), "utf8")).toBe(`${HOSTILE}\n`);
    expect(() => readFileSync(join(folder, "owned"))).toThrow();
  });

  test.each(["json", "ts"] as const)(
    "of a document, or of another export, contains the document: %s",
    async (mode) => {
      const text = `import { f32, pipeline } from "@groupwise/dsl";
export const named = pipeline("named", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));`;
      const built = builtOf(text, mode);
      const { folder, calls } = await follow(built, `named-${mode}`);
      const written = readFileSync(join(folder, "pipeline.json"), "utf8");
      expect(JSON.parse(written)).toEqual(JSON.parse(built.document));
      expect(calls.at(-2)).toContain("emit pipeline.json");
      expect(await outputsOf(folder)).toEqual(["y"]);
    },
  );
});
