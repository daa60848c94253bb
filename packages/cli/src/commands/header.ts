/** `groupwise header`: work-group functions for people who write their own kernels. */
import { basename, dirname } from "node:path";
import { openclHeader, openclHeaderFunctions } from "@groupwise/target-opencl/header";
import { wgslHeader, wgslHeaderFunctions } from "@groupwise/target-wgsl/header";
import { writeFiles } from "../base/files.ts";
import type { Outcome, Surroundings } from "../base/outcome.ts";
import { badUsage, withHint } from "../base/problem.ts";
import { nearest, oneOf } from "../base/suggest.ts";
import { keepForeign, shellWords } from "./emit.ts";

export interface HeaderFlags {
  readonly target: string;
  readonly out?: string;
  readonly prefix?: string;
  readonly functions?: string;
  readonly workGroupSize?: number;
  /** For devices that have the type. */
  readonly f16?: boolean;
  readonly force?: boolean;
}

/** The options that a target does not take: they would be ignored in silence. */
const FOREIGN: Readonly<Record<string, readonly (keyof HeaderFlags)[]>> = {
  opencl: ["workGroupSize", "f16"],
  wgsl: [],
};
const OPTION: Readonly<Partial<Record<keyof HeaderFlags, string>>> = {
  workGroupSize: "--work-group-size",
  f16: "--f16",
};

export async function headerCommand(flags: HeaderFlags, { cwd }: Surroundings): Promise<Outcome> {
  const { target, out } = flags;
  if (!Object.hasOwn(FOREIGN, target))
    throw badUsage(`there is no header for ${JSON.stringify(target)}`, oneOf(target, Object.keys(FOREIGN)));
  const foreign = FOREIGN[target]?.find((name) => flags[name] !== undefined);
  if (foreign)
    throw badUsage(
      `${OPTION[foreign]} is for --target wgsl`,
      "omit it: the header works for every work-group and device",
    );
  const text = target === "wgsl" ? snippet(flags) : header(flags);
  if (out === undefined) return { code: 0, data: { target, text }, text };
  const [directory, name] = [dirname(out), basename(out)];
  if (!flags.force) keepForeign(directory, name, cwd);
  const written = writeFiles(directory, [{ path: name, data: text }], cwd);
  return { code: 0, data: { target, out: written[0] }, text: `${written[0]}\n` };
}

function header(flags: HeaderFlags): string {
  const command = commandOf(flags);
  if (flags.functions === undefined) return openclHeader({ ...prefixOf(flags), command });
  const { functions, near } = functionsOf(flags.functions, openclHeaderFunctions());
  return withHint(near, () => openclHeader({ ...prefixOf(flags), functions, command }));
}

function snippet(flags: HeaderFlags): string {
  const { functions: list = "", workGroupSize, f16 = false } = flags;
  if (workGroupSize === undefined)
    throw badUsage("the work-group size is not given", "pass --work-group-size, for example 256");
  const { functions, near } = functionsOf(list, wgslHeaderFunctions());
  const command = commandOf(flags);
  return withHint(near, () => wgslHeader({ ...prefixOf(flags), functions, workGroupSize, f16, command }));
}

/** The names of a list, and what one that is unknown may mean. */
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

const prefixOf = ({ prefix }: HeaderFlags): { readonly prefix?: string } =>
  prefix === undefined ? {} : { prefix };

/** The command that makes it again, without the place where it was put. */
function commandOf({ target, prefix, functions, workGroupSize, f16, out }: HeaderFlags): string {
  const words = ["groupwise", "header"];
  if (target !== "opencl") words.push("--target", target);
  if (functions !== undefined) words.push("--functions", functions);
  if (workGroupSize !== undefined) words.push("--work-group-size", String(workGroupSize));
  if (f16) words.push("--f16");
  if (prefix !== undefined) words.push("--prefix", prefix);
  if (out !== undefined) words.push("--out", basename(out));
  return shellWords(words);
}
