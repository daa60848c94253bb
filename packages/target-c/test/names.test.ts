/** Names of documents meet no word of emitted C, of its compilers and libraries. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, emit, type Pipeline } from "@groupwise/core";
import { allNames, coveringCases, expected, namedCase, namesIn, TURNS, withNames } from "@groupwise/testkit";
import { deviceTest, effortOf } from "@groupwise/testkit/conformance";
import { runProcess } from "@groupwise/testkit/devices";
import { expect } from "vitest";
import { hostInC } from "../src/host.ts";
import { c } from "../src/index.ts";
import { COMPILERS, compiled, emptyFolder, findProgram, keepingRuntime, STRICT } from "./support.ts";

const isFull = effortOf() === "full";

const filesOf = (ir: Pipeline): readonly { readonly path: string; readonly text: string }[] => {
  const artifact = emit(ir, c);
  return [...artifact.files, ...hostInC(artifact)];
};
const wordsOf = (ir: Pipeline): readonly string[] => namesIn(filesOf(ir).map(({ text }) => text));

/** What a compiler says of the files of documents, which differ in their names. */
async function reports(compiler: string, all: readonly Pipeline[]): Promise<string> {
  const folder = emptyFolder();
  const named = all.map((ir, i) => ({ ...ir, name: `${ir.name}-${i}` }));
  for (const { path, text } of named.flatMap(filesOf)) writeFileSync(join(folder, path), text);
  const sources = named.flatMap(({ name }) => [`gw_${name}.c`, `gw_${name}_main.c`]);
  return compiled(compiler, [...STRICT, "-fsyntax-only", ...sources], folder);
}

/** Every macro and every other word of the headers that emitted files include. */
async function wordsOfLibrary(compiler: string): Promise<readonly string[]> {
  const headers = "float inttypes limits math stdbool stddef stdint stdio stdlib string".split(" ");
  const input = headers.map((name) => `#include <${name}.h>\n`).join("");
  const outputs = ["-dM", "-P"].map((how) =>
    runProcess(compiler, ["-std=gnu11", "-E", how, "-x", "c", "-"], { input }),
  );
  return namesIn((await Promise.all(outputs)).map(({ stdout }) => stdout));
}

// Outside of full runs gcc reads words of the text, and clang those of the language: what declares them is the same.
for (const compiler of COMPILERS) {
  const probe = (): ReturnType<typeof findProgram> => findProgram(compiler);
  if (isFull || compiler === "gcc")
    deviceTest(`names that are words of the text, for ${compiler}`, probe, async () => {
      const cases = isFull ? coveringCases(wordsOf, 8) : [namedCase("functions")];
      const all = cases.flatMap((one) =>
        Array.from({ length: isFull ? TURNS : 1 }, (_, turn) => withNames(one, wordsOf(one.ir), turn).ir),
      );
      expect(await reports(compiler, all)).toBe("");
    });

  if (isFull || compiler === "clang")
    deviceTest(`names that are words of the language and its headers, for ${compiler}`, probe, async () => {
      const words = await wordsOfLibrary(compiler);
      expect(words.length).toBeGreaterThan(1000);
      const all = allNames(words, 400, isFull ? TURNS : 1).map(({ ir }) => ir);
      expect(await reports(compiler, all)).toBe("");
    });
}

deviceTest(
  "a document of such names runs as the reference says",
  () => findProgram("cc"),
  async () => {
    const runtime = await keepingRuntime();
    const base = namedCase("line-index");
    const more = ["NAN", "M_PI", "INT_MAX", "linux", "printf", "malloc", "errno"];
    const words = [...wordsOf(base.ir).slice(-50), ...more];
    const { ir, values } = withNames(base, [...new Set(words)], 3);
    const given = values(100);
    const executable = await runtime.compile(ir);
    expect(await executable.run(given)).toEqual(expected(check(ir), given));
    runtime.dispose();
  },
);
