/** The command line in a process of its own, from its sources. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";

/** As deep in the package as `src/base`: the sources read files beside the package by paths. */
const BUNDLE = join(import.meta.dirname, "../.cache/bin");
let bundle: Promise<string> | undefined;

/** The command line and the packages of this repository in few files, which start in half the time of a file for each module. */
async function bin(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "../src/bin.ts")],
    outdir: BUNDLE,
    write: false,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    conditions: ["@groupwise/source"],
    logLevel: "error",
    plugins: [
      {
        name: "other-packages-where-they-are",
        setup: ({ onResolve }) =>
          onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
            kind === "entry-point" || path.startsWith("@groupwise/") ? undefined : { path, external: true },
          ),
      },
    ],
  });
  mkdirSync(BUNDLE, { recursive: true });
  // Another process may run the same files: they change at once.
  for (const { path, contents } of outputFiles) {
    writeFileSync(`${path}.${process.pid}`, contents);
    renameSync(`${path}.${process.pid}`, path);
  }
  const names = new Set(outputFiles.map(({ path }) => basename(path)));
  for (const name of readdirSync(BUNDLE))
    if (name.endsWith(".js") && !names.has(name)) rmSync(join(BUNDLE, name), { force: true });
  return join(BUNDLE, "bin.js");
}

function binOnce(): Promise<string> {
  bundle ??= bin();
  return bundle;
}

/** Node's options that run a file of TypeScript sources. */
const SOURCES = ["--conditions=@groupwise/source", "--import", import.meta.resolve("jiti/register")];

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface Start {
  /** Options of Node. */
  readonly node?: readonly string[];
  /** Where stdout goes; a pipe that comes back as `out` where it is absent. */
  readonly stdout?: number;
  /** Called with all of stderr so far, each time there is more. */
  readonly onErr?: (err: string, child: ChildProcess) => void;
  /** The same for stdout. */
  readonly onOut?: (out: string) => void;
  /** What comes through stdin. */
  readonly input?: string | Uint8Array;
  /** Sends SIGINT. */
  readonly signal?: AbortSignal;
  /** A file of TypeScript to run in place of the command line. */
  readonly file?: string;
}

/** Runs the command line to its end. */
export async function ended(cwd: string, argv: readonly string[], start: Start = {}): Promise<Ended> {
  const { node = [], stdout = "pipe", onErr, onOut, signal } = start;
  const file = start.file ?? (await binOnce());
  const child = spawn(process.execPath, [...node, ...(file.endsWith(".ts") ? SOURCES : []), file, ...argv], {
    cwd,
    stdio: ["pipe", stdout, "pipe"],
  });
  child.stdin?.on("error", () => {}).end(start.input); // who reads none of it may end before
  signal?.addEventListener("abort", () => child.kill("SIGINT"));
  let [out, err] = ["", ""];
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    out += text;
    onOut?.(out);
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    err += text;
    onErr?.(err, child);
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, out, err }));
  });
}
