/** One run of the command line, from its arguments to its exit code. */
import { printable } from "@groupwise/core";
import { type Command, CommanderError } from "commander";
import { type Io, progressOn } from "./io.ts";
import type { ExitCode } from "./outcome.ts";
import { exitCodeOf, isGroupwiseError, printProblem, problemOf } from "./problem.ts";
import { programOf, type Work } from "./program.ts";
import { VERSION } from "./version.ts";

interface Chosen {
  readonly command: string;
  readonly json: boolean;
  readonly work: Work;
}

const jsonLine = (value: object): string => printable(`${JSON.stringify(value, null, 2)}\n`);

/**
 * Runs the command line. Never throws, never ends the process; with `--json` exactly one object is written.
 * @param argv the arguments, without the program
 */
export async function main(argv: readonly string[], io: Io): Promise<ExitCode> {
  const wantsJson = argv.includes("--json");
  const parsed = await parse(argv, io, wantsJson);
  if (typeof parsed === "number") return parsed;
  const { command, json, work } = parsed;
  const progress = progressOn(io, json);
  try {
    const outcome = await work({ cwd: io.cwd, progress });
    progress.clear();
    io.out(json ? jsonLine({ ok: outcome.code === 0, command, ...outcome.data }) : outcome.text);
    if (!json) for (const note of outcome.notes ?? []) io.err(`${note}\n`);
    return outcome.code;
  } catch (error) {
    progress.clear();
    const problem = problemOf(error);
    if (json) io.out(jsonLine({ ok: false, command, error: problem }));
    else io.err(printProblem(problem));
    if (!isGroupwiseError(error) && process.env.GROUPWISE_DEBUG) io.err(`${(error as Error).stack}\n`);
    return exitCodeOf(error);
  }
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
  // Without any command commander prints the help; to be asked for nothing is bad use all the same.
  const what = complaint.trim().replace(/^error: /, "");
  if (json)
    io.out(jsonLine({ ok: false, error: { code: "bad-usage", what, where: "", hint: "see --help" } }));
  else io.err(printable(complaint));
  return 2;
}
