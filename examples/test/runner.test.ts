/** `npm run example -- NAME`, as users call it. Their first command builds; this test does not. */
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const isBuilt = existsSync(join(ROOT, "packages/cli/dist/bin.js"));

const textOf = (name: string): string => readFileSync(join(ROOT, "examples", `${name}.ts`), "utf8");
const names = readdirSync(join(ROOT, "examples"))
  .filter((file) => file.endsWith(".ts"))
  .map((file) => basename(file, ".ts"))
  .filter((name) => textOf(name).includes("function main("));

async function runner(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const run = promisify(execFile)(process.execPath, [join(ROOT, "scripts/example.mjs"), ...args], {
    cwd: ROOT,
  });
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
    ({ code, stdout, stderr }) => ({ code, out: stdout, err: stderr }),
  );
}

test.each(names)(
  "the header of %s states what it computes, why, shapes, what to see and the source",
  (name) => {
    const [header = ""] = textOf(name).split("*/");
    expect(header).toContain(`npm run example -- ${name}\n`.trimEnd());
    for (const part of ["Why a ", "Shapes: ", "Look at: ", "Source: "]) expect(header).toContain(part);
  },
);

/** Each takes a process: in full runs. examples.test.ts runs all of them in this process. */
const tried = process.env.GROUPWISE_FULL ? names : [];

describe.skipIf(!isBuilt && !process.env.CI)("the runner", () => {
  test.each(tried)("runs %s on its data", async (name) => {
    const { code, out, err } = await runner(name);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain(`${name} on js: JavaScript`);
    expect(out.split("\n").length).toBeGreaterThan(4);
  });

  test("runs them on a given file and column", async () => {
    const { code, out } = await runner("argmax", "examples/data/seattle-weather.csv:wind");
    expect(code).toBe(0);
    expect(out).toContain("greatest wind of 1000: 9.5,");
  });

  test("lists the examples for an unknown example, and the columns for an unknown column", async () => {
    const none = await runner("argmin");
    expect(none.code).toBe(2);
    for (const name of names) expect(none.err).toContain(name);
    const column = await runner("argmax", "examples/data/seattle-weather.csv:snow");
    expect(column.code).toBe(2);
    expect(column.err).toContain("date, precipitation, temp_max, temp_min, wind, weather");
  });
});
