/** One run of the command line, from its arguments to its exit code. */
import { type Command, CommanderError } from "commander";
import type { Io } from "./base/io.ts";
import type { ExitCode } from "./base/outcome.ts";
import { VERSION } from "./base/version.ts";
import { paint } from "./paint.ts";
import type { ChosenCommand } from "./perform.ts";
import { programOf } from "./program.ts";

/**
 * Runs the command line. Never throws, never ends the process; with `--json` exactly one object is written.
 * @param argv the arguments, without the program
 * @example
 * ```ts
 * import { main, processIo } from "@groupwise/cli";
 *
 * const io = processIo();
 * const code = await main(["emit", "--help"], io);
 * console.log(code); // 0
 * ```
 */
export async function main(argv: readonly string[], io: Io): Promise<ExitCode> {
  const wantsJson = argv.includes("--json");
  try {
    if (argv[0] === COMPLETE && argv[1] === "--") return await complete(argv.slice(2), io);
    const parsed = await parse(argv, io);
    if (typeof parsed === "number") return parsed;
    // Commands and targets are loaded only here, because help and version do not need them.
    const { perform, refuse } = await import("./perform.ts");
    return "complaint" in parsed ? refuse(parsed.complaint, wantsJson, io) : await perform(parsed, io);
  } catch (error) {
    // stdout did not accept the result, so no second result is written.
    const { tell } = await import("./perform.ts");
    tell(error, io);
    return 2;
  }
}

/** Called by the scripts of `completion`, with the words of a command line after `--`. */
const COMPLETE = "complete";

async function complete(words: readonly string[], io: Io): Promise<ExitCode> {
  const { candidatesOf, printCandidates } = await import("./completion/candidates.ts");
  const program = programOf(VERSION, () => {});
  io.out(printCandidates(await candidatesOf(program, words, io.cwd)));
  return 0;
}

/** A command, or an error in the arguments, or the exit code after help or the version was printed. */
async function parse(
  argv: readonly string[],
  io: Io,
): Promise<ChosenCommand | { complaint: string } | ExitCode> {
  let chosen: ChosenCommand | undefined;
  let complaint = "";
  const program = programOf(VERSION, (command, json, work) => {
    chosen = { command, json, work };
  });
  const configure = (command: Command): void => {
    command
      .exitOverride()
      .configureHelp(io.hasOutColours ? HELP_STYLES : {})
      .configureOutput({
        writeOut: (text) => io.out(text),
        writeErr: (text) => {
          complaint += text;
        },
        getOutHelpWidth: () => io.columns as number,
        getOutHasColors: () => io.hasOutColours === true,
        getErrHasColors: () => false,
      });
    command.commands.forEach(configure);
  };
  configure(program);
  try {
    await program.parseAsync([...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
  }
  // Commander prints the help if there is no command, but a missing command is incorrect usage.
  return chosen ?? { complaint };
}

const HELP_STYLES = {
  styleTitle: paint("bold"),
  styleCommandText: paint("cyan"),
  styleSubcommandTerm: paint("cyan"),
  styleOptionTerm: paint("green"),
  styleArgumentTerm: paint("yellow"),
};
