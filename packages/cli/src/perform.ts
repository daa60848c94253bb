/** What a command finds out, printed for people or for programs. */
import { printable } from "@groupwise/core/target";
import type { Io } from "./base/io.ts";
import type { ExitCode, Outcome } from "./base/outcome.ts";
import { exitCodeOf, isGroupwiseError, printProblem, problemOf } from "./base/problem.ts";
import { paint } from "./paint.ts";
import type { Work } from "./program.ts";
import { progressOn } from "./progress.ts";

export interface ChosenCommand {
  readonly command: string;
  readonly json: boolean;
  readonly work: Work;
}

/** Control characters of terminals that JSON does not escape. They occur only inside strings, where JSON's escapes are valid. */
const jsonLine = (value: object): string => printable(`${JSON.stringify(value, null, 2)}\n`);

/** What happened, on stdout or stderr. @throws OutputFailure @returns the exit code */
function report(outcome: Outcome, { command, json }: ChosenCommand, io: Io): ExitCode {
  io.out(json ? jsonLine({ ok: outcome.code === 0, command, ...outcome.data }) : printable(outcome.text));
  if (!json) for (const note of outcome.notes ?? []) io.err(printable(`${note}\n`));
  return outcome.code;
}

/** @throws OutputFailure @returns the exit code */
function reportError(error: unknown, { command, json }: ChosenCommand, io: Io): ExitCode {
  if (json) io.out(jsonLine({ ok: false, command, error: problemOf(error) }));
  else tell(error, io);
  if (!isGroupwiseError(error) && process.env.GROUPWISE_DEBUG)
    io.err(printable(`${(error as Error).stack}\n`));
  return exitCodeOf(error);
}

/** @throws OutputFailure */
export async function perform(chosen: ChosenCommand, io: Io): Promise<ExitCode> {
  const progress = progressOn(io, chosen.json);
  const answer = async (work: Work): Promise<ExitCode> => {
    let outcome: Outcome;
    try {
      outcome = await work({ cwd: io.cwd, progress, again: answer });
      progress.clear();
    } catch (error) {
      progress.clear();
      return reportError(error, chosen, io);
    }
    return report(outcome, chosen, io);
  };
  return answer(chosen.work);
}

/** Says on stderr what went wrong. */
export function tell(error: unknown, io: Io): void {
  const text = printable(printProblem(problemOf(error)));
  io.err(io.hasColours ? text.replace(/^(.*)( \[[a-z-]+\])$/m, (_, what, code) => inRed(what) + code) : text);
}

const inRed = paint("red");

/** Arguments that no command takes. @throws OutputFailure */
export function refuse(complaint: string, json: boolean, io: Io): ExitCode {
  const what = complaint.trim().replace(/^error: /, "");
  if (json)
    io.out(jsonLine({ ok: false, error: { code: "bad-usage", what, where: "", hint: "see --help" } }));
  else io.err(io.hasColours ? printable(complaint).replace(/^error: .*/, inRed) : printable(complaint));
  return 2;
}
