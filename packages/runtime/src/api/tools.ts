/** The interface of a target for the command line, benchmarks and documentation: one value for each target. */
import { GroupwiseError } from "@groupwise/ir/base/errors.js";
import type { Quirk } from "@groupwise/kernel/capabilities/capabilities.js";
import type { Tuning } from "../tuning/tuning.ts";
import type { ProbeReport, Runtime } from "./runtime.ts";
import type { Artifact, EmitOptions, PipelineSource, SourceFile, Target } from "./target.ts";

/** Properties of a device to print, by name. */
export type DeviceFacts = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** A device that was found; nothing is opened yet. */
export interface FoundDevice {
  readonly name: string;
  readonly driver: string;
  /** Subnormal f32 of the device's own operations: `unspecified` if only a run shows it. */
  readonly subnormals: "kept" | "flushed" | "unspecified";
  /** Its capabilities. Opens the device if that is necessary. */
  facts(): Promise<DeviceFacts>;
  /** Opens it. @throws GroupwiseError `device-missing`, `foreign-tuning` */
  open(options?: OpenOptions): Promise<Runtime>;
}

/** Options of opening a device; devices without tiles, probes or clocks ignore them. */
export interface OpenOptions {
  /** Measured sizes of tiles. */
  readonly tuning?: Tuning;
  /** What an earlier probe showed; of another device, driver or version, it is left aside. */
  readonly probed?: ProbeReport;
  /** True: the runtime has `deviceTime` if the device has a clock. */
  readonly clock?: boolean;
  /** True: callers pass and get arrays in memory that threads share. Only devices of targets with `sharesMemory` do so. */
  readonly shared?: boolean;
}

/** Something that is not installed and would add devices. */
export interface MissingPart {
  readonly what: string;
  readonly reason: string;
  /** The command that installs it. */
  readonly remedy: string;
}

/** The devices of a target on this machine. */
export interface DeviceSurvey {
  readonly devices: readonly FoundDevice[];
  readonly missing: readonly MissingPart[];
}

/** Facts about a machine for a target, besides its devices: as data, and as lines of text. */
export interface MachineFacts {
  readonly data: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Options of headers; a writer ignores those that it neither takes nor requires. */
export interface HeaderChoices {
  readonly command: string;
  readonly prefix?: string;
  readonly functions?: readonly string[];
  readonly workGroupSize?: number;
  readonly f16?: boolean;
  readonly subnormals?: "flush";
}
/** An option of headers apart from the command. */
export type HeaderOption = Exclude<keyof HeaderChoices, "command">;

/** Writes functions of the work-group for user-written kernels. */
export interface HeaderWriter {
  /** The kind of text, for example `a header`. */
  readonly title: string;
  /** Whether an option must be given, may be given, or has no meaning. */
  readonly options: Readonly<Record<HeaderOption, "required" | "optional" | "none">>;
  /** The names of all functions. */
  functions(): readonly string[];
  /** @throws GroupwiseError `unknown-function`, `bad-name`, `work-group-too-large` */
  write(choices: HeaderChoices): string;
}

/** Writes a program that runs an artifact; the command is for its first lines. */
export type HostWriter = (artifact: Artifact, command: string) => readonly SourceFile[];

/** Emits a pipeline in another form than functions over arrays. @throws GroupwiseError as `emit`, or because the form cannot hold it */
export type FormWriter = (source: PipelineSource, options: EmitOptions) => Artifact;

/** A target with its functions for tools. Importing one opens nothing and loads no driver. */
export interface TargetTools {
  readonly target: Target;
  /** True if every machine has a device, with which others are compared. */
  readonly isEverywhere: boolean;
  /** Lists the devices of this machine; opens none. */
  survey(): Promise<DeviceSurvey>;
  /** One of its devices, on a number of threads of this process; undefined if the target has none. */
  readonly threads?: (count: number, device: FoundDevice) => FoundDevice;
  /** Whether these threads read inputs in shared memory without a copy. */
  readonly sharesMemory?: boolean;
  /** Facts about the machine for the target, besides devices; undefined if there are none. */
  readonly machine?: () => MachineFacts;
  readonly header?: HeaderWriter;
  /** Faults and limits of drivers, by what they concern. */
  readonly quirks: Readonly<Record<string, Quirk<unknown>>>;
  /** By language. */
  readonly hosts: Readonly<Record<string, HostWriter>>;
  /** Other forms of emitted files, by name. */
  readonly forms?: Readonly<Record<string, FormWriter>>;
}

/** A survey without devices that names what would add some. */
export const surveyMissing = (what: string, reason: string, remedy: string): DeviceSurvey => ({
  devices: [],
  missing: [{ what, reason, remedy }],
});

/** The first line of an error's message. */
export function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).trim().split("\n")[0] ?? "";
}

/** The reason of an error for `surveyMissing`: without what is unavailable, where the error begins with it. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof GroupwiseError)) return firstLine(error);
  return error.code === "device-missing" ? error.what.replace(/^.*? is unavailable: /, "") : error.what;
}

/** The reason why a package did not load: it is not installed, or it is damaged. */
export function loadFailure(name: string, error: unknown): string {
  const { code } = error as { readonly code?: unknown };
  if (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND")
    return `the package ${name} is not installed`;
  return `the package ${name} cannot be loaded: ${firstLine(error)}`;
}
