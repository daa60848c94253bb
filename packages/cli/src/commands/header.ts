/** `groupwise header`: work-group functions for people who write their own kernels. */
import { basename, dirname } from "node:path";
import type { HeaderOption, HeaderWriter } from "@groupwise/core/target";
import { STDOUT, writeFiles } from "../base/files.ts";
import type { Outcome, Surroundings } from "../base/outcome.ts";
import { badUsage, withHint } from "../base/problem.ts";
import { nearest, oneOf } from "../base/suggest.ts";
import { HEADER_TARGETS } from "../base/target-names.ts";
import { type TargetName, toolsOf } from "../base/targets.ts";
import { wordsOf } from "../flags/flag.ts";
import { HEADER, HEADER_TEXT, type HeaderFlags, SUBNORMALS } from "../flags/tables.ts";
import { keepForeign } from "./emit.ts";
import { shellWords } from "./emit-flags.ts";

/** How options are written, with an example. */
const OPTIONS: Readonly<Record<HeaderOption, readonly [flag: string, example: string]>> = {
  prefix: ["--prefix", "--prefix my_"],
  functions: ["--functions", "--functions all"],
  workGroupSize: ["--work-group-size", "--work-group-size 256"],
  f16: ["--f16", "--f16"],
  subnormals: ["--subnormals", "--subnormals flush"],
};
const OPTION_NAMES = Object.keys(OPTIONS) as readonly HeaderOption[];

/** @throws GroupwiseError `bad-usage` */
function writerOf(target: string): HeaderWriter {
  const writer = HEADER_TARGETS.includes(target as TargetName) && toolsOf(target as TargetName).header;
  if (writer) return writer;
  throw badUsage(`there is no header for ${JSON.stringify(target)}`, oneOf(target, HEADER_TARGETS));
}

/** @throws GroupwiseError `bad-usage` for an option that the writer would ignore, or needs */
function requireOptions(flags: HeaderFlags, { options }: HeaderWriter): void {
  const ignored = OPTION_NAMES.find((name) => flags[name] !== undefined && options[name] === "none");
  if (ignored) {
    const takers = HEADER_TARGETS.filter((target) => writerOf(target).options[ignored] !== "none");
    throw badUsage(
      `${OPTIONS[ignored][0]} is for --target ${takers.join(" or ")}`,
      "omit it: the header works for every work-group and device",
    );
  }
  // The error about a missing list of functions lists all names.
  const lacking = OPTION_NAMES.find(
    (name) => name !== "functions" && flags[name] === undefined && options[name] === "required",
  );
  if (lacking)
    throw badUsage(`${OPTIONS[lacking][0]} is not given`, `pass it, for example ${OPTIONS[lacking][1]}`);
}

export async function headerCommand(flags: HeaderFlags, { cwd }: Surroundings): Promise<Outcome> {
  const { target, out } = flags;
  const text = textOf(flags, writerOf(target));
  if (out === undefined || out === STDOUT) return { code: 0, data: { target, text }, text };
  const [directory, name] = [dirname(out), basename(out)];
  if (!flags.force) keepForeign(directory, name, cwd);
  const written = writeFiles(directory, [{ path: name, data: text }], cwd);
  return { code: 0, data: { target, out: written[0] }, text: `${written[0]}\n` };
}

function textOf(flags: HeaderFlags, writer: HeaderWriter): string {
  requireOptions(flags, writer);
  const { prefix, workGroupSize, f16, subnormals, functions: list } = flags;
  const choices = {
    command: commandOf(flags),
    ...(prefix !== undefined && { prefix }),
    ...(workGroupSize !== undefined && { workGroupSize }),
    ...(f16 !== undefined && { f16 }),
    ...(subnormals !== undefined && { subnormals }),
  };
  if (list === undefined && writer.options.functions !== "required") return writer.write(choices);
  const { functions, near } = functionsOf(list ?? "", writer.functions());
  return withHint(near, () => writer.write({ ...choices, functions }));
}

/** The names of a list, and the known name nearest to the first unknown one. */
function functionsOf(
  list: string,
  known: readonly string[],
): { readonly functions: readonly string[]; readonly near: ReturnType<typeof nearest> } {
  const functions = list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (functions.length === 0)
    throw badUsage("no functions are given", `pass --functions with some of: ${known.join(", ")}`);
  const unknown = functions.find((name) => !known.includes(name));
  return { functions, near: unknown === undefined ? undefined : nearest(unknown, known) };
}

/** The command that makes the file again, without its folder. */
function commandOf({ out, ...flags }: HeaderFlags): string {
  const name = out === undefined || out === STDOUT ? undefined : basename(out);
  const table = { ...HEADER, ...SUBNORMALS, ...HEADER_TEXT };
  return shellWords(["groupwise", "header", ...wordsOf(table, { ...flags, out: name })]);
}
