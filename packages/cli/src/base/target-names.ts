/** Names and defaults of arguments, separate from the targets so that help and completion start without loading them. */

/** The names of all targets, in the order in which they are shown. */
export const TARGET_NAMES = ["wgsl", "opencl", "cuda", "js", "wasm", "gpujs", "c"] as const;

/** The name of a target on the command line. */
export type TargetName = (typeof TARGET_NAMES)[number];

/** The default target of each command. */
export const DEFAULTS: Readonly<Record<"run" | "explain" | "header" | "tune", TargetName>> = {
  run: "js",
  explain: "wgsl",
  header: "opencl",
  tune: "wgsl",
};

/** Hosts that read any manifest at run time, each one file in `hosts/`, and the targets whose files they run. */
export const GENERIC_HOSTS: Readonly<
  Record<string, { readonly file: string; readonly targets: readonly TargetName[] }>
> = {
  cpp: { file: "groupwise_host.hpp", targets: ["opencl"] },
  rust: { file: "groupwise_host.rs", targets: ["wgsl"] },
};

/** Hosts that targets write for a pipeline, what each is, and the targets. */
export const OWN_HOSTS: Readonly<
  Record<string, { readonly about: string; readonly targets: readonly TargetName[] }>
> = {
  c: { about: "a program", targets: ["opencl", "c"] },
  python: { about: "a module", targets: ["opencl", "cuda", "c"] },
  cpp: { about: "a function", targets: ["cuda"] },
};

/** The languages of hosts: those that targets write for a pipeline, and those that read any manifest. */
export const HOST_LANGUAGES: readonly string[] = [
  ...new Set([OWN_HOSTS, GENERIC_HOSTS].flatMap(Object.keys)),
].sort();

/** The targets that can write a header, the default first, and a description of it. */
export const HEADER_TITLES: Readonly<Partial<Record<TargetName, string>>> = {
  opencl: "a header for OpenCL C",
  wgsl: "a snippet of WGSL",
};
/** Their names. */
export const HEADER_TARGETS: readonly TargetName[] = Object.keys(HEADER_TITLES) as TargetName[];

/** Default number of bytes of a part of an array: every WebGPU device supports bindings of this size. */
export const PART_BYTES: number = 2 ** 27;

/** The file and the seconds of `groupwise tune`. */
export const TUNE_FILE = "groupwise-tuning.json";
export const TUNE_SECONDS = 60;

/** The documents that have a JSON Schema. */
export const SCHEMAS = ["pipeline", "manifest"] as const;
export type SchemaName = (typeof SCHEMAS)[number];
