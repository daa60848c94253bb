/** Every row of the page for people who come from NumPy gives what NumPy gave, which `numpy/values.py` wrote to `numpy/values.json`. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { HostArray } from "@groupwise/core";
import * as dsl from "@groupwise/dsl";
import * as primitives from "@groupwise/primitives";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { runProcess } from "@groupwise/testkit/devices";
import { afterAll, describe, expect, test } from "vitest";

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const PAGE = readFileSync(fileOf("../coming-from-numpy.md"), "utf8");
const SCRIPT = fileOf("numpy/values.py");
/** By call: numbers, or as text what JSON has no numbers for. */
type Values = Readonly<Record<string, readonly (number | string)[]>>;
const { values: VALUES } = JSON.parse(readFileSync(fileOf("numpy/values.json"), "utf8")) as {
  values: Values;
};

/** The arrays that all rows use. */
const ARRAYS = Object.fromEntries(
  [...PAGE.matchAll(/^(\w+) = np\.array\((\[.*\]), np\.(float|uint)32\)$/gm)].map(([, name, list, kind]) => {
    const items = (JSON.parse((list as string).replaceAll("nan", "null")) as (number | null)[]).map(
      (one) => one ?? Number.NaN,
    );
    return [name as string, kind === "float" ? Float32Array.from(items) : Uint32Array.from(items)];
  }),
);

interface Row {
  readonly call: string;
  readonly code: string;
  /** The array of a primitive's result. */
  readonly output: string | undefined;
}
const ROWS: readonly Row[] = [...PAGE.matchAll(/^\| `(.*?)` \|.*\| `([^`]*)`(?:, `(\w+)`)? \|$/gm)].map(
  ([, call = "", code = "", output]) => ({ call, code, output }),
);

const runtime = jsRuntime();
afterAll(() => runtime.dispose());

/** Runs code with names of the packages. */
const evaluated = (code: string, names: object): unknown => {
  const scope = { ...dsl, ...primitives, ...names };
  return new Function(...Object.keys(scope), `return ${code};`)(...Object.values(scope));
};

async function resultOf({ code, output }: Row): Promise<HostArray> {
  if (output !== undefined) {
    const made = (await evaluated(code, { ...ARRAYS, runtime })) as Readonly<Record<string, HostArray>>;
    return made[output] as HostArray;
  }
  const used = Object.entries(ARRAYS).filter(([name]) => new RegExp(`\\b(?<!\\.)${name}\\b`).test(code));
  const types = used.map(([name, array]) => [name, array instanceof Float32Array ? dsl.f32 : dsl.u32]);
  const given = used.length > 0 ? Object.fromEntries(types) : {};
  const row = dsl.pipeline("row", given, (inputs, { index, size }) => ({
    result: evaluated(code, { ...(inputs as object), index, size }) as dsl.F32Value,
  }));
  const executable = await runtime.compile(row);
  const { result } = await executable.run(
    Object.fromEntries(used) as never,
    used.length > 0 ? {} : ({ n: 12 } as never),
  );
  return result as HostArray;
}

describe("coming from NumPy", () => {
  test("the page has forty rows or more, and NumPy's values of each", () => {
    expect(ROWS.length).toBeGreaterThanOrEqual(40);
    expect(ROWS.map(({ call }) => call)).toEqual(Object.keys(VALUES));
  });

  test.each(ROWS.map((row) => [row.call, row] as const))("%s", async (call, row) => {
    const got = Array.from(await resultOf(row), Number);
    const want = (VALUES[call] as Values[string]).map((one) =>
      one === "inf" ? Infinity : one === "-inf" ? -Infinity : Number(one),
    );
    expect(got.length).toBe(want.length);
    const near = (a: number, b: number): boolean =>
      Object.is(a, b) ||
      a === b ||
      (!Number.isInteger(b) && Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(b)));
    expect(got.filter((one, i) => !near(one, want[i] as number))).toEqual([]);
  });

  test("NumPy gives these values", async (context) => {
    const made = await runProcess("python3", [SCRIPT]).catch(() => undefined);
    if (made?.code !== 0) return context.skip("python3 with NumPy is not installed");
    expect((JSON.parse(made.stdout) as { values: Values }).values).toEqual(VALUES);
  });
});
