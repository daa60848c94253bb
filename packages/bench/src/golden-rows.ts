/** What people read of emitted text: the goldens, and the variants that are compiled beside them. */
import type { TargetName } from "@groupwise/cli/targets";
import type { EmitOptions } from "@groupwise/core";
import { openclCapabilities } from "@groupwise/target-opencl";

/** A case in one language, with options. */
export interface Row {
  /** The case's name. */
  readonly of: string;
  readonly target: TargetName;
  /** The folder of a variant, and what follows in its command. */
  readonly folder?: string;
  readonly flags?: string;
  readonly options?: EmitOptions;
  /** Another form of the target's files. */
  readonly form?: string;
  /** True: over a chunk, from the state of the items before it. */
  readonly isChunk?: true;
}

/** A golden. Without `whole` only its first file is checked in. */
export interface Golden extends Row {
  /** Why it is worth reading. */
  readonly shows: string;
  /** True: with its manifest, its declarations and its plan. */
  readonly whole?: boolean;
  /** How the path of the file ends that is checked in, where it is not the first. */
  readonly file?: string;
}

const LOOK_BACK = {
  folder: "look-back",
  flags: "--subgroups 32 --look-back",
  options: { subgroups: 32, lookBack: true },
} as const;
const CHUNK = {
  ...LOOK_BACK,
  folder: "look-back-chunk",
  flags: "--subgroups 32 --look-back # over a chunk, by emitChunks",
  isChunk: true,
} as const;
const CORES = { folder: "cores", flags: "--cores 8", options: { cores: 8 } } as const;
const SUBGROUPS = { folder: "subgroups", flags: "--subgroups", options: { subgroups: true } } as const;
const HALVES = { folder: "native-halves", flags: "--f16", options: { types: ["f16"] } } as const;
const QUOTIENTS = {
  folder: "native-divide",
  flags: "# for a device that rounds quotients correctly",
  options: { capabilities: openclCapabilities({ divide: "native" }) },
} as const;
const PARTS = {
  folder: "parts",
  flags: "--parts x=3 --part-bytes 134217728",
  options: { split: { partBytes: 2 ** 27, parts: { x: 3 } } },
} as const;

/** Each strategy, language, expansion and form of a type once, in the shortest pipeline that has it. */
export const GOLDENS: readonly Golden[] = [
  { of: "map", target: "wgsl", shows: "items without collectives; a product that must not be fused" },
  { of: "map", target: "opencl", shows: "the same, where a pragma forbids it" },
  { of: "map", target: "js", shows: "a module with its declarations", whole: true },
  { of: "map", target: "gpujs", shows: "one function for each output element" },
  { of: "map", target: "c", shows: "a loop" },
  { of: "upper-case", target: "wgsl", shows: "bytes: whole words, and a tail that keeps its neighbours" },
  { of: "work-group", target: "wgsl", shows: "collectives of work-groups" },
  { of: "work-group", target: "opencl", shows: "the same, or the language's own functions", whole: true },
  { of: "work-group", target: "js", shows: "the same in one thread" },
  { of: "prefix-sum", target: "wgsl", shows: "reduce-then-scan of floats", whole: true },
  { of: "prefix-sum", target: "js", shows: "the order of floats in one loop" },
  { of: "prefix-sum", target: "c", shows: "the same in C, with its header", whole: true },
  {
    ...{ of: "prefix-sum", target: "c", folder: "mpi", flags: "--mpi", form: "mpi", file: "_mpi.c" },
    shows: "what ranks of MPI do together",
  },
  { of: "prefix-sum", target: "wgsl", shows: "look-back as large GPUs run it", ...LOOK_BACK },
  { of: "prefix-sum", target: "cuda", shows: "the same in CUDA C++, which needs no option" },
  { of: "halves", target: "cuda", shows: "halves that the device converts" },
  {
    of: "prefix-sum",
    target: "wgsl",
    shows: "the same over a chunk, which takes and returns a state",
    ...CHUNK,
  },
  { of: "prefix-sum", target: "opencl", shows: "chunks of few wide cores, a loop in each", ...CORES },
  { of: "line-index", target: "js", shows: "a scan that a scatter reads" },
  { of: "compact", target: "wasm", shows: "an ES module around WebAssembly" },
  {
    of: "compact",
    target: "wasm",
    shows: "the same as text: items for which a condition holds",
    file: ".wat",
  },
  { of: "histogram", target: "wgsl", shows: "combining scatters, of an array in three bindings", ...PARTS },
  { of: "tally", target: "wgsl", shows: "combining scatters of few slots, in work-group memory" },
  { of: "sort-bytes", target: "wgsl", shows: "stable ranks, by bits in work-group memory", ...LOOK_BACK },
  { of: "broadcast", target: "wgsl", shows: "broadcasts by what is known when" },
  { of: "tiles", target: "wgsl", shows: "several dimensions, in subgroups", ...SUBGROUPS },
  { of: "lines", target: "opencl", shows: "work-groups that are lines, several at once" },
  { of: "ledger", target: "wgsl", shows: "64-bit integers in two words" },
  { of: "doubles", target: "opencl", shows: "doubles in integers" },
  { of: "halves", target: "wgsl", shows: "halves as rounded floats" },
  { of: "from-zero", target: "c", shows: "what GCC may not fold, and a maximum by keys" },
  { of: "table-alone", target: "c", shows: "a table, which may be empty" },
  { of: "argmax", target: "js", shows: "an operator on records" },
  { of: "functions", target: "wgsl", shows: "bodies of exact functions, in two words too" },
  { of: "expansions", target: "wgsl", shows: "each expansion, where halves are native", ...HALVES },
  { of: "expansions", target: "opencl", shows: "each expansion, where quotients are rounded", ...QUOTIENTS },
  { of: "expansions", target: "js", shows: "each expansion of a language without 64 bits" },
];

/** Further texts that outside compilers take, besides those of the typical cases without options and the goldens. */
export const VARIANTS: readonly Row[] = [
  { of: "prefix-sum", target: "wgsl", ...SUBGROUPS },
  {
    of: "prefix-sum",
    target: "wgsl",
    folder: "in-memory",
    flags: "--look-back",
    options: { lookBack: true },
  },
  {
    of: "prefix-sum",
    target: "opencl",
    folder: "in-memory",
    flags: "--look-back",
    options: { lookBack: true },
  },
  { of: "prefix-sum", target: "wgsl", ...CORES },
  { of: "tally", target: "opencl", ...CORES },
  {
    of: "compact",
    target: "wgsl",
    folder: "parts",
    flags: "--parts x=3 --parts kept=2 --part-bytes 134217728",
    options: { split: { partBytes: 2 ** 27, parts: { x: 3, kept: 2 } } },
  },
];
