/**
 * The types as users' compilers read them: the built declarations, under both ways of resolving modules. Another
 * compiler than the installed one is tested with GROUPWISE_TSC=path/to/tsc (5.6 or later).
 */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";

const here = fileURLToPath(new URL(".", import.meta.url));
const folder = fileURLToPath(new URL("../../../node_modules/.cache/consumers/", import.meta.url));
const tsc =
  process.env.GROUPWISE_TSC ??
  createRequire(import.meta.url)
    .resolve("typescript/package.json")
    .replace("package.json", "bin/tsc");

const RESOLUTIONS = {
  bundler: { module: "ESNext", moduleResolution: "Bundler" },
  nodenext: { module: "NodeNext", moduleResolution: "NodeNext" },
} as const;

/** Instantiations that the checker may make: TypeScript 6.0 makes 70,000. */
const BUDGET = 100_000;

/** What the compiler says of the type tests, and how many types it instantiated. */
async function compile(how: keyof typeof RESOLUTIONS): Promise<[text: string, count: number]> {
  const config = `${folder}${how}.json`;
  const compilerOptions = {
    ...RESOLUTIONS[how],
    ...{ target: "ES2022", lib: ["ES2023"], types: [], noEmit: true, skipLibCheck: false },
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
  };
  const files = ["types.test-d.ts", "run.test-d.ts"].map((file) => `${here}${file}`);
  writeFileSync(config, JSON.stringify({ compilerOptions, files }));
  const args = [tsc, "--project", config, "--extendedDiagnostics", "--pretty", "false"];
  const { stdout } = await promisify(execFile)(process.execPath, args).catch((error) => error);
  const errors = stdout.split("\n").filter((line: string) => line.includes("error TS"));
  return [errors.join("\n"), Number(/^Instantiations:\s+(\d+)/m.exec(stdout)?.[1])];
}

beforeAll(() => {
  const built = fileURLToPath(new URL("../dist/index.d.ts", import.meta.url));
  if (!existsSync(built)) throw new Error("there are no declarations: run `npm run build` first");
  mkdirSync(folder, { recursive: true });
});

test.each(Object.keys(RESOLUTIONS) as (keyof typeof RESOLUTIONS)[])(
  "declarations compile by %s, within the budget of instantiations",
  async (how) => {
    const [errors, count] = await compile(how);
    expect(errors).toBe("");
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(BUDGET);
  },
);
