/** Projects that the templates make: their files, their types, and what the command prints. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { check } from "@groupwise/core";
import { runProcess, scratchDirectory } from "@groupwise/testkit/devices";
import { beforeAll, describe, expect, test } from "vitest";
import { create, main, TEMPLATE_NAMES } from "../src/index.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** Below the checkout's modules, so that nothing is installed. */
const FOLDER = join(ROOT, ".cache/create");
const made = scratchDirectory();

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}
const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;

/** What the command prints and its exit code. */
async function run(
  argv: readonly string[],
  answers?: readonly string[],
): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ["", ""];
  const rest = [...(answers ?? [])];
  const code = await main(argv, {
    cwd: made,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    ...(answers && { ask: async () => rest.shift() ?? "" }),
  });
  return { code, out, err };
}

/** The module with the pipeline of each template. */
const PIPELINES = { vite: "src/walk.ts", cmake: "src/levels.ts", library: "src/longest.ts" } as const;

describe.each(TEMPLATE_NAMES)("template %s", (template) => {
  const folder = join(FOLDER, template);
  beforeAll(() => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(FOLDER, { recursive: true });
    create(template, folder, ROOT);
  });

  test("names its package, this version of groupwise, and versions that the checkout is tested with", () => {
    const { name, dependencies, devDependencies } = manifestIn(folder);
    expect(name).toBe(template);
    const all = Object.entries({ ...dependencies, ...devDependencies });
    expect(all.length).toBeGreaterThan(1);
    for (const [one, wanted] of all) {
      const installed = one === "typescript" ? "@typescript/native" : one;
      expect([one, wanted]).toEqual([one, `^${manifestIn(join(ROOT, "node_modules", installed)).version}`]);
    }
  });

  test("has the right types", async () => {
    const config = join(folder, "tsconfig.json");
    if (template === "cmake")
      writeFileSync(config, JSON.stringify({ compilerOptions: { module: "nodenext", strict: true } }));
    const { code, stdout } = await runProcess(process.execPath, [
      join(ROOT, "node_modules/@typescript/native/bin/tsc"),
      ...["-p", folder, "--noEmit"],
    ]);
    expect([code, stdout]).toEqual([0, ""]);
  });

  test("declares a pipeline", async () => {
    const url = pathToFileURL(join(folder, PIPELINES[template])).href;
    const module = (await import(url)) as Readonly<Record<string, { readonly ir: never }>>;
    expect(Object.values(module).map(({ ir }) => check(ir).sinks.length > 0)).toEqual([true]);
  });
});

describe("the command", () => {
  test("makes a project and prints the next steps", async () => {
    const { code, out, err } = await run(["My App!", "--template", "library"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(manifestIn(join(made, "My App!")).name).toBe("my-app");
    expect(out).toContain("My App!/.gitignore\n");
    expect(out).not.toContain("/gitignore");
    expect(out).toMatch(/Next:\n {2}cd "My App!"\n {2}npm install\n {2}npm test\n$/);
  });

  test("asks for missing arguments", async () => {
    expect(await run([], ["asked", "vite"])).toMatchObject({ code: 0 });
    expect(manifestIn(join(made, "asked")).name).toBe("asked");
  });

  test.each<[string, string[], string]>([
    ["no folder", [], "bad-usage"],
    ["no template", ["x1"], "bad-usage"],
    ["another template", ["x2", "--template", "constructor"], "bad-usage"],
    ["a folder without a name", ["…", "--template", "vite"], "bad-usage"],
    ["an unknown option", ["x3", "--tempalte", "vite"], "unknown option"],
    ["two folders", ["x4", "x5", "--template", "vite"], "too many arguments"],
    ["a folder with files", [".", "--template", "vite"], "bad-file"],
  ])("refuses %s, and writes nothing", async (_, argv, message) => {
    writeFileSync(join(made, "mine.txt"), "mine");
    const { code, out, err } = await run(argv);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(message);
    expect(() => readFileSync(join(made, argv[0] ?? "", "package.json"))).toThrow();
  });

  test("does not change a file with the folder's name", async () => {
    writeFileSync(join(made, "file"), "mine");
    expect(await run(["file", "--template", "vite"])).toMatchObject({ code: 2 });
    expect(readFileSync(join(made, "file"), "utf8")).toBe("mine");
  });

  test("prints its help", async () => {
    const { code, out } = await run(["--help"]);
    expect(code).toBe(0);
    for (const name of TEMPLATE_NAMES) expect(out).toContain(`  ${name} `);
  });
});
