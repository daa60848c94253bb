/** One run of the command line, from its arguments to its exit code. */
import { printable } from "@groupwise/core/target";
import { type Command, CommanderError } from "commander";
import { type Io, progressOn } from "./base/io.ts";
import type { ExitCode, Outcome } from "./base/outcome.ts";
import { exitCodeOf, isGroupwiseError, printProblem, problemOf } from "./base/problem.ts";
import { VERSION } from "./base/version.ts";
import { programOf, type Work } from "./program.ts";

interface Chosen {
  readonly command: string;
  readonly json: boolean;
  readonly work: Work;
}

/** Characters that JSON leaves as they are and a terminal would obey occur only within strings, where JSON escapes apply. */
const jsonLine = (value: object): string => printable(`${JSON.stringify(value, null, 2)}\n`);

/**
 * Runs the command line. Never throws, never ends the process; with `--json` exactly one object is written.
 * @param argv the arguments, without the program
 */
export async function main(argv: readonly string[], io: Io): Promise<ExitCode> {
  const wantsJson = argv.includes("--json");
  try {
    const parsed = await parse(argv, io, wantsJson);
    return typeof parsed === "number" ? parsed : await perform(parsed, io);
  } catch (error) {
    // The answer was there, and did not reach stdout: neither does a second one.
    io.err(printable(printProblem(problemOf(error))));
    return 2;
  }
}

/** @throws GroupwiseError what writing to stdout throws */
async function perform({ command, json, work }: Chosen, io: Io): Promise<ExitCode> {
  const progress = progressOn(io, json);
  let outcome: Outcome;
  try {
    outcome = await work({ cwd: io.cwd, progress });
    progress.clear();
  } catch (error) {
    progress.clear();
    const problem = problemOf(error);
    if (json) io.out(jsonLine({ ok: false, command, error: problem }));
    else io.err(printable(printProblem(problem)));
    if (!isGroupwiseError(error) && process.env.GROUPWISE_DEBUG)
      io.err(printable(`${(error as Error).stack}\n`));
    return exitCodeOf(error);
  }
  io.out(json ? jsonLine({ ok: outcome.code === 0, command, ...outcome.data }) : printable(outcome.text));
  if (!json) for (const note of outcome.notes ?? []) io.err(printable(`${note}\n`));
  return outcome.code;
}

async function parse(argv: readonly string[], io: Io, json: boolean): Promise<Chosen | ExitCode> {
  let chosen: Chosen | undefined;
  let complaint = "";
  const program = programOf(VERSION, (command, asJson, work) => {
    chosen = { command, json: asJson, work };
  });
  const settle = (command: Command): void => {
    command.exitOverride().configureOutput({
      writeOut: (text) => io.out(text),
      writeErr: (text) => {
        complaint += text;
      },
    });
    command.commands.forEach(settle);
  };
  settle(program);
  try {
    await program.parseAsync([...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
  }
  if (chosen) return chosen;
  // Without any command commander prints the help; a missing command is bad use nevertheless.
  const what = complaint.trim().replace(/^error: /, "");
  if (json)
    io.out(jsonLine({ ok: false, error: { code: "bad-usage", what, where: "", hint: "see --help" } }));
  else io.err(printable(complaint));
  return 2;
}
