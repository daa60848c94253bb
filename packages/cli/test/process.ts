/** The command line in a process of its own: as `npm test` has just built it, else from its sources. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";

/** Built, it starts in a third of the time. */
const BIN = join(import.meta.dirname, process.env.GROUPWISE_BUILT ? "../dist/bin.js" : "../src/bin.ts");
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
export function ended(cwd: string, argv: readonly string[], start: Start = {}): Promise<Ended> {
  const { node = [], stdout = "pipe", onErr, onOut, signal, file = BIN } = start;
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
