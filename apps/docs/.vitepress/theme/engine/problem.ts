/** Errors as data that pass between workers and pages. */
import type { GroupwiseError } from "@groupwise/core";

/** An error with its stable code; `line` is counted from 1 in the text that the visitor wrote. */
export interface Problem {
  readonly code: string;
  readonly what: string;
  readonly where: string;
  readonly hint: string;
  readonly line?: number;
}

/** A failure that is already data. */
export class ProblemError extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.what);
    this.problem = problem;
  }
}

const BUG = "this is an error of the page: please report it with the pipeline";

/** Any thrown value as data. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  // By name: pages show errors without a copy of the package that throws them.
  if (error instanceof Error && error.name === "GroupwiseError") {
    const { code, what, where, hint } = error as GroupwiseError;
    return { code, what, where, hint };
  }
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { code: "internal", what, where: "", hint: BUG };
}

const TEXTS = ["code", "what", "where", "hint"] as const;

/** A problem out of an untrusted message: its four texts, shortened, and a whole line; undefined for anything else. */
export function untrustedProblem(value: unknown): Problem | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const given = value as Record<string, unknown>;
  if (!TEXTS.every((key) => typeof given[key] === "string")) return undefined;
  const [code, what, where, hint] = TEXTS.map((key) => String(given[key]).slice(0, 2000));
  const line = Number.isSafeInteger(given.line) ? { line: given.line as number } : {};
  return { code: code ?? "", what: what ?? "", where: where ?? "", hint: hint ?? "", ...line };
}
