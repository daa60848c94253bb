/** Emitted texts that a version of clang reads, with all warnings as errors. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Artifact, emit, GroupwiseError, type Pipeline, type Target } from "@groupwise/core";
import { c } from "@groupwise/target-c";
import { opencl } from "@groupwise/target-opencl";
import { CASES } from "@groupwise/testkit";
import { checkWithClang, formatReports, runProcess } from "@groupwise/testkit/devices";
import { pipelineCase, SEED } from "@groupwise/testkit/random";
import { PartCount } from "./count.ts";
import type { PartLimits, PartTasks, Task } from "./jobs.ts";

type Program = readonly [string, ...string[]];

const BATCH = 16;
const STRICT = ["-std=c11", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-pedantic"];
/** A pipeline may say `x or not x`, which clang 22 notices. */
const OF_PIPELINES = ["-Wno-unknown-warning-option", "-Wno-tautological-negation-compare"];

const pipelinesOf = (count: number): Pipeline[] => [
  ...CASES.map(({ ir }) => ir),
  ...Array.from({ length: count }, (_, i) => pipelineCase("large", SEED, i).pipeline),
];

interface Emitted {
  readonly name: string;
  readonly files: Artifact["files"];
}

/** What targets emitted, or why they refuse, for the next compiler. */
const known = new Map<string, Emitted | GroupwiseError>();

function emitted(target: Target, ir: Pipeline, name: string): Emitted | GroupwiseError {
  const key = `${target.name} ${name}`;
  const make = (): Emitted | GroupwiseError => {
    try {
      return { name, files: emit(ir, target).files };
    } catch (error) {
      if (error instanceof GroupwiseError) return error;
      throw error;
    }
  };
  const found = known.get(key) ?? make();
  known.set(key, found);
  return found;
}

/**
 * Emits the cases of the suite and random pipelines, and reads the texts, some at a time.
 * @param check what is wrong with each text
 */
function read(
  target: Target,
  random: number,
  limits: PartLimits,
  check: (some: readonly Emitted[]) => Promise<readonly (string | undefined)[]>,
): PartTasks {
  const count = new PartCount();
  const all = pipelinesOf(random);
  const tasks = Array.from({ length: Math.ceil(all.length / BATCH) }, (_, k): Task => {
    const some = all.slice(k * BATCH, (k + 1) * BATCH);
    const run: Task["run"] = async (_, from, cases) => {
      const texts = some
        .slice(from, from + cases)
        .map((ir, i) => emitted(target, ir, `${k * BATCH + from + i} ${ir.name}`));
      const printed = texts.filter((text): text is Emitted => !(text instanceof GroupwiseError));
      for (const wrong of await check(printed)) wrong === undefined ? count.pass() : count.fail(wrong);
      for (const text of texts) if (text instanceof GroupwiseError) count.refuse(text.what);
    };
    const name = (from: number): string => `${target.name} texts from ${k * BATCH + from}`;
    return { name, cases: some.length, run };
  });
  return { count, limits, tasks };
}

export const openClTexts = (program: Program, random: number, limits: PartLimits): PartTasks =>
  read(opencl, random, limits, async (some) => {
    const files = some.map(({ name, files: [file] }) => ({ name, code: file?.text ?? "" }));
    const reports = await checkWithClang(files, { program, args: OF_PIPELINES });
    return reports.map((report) => (report.ok ? undefined : formatReports([report])));
  });

export const cTexts = ([program, ...first]: Program, random: number, limits: PartLimits): PartTasks =>
  read(c, random, limits, async (some) => {
    const wrong: (string | undefined)[] = [];
    const folder = mkdtempSync(join(tmpdir(), "groupwise-matrix-"));
    try {
      for (const [i, { name, files }] of some.entries()) {
        const cwd = join(folder, String(i));
        mkdirSync(cwd);
        for (const { path, text } of files) writeFileSync(join(cwd, path), text);
        const sources = files.map(({ path }) => path).filter((path) => path.endsWith(".c"));
        const args = [...first, ...STRICT, ...OF_PIPELINES, ...sources];
        const { code, stderr } = await runProcess(program, args, { cwd });
        wrong.push(code === 0 ? undefined : `${name}: ${stderr}`);
      }
      return wrong;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
