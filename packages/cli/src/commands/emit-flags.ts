/** The options of `groupwise emit`: what they say of the device, and the command line that has them. */
import type { EmitOptions } from "@groupwise/core";
import { portablePath } from "../base/files.ts";
import type { TargetName } from "../base/target-names.ts";
import { type FlagTable, wordsOf } from "../flags/flag.ts";
import {
  DEVICE,
  type EmitFlags,
  FORMS,
  HOST,
  ITEMS,
  MODULE,
  PARTS,
  SUBNORMALS,
  TUNING,
} from "../flags/tables.ts";

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

/** The types that flags name. */
const OPTIONAL = ["f16", "f64"] as const;

/** Forms of emitted files, each with an option of its name. */
type Form = keyof typeof FORMS;
export const FORM_NAMES = Object.keys(FORMS) as readonly Form[];

/** What emitted files depend on, in the order in which they name it. */
const EMITTED: FlagTable = {
  ...MODULE,
  ...DEVICE,
  ...SUBNORMALS,
  ...PARTS,
  ...TUNING,
  ...ITEMS,
  ...FORMS,
  ...HOST,
};

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
  flags: DeviceFlags & Partial<Omit<EmitFlags, keyof DeviceFlags>> = {},
  host?: string,
): string {
  const tuning = flags.tuning && portablePath(flags.tuning, cwd);
  const words = ["groupwise", "emit", portablePath(path, cwd), "--target", target];
  return shellWords([...words, ...wordsOf(EMITTED, { ...flags, tuning, host })]);
}

/** A command line, quoted for a shell. */
export const shellWords = (words: readonly string[]): string => words.map(quoted).join(" ");

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
