/**
 * Compiles emitted C with the machine's compiler, and runs it in this process.
 * @module
 */
import type { Runtime } from "@groupwise/core";
import { runtimeOf } from "./run/device.ts";
import { importKoffi, openLibrary, versionOf } from "./run/library.ts";

/** Which compiler, and what it is told. */
export interface CRuntimeOptions {
  /** The command of a compiler that takes the options of gcc; default: `cc`. */
  readonly compiler?: string;
  /** Options besides the language; default: `-O2`. Options that change floats, such as `-ffast-math`, are refused by the text. */
  readonly options?: readonly string[];
}

/**
 * A runtime on the machine's C compiler. It needs the package koffi. A call runs on the thread of its caller
 * and ends before `run` returns.
 * @throws GroupwiseError `device-missing` without a compiler or koffi
 */
export async function cRuntime(given: CRuntimeOptions = {}): Promise<Runtime> {
  const { compiler: command = "cc", options = ["-O2"] } = given;
  const [koffi, version] = [await importKoffi(), await versionOf(command)];
  return runtimeOf(version, (artifact) => openLibrary(artifact, { command, options }, koffi));
}
