/** One run of the command, from its arguments to its exit code. */

import { relative } from "node:path";
import { GroupwiseError } from "@groupwise/core";
import { errorOf, having, printable, requireArguments, TEXTS } from "@groupwise/core/target";
import { Command, CommanderError } from "commander";
import { type Created, create } from "./create.ts";
import { checkedTemplate, type TemplateName, templateList, templateOf } from "./templates.ts";
import { VERSION } from "./version.ts";

/** The environment of the command: its folder, output and terminal. */
interface Surroundings {
  readonly cwd: string;
  /** Writes to stdout. */
  out(text: string): void;
  /** Writes to stderr. */
  err(text: string): void;
  /** Asks for one line; absent without a terminal. */
  readonly ask?: (question: string) => Promise<string>;
}

interface Wish {
  readonly folder?: string;
  readonly template?: string;
}

/** The parsed arguments. @throws CommanderError for invalid arguments, and after the help */
function wishOf(argv: readonly string[], { out, err }: Surroundings): Wish {
  const program = new Command("create-groupwise")
    .description("Makes a project that uses groupwise, with a passing test.")
    .argument("[folder]", "a new or an empty folder; its name becomes that of the package")
    .option("-t, --template <name>", "template of the project, see below")
    .version(VERSION)
    .addHelpText("after", `\nTemplates:\n${templateList()}`)
    .exitOverride()
    .configureOutput({ writeOut: out, writeErr: (text) => err(printable(text)) });
  program.parse([...argv], { from: "user" });
  const [folder] = program.args;
  return { ...program.opts<{ template?: string }>(), ...(folder !== undefined && { folder }) };
}

/** The option, or the answer. @throws GroupwiseError `bad-usage` without a terminal */
async function needed(
  given: string | undefined,
  question: string,
  hint: string,
  { ask }: Surroundings,
): Promise<string> {
  const text = given ?? (await ask?.(question))?.trim();
  if (text) return text;
  throw errorOf("bad-usage", { reason: `${question} is not given`, hint });
}

function report(template: TemplateName, { folder, files }: Created, { cwd, out }: Surroundings): void {
  const path = relative(cwd, folder) || ".";
  const place = /[^\w./\\-]/.test(path) ? `"${path}"` : path;
  const steps = [...(path === "." ? [] : [`cd ${place}`]), "npm install", ...templateOf(template).next];
  out(printable(`${files.map((file) => `${path}/${file}\n`).join("")}\nNext:\n`));
  out(printable(steps.map((step) => `  ${step}\n`).join("")));
}

/**
 * Runs the command. Never ends the process. Exit codes: 0 success, 2 incorrect usage or a folder that has files.
 * @param argv the arguments, without the program
 */
export async function main(argv: readonly string[], around: Surroundings): Promise<0 | 2> {
  requireArguments(arguments, "main", {
    arguments: TEXTS,
    surroundings: having("the surroundings", "out", "err"),
  });
  try {
    const wish = wishOf(argv, around);
    const folder = await needed(
      wish.folder,
      "the folder",
      "write: npm create groupwise my-app -- --template vite",
      around,
    );
    const question = `the template:\n${templateList()}the template`;
    const asked = wish.template ?? (around.ask && (await around.ask(question)).trim());
    const template = checkedTemplate(
      await needed(asked, "the template", `pass --template:\n${templateList()}`.trimEnd(), around),
    );
    report(template, create(template, folder, around.cwd), around);
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof GroupwiseError)) throw error;
    const { code, what, where, hint } = error;
    around.err(printable(`${where ? `${where}: ` : ""}${what} [${code}]\n  ${hint}\n`));
    return 2;
  }
}
