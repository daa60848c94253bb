/**
 * The types as users' compilers read them: the built declarations, by TypeScript 6 and 7, under both ways of resolving
 * modules. GROUPWISE_TSC=path/to/tsc tests another compiler (5.6 or later) instead.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";

const here = fileURLToPath(new URL(".", import.meta.url));
const folder = fileURLToPath(new URL("../../../node_modules/.cache/consumers/", import.meta.url));
const bin = (name: string, file: string): string =>
  createRequire(import.meta.url)
    .resolve(`${name}/package.json`)
    .replace("package.json", file);

const { GROUPWISE_TSC } = process.env;
const COMPILERS = GROUPWISE_TSC
  ? { [GROUPWISE_TSC]: GROUPWISE_TSC }
  : {
      "TypeScript 6": bin("@typescript/old", "bin/tsc"),
      "TypeScript 7": bin("@typescript/native", "bin/tsc"),
    };

const RESOLUTIONS = {
  bundler: { module: "ESNext", moduleResolution: "Bundler" },
  nodenext: { module: "NodeNext", moduleResolution: "NodeNext" },
} as const;

/** Instantiations that the checker may make: TypeScript 6.0 makes 25,000, TypeScript 7.0 28,000. */
const BUDGET = 50_000;

type Resolution = keyof typeof RESOLUTIONS;

/** What the compiler says of the type tests, and how many types it instantiated. */
async function compile(tsc: string, how: Resolution): Promise<[text: string, count: number]> {
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

const cases = Object.entries(COMPILERS).flatMap(([name, tsc]) =>
  (Object.keys(RESOLUTIONS) as Resolution[]).map((how) => ({ name, tsc, how })),
);

test.each(cases)("$name takes the declarations by $how, within the budget of instantiations", async (one) => {
  const [errors, count] = await compile(one.tsc, one.how);
  expect(errors).toBe("");
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThan(BUDGET);
});
