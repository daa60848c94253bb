/** The emitted program and package: they build without a warning, and print what the reference says. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, reference, type ScalarValue } from "@groupwise/core";
import { halfToNumber } from "@groupwise/core/target";
import { bool, f16, f32, f64, i32, i64, param, pipeline, table, u32, u64 } from "@groupwise/dsl";
import { CASES } from "@groupwise/testkit";
import { deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import { runProcess } from "@groupwise/testkit/devices";
import { expect } from "vitest";
import { compiled, findProgram, keptProgram, STRICT, written } from "./support.ts";

const gcc = (): ReturnType<typeof findProgram> => findProgram("gcc");
const SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

/** A program built of the emitted files: its path. */
async function built(
  source: Parameters<typeof written>[0],
  options: readonly string[] = [],
): Promise<string> {
  const { folder, base } = written(source);
  return keptProgram("gcc", [...STRICT, ...options, `${base}.c`, `${base}_main.c`], folder);
}

/** Values by output, as the program prints them. */
async function printed(
  program: string,
  ...args: string[]
): Promise<Map<string, { count: number; values: string[] }>> {
  const ran = await runProcess(program, args);
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  const lines = ran.stdout.split("\n").filter(Boolean);
  return new Map(
    lines.map((line) => {
      const [, name = "", count, values = ""] = /^(\w+): (\d+) elements:(.*?)(?: \.\.\.)?$/.exec(line) ?? [];
      return [name, { count: Number(count), values: values.split(" ").filter(Boolean) }];
    }),
  );
}

/** The whole numbers of which the program makes its inputs, and its parameters. */
const sample = (i: number): number => (i * 37) % 101;
const CENTRE = 50;

const mixed = pipeline(
  "mixed-values",
  {
    ...{ x: f32, errno: i32, k: u32, p: bool, t: table(u64), scale: param(f32), by: param(i32) },
    width: param(u32, { divides: true }),
  },
  ({ x, errno, k, p, t, scale, by, width }, { index }) => ({
    column: index().rem(width),
    sums: x.mul(scale).scanInclusive("add"),
    min: errno.mul(by).reduce("min"),
    kept: index().scatter({ to: p.toU32().scanExclusive("add"), where: p, length: p.toU32().reduce("add") }),
    groups: errno.reduce("max", { scope: "work-group" }),
    not_p: p.not(),
    looked: t.at(k),
  }),
  { workGroupSize: 48 },
);

deviceTest("the program prints what the reference gives on its sample data", gcc, async () => {
  const program = await built(mixed, SANITIZERS);
  for (const n of [0, 1, 47, 48, 49, 5000]) {
    const numbers = Array.from({ length: n }, (_, i) => sample(i));
    const want = reference(check(mixed.ir), {
      n,
      inputs: {
        x: numbers.map((v) => (v - CENTRE) / 8),
        errno: numbers.map((v) => v - CENTRE),
        k: numbers,
        p: numbers.map((v) => v < CENTRE),
      },
      tables: { t: numbers.map(BigInt) },
      params: { scale: (60 - CENTRE) / 8, by: 60 - CENTRE, width: n % 10 === 0 ? 10 : 1 },
    });
    const got = await printed(program, String(n));
    expect([...got.keys()].sort()).toEqual(Object.keys(want).sort());
    for (const [name, { count, values }] of got) {
      const all = want[name] as readonly ScalarValue[];
      expect(count, `${name} of ${n}`).toBe(all.length);
      expect(values.map(Number), `${name} of ${n}`).toEqual(all.slice(0, 8).map(Number));
    }
  }
});

const wide = pipeline(
  "wide-values",
  { x: f64, k: i64, h: f16, scale: param(f64), by: param(i64), third: param(f16) },
  ({ x, k, h, scale, by, third }) => ({
    product: x.mul(scale).reduce("add"),
    least: k.mul(by).reduce("min"),
    halves: h.mul(third).reduce("max"),
  }),
);

deviceTest("passes parameters of every form", gcc, async () => {
  const got = await printed(await built(wide), "70");
  const numbers = Array.from({ length: 70 }, (_, i) => sample(i));
  const half = (v: number): number => halfToNumber(0x3c00 + v);
  const want = reference(check(wide.ir), {
    n: 70,
    inputs: {
      x: numbers.map((v) => (v - CENTRE) / 8),
      k: numbers.map((v) => BigInt(v - CENTRE)),
      h: numbers.map(half),
    },
    params: { scale: (60 - CENTRE) / 8, by: BigInt(60 - CENTRE), third: half(60) },
  });
  const shown = (name: string): number => Number(got.get(name)?.values[0]);
  expect(shown("product")).toBe(want.product?.[0]);
  expect(shown("least")).toBe(Number(want.least?.[0]));
  expect(halfToNumber(shown("halves"))).toBe(want.halves?.[0]);
});

deviceTest("programs of the cases run without a fault, and refuse other arguments", gcc, async () => {
  const some = CASES.filter((_, i) => isFullRun() || i % 24 === 0);
  for (const { ir } of some) {
    const program = await built(ir, SANITIZERS);
    // Some scatter outside with the sample's values, which the status says.
    expect((await runProcess(program, [])).stderr, ir.name).toMatch(/^(?:status \d+\n)?$/);
    const sides = ir.workGroupSize.map(() => "2x");
    const refused = await runProcess(program, sides);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain("usage: ");
  }
});

deviceTest(
  "the CMake package is found by name, and its library links",
  () => findProgram("cmake"),
  async () => {
    const { folder, base } = written({ ...mixed.ir, name: "Mixed-Values" });
    const project = [
      "cmake_minimum_required(VERSION 3.16)",
      "project(user C)",
      `find_package(${base} CONFIG REQUIRED PATHS "\${CMAKE_CURRENT_LIST_DIR}" NO_DEFAULT_PATH)`,
      `add_executable(user ${base}_main.c)`,
      "target_link_libraries(user PRIVATE groupwise::Mixed-Values)",
    ];
    writeFileSync(join(folder, "CMakeLists.txt"), `${project.join("\n")}\n`);
    for (const args of [
      ["-S", ".", "-B", "build", "-DCMAKE_C_FLAGS=-Wall -Wextra -Werror -pedantic"],
      ["--build", "build"],
    ])
      expect(await compiled("cmake", args, folder)).toBe("");
    expect((await printed(join(folder, "build/user"), "48")).get("sums")?.count).toBe(48);
  },
);
