/** What arguments are made of, known before a target is loaded: help and completion start without them. */

/** The names of all targets, in the order in which they are shown. */
export const TARGET_NAMES = ["wgsl", "opencl", "js", "gpujs", "c"] as const;

/** The name of a target, as the command line takes it. */
export type TargetName = (typeof TARGET_NAMES)[number];

/** What commands take if no target is named. */
export const DEFAULTS: Readonly<Record<"run" | "explain" | "header", TargetName>> = {
  run: "js",
  explain: "wgsl",
  header: "opencl",
};

/** The languages in which some target has a host. */
export const HOST_LANGUAGES: readonly string[] = ["c"];

/** The targets that have a writer of headers, the default first, and what each writes. */
export const HEADER_TITLES: Readonly<Partial<Record<TargetName, string>>> = {
  opencl: "a header for OpenCL C",
  wgsl: "a snippet of WGSL",
};
/** Their names. */
export const HEADER_TARGETS: readonly TargetName[] = Object.keys(HEADER_TITLES) as TargetName[];

/** Bytes of a part of an array: what every WebGPU device binds. */
export const PART_BYTES: number = 2 ** 27;
