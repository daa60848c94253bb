/**
 * The types as users' compilers read them: the built declarations, by TypeScript 7, in full runs by 5.6, 5.9 and 6 too,
 * under both ways of resolving modules.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import { type Found, found } from "@groupwise/testkit/devices";
import { fetched } from "@groupwise/testkit/packed";
import { beforeAll, expect } from "vitest";

const here = fileURLToPath(new URL(".", import.meta.url));
const folder = fileURLToPath(new URL("../../../node_modules/.cache/consumers/", import.meta.url));
const bin = (name: string, file: string): string =>
  createRequire(import.meta.url)
    .resolve(`${name}/package.json`)
    .replace("package.json", file);

/** The programs of the compilers. */
const COMPILERS: Readonly<Record<string, () => Found<string> | Promise<Found<string>>>> = {
  "TypeScript 5.6": () => older("5.6.3"),
  "TypeScript 5.9": () => older("5.9.3"),
  "TypeScript 6": () => found(bin("@typescript/old", "bin/tsc")),
  "TypeScript 7": () => found(bin("@typescript/native", "bin/tsc")),
};

/** Only full runs fetch TypeScript 5; `types.test.ts` reads the declarations' sources by TypeScript 6, which takes two seconds for those here. */
const FULL = /^TypeScript [56]/;

async function older(version: string): Promise<Found<string>> {
  const modules = await fetched(`typescript@${version}`);
  return modules.found ? found(join(modules.value, "typescript/bin/tsc")) : modules;
}

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

const cases = Object.entries(COMPILERS)
  .filter(([name]) => isFullRun() || !FULL.test(name))
  .flatMap(([name, find]) =>
    (Object.keys(RESOLUTIONS) as Resolution[]).map((how) => [name, how, find] as const),
  );

for (const [name, how, find] of cases)
  deviceTest(
    `${name} takes the declarations by ${how}, within the budget of instantiations`,
    find,
    async (tsc) => {
      const [errors, count] = await compile(tsc, how);
      expect(errors).toBe("");
      expect(count).toBeGreaterThan(0);
      expect(count).toBeLessThan(BUDGET);
    },
  );
