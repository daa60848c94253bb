/**
 * Compiles emitted C with the machine's compiler, and runs it in this process.
 * @module
 */
import type { Runtime } from "@groupwise/core";
import { BOOLEAN, optionsOf, TEXT, TEXTS, type Wanted, whole } from "@groupwise/core/target";
import { runtimeOf } from "./device/device.ts";
import { openLibrary, versionOf } from "./device/library.ts";
import { importKoffi } from "./device/native.ts";

/** The compiler and its options. */
export interface CRuntimeOptions {
  /** The command of a compiler that takes the options of gcc; default: `cc`. */
  readonly compiler?: string;
  /** Options besides the language; default: `-O2`. Options that change floats, such as `-ffast-math`, are refused by the text. */
  readonly options?: readonly string[];
  /**
   * A folder that keeps compiled libraries for later processes, under a hash of the text, the compiler's version, the options and the
   * processor. Nothing in it is removed. Libraries are executed: choose a folder that no one else can write to. Default: none are stored.
   */
  readonly cache?: string;
  /**
   * True: kernels report accesses outside of arrays and reads of what nothing wrote (`bad-access`), in steps of recorders too, and `run` first
   * checks by the reference that no two items write one slot (`scatter-conflict`). Both take far longer than the run. Default: false.
   */
  readonly debug?: boolean;
  /**
   * The most threads that compute parts of a range, from 1 to 1024; default: 1. More than 1 needs a compiler with OpenMP. Results are those
   * of one thread, bit for bit.
   */
  readonly threads?: number;
}

const OPTIONS: { readonly [K in keyof Required<CRuntimeOptions>]: Wanted } = {
  compiler: TEXT,
  options: TEXTS,
  cache: TEXT,
  debug: BOOLEAN,
  threads: whole(1, 1024),
};

/**
 * A runtime on the machine's C compiler. It needs the package koffi. A call runs on the thread of its caller, beside which `threads` starts
 * others, and ends before `run` returns. Pipelines whose parts need one another otherwise than by scans and reduces use one thread:
 * `divisionOf` of `@groupwise/core/state` reports which, and the reason.
 * @throws GroupwiseError `bad-argument`; `device-missing` without a compiler or koffi
 * @example
 * ```ts
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { cRuntime } from "@groupwise/target-c/runtime";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const program = await (await cRuntime()).compile(sums);
 * const { y } = await program.run({ x: Float32Array.of(1, 2, 4) });
 * console.log(y); // [1, 3, 7]
 * ```
 */
export async function cRuntime(given?: CRuntimeOptions): Promise<Runtime> {
  const {
    compiler: command = "cc",
    options = ["-O2"],
    cache,
    debug,
    threads = 1,
  } = optionsOf(given, OPTIONS, "the options of cRuntime") as CRuntimeOptions;
  const [koffi, version] = [await importKoffi("C"), await versionOf(command)];
  return runtimeOf({
    driver: version,
    open: (artifact) => openLibrary(artifact, { command, options, version, cache }, koffi),
    debug,
    threads,
  });
}
