/** `groupwise header`: work-group functions for people who write their own kernels. */
import { basename, dirname } from "node:path";
import { openclHeader } from "@groupwise/target-opencl/header";
import { wgslHeader, wgslHeaderFunctions } from "@groupwise/target-wgsl/header";
import { writeFiles } from "../files.ts";
import type { Outcome, Surroundings } from "../outcome.ts";
import { badUsage, withHint } from "../problem.ts";
import { nearest, oneOf } from "../suggest.ts";
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
  opencl: ["functions", "workGroupSize", "f16"],
  wgsl: [],
};
const OPTION: Readonly<Partial<Record<keyof HeaderFlags, string>>> = {
  functions: "--functions",
  workGroupSize: "--work-group-size",
  f16: "--f16",
};

export async function headerCommand(flags: HeaderFlags, { cwd }: Surroundings): Promise<Outcome> {
  const { target, out } = flags;
  if (!Object.hasOwn(FOREIGN, target))
    throw badUsage(`there is no header for ${JSON.stringify(target)}`, oneOf(target, Object.keys(FOREIGN)));
  const foreign = FOREIGN[target]?.find((name) => flags[name] !== undefined);
  if (foreign)
    throw badUsage(`${OPTION[foreign]} is for --target wgsl`, "leave it out: the header holds all");
  const text =
    target === "wgsl" ? snippet(flags) : openclHeader({ ...prefixOf(flags), command: commandOf(flags) });
  if (out === undefined) return { code: 0, data: { target, text }, text };
  const [directory, name] = [dirname(out), basename(out)];
  if (!flags.force) keepForeign(directory, name, cwd);
  const written = writeFiles(directory, [{ path: name, data: text }], cwd);
  return { code: 0, data: { target, out: written[0] }, text: `${written[0]}\n` };
}

function snippet(flags: HeaderFlags): string {
  const { functions: list = "", workGroupSize, f16 = false } = flags;
  const known = wgslHeaderFunctions();
  if (workGroupSize === undefined)
    throw badUsage("nothing says how large the work-group is", "pass --work-group-size, for example 256");
  const functions = list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (functions.length === 0)
    throw badUsage("nothing says which functions", `pass --functions with some of: ${known.join(", ")}`);
  const unknown = functions.find((name) => !known.includes(name));
  const near = unknown === undefined ? undefined : nearest(unknown, known);
  const command = commandOf(flags);
  return withHint(near, () => wgslHeader({ ...prefixOf(flags), functions, workGroupSize, f16, command }));
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
