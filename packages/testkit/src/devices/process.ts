import { spawn } from "node:child_process";
import { lstatSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

/** Processes that take longer than this are treated as hanging; no test depends on time otherwise. */
export const HANGING_MS: number = 15 * 60_000;

export interface ProcessResult {
  /** null when it was killed. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
}

export interface ProcessOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly input?: string;
  /** Milliseconds, {@link HANGING_MS} when not given; then the process is killed. */
  readonly timeoutMs?: number;
}

/** Runs a program to its end. Rejects only if it cannot be started. `env` is added to this process's. */
export function runProcess(
  command: string,
  args: readonly string[],
  options: ProcessOptions = {},
): Promise<ProcessResult> {
  return new Promise((resolve, reject) => {
    const { env, cwd, input = "", timeoutMs = HANGING_MS } = options;
    const child = spawn(command, args, {
      env: { ...process.env, ...env },
      ...(cwd === undefined ? {} : { cwd }),
    });
    let stdout = "";
    let stderr = "";
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      child.kill("SIGKILL");
    }, timeoutMs);
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.stdin.on("error", () => {}); // it may end without reading its input
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, stdout, stderr, timedOut });
    });
    child.stdin.end(input);
  });
}

const scratch = new Set<string>();

/**
 * A new empty directory that is removed when this process ends. Remove it earlier if possible, because workers of a test
 * runner may end without running exit handlers.
 */
export function scratchDirectory(): string {
  if (scratch.size === 0) process.once("exit", removeScratch);
  const directory = mkdtempSync(join(tmpdir(), "groupwise-"));
  scratch.add(directory);
  return directory;
}

function removeScratch(): void {
  for (const directory of scratch) rmSync(directory, { recursive: true, force: true });
}

/** A directory of this user that all processes share and none removes. */
export function sharedDirectory(name: string): string {
  const top = join(tmpdir(), `groupwise-user-${userInfo().username}`);
  mkdirSync(top, { recursive: true, mode: 0o700 });
  const { uid } = lstatSync(top);
  // Another user may have created it, because /tmp is shared.
  if (process.getuid && uid !== process.getuid()) return scratchDirectory();
  const directory = join(top, name);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return directory;
}
