/** Candidates for the last word of a command line. */

import type { Checked } from "@groupwise/core";
import type { Command, Option } from "commander";
import { HEADER_TARGETS, HOST_LANGUAGES, SCHEMAS, TARGET_NAMES } from "../base/target-names.ts";
import { CODE_FILES, DATA_FILES, filesFor } from "./files.ts";
import { SHELLS } from "./shells.ts";

// The values of options, as candidates. Candidates that need devices or targets are loaded on demand.
/** The words so far, the last of them, and the folder of relative paths. */
interface Asked {
  /** The first argument of the command, if it precedes the word. */
  readonly path?: string | undefined;
  readonly words: readonly string[];
  readonly word: string;
  readonly cwd: string;
}

/** The types that `tune` measures. */
const TUNED_TYPES: readonly string[] = ["u32", "i32", "u64", "i64", "f16", "f32", "f64"];

/** The same, within a command. */
interface Within extends Asked {
  readonly command: Command;
}
type Values = (asked: Within) => readonly Candidate[] | Promise<readonly Candidate[]>;

const plain = (values: readonly string[]): readonly Candidate[] => values.map((value) => ({ value }));

/** Completes the last name of a list: `wgsl,o` → `wgsl,opencl`. */
function listed(word: string, names: readonly string[]): readonly Candidate[] {
  const before = word.slice(0, word.lastIndexOf(",") + 1);
  const taken = before.split(",");
  return plain(names.filter((name) => !taken.includes(name)).map((name) => before + name));
}

/** The target of the command line, or that of the command. */
const targetOf = ({ words, command }: Within): string =>
  given(words, "--target", "-t") ?? command.options.find(({ long }) => long === "--target")?.defaultValue;

/** The value that an option has in the words. */
function given(words: readonly string[], ...flags: readonly string[]): string | undefined {
  const at = words.findLastIndex((word, i) => flags.includes(word) && i < words.length - 2);
  return at < 0 ? undefined : words[at + 1];
}

/** Indexes of devices, because names contain spaces; the descriptions have the names. */
async function devices(asked: Within): Promise<readonly Candidate[]> {
  const [{ survey }, { targetsOf }] = await Promise.all([
    import("../devices/index.ts"),
    import("../base/target-list.ts"),
  ]);
  const { devices: found } = await survey(targetsOf(targetOf(asked)));
  const rows = found.map(({ name, target }, i) => ({ value: String(i), about: `${target}: ${name}` }));
  return [...rows, { value: "all" }];
}

async function functions(asked: Within): Promise<readonly Candidate[]> {
  const { TARGETS } = await import("../base/targets.ts");
  const wanted = targetOf(asked);
  const target = TARGET_NAMES.find((name) => name === wanted);
  return listed(asked.word, (target && TARGETS[target].header?.functions()) ?? []);
}

/** The pipeline of the command line; undefined if it has none, or one with an error. Modules are run. */
async function pipelineOf({ path, words, cwd }: Asked): Promise<Checked | undefined> {
  if (path === undefined || path === "-") return undefined;
  const { loadPipeline } = await import("../commands/pipeline-file.ts");
  return loadPipeline(path, cwd, given(words, "--export")).catch(() => undefined);
}

/** `name=` of each node that takes values. */
const namesOf = (nodes: readonly { readonly name: string; readonly type: string }[] = []): Candidate[] =>
  nodes.map(({ name, type }) => ({ value: `${name}=`, about: type, isOpen: true }));

/** The names and files of `name=FILE`. */
async function inputs(asked: Asked): Promise<readonly Candidate[]> {
  const { word, cwd } = asked;
  const name = word.slice(0, word.indexOf("=") + 1);
  const files = filesFor(word.slice(name.length), cwd, DATA_FILES).map((one) => ({
    ...one,
    value: name + one.value,
  }));
  if (name !== "") return files;
  const checked = await pipelineOf(asked);
  return [...namesOf(checked?.inputs), ...namesOf(checked?.tables), ...files];
}

const params = async (asked: Asked): Promise<readonly Candidate[]> =>
  namesOf((await pipelineOf(asked))?.params);

const anyFile: Values = ({ word, cwd }) => filesFor(word, cwd, [""]);

/** By what stands for the value in help. */
const VALUES: Readonly<Record<string, Values>> = {
  "<targets>": ({ word }) => listed(word, [...TARGET_NAMES, "all"]),
  "<target>": () => plain(TARGET_NAMES),
  "<language>": () => plain(HEADER_TARGETS),
  "<device>": devices,
  "<host>": () => plain(HOST_LANGUAGES),
  "<functions>": functions,
  "<name=file>": inputs,
  "<name=value>": params,
  "<types>": ({ word }) => listed(word, TUNED_TYPES),
  "<file.json>": ({ word, cwd }) => filesFor(word, cwd, [".json"]),
  "<file.mmd>": ({ word, cwd }) => filesFor(word, cwd, [".mmd"]),
  ...Object.fromEntries(["<file>", "<dir>", "<where>"].map((name) => [name, anyFile])),
};

/** The values of an option that takes one. */
const valuesFor = async ({ flags, argChoices = [] }: Option, asked: Within): Promise<readonly Candidate[]> =>
  (await VALUES[flags.split(" ").at(-1) ?? ""]?.(asked)) ?? plain(argChoices);

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
