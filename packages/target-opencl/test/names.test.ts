/** Names of documents meet no word of emitted OpenCL C and of emitted hosts, and none of the languages. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, type EmitOptions, emit, type Pipeline } from "@groupwise/core";
import { allNames, coveringCases, expected, namedCase, namesIn, TURNS, withNames } from "@groupwise/testkit";
import { deviceTest, effortOf } from "@groupwise/testkit/conformance";
import {
  checkWithClang,
  findCc,
  findClang,
  formatReports,
  runProcess,
  scratchDirectory,
} from "@groupwise/testkit/devices";
import { expect } from "vitest";
import { hostInC } from "../src/header.ts";
import { opencl } from "../src/index.ts";
import { pocl } from "./support.ts";

const isFull = effortOf() === "full";
const OPTIONS: readonly EmitOptions[] = [{}, { lookBack: true }, { subgroups: true }];
const FEATURES = [
  "__opencl_c_work_group_collective_functions",
  "__opencl_c_subgroups",
  "cl_khr_subgroups",
  "cl_khr_subgroup_shuffle",
];

const textOf = (ir: Pipeline, options: EmitOptions = {}): string =>
  emit(ir, opencl, options).files[0]?.text ?? "";
const wordsOf = (ir: Pipeline, all: readonly EmitOptions[] = [{}]): readonly string[] =>
  namesIn(all.map((options) => textOf(ir, options)));

deviceTest("names that are words of the text", findClang, async () => {
  // The cases with most words are found by emitting all: outside of full runs one that has functions of every float.
  const cases = isFull ? coveringCases((ir) => wordsOf(ir), 8) : [namedCase("functions")];
  const texts = cases.flatMap((one) => {
    const words = wordsOf(one.ir, OPTIONS);
    return Array.from({ length: isFull ? TURNS : OPTIONS.length }, (_, turn) => {
      const { ir } = withNames(one, words, turn);
      const { subgroups = false, ...options } = OPTIONS[turn % OPTIONS.length] as EmitOptions;
      return { name: `${ir.name} ${turn}`, code: textOf(ir, { ...options, subgroups }), subgroups };
    });
  });
  const features = { features: FEATURES };
  // The words of a text are the same in each version of the language.
  const one = isFull ? {} : { standards: ["CL1.2"] as const };
  const plain = texts.filter(({ subgroups }) => !subgroups);
  expect(formatReports(await checkWithClang(plain, { ...features, ...one }))).toBe("");
  const grouped = texts.filter(({ subgroups }) => subgroups);
  expect(formatReports(await checkWithClang(grouped, { ...features, standards: ["CL3.0"] }))).toBe("");
});

/** Words of the language's own headers, and macros that the compiler defines. */
async function wordsOfClang(): Promise<readonly string[]> {
  const { stdout: root } = await runProcess("clang", ["-print-resource-dir"]);
  const headers = ["opencl-c.h", "opencl-c-base.h"].map((file) =>
    readFileSync(join(root.trim(), "include", file), "utf8"),
  );
  const command = ["-x", "cl", "-cl-std=CL3.0", "-Xclang", "-finclude-default-header", "-dM", "-E", "-"];
  const macros = await runProcess("clang", command, { input: "" });
  return namesIn([...headers, macros.stdout]);
}

deviceTest("names that are words of the language", findClang, async () => {
  const words = await wordsOfClang();
  expect(words.length).toBeGreaterThan(1500);
  // Every word has every role in full runs, else one of five.
  const files = allNames(words, 800, isFull ? TURNS : 1).map(({ ir }, i) => ({
    name: `${ir.name} ${i}`,
    code: textOf(ir),
  }));
  // The newest version has the words of the others.
  const one = isFull ? {} : { standards: ["CL3.0"] as const };
  expect(formatReports(await checkWithClang(files, { features: FEATURES, ...one }))).toBe("");
});

deviceTest(
  "a document of such names runs as the reference says",
  () => pocl(),
  async (runtime) => {
    const base = namedCase("line-index");
    const words = [...wordsOf(base.ir), "NAN", "M_PI", "INT_MAX", "cl_khr_fp64", "linux", "as_int", "printf"];
    const { ir, values } = withNames(base, words.slice(-60), 3);
    const given = values(100);
    const executable = await runtime.compile(ir);
    expect(await executable.run(given)).toEqual(expected(check(ir), given));
    executable.dispose();
    runtime.dispose();
  },
);

deviceTest("names that are words of a host in C", findCc, async () => {
  const directory = scratchDirectory();
  const { ir: tables } = namedCase("tables");
  const standard =
    "errno stdin stderr NULL EOF assert printf malloc memset strlen exit main INT64_C SIZE_MAX";
  const words = namesIn([
    ...hostInC(emit(tables, opencl)).map(({ text }) => text),
    ...hostInC(emit(tables, opencl, { lookBack: true })).map(({ text }) => text),
    `${standard} asm auto bool char class const double else enum float for goto if int inline long restrict short`,
    "and or not xor new delete template this private namespace typename operator export",
  ]);
  // A host's text grows with the square of the number of arrays: outside of full runs it has a fifth of the words.
  const some = words.filter((_, i) => isFull || i % 5 === 0);
  const sources = allNames(some, 100, isFull ? TURNS : 1).map(({ ir }, i) => {
    const artifact = emit({ ...ir, name: `names${i}` }, opencl);
    for (const { path, text } of hostInC(artifact)) writeFileSync(join(directory, path), text);
    return `names${i}`;
  });
  const warnings = ["-Wall", "-Wextra", "-Werror", "-pedantic", "-Wno-overlength-strings"];
  const args = ["-std=c99", ...warnings, "-fsyntax-only"];
  const result = await runProcess("cc", [...args, ...sources.map((name) => `${name}_host.c`)], {
    cwd: directory,
  });
  expect(result.stderr).toBe("");
  const includes = sources.map((name) => `#include "${name}.h"\n`).join("");
  writeFileSync(join(directory, "all.cpp"), `#include <CL/cl.h>\n${includes}`);
  const cpp = ["-std=c++11", "-DCL_TARGET_OPENCL_VERSION=120", "-fsyntax-only", "all.cpp"];
  const inCpp = await runProcess("c++", cpp, { cwd: directory });
  expect(inCpp.stderr).toBe("");
});
