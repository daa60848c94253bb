/** Emitted texts that a version of clang reads, with all warnings as errors. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { emit, GroupwiseError, type Pipeline } from "@groupwise/core";
import { c } from "@groupwise/target-c";
import { opencl } from "@groupwise/target-opencl";
import { CASES } from "@groupwise/testkit";
import { checkWithClang, formatReports, runProcess } from "@groupwise/testkit/devices";
import { pipelineCase, SEED } from "@groupwise/testkit/random";
import { Counting } from "./parts.ts";
import type { Part } from "./result.ts";

type Program = readonly [string, ...string[]];

const STRICT = ["-std=c11", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-pedantic"];
/** A pipeline may say `x or not x`, which clang 22 notices. */
const OF_PIPELINES = ["-Wno-unknown-warning-option", "-Wno-tautological-negation-compare"];

const pipelinesOf = (count: number): Pipeline[] => [
  ...CASES.map(({ ir }) => ir),
  ...Array.from({ length: count }, (_, i) => pipelineCase("large", SEED, i).pipeline),
];

/** The cases of the suite and random pipelines, as a target emits them; what it refuses is counted. */
function emitted(count: Counting, random: number, target: typeof c | typeof opencl) {
  return pipelinesOf(random).flatMap((ir, i) => {
    try {
      return [{ name: `${i} ${ir.name}`, files: emit(ir, target).files }];
    } catch (error) {
      if (!(error instanceof GroupwiseError)) throw error;
      count.refuse(error.what);
      return [];
    }
  });
}

export async function openClTexts(program: Program, random: number): Promise<Part> {
  const count = new Counting();
  const files = emitted(count, random, opencl).map(({ name, files: [file] }) => ({
    name,
    code: file?.text ?? "",
  }));
  for (const report of await checkWithClang(files, { program, args: OF_PIPELINES }))
    if (report.ok) count.pass();
    else count.fail(formatReports([report]));
  return count.part();
}

export async function cTexts([program, ...first]: Program, random: number): Promise<Part> {
  const count = new Counting();
  const folder = mkdtempSync(join(tmpdir(), "groupwise-matrix-"));
  try {
    for (const { name, files } of emitted(count, random, c)) {
      for (const { path, text } of files) writeFileSync(join(folder, path), text);
      const sources = files.map(({ path }) => path).filter((path) => path.endsWith(".c"));
      const { code, stderr } = await runProcess(program, [...first, ...STRICT, ...OF_PIPELINES, ...sources], {
        cwd: folder,
      });
      if (code === 0) count.pass();
      else count.fail(`${name}: ${stderr}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return count.part();
}
