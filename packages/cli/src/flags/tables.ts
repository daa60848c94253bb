/** The flags of all commands. Tables that several commands have come first. */
import {
  DEFAULTS,
  GENERIC_HOSTS,
  HEADER_TARGETS,
  OWN_HOSTS,
  PART_BYTES,
  TARGET_NAMES,
  TUNE_FILE,
  TUNE_SECONDS,
} from "../base/target-names.ts";
import type { FlagsOf } from "./flag.ts";

const TARGET_LIST = `${TARGET_NAMES.join(", ")}; separated by commas, or all`;
const OWN_LIST = Object.entries(OWN_HOSTS)
  .map(([language, { about, targets }]) => `${language} (${about}; ${targets.join(", ")})`)
  .join(", ");
const GENERIC_LIST = Object.entries(GENERIC_HOSTS)
  .map(([language, { targets }]) => `${language} (${targets.join(", ")})`)
  .join(", ");

export const JSON_OUT = { json: { is: "switch", about: "one JSON object on stdout" } } as const;

export const MODULE = {
  export: { is: "text <name>", about: "the module's export that holds the pipeline (default export)" },
} as const;

/** Of commands that write files. */
export const FORCE = {
  force: { is: "switch", about: "overwrite files that groupwise did not make" },
} as const;

/** Values of parameters, and how files are read. */
export const VALUES = {
  param: { is: "list <name=value>", about: "value of a parameter" },
  null: { is: "text <value>", about: "value for empty cells and nulls, which are errors without it" },
  raw: { is: "switch", about: "FILE:type means raw elements, also where the extension says another format" },
} as const;

export const SIZES = {
  n: { is: "whole <count>", about: "number of items" },
  globalSize: { is: "sides <sides>", about: "items per dimension: 640x480" },
} as const;
export const OFFSET = {
  globalOffset: { is: "sides <places>", about: "first global id, per dimension: 0x100" },
} as const;

export const TUNING = {
  tuning: { is: "text <file.json>", about: "sizes of tiles for a device, measured by `groupwise tune`" },
} as const;

export const SUBNORMALS = {
  subnormals: {
    is: "text <how>",
    choices: ["flush"],
    about:
      "sums and products as the device computes them: shorter WGSL, whose results may differ on a device that flushes subnormal numbers",
  },
} as const;

export const CACHE = {
  cache: {
    is: "negated",
    about:
      "probe the device again: neither read nor keep what probes of it show (in $XDG_CACHE_HOME/groupwise or ~/.cache/groupwise)",
  },
} as const;

/** Optional features of devices. */
export const DEVICE = {
  native: {
    is: "negated",
    about: "do not use OpenCL's own work-group functions: smaller files, the same results",
  },
  subgroups: {
    is: "positive [least]",
    about: "shuffle values within subgroups, for devices that have them; optionally their minimum size",
  },
  lookBack: {
    is: "switch",
    about: "scans in one pass with look-back, which waits for other work-groups: for GPUs",
  },
  cores: {
    is: "positive <number>",
    about: "for a device of few wide cores, such as a CPU: each work-item loops over a chunk of the range",
  },
  f16: { is: "switch", about: "compute halves in the language's own type, for devices that support it" },
  f64: { is: "switch", about: "compute doubles in OpenCL's own type, for devices that support it" },
} as const;

/** Arrays in parts. */
export const PARTS = {
  parts: {
    is: "list <array=count>",
    about: "split an array that is longer than a binding into parts (wgsl); repeatable",
  },
  partBytes: {
    is: "positive <bytes>",
    initial: PART_BYTES as number,
    about: "bytes of a part, a multiple of 256",
  },
} as const;

export const ITEMS = {
  items: {
    is: "whole <count>",
    about: "with --tuning: the number of items that sizes are for (default: a large one)",
  },
} as const;

/** Forms of emitted files besides kernels. */
export const FORMS = {
  mpi: {
    is: "switch",
    about: "write functions and a program for the ranks of MPI, with a CMake project (c, opencl), see below",
  },
  openmp: {
    is: "switch",
    about: "also write a function that computes parts of the range in threads of OpenMP (c)",
  },
} as const;
export const HOST = {
  host: {
    is: "text <host>",
    about:
      `also write a host for the emitted files: for this pipeline ${OWN_LIST}, or a file that reads any manifest: ${GENERIC_LIST}` as string,
  },
} as const;

export const EMIT = {
  target: { is: "text <targets>", about: `targets to emit: ${TARGET_LIST}` as string },
  out: { is: "text <dir>", initial: "out", about: "folder to write to" },
  watch: { is: "switch", about: "emit again whenever the pipeline file or a file that it imports changes" },
} as const;

/** Those of `emit` that its files depend on, in the order in which emitted files name them. */
type Emitted = typeof MODULE &
  typeof DEVICE &
  typeof SUBNORMALS &
  typeof PARTS &
  typeof TUNING &
  typeof ITEMS &
  typeof FORMS &
  typeof HOST;
export type EmitFlags = FlagsOf<typeof EMIT & Emitted & typeof FORCE & typeof JSON_OUT>;

