/** Emitted C and the loops of `peers/loops.c` in one library, by one compiler with the same options. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { emit } from "@groupwise/core";
import { errorOf } from "@groupwise/core/target";
import { c } from "@groupwise/target-c";
import { LOOP_CASES, LOOP_TYPES, type LoopCase, type LoopType, sourcesOf } from "./jobs.ts";

const PEERS = fileURLToPath(new URL("../../peers/loops.c", import.meta.url));
export const BUILD_OPTIONS: readonly string[] = ["-O3", "-std=c11", "-ffp-contract=off"];
/** Sums of i32 by hand wrap only with this; emitted C adds as u32. */
const PEER_OPTIONS = ["-fwrapv", "-fopenmp"];

type Native = (...args: readonly (number | ArrayBufferView)[]) => number | undefined;

export interface Loops {
  readonly compiler: string;
  /** The function that a pipeline emits. */
  emitted(which: LoopCase, type: LoopType): Native;
  /** A loop by hand; undefined if there is none of this kind. */
  byHand(kind: "plain" | "fixed" | "openmp", which: LoopCase, type: LoopType): Native | undefined;
}

interface Opened {
  func(name: string, result: string, args: readonly string[]): Native;
}

const OUTPUT_COUNT: Readonly<Record<LoopCase, number>> = {
  "reduce-add": 1,
  "scan-add": 1,
  "scan-max": 1,
  compact: 2,
  histogram: 1,
};
const ABOVE: Readonly<Record<LoopType, string>> = { u32: "uint32_t", i32: "int32_t", f32: "float" };
const isOpenMp = (which: LoopCase): boolean => which === "reduce-add" || which === "scan-add";

/** @throws GroupwiseError `device-missing` without the compiler or koffi */
export async function nativeLoops(compiler = "gcc"): Promise<Loops> {
  const folder = mkdtempSync(join(tmpdir(), "groupwise-loops-"));
  const run = promisify(execFile);
  const entries = new Map<string, string>();
  const sources: string[] = [];
  for (const type of LOOP_TYPES) {
    for (const [which, source] of Object.entries(sourcesOf(type))) {
      const { files, manifest } = emit(source, c);
      for (const { path, text } of files) writeFileSync(join(folder, path), text);
      sources.push(...files.map(({ path }) => path).filter((path) => path.endsWith(".c")));
      entries.set(
        `${which}-${type}`,
        (manifest.flags as Readonly<Record<string, string>>).function as string,
      );
    }
  }
  try {
    const koffi = (await import("koffi")) as unknown as { default: { load(path: string): Opened } };
    const options = [...BUILD_OPTIONS, "-fPIC"];
    await run(compiler, [...options, "-c", ...sources], { cwd: folder });
    await run(compiler, [...options, ...PEER_OPTIONS, "-c", PEERS, "-o", "peers.o"], { cwd: folder });
    const objects = [...sources.map((path) => path.replace(/\.c$/, ".o")), "peers.o"];
    await run(compiler, ["-shared", "-fopenmp", ...objects, "-o", "loops.so"], { cwd: folder });
    const library = koffi.default.load(join(folder, "loops.so"));
    const version = (await run(compiler, ["--version"])).stdout.split("\n")[0] ?? compiler;
    const given = (which: LoopCase): string[] => [
      "size_t",
      ...Array.from({ length: 1 + OUTPUT_COUNT[which] }, () => "void *"),
    ];
    return {
      compiler: version,
      emitted: (which, type) => library.func(entries.get(`${which}-${type}`) ?? "", "int", given(which)),
      byHand: (kind, which, type) => {
        const isThere = kind === "plain" || (isOpenMp(which) && (kind === "openmp" || type === "f32"));
        if (!isThere) return undefined;
        const last = which === "compact" ? [ABOVE[type]] : [];
        const name = `${kind}_${which.replace("-", "_")}_${type}_`;
        return library.func(name, "void", [...given(which), ...last]);
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

export const JOBS: readonly { readonly which: LoopCase; readonly type: LoopType }[] = LOOP_CASES.flatMap(
  (which) => LOOP_TYPES.map((type) => ({ which, type })),
);
