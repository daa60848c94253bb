/** The values of options, as candidates. Candidates that need devices or targets are loaded on demand. */
import type { Checked } from "@groupwise/core";
import type { Command, Option } from "commander";
import { HEADER_TARGETS, HOST_LANGUAGES, TARGET_NAMES } from "../base/target-names.ts";
import type { Candidate } from "./candidates.ts";
import { DATA_FILES, filesFor } from "./files.ts";

/** The words so far, the last of them, and the folder of relative paths. */
export interface Asked {
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
export const valuesFor = async (
  { flags, argChoices = [] }: Option,
  asked: Within,
): Promise<readonly Candidate[]> =>
  (await VALUES[flags.split(" ").at(-1) ?? ""]?.(asked)) ?? plain(argChoices);
