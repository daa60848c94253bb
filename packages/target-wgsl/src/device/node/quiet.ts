/**
 * Dawn writes two warnings to stderr, from native code, when it opens an adapter with more dynamic buffers than it
 * uses. No option of Dawn stops them.
 */
import { closeSync, fstatSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface Koffi {
  load(path: string | null): { func(declaration: string): (...args: number[]) => number };
}

const STDERR = 2;
const WARNING = /^Warning: maxDynamic\w+BuffersPerPipelineLayout artificially reduced from .*\n?/gm;

/** Runs `act`, and removes Dawn's two warnings from the text that native code writes to stderr meanwhile. */
export type Quietly = <T>(act: () => T) => T;

/** A text without the two warnings. */
const withoutWarnings = (text: string): string => text.replace(WARNING, "");

/** `act` must be synchronous. Without koffi, and on Windows, the warnings are printed. */
export async function quieter(): Promise<Quietly> {
  try {
    if (process.platform === "win32") return (act) => act();
    const { default: koffi } = (await import("koffi" as string)) as { default: Koffi };
    const self = koffi.load(null);
    return redirecting(self.func("int dup(int)"), self.func("int dup2(int, int)"));
  } catch {
    return (act) => act();
  }
}

function redirecting(dup: (fd: number) => number, dup2: (from: number, to: number) => number): Quietly {
  return (act) => {
    const file = anonymousFile();
    if (file === undefined) return act();
    const stderr = dup(STDERR); // -1 where it is closed: then it stays closed
    dup2(file, STDERR);
    try {
      return act();
    } finally {
      if (stderr < 0) closeSync(STDERR);
      else dup2(stderr, STDERR);
      const rest = withoutWarnings(contents(file));
      closeSync(file);
      if (stderr >= 0) {
        if (rest !== "") writeSync(stderr, rest);
        closeSync(stderr);
      }
    }
  };
}

function anonymousFile(): number | undefined {
  const path = join(tmpdir(), `groupwise-${crypto.randomUUID()}.log`);
  try {
    const file = openSync(path, "wx+", 0o600);
    unlinkSync(path);
    return file;
  } catch {
    return undefined;
  }
}

function contents(file: number): string {
  const bytes = new Uint8Array(fstatSync(file).size);
  readSync(file, bytes, 0, bytes.length, 0);
  return new TextDecoder().decode(bytes);
}
