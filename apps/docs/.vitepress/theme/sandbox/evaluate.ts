/** TypeScript that declares a pipeline, run to get its document. Only the sandbox calls it. */
import * as dsl from "@groupwise/dsl";
import * as primitives from "@groupwise/primitives";
import { transform } from "sucrase";
import { type Problem, ProblemError, problemOf } from "../engine/problem.ts";
import { FILE } from "./messages.ts";

const PACKAGES: Readonly<Record<string, unknown>> = {
  "@groupwise/dsl": dsl,
  "@groupwise/primitives": primitives,
};

const refusal = (what: string, hint: string, line?: number): ProblemError => {
  const where = line === undefined ? FILE : `${FILE}:${line}`;
  return new ProblemError({ code: "bad-usage", what, where, hint, ...(line !== undefined && { line }) });
};

function importOf(name: string): unknown {
  if (Object.hasOwn(PACKAGES, name)) return PACKAGES[name];
  const known = Object.keys(PACKAGES).join(" and ");
  throw refusal(`there is no package ${JSON.stringify(name)} here`, `import only ${known}`);
}

/** Lines stay where they are: an error is at the line that the visitor sees. */
function compiled(code: string): string {
  try {
    return transform(code, { transforms: ["typescript", "imports"], filePath: FILE }).code;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [, what = message, line] = /^Error transforming [^:]*: (.*?) \((\d+):\d+\)$/s.exec(message) ?? [];
    throw refusal(what, "correct the syntax", line === undefined ? undefined : Number(line));
  }
}

/** The pipeline among the exports: the default one, or the only one. */
function pipelineIn(exported: Readonly<Record<string, unknown>>): unknown {
  const isPipeline = (value: unknown): value is { readonly ir: unknown } =>
    typeof value === "function" && "ir" in value;
  if (isPipeline(exported.default)) return exported.default.ir;
  const all = Object.values(exported).filter(isPipeline);
  if (all.length === 1) return all[0]?.ir;
  throw refusal(
    all.length === 0 ? "the file exports no pipeline" : "the file exports several pipelines",
    "write `export default pipeline(…)`",
  );
}

/** The line of the visitor's file in a place or a stack. */
export function lineIn(text: string): number | undefined {
  const found = /pipeline\.ts:(\d+)/.exec(text);
  return found ? Number(found[1]) : undefined;
}

function problemIn(error: unknown): Problem {
  const problem = problemOf(error);
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const line = problem.line ?? lineIn(problem.where) ?? lineIn(stack);
  if (problem.code !== "internal") return line === undefined ? problem : { ...problem, line };
  const where = line === undefined ? FILE : `${FILE}:${line}`;
  const hint = "the pipeline's own code threw this";
  return { code: "bad-usage", what: problem.what, where, hint, ...(line !== undefined && { line }) };
}

// By another name it sees no names of this file.
// biome-ignore lint/security/noGlobalEval: the worker is in a sandbox that exists for this
const evaluate = globalThis.eval;

/** The document of the pipeline that the code exports, as JSON. @throws ProblemError */
export function documentOf(code: string): string {
  try {
    const text = compiled(code);
    // The code begins in the first line, so that lines keep their numbers.
    const run = evaluate(`(function (require, exports) {${text}\n})\n//# sourceURL=${FILE}`);
    const exported: Record<string, unknown> = {};
    run(importOf, exported);
    return JSON.stringify(pipelineIn(exported));
  } catch (error) {
    throw new ProblemError(problemIn(error));
  }
}
