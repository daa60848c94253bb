/** The values of options, as candidates. Candidates that need devices or targets are loaded on demand. */
import { DEFAULTS, HEADER_TARGETS, HOST_LANGUAGES, TARGET_NAMES } from "../base/target-names.ts";
import type { Candidate } from "./candidates.ts";
import { DATA_FILES, filesFor } from "./files.ts";

/** The words so far, the last of them, and the folder of relative paths. */
export interface Asked {
  readonly words: readonly string[];
  readonly word: string;
  readonly cwd: string;
}

/** The types that `tune` measures. */
const TUNED_TYPES: readonly string[] = ["u32", "i32", "u64", "i64", "f16", "f32", "f64"];

type Values = (asked: Asked, command: string) => readonly Candidate[] | Promise<readonly Candidate[]>;

const plain = (values: readonly string[]): readonly Candidate[] => values.map((value) => ({ value }));

/** Completes the last name of a list: `wgsl,o` → `wgsl,opencl`. */
function listed(word: string, names: readonly string[]): readonly Candidate[] {
  const before = word.slice(0, word.lastIndexOf(",") + 1);
  const taken = before.split(",");
  return plain(names.filter((name) => !taken.includes(name)).map((name) => before + name));
}

const targets: Values = ({ word }, command) =>
  command === "header" ? plain(HEADER_TARGETS) : listed(word, [...TARGET_NAMES, "all"]);

/** The value that an option has in the words. */
function given(words: readonly string[], ...flags: readonly string[]): string | undefined {
  const at = words.findLastIndex((word, i) => flags.includes(word) && i < words.length - 2);
  return at < 0 ? undefined : words[at + 1];
}

/** Indexes of devices, because names contain spaces; the descriptions have the names. */
async function devices({ words }: Asked, command: string): Promise<readonly Candidate[]> {
  const [{ survey }, { targetsOf }] = await Promise.all([
    import("../devices/index.ts"),
    import("../base/target-list.ts"),
  ]);
  const { devices: found } = await survey(
    targetsOf(given(words, "--target", "-t") ?? DEFAULTS[command === "tune" ? "tune" : "run"]),
  );
  const rows = found.map(({ name, target }, i) => ({ value: String(i), about: `${target}: ${name}` }));
  return [...rows, { value: "all" }];
}

async function functions({ words, word }: Asked): Promise<readonly Candidate[]> {
  const { TARGETS } = await import("../base/targets.ts");
  const wanted = given(words, "--target", "-t") ?? DEFAULTS.header;
  const target = TARGET_NAMES.find((name) => name === wanted);
  return listed(word, (target && TARGETS[target].header?.functions()) ?? []);
}

/** The files of `name=FILE`. */
const inputs: Values = ({ word, cwd }) => {
  const name = word.slice(0, word.indexOf("=") + 1);
  return filesFor(word.slice(name.length), cwd, DATA_FILES).map((one) => ({
    ...one,
    value: name + one.value,
  }));
};

/** By the long name of an option. */
export const VALUES: Readonly<Record<string, Values>> = {
  "--target": targets,
  "--require": targets,
  "--device": devices,
  "--host": () => plain(HOST_LANGUAGES),
  "--functions": functions,
  "--input": inputs,
  "--tuning": ({ word, cwd }) => filesFor(word, cwd, [".json"]),
  "--types": ({ word }) => listed(word, TUNED_TYPES),
  "--out": ({ word, cwd }) => filesFor(word, cwd),
};
