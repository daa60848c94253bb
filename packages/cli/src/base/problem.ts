/** Errors as exit codes, text and JSON. */
import { type ErrorCode, GroupwiseError } from "@groupwise/core";
import { errorOf, printable } from "@groupwise/core/target";

import type { ExitCode } from "./outcome.ts";
import { OutputFailure } from "./reasons.ts";

/** Codes of valid requests that cannot be satisfied. Every other code means incorrect usage or input. */
const NO: ReadonlySet<ErrorCode> = new Set([
  "unsupported",
  "not-carried",
  "work-group-too-large",
  "device-missing",
  "device-limit",
  "device-error",
  "device-lost",
  "bad-kernel",
]);

/** An error as data. */
export interface Problem {
  readonly code: string;
  readonly what: string;
  readonly where: string;
  readonly hint: string;
}

/** True for an error of groupwise, also from another copy of the package that a pipeline file imports. */
export function isGroupwiseError(error: unknown): error is GroupwiseError {
  if (error instanceof GroupwiseError) return true;
  const e = error as Partial<GroupwiseError> | null;
  return error instanceof Error && e?.name === "GroupwiseError" && [e.code, e.what, e.hint].every(isText);
}
const isText = (value: unknown): boolean => typeof value === "string";

export function problemOf(error: unknown): Problem {
  if (isGroupwiseError(error)) {
    const { code, what, where, hint } = error;
    return { code, what, where, hint };
  }
  if (error instanceof OutputFailure) return problemOf(outputError(error));
  const what = error instanceof Error ? `${error.name}: ${error.message.split("\n")[0]}` : String(error);
  return {
    code: "internal",
    what,
    where: "",
    hint: "this is a bug of groupwise: please report it with the command and its input; GROUPWISE_DEBUG=1 shows the stack",
  };
}

export function exitCodeOf(error: unknown): ExitCode {
  return isGroupwiseError(error) && NO.has(error.code) ? 1 : 2;
}

/** Two lines: location, message and code; then the hint. */
export function printProblem({ code, what, where, hint }: Problem): string {
  return printable(`${where ? `${where}: ` : ""}${what} [${code}]\n  ${hint}\n`);
}

/** The result of `act`; its errors get "did you mean" if there is a similar name. */
export function withHint<T>(near: string | undefined, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (near === undefined || !isGroupwiseError(error)) throw error;
    const wording = { message: error.what, hint: `did you mean ${near}? ${error.hint}` };
    throw new GroupwiseError(error.code, wording, error.where, error);
  }
}

/** An error in the arguments of the command. */
export function badUsage(reason: string, hint: string, where?: string): GroupwiseError {
  return errorOf("bad-usage", { reason, hint }, where);
}

/** An error in the contents of a file. The default hint names the supported formats. */
export function badFile(path: string, reason: string, cause?: unknown, hint?: string): GroupwiseError {
  return errorOf("bad-file", { path, reason, ...(hint !== undefined && { hint }) }, path, cause);
}

/** The error for output that stdout did not accept. */
const outputError = ({ message, cause }: OutputFailure): GroupwiseError =>
  badFile("stdout", message, cause, "the output is incomplete: free some space, or write elsewhere");