export const RUN = {
  input: { is: "list <name=file>", about: "data of an input, see below" },
  target: {
    is: "text <targets>",
    initial: DEFAULTS.run as string,
    about: `targets to run on; all means every device found: ${TARGET_LIST}` as string,
  },
  device: {
    is: "text <device>",
    about: "part of a device's name, its index among the targets' devices, or all",
  },
  out: {
    is: "text <where>",
    about:
      "folder for one .npy file per output, or a table: FILE.csv, FILE.arrow, -:csv; without it, outputs are printed",
  },
  seed: { is: "whole <number>", about: "generate the inputs without data: with --n 1e6, so many items" },
  show: { is: "whole <count>", about: "number of leading values to print" },
  repeat: { is: "positive <count>", about: "run several times after the first and report the fastest" },
  workers: {
    is: "positive <count>",
    about: "number of threads that compute parts of the range (js, wasm, c)",
  },
  stream: {
    is: "positive [items]",
    about:
      "compute in chunks, of a length that suits the device or of so many items, for files larger than memory; needs --out",
  },
  resume: { is: "switch", about: "with --stream: continue from the last state that was written" },
} as const;
export type RunFlags = FlagsOf<
  typeof RUN &
    typeof CACHE &
    typeof VALUES &
    typeof SIZES &
    typeof OFFSET &
    typeof TUNING &
    typeof SUBNORMALS &
    typeof MODULE
>;

export const CHECK = {
  target: {
    is: "text <targets>",
    about: `fail if one of them does not support the pipeline: ${TARGET_LIST}` as string,
  },
  samples: { is: "positive <count>", about: "number of samples for each law of an operator (default: 2000)" },
  laws: { is: "negated", about: "do not test the laws of operators" },
  input: {
    is: "list <name=file>",
    about: "sample data on which no two items may write one slot of a scatter",
  },
} as const;
export type CheckFlags = FlagsOf<typeof CHECK & typeof VALUES & typeof SIZES & typeof OFFSET & typeof MODULE>;

export const EXPLAIN = {
  target: {
    is: "text <targets>",
    initial: DEFAULTS.explain as string,
    about: `targets to plan for: ${TARGET_LIST}` as string,
  },
  stream: { is: "switch", about: "print the plan of `run --stream` for a chunk" },
  picture: { is: "text <file.mmd>", about: "also write the passes and arrays as a Mermaid flowchart" },
} as const;
export type ExplainFlags = FlagsOf<
  typeof EXPLAIN &
    typeof SIZES &
    typeof DEVICE &
    typeof SUBNORMALS &
    typeof TUNING &
    typeof FORCE &
    typeof MODULE
>;

export const DOCTOR = {
  require: { is: "text <targets>", about: "fail if one of these has no device" },
} as const;
export type DoctorFlags = FlagsOf<typeof DOCTOR>;

export const TUNE = {
  target: { is: "text <target>", initial: DEFAULTS.tune as string, about: "target of the device" },
  device: {
    is: "text <device>",
    about: "part of the device's name, or its index among the target's devices",
  },
  types: { is: "text <types>", about: "types of the sums that are measured (default: u32,f32,i64)" },
  sizes: { is: "text <counts>", about: "numbers of items that are measured (default: 2^16,2^20,2^24)" },
  seconds: { is: "positive <count>", initial: TUNE_SECONDS as number, about: "time for all of it" },
  out: { is: "text <file>", initial: TUNE_FILE as string, about: "file to write to" },
} as const;
export type TuneFlags = FlagsOf<typeof TUNE & typeof CACHE & typeof FORCE>;

/** In the order in which headers name them. */
export const HEADER = {
  target: {
    is: "text <language>",
    initial: DEFAULTS.header as string,
    about: HEADER_TARGETS.join(" or ") as string,
  },
  functions: {
    is: "text <functions>",
    about: "functions, separated by commas, for example reduce-add-f32,all (OpenCL default: all)",
  },
  workGroupSize: { is: "positive <count>", about: "WGSL: number of work-items in the work-group" },
  f16: {
    is: "switch",
    about: "WGSL: compute halves in the language's own type, for devices that support it",
  },
} as const;
export const HEADER_TEXT = {
  prefix: { is: "text <text>", about: "prefix of names (default: gw_)" },
  out: { is: "text <file>", about: "file to write to (default: stdout)" },
} as const;
export type HeaderFlags = FlagsOf<typeof HEADER & typeof SUBNORMALS & typeof HEADER_TEXT & typeof FORCE>;

export const IMPORT = {
  out: { is: "text <file>", about: "file to write to, ending in .json (default: stdout)" },
  set: { is: "list <name=values>", about: "make an input of the model a constant, for example axes=0,1" },
} as const;
export type ImportFlags = FlagsOf<typeof IMPORT & typeof FORCE>;

export const EXPORT = {
  out: { is: "text <file>", about: "file to write to, ending in .onnx" },
} as const;
export type ExportFlags = FlagsOf<typeof EXPORT & typeof MODULE & typeof FORCE>;
