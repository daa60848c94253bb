/** Emitted C and the loops of `peers/loops.c` in one library, by one compiler with the same options. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { errorOf } from "@groupwise/core/target";
import { emitOpenMp } from "@groupwise/target-c/openmp";
import {
  isRounded,
  isSum,
  LOOP_TYPES,
  type LoopCase,
  type LoopType,
  limitsOf,
  outputsFor,
  sourcesOf,
} from "./jobs.ts";

const PEERS = fileURLToPath(new URL("../../peers/loops.c", import.meta.url));
export const BUILD_OPTIONS: readonly string[] = ["-O3", "-std=c11", "-ffp-contract=off"];
/** As in `peers/loops.c`. */
export const THREADS = 2;
/** Sums of i32 by hand wrap only with this; emitted C adds as u32. */
const PEER_OPTIONS = ["-fwrapv"];

type Native = (...args: readonly (number | ArrayBufferView)[]) => number | undefined;

export interface Loops {
  readonly compiler: string;
  /** The function that a pipeline emits. */
  emitted(which: LoopCase, type: LoopType): Native;
  /** The same on {@link THREADS} threads; undefined if it would use one. */
  parallel(which: LoopCase, type: LoopType): Native | undefined;
  /** A loop by hand; undefined if there is none of this kind. */
  byHand(kind: "plain" | "fixed" | "openmp", which: LoopCase, type: LoopType): Native | undefined;
}

interface Opened {
  func(name: string, result: string, args: readonly string[]): Native;
}

const C_TYPES: Readonly<Record<LoopType, string>> = { u32: "uint32_t", i32: "int32_t", f32: "float" };

/** @throws GroupwiseError `device-missing` without the compiler or koffi */
export async function nativeLoops(compiler = "gcc"): Promise<Loops> {
  const folder = mkdtempSync(join(tmpdir(), "groupwise-loops-"));
  const run = promisify(execFile);
  const entries = new Map<string, Readonly<Record<string, unknown>>>();
  const sources: string[] = [];
  for (const type of LOOP_TYPES) {
    for (const [which, source] of Object.entries(sourcesOf(type))) {
      const { files, manifest } = emitOpenMp(source);
      for (const { path, text } of files) writeFileSync(join(folder, path), text);
      sources.push(...files.map(({ path }) => path).filter((path) => path.endsWith(".c")));
      entries.set(`${which}-${type}`, manifest.flags);
    }
  }
  try {
    // Read when the library of OpenMP is loaded: threads that wait actively would slow the loops beside them.
    process.env.OMP_WAIT_POLICY ??= "passive";
    const koffi = (await import("koffi")) as unknown as { default: { load(path: string): Opened } };
    const options = [...BUILD_OPTIONS, "-fPIC", "-fopenmp"];
    await run(compiler, [...options, "-c", ...sources], { cwd: folder });
    await run(compiler, [...options, ...PEER_OPTIONS, "-c", PEERS, "-o", "peers.o"], { cwd: folder });
    const objects = [...sources.map((path) => path.replace(/\.c$/, ".o")), "peers.o"];
    await run(compiler, ["-shared", "-fopenmp", ...objects, "-o", "loops.so"], { cwd: folder });
    const library = koffi.default.load(join(folder, "loops.so"));
    const version = (await run(compiler, ["--version"])).stdout.split("\n")[0] ?? compiler;
    const given = (which: LoopCase, type: LoopType): string[] => [
      "size_t",
      "void *",
      ...Object.keys(outputsFor(which, type, 1)).map(() => "void *"),
    ];
    return {
      compiler: version,
      emitted: (which, type) =>
        library.func(String(entries.get(`${which}-${type}`)?.function), "int", given(which, type)),
      parallel: (which, type) => {
        const { division, parallel } = entries.get(`${which}-${type}`) ?? {};
        if (division === undefined) return undefined;
        return library.func(String(parallel), "int", [...given(which, type), "int"]);
      },
      byHand: (kind, which, type) => {
        const isThere = { plain: true, fixed: isRounded(which, type), openmp: isSum(which) }[kind];
        if (!isThere) return undefined;
        const limits = limitsOf(which, type).map(() => C_TYPES[type]);
        const name = `${kind}_${which.replace("-", "_")}_${type}_`;
        return library.func(name, "void", [...given(which, type), ...limits]);
      },
    };
  } catch (cause) {
    const { stderr, message } = cause as { readonly stderr?: string; readonly message: string };
    throw errorOf("device-missing", { what: "C", reason: (stderr || message).slice(0, 2000) }, "", cause);
  } finally {
    // What is loaded stays mapped.
    rmSync(folder, { recursive: true, force: true });
  }
}
