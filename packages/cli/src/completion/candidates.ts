/** Candidates for the last word of a command line. */
import type { Command, Option } from "commander";
import { SCHEMAS } from "../base/target-names.ts";
import { CODE_FILES, filesFor } from "./files.ts";
import { SHELLS } from "./shells.ts";
import { type Asked, valuesFor } from "./values.ts";

/** A word, and what it means. */
export interface Candidate {
  readonly value: string;
  readonly about?: string;
  /** True if more of the word follows: a folder, an item of a list. */
  readonly isOpen?: boolean;
}

/** Candidates for arguments that are not values of options. */
const ARGUMENTS: Readonly<Record<string, (asked: Asked) => readonly Candidate[]>> = {
  pipeline: ({ word, cwd }) => filesFor(word, cwd, CODE_FILES),
  model: ({ word, cwd }) => filesFor(word, cwd, [".onnx"]),
  document: () => SCHEMAS.map((value) => ({ value })),
  shell: () => SHELLS.map((value) => ({ value })),
};

/** @param words those after `groupwise`; the last one, which may be empty, is completed */
export async function candidatesOf(
  program: Command,
  words: readonly string[],
  cwd: string,
): Promise<readonly Candidate[]> {
  const word = words.at(-1) ?? "";
  const command = program.commands.find((one) => one.name() === words[0]);
  const within = async (): Promise<readonly Candidate[]> =>
    command ? withinCommand(command, { words, word, cwd }) : [];
  const found = words.length > 1 ? await within() : atStart(program, word);
  return found.filter(({ value }) => value.startsWith(word));
}

const atStart = (program: Command, word: string): readonly Candidate[] =>
  word.startsWith("-")
    ? optionsOf(program)
    : program.commands.map((one) => ({ value: one.name(), about: one.description() }));

const isFlag = ({ short, long }: Option, word: string): boolean => word === short || word === long;

async function withinCommand(command: Command, asked: Asked): Promise<readonly Candidate[]> {
  const { words, word } = asked;
  const before = words.at(-2) ?? "";
  const option = command.options.find((one) => isFlag(one, before));
  const taken = positionals(command, words.slice(1, -1));
  if (option?.required) return valuesFor(option, { ...asked, path: taken[0], command });
  if (word.startsWith("-")) return optionsOf(command);
  const argument = command.registeredArguments[taken.length];
  return argument ? (ARGUMENTS[argument.name()]?.(asked) ?? []) : [];
}

/** The words that are neither options nor values of options. */
function positionals(command: Command, words: readonly string[]): readonly string[] {
  const takesNext = (word = ""): boolean => command.options.some((one) => isFlag(one, word) && one.required);
  return words.filter((word, i) => !word.startsWith("-") && !takesNext(words[i - 1]));
}

function optionsOf(command: Command): readonly Candidate[] {
  const help: Pick<Option, "long" | "description"> = {
    long: "--help",
    description: "display help for command",
  };
  return [...command.options, help].flatMap(({ long, description }) =>
    long ? [{ value: long, about: description }] : [],
  );
}

/** Flags of the protocol of Cobra, which the scripts of @bomb.sh/tab read. */
const NO_SPACE = 2;
const NO_FILES = 4;

/** A line for each candidate, then the flags for the shell. */
export function printCandidates(candidates: readonly Candidate[]): string {
  const lines = candidates
    .filter(({ value }) => !/[\n\t\r]/.test(value))
    .map(
      ({ value, about }) => `${value}${about === undefined ? "" : `\t${about.replaceAll(/\s+/g, " ")}`}\n`,
    );
  const isOpen = candidates.some((one) => one.isOpen);
  return `${lines.join("")}:${NO_FILES + (isOpen ? NO_SPACE : 0)}\n`;
}
