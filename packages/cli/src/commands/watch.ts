/** `groupwise emit --watch`: emits, and emits again whenever a source changes, until a signal ends it. */
import { type FSWatcher, watch } from "node:fs";
import { dirname, extname, resolve } from "node:path";
import type { Outcome, Surroundings } from "../base/outcome.ts";
import { badUsage } from "../base/problem.ts";
import { CODE_FILES } from "../completion/files.ts";
import type { EmitFlags } from "../flags/tables.ts";
import { emitCommand } from "./emit.ts";

/** Editors write a file in several steps: milliseconds in which all of them are one change. */
const TOGETHER_MS = 50;

/**
 * Errors are printed, and watching continues: the file that an import lacks may be created in a watched folder.
 * @throws GroupwiseError `bad-usage`
 */
export async function watchCommand(path: string, flags: EmitFlags, around: Surroundings): Promise<Outcome> {
  if (flags.json) throw badUsage("--watch prints no JSON: it never ends", "omit --json, or omit --watch");
  if (flags.target === undefined) return emitCommand(path, flags, around);
  const sources = new Sources();
  try {
    for (;;) {
      let written: readonly string[] = [];
      const code = await around.again(async () => {
        const outcome = await emitCommand(path, flags, around, (file) => sources.add(file));
        written = outcome.text.split("\n").map((name) => resolve(around.cwd, name));
        return outcome;
      });
      around.progress.show(`watching ${path}`, false);
      const isEnded = await sources.change(written, code !== 0);
      around.progress.clear();
      if (isEnded) return { code: 0, data: {}, text: "" };
    }
  } finally {
    sources.close();
  }
}

/** Files, watched through their folders: editors replace a file by another one. */
class Sources {
  private readonly files = new Set<string>();
  private readonly folders = new Map<string, FSWatcher>();
  private onChange: (file: string) => void = (file) => this.early.push(file);
  /** Changes that arrived while no call of `change` was waiting. */
  private early: string[] = [];

  /** Watches a file, unless it belongs to an installed package. */
  add(file: string): void {
    if (/[\\/]node_modules[\\/]/.test(file)) return;
    this.files.add(file);
    const folder = dirname(file);
    if (this.folders.has(folder)) return;
    const watcher = watch(folder, (_, name) => name !== null && this.onChange(resolve(folder, name)));
    watcher.on("error", () => watcher.close()); // the folder is gone
    this.folders.set(folder, watcher);
  }

  /**
   * Waits for a change of a source; if the last attempt failed, also of other source files in the watched folders. Written files do not count.
   * @returns true if a signal arrived: a signal ends the command while it waits, and the process during an attempt
   */
  change(written: readonly string[], hasFailed: boolean): Promise<boolean> {
    const isSource = (file: string): boolean =>
      !written.includes(file) && (this.files.has(file) || (hasFailed && CODE_FILES.includes(extname(file))));
    return new Promise((done) => {
      const finish = (isEnded: boolean): void => {
        for (const signal of SIGNALS) process.off(signal, end);
        this.onChange = (file) => this.early.push(file);
        done(isEnded);
      };
      const end = (): void => finish(true);
      for (const signal of SIGNALS) process.on(signal, end);
      let isFound = false;
      this.onChange = (file) => {
        if (!isFound && isSource(file)) setTimeout(afterSignals, TOGETHER_MS, () => finish(false));
        isFound ||= isSource(file);
      };
      for (const file of this.early.splice(0)) this.onChange(file);
    });
  }

  close(): void {
    for (const watcher of this.folders.values()) watcher.close();
  }
}

/** Node handles pending signals between two rounds of immediates, so the listeners must still be present then. */
const afterSignals = (work: () => void): void => {
  setImmediate(() => setImmediate(work));
};

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
