/** The options of `groupwise emit`: what they say of the device, and the command line that has them. */
import type { EmitOptions } from "@groupwise/core";
import { portablePath } from "../base/files.ts";
import { PART_BYTES, type TargetName } from "../base/target-names.ts";

/** What `groupwise emit` may know of the device. */
export interface DeviceFlags {
  /** False: without functions of work-groups that a language may have itself. */
  readonly native?: boolean;
  /** For devices that have subgroups; a number: of at least so many work-items. */
  readonly subgroups?: boolean | number;
  /** Scans in one pass. */
  readonly lookBack?: boolean;
  /** For devices of few wide cores: their number. */
  readonly cores?: number;
  /** For devices that have f16. */
  readonly f16?: boolean;
  /** For devices that have f64. */
  readonly f64?: boolean;
  /** Sums and products as the device computes them. */
  readonly subnormals?: "flush";
}

export interface EmitFlags extends DeviceFlags {
  readonly target?: string;
  readonly out: string;
  readonly export?: string;
  readonly force?: boolean;
  /** Emits again when a source changes. */
  readonly watch?: boolean;
  /** One JSON object on stdout. */
  readonly json?: boolean;
  /** The language of a host to write beside the sources. */
  readonly host?: string;
  /** For the ranks of an MPI communicator. */
  readonly mpi?: boolean;
  /** With a function that uses several threads. */
  readonly openmp?: boolean;
  /** Arrays in several bindings, as `name=count`. */
  readonly parts?: readonly string[];
  /** Bytes of each of them. */
  readonly partBytes?: number;
  /** A file of `groupwise tune`. */
  readonly tuning?: string;
  /** The number of items that its sizes are for. */
  readonly items?: number;
}

/** The types that flags name. */
const OPTIONAL = ["f16", "f64"] as const;

/** Forms of emitted files, each with an option of its name. */
export const FORMS = ["mpi", "openmp"] as const;

/** What flags say of the device; what they do not say a tuning may. */
export const deviceOptionsOf = (flags: DeviceFlags): EmitOptions => ({
  native: flags.native ?? true,
  ...(flags.subgroups !== undefined && { subgroups: flags.subgroups }),
  ...(flags.lookBack !== undefined && { lookBack: flags.lookBack }),
  ...(flags.cores !== undefined && { cores: flags.cores }),
  types: OPTIONAL.filter((type) => flags[type]),
  ...(flags.subnormals && { subnormals: flags.subnormals }),
});

/** The command that makes the files again, the same on every machine. */
export function commandFor(
  path: string,
  cwd: string,
  target: TargetName,
  flags: Partial<EmitFlags> = {},
  host?: string,
): string {
  const words = ["groupwise", "emit", portablePath(path, cwd), "--target", target];
  if (flags.export !== undefined) words.push("--export", flags.export);
  if (flags.native === false) words.push("--no-native");
  if (flags.subgroups) words.push("--subgroups");
  if (typeof flags.subgroups === "number") words.push(String(flags.subgroups));
  if (flags.lookBack) words.push("--look-back");
  if (flags.cores !== undefined) words.push("--cores", String(flags.cores));
  for (const type of OPTIONAL) if (flags[type]) words.push(`--${type}`);
  if (flags.subnormals) words.push("--subnormals", flags.subnormals);
  for (const part of flags.parts ?? []) words.push("--parts", part);
  if (flags.parts?.length) words.push("--part-bytes", String(flags.partBytes ?? PART_BYTES));
  if (flags.tuning !== undefined) words.push("--tuning", portablePath(flags.tuning, cwd));
  if (flags.items !== undefined) words.push("--items", String(flags.items));
  for (const form of FORMS) if (flags[form]) words.push(`--${form}`);
  if (host !== undefined) words.push("--host", host);
  return shellWords(words);
}

/** A command line, quoted for a shell. */
export const shellWords = (words: readonly string[]): string => words.map(quoted).join(" ");

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
